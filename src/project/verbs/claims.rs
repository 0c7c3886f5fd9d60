//! Tells other clones who decided what, and reads what they tell: a claim, which the log of this machine does not prove.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::project::Project;
use super::selection::Selection;
use crate::error::Result;
use crate::project::claim::{ClaimedDecision, DecisionClaim};
use crate::project::pipeline::{Approval, Planned};
use crate::project::request::AffectedSection;
use crate::project::store::staging::{self, FoundClaim, StagedProposal};
use crate::project::store::{self, Step};

/// Returns the step that tells who applied a proposal, and what it wrote; none where the queue is not in git.
pub(super) fn tell_applied(
    project: &Project,
    staged: &StagedProposal,
    approval: &Approval,
    (planned, selection): (&Planned<'_>, &Selection),
) -> Option<Step> {
    let tracked: BTreeSet<&str> = planned.listed().map(|file| file.path.as_str()).collect();
    let written = planned.affected.iter().filter(|each| tracked.contains(each.file.as_str()));
    let count = staged.operations();
    let chosen: Vec<usize> = (0..count).filter(|number| selection.takes(*number)).collect();
    let is_part = chosen.len() < count;
    tell(
        project,
        &DecisionClaim {
            digest: Some(planned.digest()),
            operations: chosen.iter().filter(|_| is_part).map(|number| number + 1).collect(),
            sections: written.cloned().collect(),
            ..claim(project, staged, ClaimedDecision::Applied, Some(approval.approver()))
        },
    )
}

/// Returns the step that tells who rejected a proposal; none where the queue is not in git.
pub(super) fn tell_rejected(
    project: &Project,
    staged: &StagedProposal,
    approver: Option<&str>,
) -> Option<Step> {
    tell(project, &claim(project, staged, ClaimedDecision::Rejected, approver))
}

fn tell(project: &Project, claim: &DecisionClaim) -> Option<Step> {
    if !project.config.staging.track {
        return None;
    }
    if claim.file().is_none() {
        let why = "a name has more than 200 characters or hidden ones, or it changes too much";
        let said = format!("other clones are not told who decided `{}`: {why}", claim.proposal);
        project.session.warnings.add(vec![said]);
    }
    staging::write_claim(project.store.layout(), claim)
}

fn claim(
    project: &Project,
    staged: &StagedProposal,
    decision: ClaimedDecision,
    approver: Option<&str>,
) -> DecisionClaim {
    DecisionClaim {
        proposal: staged.id.clone(),
        decision,
        time: project.session.now,
        // The owner is read from the queue, where it may have been edited.
        owner: staged.owner.as_deref().map(|owner| project.clean(owner)),
        approver: approver.map(str::to_owned),
        digest: None,
        request: staged.hash.clone(),
        operations: Vec::new(),
        sections: Vec::new(),
    }
}

/// Returns a line for each claim about a decision that these lines of the log do not have, oldest first.
pub(super) fn claimed(project: &Project, logged: &[Value]) -> Result<Vec<Value>> {
    let found = staging::claims(project.store.layout())?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let logged: BTreeSet<[Option<&str>; 4]> = logged.iter().map(decision_key).collect();
    let reasons = reasons(project)?;
    let lines = found.iter().map(|found| line(project, found, &reasons));
    Ok(lines.filter(|line| !logged.contains(&decision_key(line))).collect())
}

/// What makes two lines one decision.
fn decision_key(line: &Value) -> [Option<&str>; 4] {
    ["id", "decision", "time", "approver"].map(|name| line[name].as_str())
}

/// Returns why proposals were rejected, where all rejections of one say the same.
fn reasons(project: &Project) -> Result<BTreeMap<String, String>> {
    let mut reasons: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for rejection in store::rejections(project.store.layout())? {
        reasons.entry(rejection.id).or_default().insert(project.clean(&rejection.reason));
    }
    let single = reasons.into_iter().filter(|(_, said)| said.len() == 1);
    Ok(single.filter_map(|(id, said)| Some((id, said.into_iter().next()?))).collect())
}

/// Makes a line like those of the log.
fn line(project: &Project, found: &FoundClaim, reasons: &BTreeMap<String, String>) -> Value {
    let claim = &found.claim;
    let mut line = json!({
        "time": claim.time, "id": claim.proposal, "decision": claim.decision,
        "request": claim.request, "claimed": true,
    });
    let mut add = |name: &str, value: Option<Value>| {
        value.into_iter().for_each(|value| line[name] = value);
    };
    let clean = |name: &Option<String>| name.as_deref().map(|name| json!(project.clean(name)));
    add("owner", clean(&claim.owner));
    add("approver", clean(&claim.approver));
    add("digest", claim.digest.as_ref().map(|digest| json!(digest)));
    let numbers: Vec<usize> = claim.operations.iter().map(|number| number - 1).collect();
    add("operations", (!numbers.is_empty()).then(|| json!(numbers)));
    let files: BTreeSet<&str> = claim.sections.iter().map(|each| each.file.as_str()).collect();
    let files: Vec<Value> =
        files.iter().map(|path| json!({ "path": project.clean(path) })).collect();
    add("files", (!files.is_empty()).then(|| json!(files)));
    let shown = |each: &AffectedSection| json!(each);
    let sections: Vec<Value> = claim.sections.iter().map(shown).collect();
    add("sections", (!sections.is_empty()).then(|| project.clean_value(&json!(sections))));
    let is_rejected = claim.decision == ClaimedDecision::Rejected && !found.is_taken_back;
    let reason = reasons.get(claim.proposal.as_str()).filter(|_| is_rejected);
    add("reason", reason.map(|reason| json!(reason)));
    add("taken_back", found.is_taken_back.then_some(json!(true)));
    line
}
