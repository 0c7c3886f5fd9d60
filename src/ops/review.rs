//! What a review asks of a queue at its end.

use std::collections::BTreeSet;

use super::Workspace;
use crate::error::Result;
use crate::store::staging;

/// Returns the ids of what waits at this moment.
pub fn waiting_ids(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let queue = staging::read_queue(workspace.store.layout())?;
    Ok(queue.proposals.iter().map(|staged| staged.id.to_string()).collect())
}
