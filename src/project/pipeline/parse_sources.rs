//! Reads who proposes, and the evidence.

use serde_json::Value;

use crate::contract::{Fields, Problems, SourceType, kind_of_json};
use crate::project::request::{Owner, Source};

const SOURCES: usize = 64;

const EXAMPLE: &str = r#"{"type": "file", "ref": "src/auth.rs:1-40"}"#;

/// Reads the evidence.
pub(super) fn read_sources(fields: &mut Fields<'_>, problems: &Problems) -> Vec<Source> {
    let list = fields.list("sources").unwrap_or_default();
    if list.len() > SOURCES {
        fields.problem("sources", format!("found {} sources, allowed are {SOURCES}", list.len()));
        return Vec::new();
    }
    let base = fields.at("sources");
    let sources = list.iter().enumerate();
    sources
        .filter_map(|(index, value)| read_source(value, &format!("{base}/{index}"), problems))
        .collect()
}

fn read_source(value: &Value, pointer: &str, problems: &Problems) -> Option<Source> {
    if !value.is_object() {
        let found = kind_of_json(value);
        let message = format!("expected an object, e.g. `{EXAMPLE}`, found {found}");
        problems.add(pointer, message);
        return None;
    }
    let mut fields = Fields::of(value, pointer, problems)?;
    if fields.value("type").is_none() {
        let names = SourceType::NAMES.join(", ");
        fields.problem("type", format!("`type` is required, allowed are {names}"));
    }
    let kind = fields.word("type", SourceType::parse, SourceType::NAMES);
    if fields.value("ref").is_none() {
        fields.problem("ref", format!("`ref` is required, e.g. `{EXAMPLE}`"));
    }
    let reference = fields.text("ref").map(str::trim);
    let was = short_text(&mut fields, "was", 400).map(|was| was.trim().to_owned());
    let note = short_text(&mut fields, "note", 400);
    if let Some(reference) = reference {
        // It becomes one line of a comment in Markdown, so it must not be able to end that comment.
        let unfit = reference.is_empty()
            || reference.chars().count() > 400
            || reference.contains('\n')
            || reference.contains("-->")
            || reference.contains("<!--");
        if unfit {
            fields.problem("ref", "`ref` must be one line of 1 to 400 characters without `-->`");
        }
    }
    fields.finish();
    Some(Source { kind: kind?, reference: reference?.to_owned(), was, note })
}

/// Reads who proposes: a name, or an object with it.
pub(super) fn read_owner(fields: &mut Fields<'_>, problems: &Problems) -> Option<Owner> {
    let pointer = fields.at("owner");
    let owner = match fields.value("owner")? {
        // Clients that fill every field send an empty text for what they leave out.
        Value::String(id) if id.is_empty() => return None,
        Value::String(id) => Owner { id: id.clone(), kind: None },
        value => {
            let mut inner = match value {
                Value::Object(_) => Fields::of(value, pointer.as_str(), problems)?,
                other => return fields.unexpected("owner", "a name or an object with `id`", other),
            };
            let id = inner.required_text("id").map(str::to_owned);
            let kind = short_text(&mut inner, "kind", 60);
            inner.finish();
            Owner { id: id?, kind }
        }
    };
    let fits = !owner.id.trim().is_empty() && owner.id.chars().count() <= 200;
    if !fits || owner.id.contains('\n') {
        problems.add(pointer, "an owner is one line of 1 to 200 characters");
    }
    Some(owner)
}

/// Reads a text with at most so many characters, which may be left out.
pub(super) fn short_text<'a>(
    fields: &mut Fields<'a>,
    name: &'a str,
    limit: usize,
) -> Option<String> {
    let text = fields.optional_text(name)?;
    let count = text.chars().count();
    if count > limit {
        fields.problem(name, format!("`{name}` has {count} characters, allowed are {limit}"));
    }
    Some(text.to_owned())
}
