//! How many memories an owner may have for one character, however they come in.

use crate::error::Result;
use crate::longterm::request::MemoryOwner;
use crate::longterm::sqlite::LongtermView;

/// Memories of an owner for a lineage at most.
const MOST: usize = 100;

/// Says why there is no room for another memory; nothing where there is.
pub(super) fn no_room(
    view: &LongtermView<'_>,
    owner: &MemoryOwner,
    lineage: u64,
) -> Result<Option<String>> {
    let is_full = view.count_of(owner, lineage)? >= MOST;
    Ok(is_full.then(|| format!("there are {MOST} memories already; delete or merge some first")))
}
