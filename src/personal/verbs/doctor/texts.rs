//! Finds secrets and hidden characters in what is stored; says where and by which rule, never the text.

use std::collections::BTreeMap;

use crate::personal::request::PersonalFinding;
use crate::secrets::{Class, Scanner, SecretFinding};
use crate::text::find_hidden;

/// A text, the part that it belongs to, and the file that it is from.
pub(super) struct ScannedText<'a> {
    pub(super) check: &'static str,
    pub(super) path: &'a str,
    pub(super) text: &'a str,
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
        let what = match class {
            Class::Secret => "what looks like a secret",
            Class::Personal => "personal data that the settings refuse",
        };
        let more = match found.len() - 1 {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let place = format!("on line {line}, column {column}{more}");
        let message = format!("`{}` holds {what}: `{rule}` {place}", self.path);
        let hint = format!(
            "{remedy}; `agent-memory user purge NAME` removes an entry with every old text of it"
        );
        let finding = PersonalFinding::new(self.check, self.path, message, hint);
        PersonalFinding { rule: Some(rule), ..finding }
    }

    fn hidden(&self) -> Option<PersonalFinding> {
        // A byte order mark at the start is an editor's.
        let hidden = find_hidden(self.text.trim_start_matches('\u{feff}'))?;
        let message = hidden.told_in(&format!("`{}`", self.path));
        let hint = "take the character out, or describe it in words";
        Some(PersonalFinding::new(self.check, self.path, message, hint))
    }
}
