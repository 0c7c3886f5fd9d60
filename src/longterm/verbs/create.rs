//! `create_long_term_memory`: adds a memory.

use super::facts::facts_about;
use super::notice::data_of;
use super::session::LongtermSession;
use super::update::{failed, no_context};
use crate::contract::Timestamp;
use crate::error::Result;
use crate::longterm::request::{
    CallContext, CreateArguments, Denial, FailedStatus, LongtermAnswer, LongtermCall, LongtermTool,
    MemoryEvent, MemoryRow, People, ToolData,
};
use crate::longterm::sqlite::{ChangeNote, LongtermView};
use crate::longterm::verdict::{VerdictRules, decide_create};

/// Memories of an owner and a lineage at most.
const MOST: usize = 100;

/// Answers a call. That it cannot be answered is an answer too.
pub(super) fn create(session: &LongtermSession, call: &LongtermCall) -> LongtermAnswer {
    let denied = |denial| LongtermAnswer::denied(LongtermTool::Create, denial);
    let context = match CallContext::read(&call.context) {
        Ok(context) => context,
        Err(missing) => return denied(no_context(missing)),
    };
    let arguments = match CreateArguments::read(&call.arguments) {
        Ok(arguments) => arguments,
        Err(fault) => return denied(Denial::new(FailedStatus::InvalidArgs, fault)),
    };
    let now = session.now;
    let change = move |view: &LongtermView<'_>, rules: VerdictRules<'_>| {
        carry_out(view, &context, &arguments, rules, now)
    };
    match session.decide(change) {
        Ok(Ok(data)) => LongtermAnswer::done(MemoryEvent::Saved, told(&data), data),
        Ok(Err(denial)) => denied(denial),
        Err(error) => denied(failed(&error)),
    }
}

fn carry_out(
    view: &LongtermView<'_>,
    context: &CallContext,
    arguments: &CreateArguments,
    rules: VerdictRules<'_>,
    now: Timestamp,
) -> Result<std::result::Result<ToolData, Denial>> {
    let directory = facts_about(view, context, arguments.target.as_ref())?;
    let people = People::new(context, &directory);
    let new = match decide_create(arguments, people, rules) {
        Ok(new) => new,
        Err(denial) => return Ok(Err(denial)),
    };
    let known = view.memories_of(&new.owner, context.lineage)?;
    let content = folded(&new.content);
    if let Some(same) = known.iter().find(|row| folded(&row.content) == content) {
        let data = data_of(MemoryEvent::Saved, same, people, None);
        return Ok(Ok(ToolData { duplicate: true, notification: None, ..data }));
    }
    if known.len() >= MOST {
        let message = format!(
            "there are {MOST} memories already; delete or merge some with update_long_term_memory"
        );
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
    Ok(Ok(data_of(MemoryEvent::Saved, &row, people, Some(noted))))
}

/// Folds away case and blanks, which make no other memory.
fn folded(content: &str) -> String {
    content.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

fn told(data: &ToolData) -> String {
    let number = data.memory_id.map(|number| number.to_string()).unwrap_or_default();
    match data.duplicate {
        true => format!("memory {number} says this already"),
        false => format!("memory {number} is saved"),
    }
}
