//! Whether a call may change or delete a memory.

use super::content::{check, settled};
use super::rules::VerdictRules;
use super::target::{check_presence, check_privacy, resolved, restricted};
use crate::longterm::request::{
    Actor, Denial, FailedStatus, MemoryNumber, MemoryOwner, MemoryRow, People, UpdateArguments,
};

/// What a call may do to one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowedChange {
    /// It gets this content.
    Update(String),
    /// It goes to the trash.
    Delete,
}

/// Decides about a call; `find` returns the memory of a number, of any owner.
pub(crate) fn decide_update<E>(
    arguments: &UpdateArguments,
    people: People<'_>,
    rules: VerdictRules<'_>,
    find: impl FnOnce(MemoryNumber) -> Result<Option<MemoryRow>, E>,
) -> Result<Result<(AllowedChange, MemoryRow), Denial>, E> {
    let aimed = match aim(arguments, people, rules) {
        Ok(aimed) => aimed,
        Err(denial) => return Ok(Err(denial)),
    };
    let found = find(aimed.number)?.filter(|row| aimed.target.has(row, people));
    let allowed = found.ok_or_else(not_found).and_then(|row| {
        // Without a target only the row says that it is about the person, who may always delete it.
        if let (AimedTarget::OwnOf(_), MemoryOwner::Person(person), AllowedChange::Update(_)) =
            (&aimed.target, &row.owner, &aimed.change)
        {
            check_person(person, people)?;
            check_privacy(person, people)?;
        }
        Ok((aimed.change, row))
    });
    Ok(allowed)
}

/// A change, and among whose memories the number must be.
struct AimedChange {
    number: MemoryNumber,
    change: AllowedChange,
    target: AimedTarget,
}

/// Among whose memories a number must be.
enum AimedTarget {
    /// Those that the server shares.
    Shared,
    /// Those of one person.
    Person(String),
    /// What a person may change themselves: their own, and what they taught the server.
    OwnOf(String),
    /// None.
    Nothing,
}

fn aim(
    arguments: &UpdateArguments,
    people: People<'_>,
    rules: VerdictRules<'_>,
) -> Result<AimedChange, Denial> {
    let actor = people.context.actor;
    if actor == Actor::Model && !people.allows_self_teaching() {
        return Err(Denial::new(
            FailedStatus::Disabled,
            "this server does not let you change what is remembered",
        ));
    }
    let number = MemoryNumber::of_json(&arguments.number).ok_or_else(|| {
        let message = "`memory_id` must be a whole number above 0, the N of `ID:N`";
        Denial::new(FailedStatus::InvalidArgs, message)
    })?;
    let content = settled(&arguments.content);
    if !content.is_empty() {
        check(&content, rules.scanner)?;
    }
    let change =
        if content.is_empty() { AllowedChange::Delete } else { AllowedChange::Update(content) };
    let target = match &arguments.target {
        None if actor == Actor::Owner => AimedTarget::OwnOf(people.context.caller.clone()),
        None => AimedTarget::Shared,
        Some(name) => aim_at(&resolved(name, people)?, &change, people, rules)?,
    };
    Ok(AimedChange { number, change, target })
}

/// Decides whether the memories of a person may be changed.
fn aim_at(
    person: &str,
    change: &AllowedChange,
    people: People<'_>,
    rules: VerdictRules<'_>,
) -> Result<AimedTarget, Denial> {
    check_person(person, people)?;
    let is_caller = person == people.context.caller;
    match people.context.actor {
        Actor::Model if !is_caller && !rules.lets_model_write_of_others => return Err(restricted()),
        Actor::Owner if !is_caller => return Ok(AimedTarget::Nothing),
        Actor::Manager => return Ok(AimedTarget::Nothing),
        Actor::Model | Actor::Owner => {}
    }
    if matches!(change, AllowedChange::Update(_)) {
        check_privacy(person, people)?;
    }
    Ok(AimedTarget::Person(person.to_owned()))
}

/// Refuses those of whom there are no personal memories, or who are not there.
fn check_person(person: &str, people: People<'_>) -> Result<(), Denial> {
    if people.is_bridge(person) {
        let message =
            "of people on a bridge only shared memories are kept; leave `target_user` out";
        return Err(Denial::new(FailedStatus::InvalidScope, message));
    }
    if person == people.context.bot {
        let message = "there are no personal memories of yourself; leave `target_user` out";
        return Err(Denial::new(FailedStatus::InvalidTarget, message));
    }
    check_presence(person, people)
}

impl AimedTarget {
    /// Tells whether a memory is among those that the call is about.
    fn has(&self, row: &MemoryRow, people: People<'_>) -> bool {
        let lineage = people.context.lineage;
        let is_shared = || {
            row.owner == MemoryOwner::Server(people.context.server.clone())
                && row.lineage == lineage
        };
        let is_of = |person: &str| {
            row.owner == MemoryOwner::Person(person.to_owned())
                // What is true for every character is so for this one.
                && [lineage, 0].contains(&row.lineage)
        };
        match self {
            Self::Shared => is_shared(),
            Self::Person(person) => is_of(person),
            Self::OwnOf(person) => {
                is_of(person) || is_shared() && row.taught_by.as_ref() == Some(person)
            }
            Self::Nothing => false,
        }
    }
}

fn not_found() -> Denial {
    let message = "there is no such memory here; use the N of `ID:N` as it stands in your context, and `target_user` for \
        what stands under a person";
    Denial::new(FailedStatus::NotFound, message)
}
