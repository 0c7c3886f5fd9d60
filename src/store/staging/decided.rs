//! Which proposals were decided on another branch, for queues that are kept in git.
//!
//! A decision leaves an empty file `decided/<id>.<decision>`, which git carries to the others. Its name and
//! bytes are the same wherever the same is decided, so that no merge can conflict.

use std::collections::BTreeMap;

use crate::contract::ProposalId;
use crate::error::Result;
use crate::store::layout::{self, Layout};
use crate::store::{Step, files};

/// What can be decided about a proposal.
pub const DECISIONS: [&str; 2] = ["applied", "rejected"];

/// A proposal that was decided, as the store tells it to all who share it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Its name.
    pub id: ProposalId,
    /// What became of it: `applied` or `rejected`; both, where two branches disagree.
    pub decision: String,
}

impl Decided {
    /// Finds the one that a person means.
    pub(super) fn find<'d>(all: &'d [Self], wanted: &str) -> Option<&'d Self> {
        let ids: Vec<&ProposalId> = all.iter().map(|each| &each.id).collect();
        let id = ProposalId::choose(&ids, wanted).ok()?;
        all.iter().find(|each| each.id == *id)
    }
}

/// Returns the steps that take a decided proposal out of the queue; where the queue is kept in git
/// (`is_tracked`), one of them tells the other branches.
pub fn decide(layout: &Layout, id: &ProposalId, decision: &str, is_tracked: bool) -> Vec<Step> {
    let mark = is_tracked.then(|| mark(id, decision));
    std::iter::once(super::retire(layout, id)).chain(mark).collect()
}

/// Returns the step that tells other branches what became of a proposal.
pub fn mark(id: &ProposalId, decision: &str) -> Step {
    Step::write(&layout::decided_path(id, decision), None, String::new())
}

/// Returns the steps that forget what was decided about a proposal.
pub fn reopen(layout: &Layout, id: &ProposalId) -> Vec<Step> {
    DECISIONS.into_iter().filter_map(|decision| forget(layout, id, decision)).collect()
}

/// Returns the step that forgets that a proposal was applied; what others decided stays.
pub fn no_longer_applied(layout: &Layout, id: &ProposalId) -> Option<Step> {
    forget(layout, id, "applied")
}

fn forget(layout: &Layout, id: &ProposalId, decision: &str) -> Option<Step> {
    let from = layout::decided_path(id, decision);
    let to = layout.free(layout::reopened_path(&format!("{id}.{decision}")));
    files::exists(&layout.inside(&from)).then_some(Step::Move { from, to, before: None })
}

/// Tells whether a branch that is merged here has applied a proposal, and nobody took that back.
pub fn is_applied(layout: &Layout, id: &ProposalId) -> bool {
    files::exists(&layout.inside(&layout::decided_path(id, "applied")))
}

/// Reads what was decided about which proposal.
pub(super) fn read(layout: &Layout) -> Result<BTreeMap<ProposalId, Vec<&'static str>>> {
    let mut decided: BTreeMap<ProposalId, Vec<&str>> = BTreeMap::new();
    for name in files::list(&layout.decided())? {
        let Some((id, decision)) = read_decision(&name) else { continue };
        decided.entry(id).or_default().push(decision);
    }
    Ok(decided)
}

fn read_decision(name: &str) -> Option<(ProposalId, &'static str)> {
    let (id, decision) = name.rsplit_once('.')?;
    let decision = DECISIONS.into_iter().find(|known| *known == decision)?;
    Some((ProposalId::parse(id)?, decision))
}
