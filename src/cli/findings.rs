//! Prints the findings of a diagnosis, as both doctors do.

use std::collections::BTreeSet;

use super::output::{GOOD, Output, TITLE};
use crate::secrets::shown_name;

/// A line about what is wrong, and what to do about it.
pub(super) struct FindingLine<'a> {
    pub(super) line: String,
    pub(super) hint: &'a str,
}

/// Prints what was repaired.
pub(super) fn print_fixed(fixed: &[String], output: Output) {
    for fixed in fixed {
        output.data(&format!("{GOOD}fixed{GOOD:#} {}\n", shown_name(fixed)));
    }
}

/// Prints what was found; each hint once, as hundreds of findings may share it.
pub(super) fn print_findings<'a>(findings: impl Iterator<Item = FindingLine<'a>>, output: Output) {
    let mut given = BTreeSet::new();
    for FindingLine { line, hint } in findings {
        output.data(&format!("{line}\n"));
        if given.insert(hint) {
            output.data(&format!("  {TITLE}hint:{TITLE:#} {}\n", shown_name(hint)));
        }
    }
}
