//! Leaves out what does not hold any more, and puts what replaces it in its place.

use std::collections::HashSet;

use super::task::RecallTask;
use crate::error::Result;
use crate::service::recall::{MatchType, MemoryCandidate};
use crate::service::request::{Memory, MemoryId, StateFilter, SuppressedMemory};

/// What was left out, and what stands for it.
#[derive(Debug, Default)]
pub(super) struct StateVerdict {
    suppressed: Vec<SuppressedMemory>,
    replacements: Vec<MemoryId>,
}

impl StateVerdict {
    pub(super) fn document(self, debug: bool) -> StateFilter {
        StateFilter {
            current_only: true,
            suppressed_count: self.suppressed.len(),
            replacement_count: self.replacements.len(),
            suppressed: debug.then_some(self.suppressed),
            replacements: debug.then_some(self.replacements),
        }
    }
}

/// Leaves out candidates that do not hold now; what replaces one takes its score, unless it has a better one.
pub(super) fn keep_current(
    recall: &RecallTask<'_>,
    found: &mut Vec<MemoryCandidate>,
) -> Result<StateVerdict> {
    let mut verdict = StateVerdict::default();
    let mut kept: Vec<MemoryCandidate> = Vec::with_capacity(found.len());
    for candidate in found.drain(..) {
        let head = head_of_chain(recall, &candidate.memory)?;
        let reason = match &head {
            Some(_) => Some("superseded"),
            None => reason_against(recall, &candidate.memory),
        };
        let Some(reason) = reason else {
            add(&mut kept, candidate);
            continue;
        };
        let (id, replaced_by) = (candidate.memory.said.id, head.as_ref().map(|head| head.said.id));
        verdict.suppressed.push(SuppressedMemory { id, reason, replaced_by });
        if let Some(head) = head {
            verdict
                .replacements
                .extend(replaced_by.filter(|id| !verdict.replacements.contains(id)));
            add(&mut kept, replacement(candidate, head));
        }
    }
    *found = kept;
    Ok(verdict)
}

/// Adds a candidate; of one that is there the better score stays, between equal ones its own, and the first that it
/// replaces.
fn add(kept: &mut Vec<MemoryCandidate>, candidate: MemoryCandidate) {
    match kept.iter_mut().find(|known| known.memory.row == candidate.memory.row) {
        Some(known) => {
            let state_replaces = known.state_replaces.or(candidate.state_replaces);
            let is_own = candidate.match_type != MatchType::StateReplacement;
            let is_as_good = candidate.score >= known.score && is_own;
            if is_as_good || candidate.score > known.score {
                *known = candidate;
            }
            known.state_replaces = state_replaces;
        }
        None => kept.push(candidate),
    }
}

fn replacement(candidate: MemoryCandidate, head: Memory) -> MemoryCandidate {
    let state_replaces = Some(candidate.memory.said.id);
    let match_type = MatchType::StateReplacement;
    MemoryCandidate { memory: head, match_type, state_replaces, ..candidate }
}

/// Says why a memory does not hold now; nothing if it does.
fn reason_against(recall: &RecallTask<'_>, memory: &Memory) -> Option<&'static str> {
    match memory.holds_at(recall.session.now) {
        true => None,
        false if memory.said.t_valid.is_some_and(|from| from > recall.session.now) => {
            Some("not_yet_valid")
        }
        false => Some("expired"),
    }
}

/// Returns the last memory of the chain of replacements that holds now; none if there is none. Each is visited once, so a
/// circle ends.
fn head_of_chain(recall: &RecallTask<'_>, memory: &Memory) -> Result<Option<Memory>> {
    let mut seen = HashSet::from([memory.row]);
    let (mut at, mut head) = (memory.row, None);
    loop {
        let successors = recall.view.successors(at)?;
        let Some(next) = successors.into_iter().find(|row| seen.insert(*row)) else { break };
        at = next;
        let memory = recall.view.memories(&[next])?.pop();
        let is_answer =
            |memory: &Memory| memory.holds_at(recall.session.now) && recall.is_wanted(memory);
        head = memory.filter(is_answer).or(head);
    }
    Ok(head)
}
