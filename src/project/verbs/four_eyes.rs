//! Tells whether a person approves what they proposed themselves; with `[approval] four_eyes` that is refused.

use serde_json::{Value, json};

use super::project::Project;
use super::selection::Selection;
use crate::project::pipeline::Approval;
use crate::project::request::{Answer, Outcome, Reason, Refusal};
use crate::project::store::staging::{Fidelity, StagedProposal};

/// Why a person's own text is staged.
pub(super) const FOUR_EYES: &str = "`approval.four_eyes` is set";

/// Says that the person proposed it, where that is so.
pub(crate) fn own_proposal(owner: Option<&str>, approval: &Approval) -> Option<String> {
    let name = |name: &str| name.trim().to_lowercase();
    let is_own = owner.is_some_and(|owner| name(owner) == name(approval.approver()));
    is_own.then(|| format!("`{}` proposed it too", approval.approver()))
}

/// Refuses an approval by who proposed it or wrote a part of it, where the settings want two persons; else says it in one
/// line. Who proposed it has to be known for that.
pub(super) fn check_four_eyes(
    project: &Project,
    staged: &StagedProposal,
    approval: &Approval,
    selection: &Selection,
) -> Answer<Option<String>> {
    let own = own_proposal(staged.owner.as_deref(), approval);
    // Who edits `proposal.json` may have edited that too.
    let is_known = staged.owner.is_some() && staged.fidelity != Fidelity::Changed;
    let (message, hint) = match own {
        own if !project.config.four_eyes => return Ok(own),
        Some(own) => (format!("{own}, and {FOUR_EYES}"), "ask another person to review it"),
        None if is_known && selection.texts().is_none() => return Ok(None),
        None if is_known => (
            format!("`{}` changed its text, and {FOUR_EYES}", approval.approver()),
            "apply it as it was proposed, or propose your text for another person to review",
        ),
        None => (
            format!("who proposed `{}` is not known, and {FOUR_EYES}", staged.id),
            "reject it, and send it again with an `owner`",
        ),
    };
    Err(Refusal::new(Reason::ApprovalRefused, message, hint))
}

/// Warns that no person may approve a proposal that names no owner.
pub(super) fn without_owner(project: &Project, outcome: &Outcome) -> Option<String> {
    let is_lost = project.config.four_eyes && matches!(outcome, Outcome::Staged(_));
    is_lost
        .then(|| format!("no person can approve it, as {FOUR_EYES}: send it again with an `owner`"))
}

/// Names who writes a request, where two persons are wanted and it names no owner.
pub(super) fn with_writer(request: &Value, writer: Option<&str>) -> Vec<u8> {
    let mut request = request.clone();
    if let (Some(writer), None) = (writer, request.get("owner")) {
        request["owner"] = json!({ "id": writer });
    }
    request.to_string().into_bytes()
}
