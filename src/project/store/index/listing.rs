//! Lists the Markdown files of a store and reads them, without following links.

use std::ffi::OsString;
use std::io::Read;

use crate::contract::LARGEST;
use crate::contract::{ContentHash, is_aside};
use crate::disk::folder::{Access, Kind, Seen};
use crate::disk::{Folder, files};
use crate::error::{Error, Result};

/// What the file system says about a file; another value means that it may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp {
    pub(super) size: i64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    /// When anything about the file changed, which no program can set back; 0 where it is not known.
    pub(super) changed: i64,
    /// The number of the file, which changes when it is replaced; 0 where it is not known.
    pub(super) inode: i64,
}

#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Paths relative to the store, with `/`, in order.
    pub(super) files: Vec<(String, Stamp)>,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Contents {
    /// Taken before reading, so that a change during the read is noticed later.
    pub(super) stamp: Stamp,
    pub(super) hash: String,
    pub(super) text: std::result::Result<String, &'static str>,
}

/// How many times a file that changes during the read is read again.
const TRIES: usize = 3;

const DEEPEST: usize = 16;

impl Stamp {
    pub(super) fn of(seen: Seen) -> Self {
        let Seen { modified, changed, inode, .. } = seen;
        Self { size: i64::try_from(seen.size).unwrap_or(i64::MAX), modified, changed, inode }
    }

    pub(super) fn latest(self) -> i64 {
        self.modified.max(self.changed)
    }
}

pub(super) fn list(root: &Folder) -> Result<Listing> {
    let mut listing = Listing::default();
    let names = root.spot("").names().map_err(|cause| Error::io("list", root.path(), cause))?;
    list_folder(root, names, "", &mut listing);
    listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(listing)
}

/// Reads a file that was listed; `None` if it is not there any more.
pub(super) fn read(root: &Folder, path: &str) -> Option<Contents> {
    let spot = root.spot(path);
    read_still(|| spot.open(Access::Read).ok(), || spot.look().ok())
}

/// Reads a file until it does not change during the read, but not for ever.
fn read_still<R: Read>(
    open: impl Fn() -> Option<(R, Seen)>,
    look: impl Fn() -> Option<Seen>,
) -> Option<Contents> {
    for _ in 0..TRIES {
        let (file, seen) = open()?;
        let contents = read_once(file, seen)?;
        if look().map(Stamp::of) == Some(contents.stamp) {
            return Some(contents);
        }
    }
    // No file has this stamp, so it is looked at again next time.
    let stamp = Stamp::default();
    let text = Err("it changes while it is read");
    Some(Contents { stamp, hash: String::new(), text })
}

fn read_once(file: impl Read, seen: Seen) -> Option<Contents> {
    let stamp = Stamp::of(seen);
    let limit = if seen.size > LARGEST { 0 } else { LARGEST + 1 };
    let bytes = files::read_open(file, seen, limit).ok()?;
    if seen.size > LARGEST || bytes.len() as u64 > LARGEST {
        let text = Err("it is larger than 16 MiB");
        return Some(Contents { stamp, hash: String::new(), text });
    }
    let hash = ContentHash::of(&bytes).as_str().to_owned();
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8");
    Some(Contents { stamp, hash, text })
}

/// Tells whether a folder of this name would be listed.
fn could_be_folder(path: &str) -> bool {
    !path.contains('.') && is_memory(&format!("{path}/x.md"))
}

fn list_folder(held: &Folder, names: Vec<(OsString, Kind)>, folder: &str, listing: &mut Listing) {
    for (name, kind) in names {
        let path = format!("{folder}{}", name.display());
        let Ok(name) = name.into_string() else {
            listing.warnings.push(format!("`{path}` is left out: its name is not UTF-8"));
            continue;
        };
        match kind {
            Kind::Folder if name.ends_with(".md") => {
                listing.warnings.push(format!("`{path}` is left out: it is a folder"));
            }
            Kind::Folder
                if path.split('/').count() <= DEEPEST && is_memory(&format!("{path}/x.md")) =>
            {
                let inner = held.spot(&name).enter();
                match inner.and_then(|inner| Ok((inner.spot("").names()?, inner))) {
                    Ok((names, inner)) => list_folder(&inner, names, &format!("{path}/"), listing),
                    Err(cause) => {
                        listing.warnings.push(format!("`{path}` cannot be listed: {cause}"));
                    }
                }
            }
            Kind::File if is_memory(&path) => {
                let Ok(seen) = held.spot(&name).look() else { continue };
                listing.files.push((path, Stamp::of(seen)));
            }
            Kind::Link | Kind::Pipe | Kind::Socket | Kind::Device
                if is_memory(&path) || could_be_folder(&path) =>
            {
                listing.warnings.push(format!("`{path}` is left out: it is {}", kind.name()));
            }
            Kind::File | Kind::Folder | Kind::Link | Kind::Pipe | Kind::Socket | Kind::Device => {}
        }
    }
}

