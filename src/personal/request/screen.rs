//! Looks into every text of a request for what is hidden or secret.

use std::collections::BTreeSet;

use serde_json::Value;

use super::entry_refusal::{EntryReason, EntryRefusal};
use crate::secrets::{Class, Scanner, SecretFinding};
use crate::text::find_hidden;

/// Refuses hidden characters, then secrets and the personal data that the person's settings name.
pub(crate) fn refuse_what_must_not_stay(
    request: &Value,
    scanner: &Scanner,
) -> Result<(), Box<EntryRefusal>> {
    let texts: Vec<(String, &str)> = request
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((format!("/{name}"), value.as_str()?)))
        .collect();
    texts.iter().try_for_each(|(pointer, text)| refuse_hidden(pointer, text))?;
    let found = texts.iter().flat_map(|(pointer, text)| {
        scanner.scan(text).into_iter().map(move |found| (pointer.as_str(), found))
    });
    refuse_findings(found.collect())
}

/// Says what a finding is.
pub(crate) fn what_is(class: Class) -> &'static str {
    match class {
        Class::Secret => "what looks like a secret",
        Class::Personal => "personal data that the settings refuse",
    }
}

fn refuse_hidden(pointer: &str, text: &str) -> Result<(), Box<EntryRefusal>> {
    let Some(hidden) = find_hidden(text) else { return Ok(()) };
    let message = hidden.told_in(pointer);
    let hint = "write only what a person can see; leave the character out or describe it in words";
    Err(EntryRefusal::new(EntryReason::HiddenCharacters, message, hint).at(pointer))
}

fn refuse_findings(found: Vec<(&str, SecretFinding)>) -> Result<(), Box<EntryRefusal>> {
    let Some((pointer, first)) = found.first() else { return Ok(()) };
    let has_secret = found.iter().any(|(_, finding)| finding.class == Class::Secret);
    let class = if has_secret { Class::Secret } else { Class::Personal };
    let (reason, hint) = match class {
        Class::Secret => (
            EntryReason::SecretDetected,
            "leave it out and say where it is kept instead; revoke it if it was real",
        ),
        Class::Personal => (
            EntryReason::PersonalDataDetected,
            "leave it out, or take the kind out of `[secrets] pii` in the `config.toml` of this memory",
        ),
    };
    let rules: BTreeSet<&str> = found.iter().map(|(_, finding)| finding.rule).collect();
    let kinds = rules.into_iter().collect::<Vec<_>>().join("`, `");
    let message = format!(
        "{} found of kind `{kinds}`, first in {pointer} on line {}, column {}: {}",
        found.len(),
        first.line,
        first.column,
        what_is(class)
    );
    let pointer = (*pointer).to_owned();
    let mut refusal = EntryRefusal::new(reason, message, hint).at(pointer);
    refusal.findings =
        found.into_iter().map(|(pointer, finding)| finding.told_at(pointer.to_owned())).collect();
    Err(refusal)
}
