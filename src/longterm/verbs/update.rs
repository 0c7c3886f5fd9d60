//! `update_long_term_memory`: changes a memory, or deletes it.

use super::facts::facts_about;
use super::notice::data_of;
use super::session::LongtermSession;
use crate::contract::Timestamp;
use crate::error::{Error, ErrorKind, Result};
use crate::longterm::request::{
    CallContext, Denial, FailedStatus, LongtermAnswer, LongtermCall, LongtermTool, MemoryEvent,
    MemoryRow, People, ToolData, UpdateArguments,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::longterm::verdict::{AllowedChange, VerdictRules, decide_update};

/// Answers a call. That it cannot be answered is an answer too.
pub(super) fn update(session: &LongtermSession, call: &LongtermCall) -> LongtermAnswer {
    let denied = |denial| LongtermAnswer::denied(LongtermTool::Update, denial);
    let context = match CallContext::read(&call.context) {
        Ok(context) => context,
        Err(missing) => return denied(no_context(missing)),
    };
    let arguments = match UpdateArguments::read(&call.arguments) {
        Ok(arguments) => arguments,
        Err(fault) => return denied(Denial::new(FailedStatus::InvalidArgs, fault)),
    };
    let now = session.now;
    let change = move |view: &LongtermView<'_>, rules: VerdictRules<'_>| {
        carry_out(view, &context, &arguments, rules, now)
    };
    match session.decide(change) {
        Ok(Ok((event, data))) => LongtermAnswer::done(event, told(event, &data), data),
        Ok(Err(denial)) => denied(denial),
        Err(error) => denied(failed(&error)),
    }
}

fn carry_out(
    view: &LongtermView<'_>,
    context: &CallContext,
    arguments: &UpdateArguments,
    rules: VerdictRules<'_>,
    now: Timestamp,
) -> Result<std::result::Result<(MemoryEvent, ToolData), Denial>> {
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

fn told(event: MemoryEvent, data: &ToolData) -> String {
    let number = data.memory_id.map(|number| number.to_string()).unwrap_or_default();
    match event {
        MemoryEvent::Deleted => format!("memory {number} is deleted"),
        MemoryEvent::Updated => format!("memory {number} is updated"),
        MemoryEvent::Saved => format!("memory {number} is saved"),
    }
}

pub(super) fn no_context(missing: &str) -> Denial {
    let message =
        format!("the host sent no context that can be used: `{missing}` is missing or wrong");
    Denial::new(FailedStatus::InternalError, message)
}

/// Says that a call could not be answered: by a fault of the database or its disk, else by one that no caller foresaw.
pub(super) fn failed(error: &Error) -> Denial {
    let status = match error.kind() {
        ErrorKind::DatabaseFailed
        | ErrorKind::Io
        | ErrorKind::LockHeld
        | ErrorKind::StoreDamaged => FailedStatus::DbError,
        ErrorKind::Usage
        | ErrorKind::StoreNotFound
        | ErrorKind::ConfigInvalid
        | ErrorKind::IndexFailed
        | ErrorKind::Git
        | ErrorKind::ServerFailed
        | ErrorKind::Bug => FailedStatus::InternalError,
    };
    Denial::new(status, format!("nothing was changed: {error}"))
}
