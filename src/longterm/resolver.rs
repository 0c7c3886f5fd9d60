//! Finds whom a name means, among those who are in the conversation and the members of the server.

use std::collections::HashSet;

use super::request::{Member, Participant, People, ServerKind};
use crate::text::one_line;

/// Whom a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// One person, by id.
    One(String),
    /// Several people, by id.
    Several(Vec<String>),
    /// No person that is there.
    None,
}

/// Digits of an id that a host may give.
const ID_DIGITS: std::ops::RangeInclusive<usize> = 17..=20;

/// Finds whom a name means. Only exact matches count, but for case, blanks and one leading `@`. The first stage with a match
/// decides.
pub(crate) fn resolve(target: &str, people: People<'_>) -> Resolution {
    let context = people.context;
    let given = target.trim();
    let bridge =
        context.participants.iter().find(|each| each.id == given && people.is_bridge(given));
    if let Some(bridge) = bridge {
        return Resolution::One(bridge.id.clone());
    }
    let name = folded(given);
    let members: Vec<Member> =
        people.members().into_iter().filter(|member| !member.is_bot).collect();
    if ID_DIGITS.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit()) {
        let ids = members.iter().map(|it| &it.id);
        let found = ids.chain(context.participants.iter().map(|it| &it.id)).find(|id| **id == name);
        return found.map_or(Resolution::None, |id| Resolution::One(id.clone()));
    }
    match among_participants(&name, &context.participants) {
        Resolution::None if context.kind == ServerKind::Guild => {}
        found => return found,
    }
    let fits = |text: &String| folded(text) == name;
    let stages: [&dyn Fn(&Member) -> bool; 5] = [
        &|member| member.display_name.iter().any(fits),
        &|member| member.saved_names.iter().any(fits),
        &|member| {
            people.directory.users.get(&member.id).is_some_and(|user| user.names.iter().any(fits))
        },
        &|member| member.global_name.iter().any(fits),
        &|member| member.username.iter().any(fits),
    ];
    let found = stages.iter().map(|stage| members.iter().filter(|member| stage(member)));
    let found = found.map(|hits| of_ids(hits.map(|member| member.id.clone())));
    found.into_iter().find(|found| *found != Resolution::None).unwrap_or(Resolution::None)
}

/// Finds a participant by any name; of several the only one whom the model sees under it.
fn among_participants(name: &str, participants: &[Participant]) -> Resolution {
    let has_label = |each: &&Participant| folded(&each.label) == name;
    let has_alias = |each: &&Participant| each.aliases.iter().any(|alias| folded(alias) == name);
    let id = |each: &Participant| each.id.clone();
    let all = of_ids(participants.iter().filter(|each| has_label(each) || has_alias(each)).map(id));
    match of_ids(participants.iter().filter(has_label).map(id)) {
        one @ Resolution::One(_) => one,
        Resolution::Several(_) | Resolution::None => all,
    }
}

fn of_ids(ids: impl Iterator<Item = String>) -> Resolution {
    let mut seen = HashSet::new();
    let mut found: Vec<String> = ids.filter(|id| seen.insert(id.clone())).collect();
    match found.len() {
        0 => Resolution::None,
        1 => Resolution::One(found.remove(0)),
        _ => Resolution::Several(found),
    }
}

/// Folds away what does not make another name: one leading `@`, blanks, case.
fn folded(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_prefix('@').unwrap_or(name);
    one_line(name).to_lowercase()
}
