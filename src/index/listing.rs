//! Lists the files of a folder and reads them, without following links.

use std::borrow::Cow;
use std::ffi::OsString;

use crate::contract::{ContentHash, LARGEST_FILE};
use crate::disk::folder::{Access, FileKind, PathMetadata};
use crate::disk::{Folder, files};
use crate::error::{Error, Result};

/// What tells one state of a file from another, as from the file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    pub(crate) size: i64,
    /// Nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When anything about the file changed, which no program can set back; 0 where it is not known.
    pub(crate) changed: i64,
    /// The number of the file, which changes when it is replaced; 0 where it is not known.
    pub(crate) inode: i64,
}

/// The files that a system has.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Paths with `/`, in order.
    pub(crate) files: Vec<(String, Stamp)>,
    pub(crate) warnings: Vec<String>,
}

/// A file as it was read.
#[derive(Debug)]
pub(crate) struct Contents {
    /// Taken before reading, so that a change during the read is noticed later.
    pub(crate) stamp: Stamp,
    pub(crate) hash: String,
    /// The text, or why there is none.
    pub(crate) text: std::result::Result<String, Cow<'static, str>>,
}

const DEEPEST: usize = 16;

impl Stamp {
    pub(super) fn of(seen: PathMetadata) -> Self {
        let PathMetadata { modified, changed, inode, .. } = seen;
        Self { size: i64::try_from(seen.size).unwrap_or(i64::MAX), modified, changed, inode }
    }
}

/// Lists the files below a folder whose paths are wanted.
pub(crate) fn list(root: &Folder, is_wanted: &dyn Fn(&str) -> bool) -> Result<Listing> {
    let mut listing = Listing::default();
    let names = root.inside("").names().map_err(|cause| Error::io("list", root.path(), cause))?;
    list_folder(root, "", names, is_wanted, &mut listing);
    listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(listing)
}

/// Lists chosen files of a folder, in their order; what is gone is left out.
pub(crate) fn list_chosen<'p>(root: &Folder, paths: impl Iterator<Item = &'p str>) -> Listing {
    let stamped = |path: &str| {
        let seen = root.inside(path).metadata().ok()?;
        (seen.kind == FileKind::File).then(|| (path.to_owned(), Stamp::of(seen)))
    };
    Listing { files: paths.filter_map(stamped).collect(), warnings: Vec::new() }
}

/// Reads a file that was listed; `None` if it is not there any more.
pub(crate) fn read(root: &Folder, path: &str) -> Option<Contents> {
    let (file, seen) = root.inside(path).open(Access::Read).ok()?;
    let stamp = Stamp::of(seen);
    let limit = if seen.size > LARGEST_FILE { 0 } else { LARGEST_FILE + 1 };
    let bytes = files::read_open(file, seen, limit).ok()?;
    if seen.size > LARGEST_FILE || bytes.len() as u64 > LARGEST_FILE {
        let text = Err("it is larger than 16 MiB".into());
        return Some(Contents { stamp, hash: String::new(), text });
    }
    let hash = ContentHash::of(&bytes).as_str().to_owned();
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".into());
    Some(Contents { stamp, hash, text })
}

fn list_folder(
    held: &Folder,
    folder: &str,
    names: Vec<(OsString, FileKind)>,
    is_wanted: &dyn Fn(&str) -> bool,
    listing: &mut Listing,
) {
    let may_hold = |path: &str| is_wanted(&format!("{path}/x.md"));
    for (name, kind) in names {
        let path = format!("{folder}{}", name.display());
        let Ok(name) = name.into_string() else {
            listing.warnings.push(format!("`{path}` is left out: its name is not UTF-8"));
            continue;
        };
        match kind {
            FileKind::Folder if name.ends_with(".md") => {
                listing.warnings.push(format!("`{path}` is left out: it is a folder"));
            }
            FileKind::Folder if path.split('/').count() <= DEEPEST && may_hold(&path) => {
                let inner = held.inside(&name).enter();
                match inner.and_then(|inner| Ok((inner.inside("").names()?, inner))) {
                    Ok((names, inner)) => {
                        list_folder(&inner, &format!("{path}/"), names, is_wanted, listing);
                    }
                    Err(cause) => {
                        listing.warnings.push(format!("`{path}` cannot be listed: {cause}"));
                    }
                }
            }
            FileKind::File if is_wanted(&path) => {
                let Ok(seen) = held.inside(&name).metadata() else { continue };
                listing.files.push((path, Stamp::of(seen)));
            }
            FileKind::Link | FileKind::Pipe | FileKind::Socket | FileKind::Device
                if is_wanted(&path) || (!path.contains('.') && may_hold(&path)) =>
            {
                listing.warnings.push(format!("`{path}` is left out: it is {}", kind.name()));
            }
            FileKind::File
            | FileKind::Folder
            | FileKind::Link
            | FileKind::Pipe
            | FileKind::Socket
            | FileKind::Device => {}
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests set their own stage")]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn held(folder: &tempfile::TempDir) -> Folder {
        Folder::open(folder.path()).expect("it opens").expect("it is there")
    }

    fn is_wanted(path: &str) -> bool {
        path.ends_with(".md")
    }

    #[test]
    fn folders_named_like_files_are_told() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("modules/x.md")).expect("a folder");
        fs::write(root.path().join("a.md"), "# a\n").expect("it is written");
        let listing = list(&held(&root), &is_wanted).expect("it is listed");
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
        assert!(list(&held(&root), &is_wanted).expect("it is listed").files.is_empty());
        assert!(read(&held(&root), "folder/a.md").is_none());
        assert!(read(&held(&root), "b.md").is_none());
    }
}
