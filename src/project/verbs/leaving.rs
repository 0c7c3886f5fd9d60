//! Takes a proposal out of the queue, also where git tracks it.

use serde_json::Value;

use super::project::Project;
use crate::error::Result;
use crate::project::request::ProposalId;
use crate::project::store::Step;
use crate::project::store::staging::{self, DecisionMark};
use crate::text::read_json;

impl Project {
    pub(super) fn leave_queue(&self, id: &ProposalId) -> Result<Vec<Step>> {
        let layout = self.store.layout();
        let is_tracked = self.config.staging.track;
        let keep = || staging::keep(layout, id, |text| self.is_fit_to_copy(text));
        let kept = if is_tracked { keep()? } else { None };
        Ok(std::iter::once(staging::retire(layout, id)).chain(kept).collect())
    }

    /// Tells whether a `proposal.json` holds no secret. It may have been edited by hand, so it is scanned as text, as
    /// parsed JSON, and with field names.
    pub(super) fn is_fit_to_copy(&self, text: &str) -> bool {
        let is_clean = |text: &str| !self.is_secret(text);
        let Ok(mut rest) = read_json(text) else { return false };
        // Markers that allow an example need lines of their own, which JSON does not have.
        if !take_contents(&mut rest).iter().all(|content| is_clean(content)) {
            return false;
        }
        // The digits of a time may look like a card number.
        if rest["id"].as_str().and_then(ProposalId::parse).is_some() {
            rest["id"].take();
        }
        let written = [format!("{rest}"), format!("{rest:#}")];
        written.iter().all(|text| is_clean(text)) && self.clean_value(&rest) == rest
    }

    /// Returns the steps that decide a proposal; in a tracked queue one of them is for the other branches.
    pub(super) fn decide(&self, id: &ProposalId, marks: &[DecisionMark]) -> Result<Vec<Step>> {
        let mut steps = self.leave_queue(id)?;
        if self.config.staging.track {
            steps.extend(staging::steady(self.store.layout()));
            steps.extend(marks.iter().map(|mark| staging::mark(id, *mark)));
        }
        Ok(steps)
    }
}

/// Removes and returns the section texts of a request.
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
