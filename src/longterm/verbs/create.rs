//! `create_long_term_memory`: adds a memory.

use super::facts::facts_about;
use super::limit::no_room;
use super::notice::data_of;
use super::session::Decided;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{
    CallContext, CreateArguments, Denial, FailedStatus, MemoryEvent, MemoryRow, People,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::longterm::verdict::{VerdictRules, decide_create};
use crate::text::one_line;

/// Adds a memory, where the rules let it and the same is not there yet.
pub(super) fn create(
    view: &LongtermView<'_>,
    context: &CallContext,
    arguments: &CreateArguments,
    rules: VerdictRules<'_>,
    now: Timestamp,
) -> Result<Decided> {
    let directory = facts_about(view, context, arguments.target.as_ref())?;
    let people = People::new(context, &directory);
    let new = match decide_create(arguments, people, rules) {
        Ok(new) => new,
        Err(denial) => return Ok(Err(denial)),
    };
    let known = view.memories_of(&new.owner, context.lineage)?;
    let content = folded(&new.content);
    if let Some(same) = known.iter().find(|row| folded(&row.content) == content) {
        return Ok(Ok((MemoryEvent::Saved, data_of(MemoryEvent::Saved, same, people, None))));
    }
    if let Some(message) = no_room(known.len()) {
        return Ok(Err(Denial::new(FailedStatus::LimitExceeded, message)));
    }
    let row = MemoryRow {
        number: view.next_number()?,
        owner: new.owner,
        lineage: context.lineage,
        content: new.content,
        tags: Vec::new(),
        taught_by: Some(context.caller.clone()),
        created: now,
        updated: now,
        revision: 1,
    };
    view.insert(&row)?;
    let noted = view.note(&ChangeNote {
        event: MemoryEvent::Saved.name(),
        id: row.number.to_string(),
        actor: context.actor.name(),
        now,
        keys: vec![row.owner.generation_key()],
        before: None,
        after: Some(&row.content),
    })?;
    Ok(Ok((MemoryEvent::Saved, data_of(MemoryEvent::Saved, &row, people, Some(noted)))))
}

/// Folds away case and blanks, which make no other memory.
fn folded(content: &str) -> String {
    one_line(content).to_lowercase()
}
