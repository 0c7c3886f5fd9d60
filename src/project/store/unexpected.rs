//! Finds entries of a wrong file type in a store: links, pipes, sockets.
//!
//! Every command refuses such an entry when it meets it; here all of them are found at once.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::layout::Layout;
use crate::disk::folder::{FileKind, StorePath};
use crate::error::{Error, Result, Strange};

/// An entry of a wrong file type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnexpectedEntry {
    /// Relative to the store.
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    /// Whether it is a link, so that the real file may be elsewhere.
    pub(crate) is_link: bool,
    /// The expected type; `None` if the name is unknown.
    pub(crate) wanted: Option<&'static str>,
}

/// Folders with known names.
const FOLDERS: [&str; 13] = [
    "archive",
    "decided",
    "local",
    "modules",
    "rejections",
    "schemas",
    "sessions",
    "staging",
    "state",
    "state/read",
    "state/shown",
    "state/tmp",
    "state/trash",
];

/// Files with known names; others are known by their suffix.
const FILES: [&str; 17] = [
    "decided/.keep",
    "read.lock",
    "state/id",
    "state/index.sqlite",
    "state/index.sqlite-journal",
    "state/index.sqlite-shm",
    "state/index.sqlite-wal",
    "state/index.sqlite.lock",
    "state/journal",
    "state/key",
    "state/last-error",
    "state/lock",
    "state/log.end",
    "state/looked",
    "state/reminded",
    "state/turn",
    "state/undo.jsonl",
];

/// Files that git reads in any folder.
const OF_GIT: [&str; 2] = [".gitattributes", ".gitignore"];

/// The suffixes of known files.
const ENDS: [&str; 4] = ["json", "jsonl", "md", "toml"];

/// Folders that are not searched: no file in them is used under its name.
const ASIDE: [&str; 2] = ["state/tmp", "state/trash"];

/// The deepest nesting of folders that is searched.
pub(super) const DEEPEST: usize = 16;

/// Finds every entry of a wrong file type in a store, sorted.
pub(crate) fn unexpected_entries(layout: &Layout) -> Vec<UnexpectedEntry> {
    let mut found = Vec::new();
    find_in(&layout.inside(""), &mut found);
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Finds file paths that name a folder of the store, or lead through the name of a file; each with its type and the
/// expected one.
pub(crate) fn misplaced<'p>(
    files: impl Iterator<Item = &'p str>,
) -> BTreeSet<(&'p str, &'static str, &'static str)> {
    let (file, folder) = (FileKind::File.name(), FileKind::Folder.name());
    let mut found = BTreeSet::new();
    for path in files {
        if wanted(Path::new(path)) == Some(FileKind::Folder) {
            found.insert((path, file, folder));
        }
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]);
        let taken = folders.filter(|path| wanted(Path::new(path)) == Some(FileKind::File));
        found.extend(taken.map(|path| (path, folder, file)));
    }
    found
}

/// Refuses to let git read a store where it would block for ever: git opens a pipe with the name of one of its files,
/// but follows no link.
pub(super) fn refuse_to_confuse_git(layout: &Layout) -> Result<()> {
    let is_gits = |entry: &UnexpectedEntry| !entry.is_link && is_of_git(Path::new(&entry.path));
    let Some(found) = unexpected_entries(layout).into_iter().find(is_gits) else { return Ok(()) };
    let cause = io::Error::other(Strange(format!("it is {}", found.kind)));
    Err(Error::io("let git read", &layout.inside(&found.path), cause))
}

fn is_of_git(relative: &Path) -> bool {
    OF_GIT.iter().any(|name| relative.file_name().is_some_and(|other| other == *name))
}

/// Folders that cannot be listed are reported elsewhere.
fn find_in(folder: &StorePath, found: &mut Vec<UnexpectedEntry>) {
    for (name, kind) in folder.names().unwrap_or_default() {
        let spot = folder.join(&name);
        let relative = spot.relative();
        let Some(path) = relative.to_str() else { continue };
        let wanted = wanted(relative);
        let is_fit = match kind {
            FileKind::File => wanted != Some(FileKind::Folder),
            FileKind::Folder => wanted != Some(FileKind::File),
            FileKind::Link | FileKind::Pipe | FileKind::Socket | FileKind::Device => false,
        };
        let is_hidden = wanted.is_none() && name.as_encoded_bytes().starts_with(b".");
        if !is_fit && !is_hidden {
            let (path, wanted) = (path.to_owned(), wanted.map(FileKind::name));
            let (kind, is_link) = (kind.name(), kind == FileKind::Link);
            found.push(UnexpectedEntry { path, kind, is_link, wanted });
        } else if kind == FileKind::Folder
            && !is_hidden
            && !ASIDE.contains(&path)
            && relative.iter().count() < DEEPEST
        {
            find_in(&spot, found);
        }
    }
}

/// Returns the expected type of a path, if known.
fn wanted(relative: &Path) -> Option<FileKind> {
    let path = relative.to_str()?;
    let end = relative.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is_proposal = relative.parent() == Some(Path::new("staging")) && !path.contains("/.");
    if FOLDERS.contains(&path) || is_proposal {
        Some(FileKind::Folder)
    } else if FILES.contains(&path) || ENDS.contains(&end) || is_of_git(relative) {
        Some(FileKind::File)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: Option<FileKind>) {
        assert_eq!(wanted(Path::new(path)), expected, "{path}");
    }

    #[test]
    fn each_place_wants_a_file_or_a_folder_or_nothing() {
        check("sessions", Some(FileKind::Folder));
        check("staging/20261120-100000-x-abcd", Some(FileKind::Folder));
        check("config.toml", Some(FileKind::File));
        check(".gitignore", Some(FileKind::File));
        check("modules/deep/auth.md", Some(FileKind::File));
        check("modules/.gitattributes", Some(FileKind::File));
        check("staging/20261120-100000-x-abcd/proposal.json", Some(FileKind::File));
        check("state/log.jsonl", Some(FileKind::File));
        check("state/index.sqlite.old", None);
        check("notes", None);
        check("staging/.DS_Store", None);
    }
}
