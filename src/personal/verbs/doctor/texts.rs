//! Finds secrets and hidden characters in what is stored; says where and by which rule, never the text.

use std::collections::BTreeMap;

use crate::personal::request::{PersonalFinding, what_is};
use crate::personal::store::INDEX;
use crate::secrets::{Scanner, SecretFinding};
use crate::text::find_hidden;

/// How a text is written that only its value shows.
const ESCAPED: &str = ", written as an escape in its front matter";

/// A text, the part that it belongs to, and the file that it is from.
pub(super) struct ScannedText<'a> {
    pub(super) check: &'static str,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
    pub(super) origin: ScannedOrigin<'a>,
}

/// What of its file a text is.
#[derive(Clone, Copy)]
pub(super) enum ScannedOrigin<'a> {
    /// All of it.
    File,
    /// The values of its front matter, without their escapes. A place in them would lead nowhere.
    Values,
    /// What the undo list keeps of this entry.
    Undo(&'a str),
}

impl ScannedText<'_> {
    /// Finds each kind of secret once, and the first hidden character.
    pub(super) fn findings(&self, scanner: &Scanner) -> Vec<PersonalFinding> {
        self.secrets(scanner).into_iter().chain(self.hidden()).collect()
    }

    pub(super) fn secrets(&self, scanner: &Scanner) -> Vec<PersonalFinding> {
        let mut by_rule: BTreeMap<&str, Vec<SecretFinding>> = BTreeMap::new();
        for found in scanner.scan(self.text) {
            by_rule.entry(found.rule).or_default().push(found);
        }
        by_rule.into_values().map(|found| self.of_rule(&found)).collect()
    }

    fn of_rule(&self, found: &[SecretFinding]) -> PersonalFinding {
        let SecretFinding { rule, class, line, column, remedy, .. } = &found[0];
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let place = match self.origin {
            ScannedOrigin::Values => ESCAPED.to_owned(),
            ScannedOrigin::File | ScannedOrigin::Undo(_) => {
                format!(" on line {line}, column {column}{more}")
            }
        };
        let message = format!("{} holds {}: `{rule}`{place}", self.subject(), what_is(*class));
        let hint = match self.path {
            INDEX => format!("{remedy}; edit the line in `{INDEX}`"),
            _ => format!(
                "{remedy}; `agent-memory user purge NAME` removes an entry with every old text of it"
            ),
        };
        let finding = PersonalFinding::new(self.check, self.path, message, hint);
        PersonalFinding { rule: Some(rule), ..finding }
    }

    fn hidden(&self) -> Option<PersonalFinding> {
        // A byte order mark at the start is an editor's.
        let hidden = find_hidden(self.text.trim_start_matches('\u{feff}'))?;
        let message = match self.origin {
            ScannedOrigin::Values => {
                format!("{} holds a hidden character{ESCAPED}", self.subject())
            }
            ScannedOrigin::File | ScannedOrigin::Undo(_) => hidden.told_in(&self.subject()),
        };
        let hint = "take the character out, or describe it in words";
        Some(PersonalFinding::new(self.check, self.path, message, hint))
    }

    /// Returns what the messages begin with.
    fn subject(&self) -> String {
        match self.origin {
            ScannedOrigin::File | ScannedOrigin::Values => format!("`{}`", self.path),
            ScannedOrigin::Undo(name) => format!("an old text of `{name}` in `{}`", self.path),
        }
    }
}
