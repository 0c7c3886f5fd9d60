//! How many memories an owner may have for one character, however they come in.

/// Memories of an owner for a lineage at most.
const MOST: usize = 100;

/// Says why there is no room for another memory beside so many; nothing where there is.
pub(super) fn no_room(count: usize) -> Option<String> {
    let is_full = count >= MOST;
    is_full.then(|| format!("there are {MOST} memories already; delete or merge some first"))
}
