//! One row of the table: what a secret looks like, and what to do when it is found.

use regex::bytes::{Regex, RegexBuilder};

use super::assignment::Assignment;
use super::checks::Candidate;

/// One row.
#[derive(Clone, Copy)]
pub struct SecretRule {
    /// Names the rule in findings and in withheld text. Never changes.
    pub id: &'static str,
    /// Finishes the sentence "this looks like …".
    pub description: &'static str,
    /// What a person does about it: usually to revoke the value, which editing a text cannot do.
    pub remedy: &'static str,
    /// The pattern is tried only near one of these. In lower case, but matches either.
    pub keywords: &'static [&'static str],
    /// The last group that takes part in a match is the value.
    pub pattern: &'static str,
    /// How far from its keyword a match may reach.
    pub shape: Shape,
    /// Has the last word on a match of the pattern.
    pub check: fn(&Candidate) -> bool,
    /// Texts with a secret, in pieces, so that other scanners stay calm about this file.
    pub examples: &'static [&'static [&'static str]],
    /// Texts that come close but hold no secret, in pieces too.
    pub counter_examples: &'static [&'static [&'static str]],
}

/// How a pattern meets the text around it.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A word of its own, not a part of a longer one. At least 20 characters, none of them a space.
    Token,
    /// A name, and a value after it.
    Named,
    /// A name and a key: somewhere in it stand 32 symbols at least, none of them a blank.
    NamedKey,
    /// A longer stretch with its own borders.
    Passage,
    /// A name with its value in any way of writing; has no pattern but a test.
    Assignment(AssignmentTest),
}

/// Decides on a name with its value.
pub(crate) type AssignmentTest = fn(&Assignment) -> bool;

impl Shape {
    /// Returns how many bytes before a keyword a match may begin.
    pub(crate) fn reach_before(self) -> usize {
        match self {
            Self::Token | Self::Named | Self::NamedKey | Self::Assignment(_) => 96,
            Self::Passage => 160,
        }
    }

    /// Returns how many bytes after a keyword a match may end.
    pub(crate) fn reach_after(self) -> usize {
        match self {
            Self::Token => 1024,
            Self::Named | Self::NamedKey | Self::Assignment(_) => 384,
            Self::Passage => 16 * 1024,
        }
    }
}

impl SecretRule {
    /// Compiles the pattern. ASCII classes only: keys are ASCII, and the automaton stays small.
    pub(super) fn compile(&self) -> Regex {
        let pattern = match self.shape {
            // In JSON a key may follow a line break that is written `\n`.
            Shape::Token => format!(r"(?:\b|_|\\[nrt])({})", self.pattern),
            Shape::Named | Shape::NamedKey | Shape::Passage | Shape::Assignment(_) => {
                self.pattern.to_owned()
            }
        };
        RegexBuilder::new(&pattern)
            .unicode(false)
            .size_limit(32 << 20)
            .dfa_size_limit(8 << 20)
            .build()
            .expect("every row is compiled by a test")
    }
}
