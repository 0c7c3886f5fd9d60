//! Proposals that are no longer pending.

use super::proposal::StagedProposal;
use super::shown::take_shown;
use crate::disk::files;
use crate::disk::step::Step;
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// A proposal that is no longer pending.
#[derive(Debug)]
pub(crate) struct Retired {
    pub(crate) proposal: StagedProposal,
    /// Its `proposal.json`.
    pub(crate) text: String,
    /// The path of another version, if that was decided too.
    pub(crate) other: Option<String>,
    /// The path of its `proposal.json`, relative to the store.
    pub(crate) path: String,
    pub(super) place: RetiredIn,
}

impl Retired {
    /// Tells whether another clone decided it, and git brought it.
    pub(crate) fn came_with_git(&self) -> bool {
        matches!(self.place, RetiredIn::Git)
    }
}

/// Where a decided proposal is.
#[derive(Debug)]
pub(super) enum RetiredIn {
    /// In a folder of this machine, relative to the store.
    Folder(String),
    /// In `decided/`, from another clone: only its `proposal.json`.
    Git,
}

/// Returns the step that moves away what is at the path of a proposal that becomes pending again, such as after a
/// merge, and its new path.
pub(crate) fn make_way(layout: &Layout, id: &ProposalId) -> Option<(Step, String)> {
    let from = layout::staged_path(id);
    let to = layout.free(layout::displaced_path(id));
    let is_taken = files::exists(&layout.inside(&from));
    is_taken.then(|| (Step::Move { from, to: to.clone(), before: None }, to))
}

/// Returns the steps that make a proposal pending again, without `base/` and `files/` if git keeps the queue.
pub(crate) fn restore(layout: &Layout, retired: &Retired, is_tracked: bool) -> Vec<Step> {
    let id = &retired.proposal.id;
    let to = layout::staged_path(id);
    let from = match &retired.place {
        RetiredIn::Folder(from) => from,
        RetiredIn::Git => {
            let files = vec![("proposal.json".to_owned(), retired.text.clone())];
            return vec![Step::Folder { path: to, files }];
        }
    };
    let mut steps = if is_tracked { take_shown(layout, id, from) } else { Vec::new() };
    steps.push(Step::Move { from: from.clone(), to, before: None });
    steps
}
