//! Checks the state of a store without reading its memory files.

use std::collections::BTreeSet;
use std::io;

use super::layout::Layout;
use super::unexpected::DEEPEST;
use crate::disk::files;
use crate::disk::folder::{FileKind, PathMetadata, StorePath};
use crate::disk::journal::Journal;
use crate::disk::lock::is_held;
use crate::error::{Error, Result};

/// Tells whether no recorded change may be missing from the files.
pub(crate) fn is_settled(layout: &Layout) -> Result<bool> {
    Journal::is_settled(layout)
}

/// A moment without a half-applied change: while it stays equal, no change was applied.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rest(Option<PathMetadata>);

impl Rest {
    /// A record that arrives during the check makes the next value differ.
    pub(crate) fn of(layout: &Layout) -> Option<Self> {
        let seen = layout.journal().metadata().ok();
        is_settled(layout).ok().filter(|settled| *settled).map(|_| Self(seen))
    }
}

/// Counts the temp files of processes that died; 0 while a process is writing.
pub(crate) fn leftovers(layout: &Layout) -> Result<usize> {
    let left = files::list(&layout.temporary())?;
    if left.is_empty() || is_held(&layout.lock()) {
        return Ok(0);
    }
    // The lock holder may have finished since the listing.
    let still: BTreeSet<String> = files::list(&layout.temporary())?.into_iter().collect();
    Ok(left.iter().filter(|name| still.contains(*name)).count())
}

/// Bytes that a new search index and its journal need at least, and some more.
const ROOM: usize = 256 * 1024;

/// Writes and removes a file, to check permissions and free space.
pub(crate) fn probe(layout: &Layout) -> Result<()> {
    let path = layout.state().join("probe");
    let written = files::write(&path, &vec![b'x'; ROOM]);
    // A failed write may leave a part.
    written.map(drop).and(files::discard(&path))
}

/// Finds the folders into which no temp file can be renamed: not writable, or on another file system. Folders below one
/// are skipped.
pub(crate) fn closed(layout: &Layout) -> Vec<Error> {
    let mut found = Vec::new();
    find_closed(&layout.inside(""), &layout.temporary().join("0"), &mut found);
    found
}

fn find_closed(folder: &StorePath, aside: &StorePath, found: &mut Vec<Error>) {
    if !files::is_one_file_system(aside, &folder.join("0")) {
        let cause = io::ErrorKind::CrossesDevices.into();
        return found.push(Error::io("rename what is written in `state/tmp` to", folder, cause));
    }
    match folder.is_for_writing() {
        Ok(()) => {}
        // Another process removed it since the listing.
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return,
        Err(cause) => return found.push(Error::io("write to", folder, cause)),
    }
    // Files in the trash are not touched again, and people write the schemas.
    let path = folder.relative();
    if path.ends_with("state/trash") || path.iter().count() >= DEEPEST {
        return;
    }
    for (name, kind) in folder.names().unwrap_or_default() {
        let is_ours = !name.as_encoded_bytes().starts_with(b".") && name != "schemas";
        if kind == FileKind::Folder && is_ours {
            find_closed(&folder.join(name), aside, found);
        }
    }
}

pub(crate) fn read_gitignore(layout: &Layout) -> Result<Vec<String>> {
    let text = files::read_text(&layout.inside(".gitignore"))?.unwrap_or_default();
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_gone_by_now_is_closed_to_nobody() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new_in(folder.path());
        let mut found = Vec::new();
        find_closed(&layout.staging().join("decided"), &layout.temporary(), &mut found);
        assert!(found.is_empty(), "{found:?}");
    }
}
