//! Who decided what, as the files of `decided/` say it: what each clone knows of the decisions of the others.
//!
//! A file stays when its decision is taken back: only the mark goes. Git would pair a removed file with a similar new one,
//! and two branches would pair it differently.

use std::collections::BTreeMap;

use super::decided::{self, APPLIED, DecisionMark, REJECTED};
use crate::disk::files;
use crate::disk::step::Step;
use crate::error::Result;
use crate::project::claim::{ClaimedDecision, DecisionClaim, LARGEST_CLAIM};
use crate::project::request::ProposalId;
use crate::project::store::layout::{self, Layout};

/// A claim, and whether the marks in `decided/` still say the same.
#[derive(Debug)]
pub(crate) struct FoundClaim {
    pub(crate) claim: DecisionClaim,
    /// Whether it was undone, or pending again, since.
    pub(crate) is_taken_back: bool,
}

/// Returns the step that tells other clones about a decision; none where its file is there, or could not be read back.
pub(crate) fn write_claim(layout: &Layout, claim: &DecisionClaim) -> Option<Step> {
    let (name, text) = claim.file()?;
    let path = layout::in_decided(&name);
    let is_there = files::exists(&layout.inside(&path));
    (!is_there).then(|| Step::write(&path, None, text))
}

/// Tells whether there is any claim, readable or not.
pub(crate) fn has_claims(layout: &Layout) -> Result<bool> {
    Ok(!names(layout)?.is_empty())
}

/// Reads all claims, oldest first. What is not as it was written is left out: `check` names it.
pub(crate) fn claims(layout: &Layout) -> Result<Vec<FoundClaim>> {
    let marks = decided::read(layout)?;
    let mut found = Vec::new();
    for name in names(layout)? {
        let path = layout.decided().join(&name);
        if files::length(&path) > LARGEST_CLAIM as u64 {
            continue;
        }
        // Such a name may be that of a link or a folder.
        let Ok(Some(text)) = files::read_text(&path) else { continue };
        if let Ok(claim) = DecisionClaim::read(&name, text.as_bytes()) {
            found.push(FoundClaim { is_taken_back: !holds(&claim, &marks), claim });
        }
    }
    found.sort_by_key(|one| one.claim.time);
    Ok(found)
}

/// Returns the files of the claims about a proposal, relative to the store.
pub(crate) fn claim_paths(layout: &Layout, id: &ProposalId) -> Result<Vec<String>> {
    let own = names(layout)?.into_iter().filter(|it| DecisionClaim::named(it).as_ref() == Some(id));
    Ok(own.map(|name| layout::in_decided(&name)).collect())
}

fn names(layout: &Layout) -> Result<Vec<String>> {
    let mut names = files::list(&layout.decided())?;
    names.retain(|name| DecisionClaim::named(name).is_some());
    Ok(names)
}

fn holds(claim: &DecisionClaim, marks: &BTreeMap<ProposalId, Vec<DecisionMark>>) -> bool {
    let Some(marks) = marks.get(&claim.proposal) else { return false };
    let decision = match claim.decision {
        ClaimedDecision::Applied => APPLIED,
        ClaimedDecision::Rejected => REJECTED,
    };
    let is_said = |operation| marks.contains(&DecisionMark { decision, operation });
    match claim.operations.as_slice() {
        [] => is_said(None),
        some => some.iter().any(|number| is_said(Some(*number))),
    }
}
