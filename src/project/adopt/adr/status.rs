//! What a record says of its state: the word of the schema for it, and the day.

use crate::contract::is_date;

/// The state of a decision, in the word of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::project::adopt) struct DecisionStatus {
    pub(in crate::project::adopt) word: &'static str,
}

impl DecisionStatus {
    /// What an entry of a log of decisions has, where it names nothing else: it was decided.
    pub(in crate::project::adopt) const ACTIVE: Self = Self { word: "active" };

    /// Reads the first word of a text that means a state; that a record is superseded counts most.
    pub(in crate::project::adopt) fn read(text: &str) -> Option<Self> {
        let known: Vec<&str> =
            visible(text).flat_map(words).filter_map(|it| word_for(&it)).collect();
        let superseded = known.iter().find(|word| **word == "superseded");
        superseded.or(known.first()).map(|word| Self { word })
    }
}

fn words(line: &str) -> impl Iterator<Item = String> {
    // The words of a link are the title of another record.
    let line = line.split('[').next().unwrap_or_default();
    let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.take(4).map(str::to_lowercase)
}

fn word_for(word: &str) -> Option<&'static str> {
    Some(match word {
        "accepted" | "approved" | "adopted" | "active" | "implemented" | "decided" | "done"
        | "agreed" | "final" => "active",
        "proposed" | "proposal" | "draft" | "pending" | "open" => "proposed",
        "superseded" | "superceded" | "replaced" => "superseded",
        "deprecated" | "obsolete" | "retired" | "rejected" | "declined" | "withdrawn" => {
            "deprecated"
        }
        _ => return None,
    })
}

pub(super) fn visible(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("<!--"))
}

/// Returns the only day in a text, also of the form `2020/01/02`.
pub(in crate::project::adopt) fn day_of(text: &str) -> Option<String> {
    let is_sign = |c: char| !c.is_ascii_digit() && !"-/".contains(c);
    let words = text.split(is_sign).map(|word| word.trim_matches(['-', '/']).replace('/', "-"));
    let mut days = words.filter(|word| is_date(word));
    days.next().filter(|first| days.all(|day| day == *first))
}
