//! Lists the Markdown files of a store and reads them, without following links.
#![expect(clippy::disallowed_methods, reason = "the store is the floor that touches files")]

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use crate::contract::ContentHash;
use crate::error::{Error, Result};

/// What the file system says about a file; another value means that it may have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Stamp {
    pub(super) size: i64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    /// When anything about the file changed, which nobody can set back; 0 where it is not known.
    pub(super) changed: i64,
    /// The number of the file, which changes when it is replaced; 0 where it is not known.
    pub(super) inode: i64,
}

/// The Markdown files of a store.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Paths relative to the store, with `/`, in order.
    pub(super) files: Vec<(String, Stamp)>,
    /// What could not be listed, and why.
    pub(super) warnings: Vec<String>,
}

/// What a file held when it was read.
#[derive(Debug)]
pub(super) struct Contents {
    /// Taken before reading, so that a change meanwhile is noticed later.
    pub(super) stamp: Stamp,
    pub(super) hash: String,
    /// The text, or why there is none.
    pub(super) text: std::result::Result<String, &'static str>,
}

/// Larger files are not indexed.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Folders whose Markdown is no memory (yet).
const FOREIGN: [&str; 4] = ["staging", "state", "schemas", "rejections"];

/// Generated from the other files.
const GENERATED: &str = "index.md";

const DEEPEST: usize = 16;

impl Stamp {
    /// Reads the stamp of a file.
    pub(super) fn of(metadata: &Metadata) -> Self {
        let modified = metadata.modified().ok().and_then(|time| {
            let since = time.duration_since(UNIX_EPOCH).ok()?;
            i64::try_from(since.as_nanos()).ok()
        });
        let (changed, inode) = changed_and_inode(metadata);
        Self {
            size: i64::try_from(metadata.len()).unwrap_or(i64::MAX),
            modified: modified.unwrap_or_default(),
            changed,
            inode,
        }
    }

    /// Returns the last time that anything happened to the file.
    pub(super) fn latest(self) -> i64 {
        self.modified.max(self.changed)
    }
}

#[cfg(unix)]
fn changed_and_inode(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt;
    let changed = metadata.ctime().saturating_mul(1_000_000_000) + metadata.ctime_nsec();
    (changed, metadata.ino().cast_signed())
}

#[cfg(not(unix))]
fn changed_and_inode(_metadata: &Metadata) -> (i64, i64) {
    (0, 0)
}

/// Lists all Markdown files of the store at `root`.
pub(super) fn list(root: &Path) -> Result<Listing> {
    let mut listing = Listing::default();
    let entries = fs::read_dir(root).map_err(|cause| Error::io("list", root, cause))?;
    list_folder(entries, "", 0, &mut listing);
    listing.files.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Ok(listing)
}

/// Looks at some files only; those that are gone are left out.
pub(super) fn look_at(root: &Path, paths: &[String]) -> Listing {
    let files = paths.iter().filter(|path| belongs(path)).filter_map(|path| {
        let metadata = plain_file(root, path)?;
        Some((path.clone(), Stamp::of(&metadata)))
    });
    Listing { files: files.collect(), warnings: Vec::new() }
}

/// Reads a file that was listed; `None` if it is not there any more.
pub(super) fn read(root: &Path, path: &str) -> Option<Contents> {
    let mut file = File::open(root.join(path)).ok()?;
    let stamp = Stamp::of(&file.metadata().ok()?);
    // A link put in the place of the file since it was listed leads to another file.
    if Stamp::of(&plain_file(root, path)?).inode != stamp.inode {
        return None;
    }
    let mut bytes = Vec::new();
    if stamp.size.unsigned_abs() <= LARGEST {
        file.by_ref().take(LARGEST + 1).read_to_end(&mut bytes).ok()?;
    }
    if stamp.size.unsigned_abs() > LARGEST || bytes.len() as u64 > LARGEST {
        let text = Err("it is larger than 16 MiB");
        return Some(Contents { stamp, hash: String::new(), text });
    }
    let hash = ContentHash::of(&bytes).as_str().to_owned();
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8");
    Some(Contents { stamp, hash, text })
}

fn list_folder(entries: fs::ReadDir, folder: &str, depth: usize, listing: &mut Listing) {
    for entry in entries {
        let Ok(entry) = entry else {
            listing.warnings.push(format!("`{folder}` cannot be listed"));
            return;
        };
        let Ok(name) = entry.file_name().into_string() else {
            let path = format!("{folder}{}", entry.file_name().display());
            listing.warnings.push(format!("`{path}` is left out: its name is not UTF-8"));
            continue;
        };
        let path = format!("{folder}{name}");
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && name.ends_with(".md") {
            listing.warnings.push(format!("`{path}` is left out: it is a folder"));
        } else if kind.is_dir() && depth < DEEPEST && belongs(&format!("{path}/x.md")) {
            match fs::read_dir(entry.path()) {
                Ok(entries) => list_folder(entries, &format!("{path}/"), depth + 1, listing),
                Err(cause) => listing.warnings.push(format!("`{path}` cannot be listed: {cause}")),
            }
        } else if !kind.is_file() && !kind.is_dir() && belongs(&path) {
            listing.warnings.push(format!("`{path}` is left out: it is not a plain file"));
        } else if kind.is_file() && belongs(&path) {
            let Ok(metadata) = entry.metadata() else { continue };
            listing.files.push((path, Stamp::of(&metadata)));
        }
    }
}

fn belongs(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or(path);
    path.ends_with(".md")
        && path != GENERATED
        && !FOREIGN.contains(&first)
        && !path.split('/').any(|part| part.is_empty() || part.starts_with('.'))
}

/// Returns the metadata of a plain file that no link leads to.
fn plain_file(root: &Path, path: &str) -> Option<Metadata> {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    for folder in folders {
        if !fs::symlink_metadata(root.join(folder)).ok()?.is_dir() {
            return None;
        }
    }
    fs::symlink_metadata(root.join(path)).ok().filter(Metadata::is_file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: bool) {
        assert_eq!(belongs(path), expected, "{path}");
    }

    #[test]
    fn memory_is_all_markdown_but_what_is_staged_or_generated() {
        check("decisions.md", true);
        check("modules/deep/auth.md", true);
        check("local/current.main.md", true);
        check("notes/index.md", true);
        check("index.md", false);
        check("staging/x/files/decisions.md", false);
        check("state/trash/a.md", false);
        check(".git/a.md", false);
        check("../a.md", false);
        check("config.toml", false);
    }

    #[test]
    fn folders_named_like_files_are_told() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("modules/x.md")).expect("a folder");
        fs::write(root.path().join("a.md"), "# a\n").expect("it is written");
        let listing = list(root.path()).expect("it is listed");
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
        assert!(list(root.path()).expect("it is listed").files.is_empty());
        let paths = ["folder/a.md".to_owned(), "b.md".to_owned()];
        assert!(look_at(root.path(), &paths).files.is_empty());
        assert!(read(root.path(), "b.md").is_none());
    }
}
