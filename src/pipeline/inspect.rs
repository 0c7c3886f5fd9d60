//! Looks into every string of a request for what is hidden or secret.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::contract::{Answer, Finding, Reason, Refusal, Request};
use crate::secrets::{self, Class, Scanner};
use crate::text::{find_conflict_marker, find_hidden};

pub(super) fn look_for_hidden(raw: &Value, request: &Request) -> Answer<()> {
    let mut refusal = None;
    walk(raw, "", &mut |pointer, text| {
        if refusal.is_some() {
            return;
        }
        refusal = find_hidden(text).map(|hidden| {
            let (line, column) = (hidden.line, hidden.column);
            let message = format!(
                "{pointer} holds the hidden character {} on line {line}, column {column}",
                hidden.code_point()
            );
            let hint =
                "write only what a person can see; leave the character out or describe it in words";
            Refusal::new(Reason::HiddenCharacters, message, hint).at(pointer)
        });
    });
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    for (index, operation) in request.operations.iter().enumerate() {
        let content = operation.action.content().unwrap_or_default();
        if let Some(line) = find_conflict_marker(content) {
            return Err(Refusal::new(
                Reason::InvalidMarkdown,
                format!("the content holds a git conflict marker on line {line}"),
                "resolve the conflict and send the text that is meant",
            )
            .at(format!("/operations/{index}/{}", operation.action.content_field())));
        }
    }
    Ok(())
}

pub(super) fn look_for_secrets(raw: &Value, scanner: &Scanner) -> Answer<()> {
    let mut found = Vec::new();
    let mut bad_region = None;
    walk(raw, "", &mut |pointer, text| {
        if text.contains("secret-allow") {
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
        let operation = pointer
            .strip_prefix("/operations/")
            .and_then(|rest| rest.split('/').next().and_then(|number| number.parse().ok()));
        found.extend(scanner.scan(text).into_iter().map(|finding| {
            (
                finding.class,
                Finding {
                    rule: finding.rule.to_owned(),
                    operation,
                    pointer: pointer.to_owned(),
                    line: finding.line,
                    column: finding.column,
                },
            )
        }));
    });
    if let Some((pointer, problem)) = bad_region {
        let hint = "write `<!-- secret-allow: why this is no secret -->`, the text, `<!-- /secret-allow -->`, each marker on its own line, inside one content";
        return Err(Refusal::new(Reason::AllowRegionInvalid, problem, hint).at(pointer));
    }
    refuse_findings(found)
}

/// Refuses what looks like a secret or personal data; says where, never what.
pub(super) fn refuse_findings(found: Vec<(Class, Finding)>) -> Answer<()> {
    let Some((_, first)) = found.first() else { return Ok(()) };
    let secret = found.iter().any(|(class, _)| *class == Class::Secret);
    let place = format!("{} on line {}, column {}", first.pointer, first.line, first.column);
    let rules: BTreeSet<&str> = found.iter().map(|(_, finding)| finding.rule.as_str()).collect();
    let kinds = rules.into_iter().collect::<Vec<_>>().join("`, `");
    let (reason, what, hint) = match secret {
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
    let mut refusal = Refusal::new(reason, message, hint).at(first.pointer.clone());
    refusal.findings = found.into_iter().map(|(_, finding)| finding).collect();
    Err(refusal)
}

/// Visits every string of a value, each with its JSON pointer.
fn walk(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(pointer, text),
        Value::Array(list) => {
            for (index, each) in list.iter().enumerate() {
                walk(each, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(object) => {
            for (name, each) in object {
                walk(each, &format!("{pointer}/{name}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
