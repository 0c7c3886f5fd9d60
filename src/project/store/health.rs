//! What can be told of a store without understanding what is in it.

use std::collections::BTreeSet;
use std::io;

use super::layout::Layout;
use super::strangers::DEEPEST;
use super::{journal, lock};
use crate::disk::files;
use crate::disk::folder::{Kind, Seen, Spot};
use crate::error::{Error, Result};

/// Tells whether no change is recorded that may not be in the files yet.
pub fn is_settled(layout: &Layout) -> Result<bool> {
    journal::Journal::is_settled(&layout.journal(), layout.work_tree_key())
}

/// A moment in which no change was half carried out: as long as there is no other, none has landed.
#[derive(Debug, PartialEq, Eq)]
pub struct Rest(Option<Seen>);

impl Rest {
    /// Looks whether this is one; a record that comes while it looks makes the next look another.
    pub fn of(layout: &Layout) -> Option<Self> {
        let seen = layout.journal().look().ok();
        is_settled(layout).ok().filter(|settled| *settled).map(|_| Self(seen))
    }
}

/// Counts what processes that died left aside; while one is writing, nobody can tell.
pub fn leftovers(layout: &Layout) -> Result<usize> {
    let left = files::list(&layout.temporary())?;
    if left.is_empty() || lock::is_held(&layout.lock()) {
        return Ok(0);
    }
    // Who held the lock when they were listed may have let it go since.
    let still: BTreeSet<String> = files::list(&layout.temporary())?.into_iter().collect();
    Ok(left.iter().filter(|name| still.contains(*name)).count())
}

/// Bytes that a new search index and its journal take at least, with something to spare.
const ROOM: usize = 256 * 1024;

/// Makes a file and removes it again, to find out whether that works, and whether there is room for work.
pub fn probe(layout: &Layout) -> Result<()> {
    let path = layout.state().join("probe");
    let written = files::write(&path, &vec![b'x'; ROOM]);
    // Half a file is there, too.
    written.map(drop).and(files::discard(&path))
}

/// Finds the folders to which no rename carries a new file, as this user may not write there, or as they lie on another
/// file system than those where it is written first; of what is below one, nothing.
pub fn closed(layout: &Layout) -> Vec<Error> {
    let mut found = Vec::new();
    look_for_closed(&layout.inside(""), &layout.temporary().join("0"), &mut found);
    found
}

fn look_for_closed(folder: &Spot, aside: &Spot, found: &mut Vec<Error>) {
    if !files::is_one_file_system(aside, &folder.join("0")) {
        let cause = io::ErrorKind::CrossesDevices.into();
        return found.push(Error::io("rename what is written in `state/tmp` to", folder, cause));
    }
    match folder.is_for_writing() {
        Ok(()) => {}
        // Decided by another process since its name was read.
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return,
        Err(cause) => return found.push(Error::io("write to", folder, cause)),
    }
    // What lies aside is not touched again, and categories are written by people.
    let path = folder.relative();
    if path.ends_with("state/trash") || path.iter().count() >= DEEPEST {
        return;
    }
    for (name, kind) in folder.names().unwrap_or_default() {
        let is_ours = !name.as_encoded_bytes().starts_with(b".") && name != "schemas";
        if kind == Kind::Folder && is_ours {
            look_for_closed(&folder.join(name), aside, found);
        }
    }
}

/// Reads the lines of the store's `.gitignore`.
pub fn read_gitignore(layout: &Layout) -> Result<Vec<String>> {
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
        look_for_closed(&layout.staging().join("decided"), &layout.temporary(), &mut found);
        assert!(found.is_empty(), "{found:?}");
    }
}
