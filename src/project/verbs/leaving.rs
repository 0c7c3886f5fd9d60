//! How a proposal leaves the queue, also where that is kept in git.

use serde_json::Value;

use super::Workspace;
use crate::contract::ProposalId;
use crate::error::Result;
use crate::project::pipeline::read_json;
use crate::project::store::Step;
use crate::project::store::staging;

impl Workspace {
    /// Returns the steps by which a proposal leaves the queue; nothing of it is deleted.
    pub(super) fn leave_queue(&self, id: &ProposalId) -> Result<Vec<Step>> {
        let layout = self.store.layout();
        let is_tracked = self.config.staging.track;
        let keep = || staging::keep(layout, id, |text| self.is_fit_to_copy(text));
        let kept = if is_tracked { keep()? } else { None };
        Ok(std::iter::once(staging::retire(layout, id)).chain(kept).collect())
    }

    /// Tells whether a `proposal.json` holds no secret: somebody may have written one into it, in letters or as JSON can
    /// say them, beside its name or alone. What was let pass when it was proposed passes here.
    pub(super) fn is_fit_to_copy(&self, text: &str) -> bool {
        let is_clean = |text: &str| self.scanner.scan(text).is_empty();
        let Ok(mut rest) = read_json(text) else { return false };
        // Marks that let an example pass stand alone on their lines, which JSON does not have.
        if !take_contents(&mut rest).iter().all(|content| is_clean(content)) {
            return false;
        }
        // The figures of a time may be those of a card.
        if rest["id"].as_str().and_then(ProposalId::parse).is_some() {
            rest["id"].take();
        }
        let written = [format!("{rest}"), format!("{rest:#}")];
        written.iter().all(|text| is_clean(text)) && self.clean_value(&rest) == rest
    }

    /// Returns the steps that decide a proposal; where the queue is kept in git, one of them tells the other branches.
    pub(super) fn decide(&self, id: &ProposalId, decision: &str) -> Result<Vec<Step>> {
        let mut steps = self.leave_queue(id)?;
        if self.config.staging.track {
            steps.extend(staging::steady(self.store.layout()));
            steps.push(staging::mark(id, decision));
        }
        Ok(steps)
    }
}

/// Takes the texts out that a request brings to sections.
fn take_contents(proposal: &mut Value) -> Vec<String> {
    let operations = proposal.pointer_mut("/request/operations").and_then(Value::as_array_mut);
    let mut contents = Vec::new();
    for operation in operations.into_iter().flatten() {
        for name in ["content", "replacement"] {
            if let Some(Value::String(content)) = operation.get_mut(name) {
                contents.push(std::mem::take(content));
            }
        }
    }
    contents
}
