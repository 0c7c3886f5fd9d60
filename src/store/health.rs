//! What can be told of a store without understanding what is in it.

use super::layout::Layout;
use super::{files, journal, lock};
use crate::error::Result;

/// Tells whether no change is recorded that may not be in the files yet.
pub fn is_settled(layout: &Layout) -> Result<bool> {
    journal::Journal::is_settled(&layout.journal())
}

/// Counts what processes that died left aside; while one is writing, nobody can tell.
pub fn leftovers(layout: &Layout) -> Result<usize> {
    let left = files::list(&layout.temporary())?.len();
    Ok(if lock::is_held(&layout.lock()) { 0 } else { left })
}

/// Tells whether renames can carry files to their place: `state/` and `staging/` are no mounts of their own.
pub fn is_in_one_piece(layout: &Layout) -> bool {
    let aside = layout.temporary().join("0");
    let places = [layout.inside("0"), layout.staging().join("0")];
    places.iter().all(|place| files::is_one_file_system(&aside, place))
}

/// Makes a file and removes it again, to find out whether that works.
pub fn probe(layout: &Layout) -> Result<()> {
    let path = layout.state().join("probe");
    files::write(&path, b"x").and_then(|_| files::discard(&path))
}

/// Reads the lines of the store's `.gitignore`.
pub fn read_gitignore(layout: &Layout) -> Result<Vec<String>> {
    let text = files::read_text(&layout.inside(".gitignore"))?.unwrap_or_default();
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}
