//! What other branches made of a proposal that waits here. It binds nobody: a branch may have been given up.

use serde::Serialize;

use super::Workspace;
use crate::contract::ProposalId;
use crate::store::verdicts_elsewhere;

/// What became of a proposal on a branch that is not merged here.
#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct Verdict {
    /// `applied` or `rejected`.
    pub decision: &'static str,
    /// The branch, as git shortens its name.
    pub branch: String,
}

impl Workspace {
    /// Returns what other branches made of a proposal; the branch of the youngest commit first.
    pub(super) fn verdicts(&self, id: &ProposalId) -> Vec<Verdict> {
        if !self.config.staging.track {
            return Vec::new();
        }
        let known = self.verdicts.get_or_init(|| verdicts_elsewhere(self.store.layout()));
        let known = known.get(id).into_iter().flatten();
        known.map(|(decision, branch)| Verdict { decision, branch: branch.clone() }).collect()
    }
}

impl Verdict {
    /// Says in a line what became of a proposal elsewhere; nothing where nobody decided.
    pub fn say(verdicts: &[Self]) -> Option<String> {
        let said = |decision: &str| {
            let branches = verdicts.iter().filter(|each| each.decision == decision);
            let branches: Vec<&str> = branches.map(|each| each.branch.as_str()).collect();
            Some(match branches.as_slice() {
                [] => return None,
                [only] => format!("{decision} on `{only}`"),
                [one, other] => format!("{decision} on `{one}` and `{other}`"),
                [one, others @ ..] => {
                    format!("{decision} on `{one}` and {} branches more", others.len())
                }
            })
        };
        let said: Vec<String> = ["applied", "rejected"].into_iter().filter_map(said).collect();
        (!said.is_empty()).then(|| format!("{}, not merged here", said.join(", ")))
    }
}
