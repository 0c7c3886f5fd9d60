//! Finds the folder of another store, without following a link.

use std::path::Path;

use crate::disk::{Folder, outside};
use crate::error::Result;
use crate::project::config::FolderAbove;
use crate::project::store::layout::STORE;

/// Why there is no store.
pub(super) enum NoStore {
    Gone,
    /// Such as behind a link.
    Unfit(String),
}

/// Opens the folder of the store in a folder, or the folder itself where it is one of a store.
pub(super) fn store_at(
    root: &Path,
    folder: &FolderAbove,
) -> Result<std::result::Result<Folder, NoStore>> {
    let (above, down) = folder.ways();
    let Some(root) = outside::real_path(root) else { return Ok(Err(NoStore::Gone)) };
    let Some(start) = root.ancestors().nth(above) else { return Ok(Err(NoStore::Gone)) };
    let Some(start) = Folder::open(start)? else { return Ok(Err(NoStore::Gone)) };
    let is_store = down.rsplit('/').next() == Some(STORE);
    let path = match (down, is_store) {
        ("", _) => STORE.to_owned(),
        (down, true) => down.to_owned(),
        (down, false) => format!("{down}/{STORE}"),
    };
    Ok(start.inside(path).enter().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => NoStore::Gone,
        _ => NoStore::Unfit(error.to_string()),
    }))
}
