//! What other branches decided about a proposal that is pending here. It is only shown: a branch may be abandoned.

use serde::Serialize;

use super::project::Project;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::{UnmergedDecisions, staging, unmerged_decisions};
use crate::secrets::shown_name;

/// A branch that is not merged here, and on which a proposal was decided.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct OtherBranch {
    /// What became of it there: `applied`, `applied in part` or `rejected`.
    pub decision: &'static str,
    /// The branch, as git shortens its name.
    pub branch: String,
}

impl Project {
    /// Returns the other branches that decided a proposal, the one with the newest commit first.
    pub(super) fn other_branches(&self, id: &ProposalId) -> Vec<OtherBranch> {
        let known = self.read_branches().and_then(|known| known.as_ref().ok()?.get(id));
        let known = known.into_iter().flatten();
        let known =
            known.map(|(decision, branch)| OtherBranch { decision, branch: self.clean(branch) });
        known.collect()
    }

    /// Returns lines about what other branches decided, or that it is unknown.
    pub(super) fn said_elsewhere(&self, id: &ProposalId) -> Vec<String> {
        let said = OtherBranch::say(&self.other_branches(id));
        said.into_iter().chain(self.branches_unknown()).collect()
    }

    /// Says why git does not tell what other branches decided.
    pub(crate) fn branches_unknown(&self) -> Option<String> {
        let error = self.read_branches()?.as_ref().err()?;
        Some(self.clean(&format!("what other branches decided is not known: {error}")))
    }

    /// Asks git once what other branches decided about the queue. Verbs call it before they take the lock, as
    /// git may be slow.
    pub(super) fn read_branches(&self) -> Option<&Result<UnmergedDecisions>> {
        let layout = self.store.layout();
        self.config.staging.track.then(|| {
            self.elsewhere.get_or_init(|| {
                let names = staging::names(layout).unwrap_or_default();
                let ids = names.iter().filter_map(|name| ProposalId::parse(name));
                unmerged_decisions(layout, &ids.collect::<Vec<_>>())
            })
        })
    }
}

impl OtherBranch {
    /// Writes the decisions of other branches as one line.
    pub fn say(all: &[Self]) -> Option<String> {
        let said = |decision: &str| {
            let branches = all.iter().filter(|each| each.decision == decision);
            let branches: Vec<_> = branches.map(|each| shown_name(&each.branch)).collect();
            Some(match branches.as_slice() {
                [] => return None,
                [only] => format!("{decision} on `{only}`"),
                [one, other] => format!("{decision} on `{one}` and `{other}`"),
                [one, others @ ..] => {
                    format!("{decision} on `{one}` and {} more branches", others.len())
                }
            })
        };
        let all = [staging::APPLIED, staging::APPLIED_IN_PART, staging::REJECTED];
        let said: Vec<String> = all.into_iter().filter_map(said).collect();
        (!said.is_empty()).then(|| format!("{}, not merged here", said.join(", ")))
    }
}
