//! `update_long_term_memory`: changes a memory, or deletes it.

use super::facts::facts_about;
use super::notice::data_of;
use super::session::Decided;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{CallContext, MemoryEvent, MemoryRow, People, UpdateArguments};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::longterm::verdict::{AllowedChange, VerdictRules, decide_update};

/// Changes a memory or moves it to the trash, where the rules let it.
pub(super) fn update(
    view: &LongtermView<'_>,
    context: &CallContext,
    arguments: &UpdateArguments,
    rules: VerdictRules<'_>,
    now: Timestamp,
) -> Result<Decided> {
    let directory = facts_about(view, context, arguments.target.as_ref())?;
    let people = People::new(context, &directory);
    let find = |number| view.memory(number);
    let (change, before) = match decide_update(arguments, people, rules, find)? {
        Ok(allowed) => allowed,
        Err(denial) => return Ok(Err(denial)),
    };
    let (event, row) = match change {
        AllowedChange::Update(content) => {
            view.set_content(before.number, &content, now)?;
            (MemoryEvent::Updated, MemoryRow { content, ..before.clone() })
        }
        AllowedChange::Delete => {
            view.move_to_trash(before.number, now)?;
            (MemoryEvent::Deleted, before.clone())
        }
    };
    let noted = view.note(&ChangeNote {
        event: event.name(),
        id: before.number.to_string(),
        actor: context.actor.name(),
        now,
        keys: vec![before.owner.generation_key()],
        before: Some(&before.content),
        after: (event == MemoryEvent::Updated).then_some(&row.content),
    })?;
    Ok(Ok((event, data_of(event, &row, people, Some(noted)))))
}
