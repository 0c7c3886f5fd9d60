//! Whom a call is about.

use crate::longterm::request::{Actor, Denial, FailedStatus, People, PrivacyLevel};
use crate::longterm::resolver::{Resolution, resolve};

/// People that a denial names at most.
const CANDIDATES: usize = 3;

/// Finds whom a name means, or says why that is not clear.
pub(super) fn resolved(name: &str, people: People<'_>) -> Result<String, Denial> {
    match resolve(name, people) {
        Resolution::One(id) => Ok(id),
        Resolution::None => Err(unknown()),
        Resolution::Several(ids) => {
            let candidates: Vec<String> =
                ids.iter().take(CANDIDATES).map(|id| people.label(id)).collect();
            let next = match candidates.iter().any(|label| label.contains("(@")) {
                true => "use the account behind `@` as `target_user`",
                false => "no account tells them apart here, so ask who is meant",
            };
            let message =
                format!("the name fits several people: {}; {next}", candidates.join(", "));
            Err(Denial { candidates, ..Denial::new(FailedStatus::AmbiguousUser, message) })
        }
    }
}

fn unknown() -> Denial {
    let message =
        "no person of this name is known here; use the name as it stands in the conversation";
    Denial::new(FailedStatus::UserNotFound, message)
}

/// Refuses a person who is not known, or not there.
pub(super) fn check_presence(person: &str, people: People<'_>) -> Result<(), Denial> {
    if !people.knows(person) {
        let message = "nothing is known of this person, so nothing is kept of them; those who are known stand in `users` of \
            the host's context, or in its directory";
        return Err(Denial::new(FailedStatus::UserNotFound, message));
    }
    match people.is_there(person) {
        true => Ok(()),
        false => Err(Denial::new(
            FailedStatus::InvalidScope,
            "this person is not here: in a server only those whom the host's context or directory names as `members`, else the \
             caller alone",
        )),
    }
}

/// Refuses to write of a person who does not want it.
pub(super) fn check_privacy(person: &str, people: People<'_>) -> Result<(), Denial> {
    let level = people.privacy(person);
    let allowed = match people.context.actor {
        Actor::Model | Actor::Manager => level == PrivacyLevel::Minimal,
        Actor::Owner => level < PrivacyLevel::Full,
    };
    if allowed { Ok(()) } else { Err(restricted()) }
}

pub(super) fn restricted() -> Denial {
    Denial::new(
        FailedStatus::PrivacyRestricted,
        "the privacy of this person, or the settings, do not allow it",
    )
}
