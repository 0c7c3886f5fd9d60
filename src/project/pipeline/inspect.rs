//! Looks into every string of a request for what is hidden or secret.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::contract::Finding;
use crate::markdown::find_conflict;
use crate::project::request::{Answer, Reason, Refusal, Refusals, Request, operation_at};
use crate::secrets::{self, ALLOW, Class, Scanner};
use crate::text::find_hidden;

/// How to write what is refused as a conflict.
pub(super) const CONFLICT_EXAMPLE: &str =
    "to show a conflict as an example, put all its markers into one fenced code block";

pub(super) fn refuse_hidden(raw: &Value, request: &Request) -> Answer<()> {
    let mut refusals = Refusals::default();
    visit_strings(raw, "", &mut |pointer, text| {
        let Some(hidden) = find_hidden(text) else { return };
        let message = hidden.told_in(pointer);
        let hint =
            "write only what a person can see; leave the character out or describe it in words";
        refusals.add(Refusal::new(Reason::HiddenCharacters, message, hint).at(pointer));
    });
    for (index, operation) in request.operations.iter().enumerate() {
        let content = operation.action.content().unwrap_or_default();
        if let Some(line) = find_conflict(content) {
            let message = format!("the content holds a git conflict marker on line {line}");
            let hint =
                format!("resolve the conflict and send the text that is meant; {CONFLICT_EXAMPLE}");
            let pointer = format!("/operations/{index}/{}", operation.action.content_field());
            refusals.add(Refusal::new(Reason::InvalidMarkdown, message, hint).at(pointer));
        }
    }
    refusals.answer()
}

pub(super) fn refuse_secrets(raw: &Value, scanner: &Scanner) -> Answer<()> {
    let mut found: Vec<FoundText> = Vec::new();
    let mut bad_region = None;
    visit_strings(raw, "", &mut |pointer, text| {
        if text.contains(ALLOW) {
            let content = pointer.ends_with("/content") || pointer.ends_with("/replacement");
            bad_region = bad_region.take().or_else(|| match secrets::allow_regions(text) {
                Err(problem) => Some((pointer.to_owned(), problem.to_string())),
                Ok(regions) if !regions.is_empty() && !content => Some((
                    pointer.to_owned(),
                    "a secret-allow region stands outside of content".to_owned(),
                )),
                Ok(_) => None,
            });
        }
        let operation = operation_at(pointer);
        let told = |finding| told(finding, operation, pointer.to_owned(), 0);
        found.extend(scanner.scan(text).into_iter().map(told));
    });
    if let Some((pointer, problem)) = bad_region {
        let hint = "write `<!-- secret-allow: why this is no secret -->`, the text, `<!-- /secret-allow -->`, each marker on its own line, inside one content";
        return Err(Refusal::new(Reason::AllowRegionInvalid, problem, hint).at(pointer));
    }
    refuse_findings(found)
}

pub(super) struct FoundText {
    class: Class,
    foreign_marker: Option<&'static str>,
    told: Finding,
}

/// Tells of a finding in the place where it stands: operation, pointer, lines before the text.
pub(super) fn told(
    finding: secrets::SecretFinding,
    operation: Option<usize>,
    pointer: String,
    before: usize,
) -> FoundText {
    let (class, foreign_marker) = (finding.class, finding.foreign_marker);
    let told = finding.told_at(pointer);
    let told = Finding { operation, line: before + told.line, ..told };
    FoundText { class, foreign_marker, told }
}

/// Refuses what looks like a secret or personal data; says where, never what.
pub(super) fn refuse_findings(found: Vec<FoundText>) -> Answer<()> {
    let Some(FoundText { told: first, .. }) = found.first() else { return Ok(()) };
    let secret = found.iter().any(|found| found.class == Class::Secret);
    let place = format!("{} on line {}, column {}", first.pointer, first.line, first.column);
    let rules: BTreeSet<&str> = found.iter().map(|found| found.told.rule.as_str()).collect();
    let kinds = rules.into_iter().collect::<Vec<_>>().join("`, `");
    let is_in_file = !first.pointer.starts_with('/');
    let (reason, what, hint) = match secret {
        true if is_in_file => (
            Reason::SecretDetected,
            "what looks like a secret",
            "it stands in the file already, or what you add completes it: leave the section alone, and ask a person to take it out of the file and to revoke it",
        ),
        true => (
            Reason::SecretDetected,
            "what looks like a secret",
            "leave it out and say where it is kept instead; revoke it if it was real; a harmless example goes between `<!-- secret-allow: reason -->` and `<!-- /secret-allow -->`",
        ),
        false => (
            Reason::PiiDetected,
            "personal data",
            "leave it out or name the role instead of the person",
        ),
    };
    let message = format!("{} found of kind `{kinds}`, first in {place}: {what}", found.len());
    let marker = found.iter().find_map(|found| found.foreign_marker);
    let marker =
        marker.map(|marker| format!("; `{marker}` is another scanner's and lets nothing pass"));
    let hint = format!("{hint}{}", marker.unwrap_or_default());
    let mut refusal = Refusal::new(reason, message, hint).at(first.pointer.clone());
    refusal.findings = found.into_iter().map(|found| found.told).collect();
    Err(refusal)
}

fn visit_strings(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(pointer, text),
        Value::Array(list) => {
            for (index, each) in list.iter().enumerate() {
                visit_strings(each, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(object) => {
            for (name, each) in object {
                visit_strings(each, &format!("{pointer}/{name}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