pub(super) fn is_memory(path: &str) -> bool {
    path.ends_with(".md")
        && !is_aside(path)
        && !path.split('/').any(|part| part.is_empty() || part.starts_with('.'))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests set their own stage")]
mod tests {
    use std::cell::Cell;
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    use super::*;

    fn held(folder: &tempfile::TempDir) -> Folder {
        Folder::open(folder.path()).expect("it opens").expect("it is there")
    }

    fn check(path: &str, expected: bool) {
        assert_eq!(is_memory(path), expected, "{path}");
    }

    #[test]
    fn memory_is_all_markdown_but_what_is_staged() {
        check("decisions.md", true);
        check("modules/deep/auth.md", true);
        check("local/current.main.md", true);
        check("notes/index.md", true);
        check("index.md", true);
        check("staging/x/files/decisions.md", false);
        check("state/trash/a.md", false);
        check(".git/a.md", false);
        check("../a.md", false);
        check("config.toml", false);
    }

    /// Reads the beginning of a file, and the rest after somebody wrote another text.
    struct Meddled {
        file: File,
        path: PathBuf,
        other: Option<String>,
    }

    impl Read for Meddled {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let room = buffer.len().min(4);
            let count = self.file.read(&mut buffer[..room])?;
            self.other.take().map_or(Ok(()), |other| fs::write(&self.path, other))?;
            Ok(count)
        }
    }

    /// Reads a file that changes while it is read the first times.
    fn read_while_it_changes(times: usize) -> Contents {
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("a.md");
        fs::write(&path, "# a\n\nbefore\n").expect("it is written");
        let held = held(&root);
        let spot = held.spot("a.md");
        let left = Cell::new(times);
        let open = || {
            let (file, seen) = spot.open(Access::Read).ok()?;
            let other = left.get().checked_sub(1).map(|rest| {
                left.set(rest);
                format!("# b\n\n{}\n", "after ".repeat(times - rest))
            });
            Some((Meddled { file, path: path.clone(), other }, seen))
        };
        read_still(open, || spot.look().ok()).expect("it is there")
    }

    #[test]
    fn a_file_that_changes_while_it_is_read_is_read_again() {
        assert_eq!(read_while_it_changes(0).text.as_deref(), Ok("# a\n\nbefore\n"));
        assert_eq!(read_while_it_changes(1).text.as_deref(), Ok("# b\n\nafter \n"));
        assert_eq!(read_while_it_changes(2).text.as_deref(), Ok("# b\n\nafter after \n"));
    }

    #[test]
    fn a_file_that_never_stays_as_it_is_is_told_and_looked_at_next_time() {
        let contents = read_while_it_changes(TRIES);
        assert_eq!(contents.text, Err("it changes while it is read"));
        assert_eq!(contents.stamp, Stamp::default());
    }

    #[test]
    fn folders_named_like_files_are_told() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("modules/x.md")).expect("a folder");
        fs::write(root.path().join("a.md"), "# a\n").expect("it is written");
        let listing = list(&held(&root)).expect("it is listed");
        assert_eq!(listing.files.len(), 1);
        assert_eq!(listing.warnings, ["`modules/x.md` is left out: it is a folder"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let root = tempfile::tempdir().expect("a folder");
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("a.md"), "# a\n").expect("it is written");
        let link = |name: &str, to: &Path| {
            std::os::unix::fs::symlink(to, root.path().join(name)).expect("a link");
        };
        link("folder", outside.path());
        link("b.md", &outside.path().join("a.md"));
        assert!(list(&held(&root)).expect("it is listed").files.is_empty());
        assert!(read(&held(&root), "folder/a.md").is_none());
        assert!(read(&held(&root), "b.md").is_none());
    }
}
