//! Makes names for entries of what other tools keep; no name is given twice.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::ContentHash;
use crate::personal::request::EntryName;
use crate::text::{slug, without_accents};

/// The names that are given already; some disks do not tell `a` from `A`.
#[derive(Debug, Default)]
pub(crate) struct EntryNames {
    given: BTreeSet<String>,
    /// The last number behind a name: of many equal ones, each would else be tried from the first on.
    numbers: BTreeMap<String, u32>,
}

impl EntryNames {
    /// Bytes of a name that is made, so that a number fits behind it.
    pub(crate) const LONGEST: usize = 90;

    /// Keeps a name from being given; returns whether it was free.
    pub(crate) fn reserve(&mut self, name: &str) -> bool {
        self.given.insert(name.to_ascii_lowercase())
    }

    /// Makes a free name of a text: its letters and digits in kebab-case, at most `limit` of them.
    pub(crate) fn give(&mut self, text: &str, limit: usize) -> EntryName {
        let base = legal_name(text, limit.min(Self::LONGEST));
        let mut number = self.numbers.get(&base).copied().unwrap_or(0);
        let free = loop {
            number += 1;
            let name = if number == 1 { base.clone() } else { format!("{base}-{number}") };
            if self.reserve(&name) {
                break name;
            }
        };
        self.numbers.insert(base, number);
        EntryName::parse(&free).expect("a number behind a name leaves it legal")
    }
}

fn legal_name(text: &str, limit: usize) -> String {
    let name = slug(&without_accents(text), limit);
    if name.is_empty() {
        // Signs alone have no letter that a name can have.
        return format!("entry-{}", &ContentHash::of(text.as_bytes()).as_str()[..8]);
    }
    // A name that is still refused is reserved.
    if EntryName::parse(&name).is_ok() { name } else { format!("entry-{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_made_of_what_can_stand_in_one() {
        let long = "x".repeat(200);
        for (text, name) in [
            ("two words", "two-words"),
            ("Zürich – Straße", "zurich-strasse"),
            ("v1.2 notes", "v1-2-notes"),
            ("CON", "entry-con"),
            ("Memory", "entry-memory"),
            ("don't do X!", "dont-do-x"),
            ("日本語", "ri-ben-yu"),
            // `printf 🚀 | sha256sum`
            ("🚀", "entry-ebbc0b28"),
            (&long, &long[..EntryNames::LONGEST]),
        ] {
            assert_eq!(
                EntryNames::default().give(text, EntryNames::LONGEST).as_str(),
                name,
                "{text}"
            );
        }
        assert_eq!(EntryNames::default().give("one two three", 9).as_str(), "one-two");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut names = EntryNames::default();
        assert!(names.reserve("Two-Words") && !names.reserve("two-words"));
        let given: Vec<String> =
            (0..3).map(|_| names.give("two words", EntryNames::LONGEST).to_string()).collect();
        assert_eq!(given, ["two-words-2", "two-words-3", "two-words-4"]);
    }
}
