//! `base/` and `files/` of a proposal: what it would have changed when it was staged.

use super::taken::names;
use crate::disk::files;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// Tells whether a queue that is kept in git still has `base/` or `files/`.
pub(crate) fn has_shown(layout: &Layout) -> Result<bool> {
    clear_shown(layout).map(|steps| !steps.is_empty())
}

/// Returns the steps that move these out of the queue.
pub(crate) fn clear_shown(layout: &Layout) -> Result<Vec<Step>> {
    let ids = names(layout)?.into_iter().filter_map(|name| ProposalId::parse(&name));
    Ok(ids.flat_map(|id| take_shown(layout, &id, &layout::staged_path(&id))).collect())
}

/// Returns the steps that move `base/` and `files/` of a proposal out of a folder: to `state/shown/`, or to the trash
/// if they are there already.
pub(super) fn take_shown(layout: &Layout, id: &ProposalId, folder: &str) -> Vec<Step> {
    let is_kept = files::exists(&layout.inside(&layout::shown_path(id)));
    let step = |kind: &str| {
        let from = format!("{folder}/{kind}");
        let to = match is_kept {
            true => layout.free(layout::former_path(id, kind)),
            false => format!("{}/{kind}", layout::shown_path(id)),
        };
        files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
    };
    ["base", "files"].into_iter().filter_map(step).collect()
}
