//! Finds entities that may be the same under two names, and names that are probably none.

use super::request::Entity;
use crate::text::slips;

/// Two names that are alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Likeness {
    /// How sure it is that they are the same, 0 to 1.
    pub(crate) confidence: f64,
    /// In words.
    pub(crate) reason: String,
}

/// How sure it is at least where one name is a part of the other.
const PART: f64 = 0.6;

/// Letters of a name for which one slip of the finger is allowed, and two.
const ONE_SLIP: usize = 5;
const TWO_SLIPS: usize = 9;

/// Tells how alike the names of two entities are: one is a part of the other, word by word, or they differ in a letter or
/// two. Different categories, or different digits, are never alike.
pub(crate) fn likeness(one: &Entity, other: &Entity) -> Option<Likeness> {
    if one.category != other.category || digits(&one.slug) != digits(&other.slug) {
        return None;
    }
    let (short, long) = match one.slug.len() <= other.slug.len() {
        true => (&one.slug, &other.slug),
        false => (&other.slug, &one.slug),
    };
    if is_part(short, long) {
        let confidence = (short.len() as f64 / long.len() as f64).max(PART);
        return Some(Likeness { confidence, reason: format!("`{short}` is a part of `{long}`") });
    }
    let allowed = usize::from(short.len() >= ONE_SLIP) + usize::from(short.len() >= TWO_SLIPS);
    if long.len() - short.len() > allowed {
        return None;
    }
    let slips = slips(short, long);
    let letters = if slips == 1 { "letter" } else { "letters" };
    (slips <= allowed).then(|| Likeness {
        confidence: 1.0 - slips as f64 / long.len() as f64,
        reason: format!("`{short}` and `{long}` differ in {slips} {letters}"),
    })
}

/// Tells whether the words of a name are in another, in the same order and side by side.
fn is_part(short: &str, long: &str) -> bool {
    format!("-{long}-").contains(&format!("-{short}-"))
}

fn digits(slug: &str) -> String {
    slug.chars().filter(char::is_ascii_digit).collect()
}

/// Tells why a name is probably none.
pub(crate) fn doubt(entity: &Entity) -> Option<&'static str> {
    let letters = entity.name.chars().filter(|c| c.is_alphabetic()).count();
    match letters {
        0 => Some("it has no letter"),
        1 => Some("it has only one letter"),
        _ if entity.name.len() > 40 => Some("it is longer than a name"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(name: &str) -> Entity {
        let (category, name) = ("people".to_owned(), name.to_owned());
        Entity { category, slug: name.to_lowercase().replace(' ', "-"), name }
    }

    #[track_caller]
    fn check(one: &str, other: &str, expected: bool) {
        let found = likeness(&person(one), &person(other));
        assert_eq!(found.is_some(), expected, "{one}, {other}: {found:?}");
    }

    #[test]
    fn a_part_of_a_name_and_a_slip_of_the_finger_are_alike() {
        check("Ada", "Ada Lovelace", true);
        check("Ada Lovelace", "Lovelace", true);
        check("Caroline", "Carolyne", true);
    }

    #[test]
    fn a_part_of_a_word_another_digit_and_short_names_are_not_alike() {
        check("Ann", "Hannah", false);
        check("Agent 1", "Agent 2", false);
        check("Tim", "Tom", false);
        let tool = Entity { category: "tools".to_owned(), ..person("Ada") };
        assert_eq!(likeness(&tool, &person("Ada Lovelace")), None);
    }

    #[test]
    fn a_name_without_letters_is_doubted() {
        assert_eq!(doubt(&person("42")), Some("it has no letter"));
        assert_eq!(doubt(&person("Ada")), None);
    }
}
