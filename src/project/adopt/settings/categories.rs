//! What the files of another tool's store look like: `meta/schema.yaml`.

use serde_json::{Map, Value, json};

use super::meaning::{ADDING, Meaning, approval, given, is_known_version, schema_of};
use super::translation::Translation;
use crate::project::adopt::other_tool::SCHEMA;
use crate::project::toc::FORMER_PATH;

pub(super) fn translate(schema: &Value, translation: &mut Translation) {
    for (key, value) in schema.as_object().into_iter().flatten() {
        match (key.as_str(), value) {
            ("categories", Value::Object(named)) => {
                named.iter().for_each(|(name, said)| take_category(name, said, translation));
            }
            ("version", version) => {
                translation.translate(SCHEMA, key, given(is_known_version(version)));
            }
            _ => translation.translate(SCHEMA, key, None),
        }
    }
}

fn take_category(name: &str, said: &Value, translation: &mut Translation) {
    let way = format!("categories.{name}");
    let nothing = Map::new();
    let keys = said.as_object().unwrap_or(&nothing);
    let path = keys.get("file").or_else(|| keys.get("file_glob")).unwrap_or(&Value::Null);
    // What it says is printed on demand here.
    if path == FORMER_PATH {
        return translation.translate(SCHEMA, &way, given(true));
    }
    if !said.is_object() || !translation.draft.begin(name, path) {
        return translation.translate(SCHEMA, &way, None);
    }
    // Last, as it overrides the other keys: an agent that may not write may not write at all.
    let (last, first): (Vec<_>, Vec<_>) =
        keys.iter().partition(|(key, _)| *key == "agent_writable");
    for (key, value) in first.into_iter().chain(last) {
        match (key.as_str(), value) {
            ("provenance", Value::Object(rules)) => {
                for (key, value) in rules {
                    let meanings = of_provenance(name, key, value, translation);
                    translation.translate(SCHEMA, &format!("{way}.provenance.{key}"), meanings);
                }
            }
            ("section_schema", Value::Object(rules)) => {
                // There it replaces the default as a whole.
                translation.draft.clear(name, ["section", "fields"]);
                for (key, value) in rules {
                    let meanings = of_sections(name, key, value);
                    translation.translate(SCHEMA, &format!("{way}.section_schema.{key}"), meanings);
                }
            }
            _ => {
                let meanings = meanings(name, key, value, translation);
                translation.translate(SCHEMA, &format!("{way}.{key}"), meanings);
            }
        }
    }
}

/// Returns what a key of a category and its value are here; nothing if they have no meaning.
fn meanings(
    name: &str,
    key: &str,
    value: &Value,
    translation: &Translation,
) -> Option<Vec<Meaning>> {
    let set = |path: &[&str], value: Value| Some(vec![Meaning::category(name, path, value)]);
    match key {
        // Where entries have files of their own here, the older ones may stay where they are.
        "file" | "file_glob" => match translation.draft.paths(name).as_deref() {
            Some(paths) if paths.contains(value) => given(true),
            Some([first, ..]) => set(&["paths"], json!([first, value])),
            Some([]) | None => set(&["path"], value.clone()),
        },
        "approval" if name == "pitfalls" => approval(name, ADDING, value),
        "approval" => approval(name, "default", value),
        "section_id_required" if value.as_bool()? => set(&["section", "id"], "required".into()),
        "write_once" if value.as_bool()? => set(&["write_once"], true.into()),
        "git_tracked" => given(value.as_bool()? == translation.draft.is_tracked(name)),
        "server_managed" if value.as_bool()? => set(&["approval"], json!({ "default": "deny" })),
        "agent_writable" if !value.as_bool()? => set(&["approval"], json!({ "default": "deny" })),
        // There `false` is as good as nothing.
        "section_id_required" | "server_managed" | "write_once" | "agent_writable" => given(true),
        _ => None,
    }
}

fn of_provenance(
    name: &str,
    key: &str,
    value: &Value,
    translation: &Translation,
) -> Option<Vec<Meaning>> {
    match key {
        "required" if value.as_bool()? => {
            Some(vec![Meaning::category(name, &["provenance", "required"], true)])
        }
        // What every change needs, new sections need too.
        "required_for_new_sections" if value.as_bool()? => {
            let asked = translation.draft.get(&schema_of(name), ["provenance", "required"]);
            given(asked == Some(true.into()))
        }
        "required" | "required_for_new_sections" => given(true),
        _ => None,
    }
}

fn of_sections(name: &str, key: &str, value: &Value) -> Option<Vec<Meaning>> {
    let is_required = match key {
        "per_section_required_fields" => true,
        "per_section_optional_fields" => false,
        "required_top_level_heading" => return given(!value.as_bool()?),
        _ => return None,
    };
    let fields = value.as_array()?.iter().map(|field| of_field(name, field, is_required));
    fields.collect()
}

fn of_field(name: &str, field: &Value, is_required: bool) -> Option<Meaning> {
    let mut rule = Map::from_iter([("required".to_owned(), is_required.into())]);
    let mut title = None;
    for (key, value) in field.as_object()? {
        match key.as_str() {
            "name" => title = value.as_str(),
            "pattern" => drop(rule.insert("pattern".to_owned(), value.clone())),
            "enum" => drop(rule.insert("one_of".to_owned(), value.clone())),
            _ => return None,
        }
    }
    Some(Meaning::category(name, &["section", "fields", title?], rule))
}
