//! Whether a call may add a memory.

use super::content::content_to_store;
use super::rules::VerdictRules;
use super::target::{check_presence, check_privacy, resolved, restricted};
use crate::longterm::placeholders::with_user;
use crate::longterm::request::{Actor, CreateArguments, Denial, FailedStatus, MemoryOwner, People};

/// A memory that a call may add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AllowedMemory {
    pub(crate) owner: MemoryOwner,
    pub(crate) content: String,
}

/// Decides about a call, but for what only the store knows: whether it is there already, and how many there are.
pub(crate) fn decide_create(
    arguments: &CreateArguments,
    people: People<'_>,
    rules: VerdictRules<'_>,
) -> Result<AllowedMemory, Denial> {
    let context = people.context;
    if context.actor == Actor::Model && !people.allows_self_teaching() {
        return Err(Denial::new(
            FailedStatus::Disabled,
            "this server does not let you add to what is remembered",
        ));
    }
    let content = content_to_store(&arguments.content, rules.scanner)?;
    let shared = |content| match context.actor {
        Actor::Model | Actor::Manager => {
            Ok(AllowedMemory { owner: MemoryOwner::Server(context.server.clone()), content })
        }
        Actor::Owner => Err(not_for_this_actor("a person adds only what is remembered of them")),
    };
    let Some(name) = &arguments.target else { return shared(content) };
    let person = resolved(name, people)?;
    if person == context.bot || people.is_bridge(&person) {
        // A name may be longer than the placeholder, and is no text of ours.
        let named = with_user(&content, &people.name(&person));
        return shared(content_to_store(&named, rules.scanner)?);
    }
    check_presence(&person, people)?;
    check_actor(&person, people, rules)?;
    check_privacy(&person, people)?;
    Ok(AllowedMemory { owner: MemoryOwner::Person(person), content })
}

/// Refuses those who may not add to what is remembered of a person.
fn check_actor(person: &str, people: People<'_>, rules: VerdictRules<'_>) -> Result<(), Denial> {
    let is_caller = person == people.context.caller;
    match people.context.actor {
        Actor::Model if !is_caller && !rules.lets_model_write_of_others => Err(restricted()),
        Actor::Owner if !is_caller => {
            Err(not_for_this_actor("a person adds only what is remembered of them"))
        }
        Actor::Manager => Err(not_for_this_actor("a manager adds only shared memories")),
        Actor::Model | Actor::Owner => Ok(()),
    }
}

fn not_for_this_actor(message: &str) -> Denial {
    Denial::new(FailedStatus::InvalidScope, message)
}
