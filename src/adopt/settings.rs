//! Translates the settings of another tool: each key that has a meaning here and a value that is allowed.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::yaml;
use super::{MANIFEST, SCHEMA};
use crate::config::{Config, read_toml, to_toml};
use crate::schema::{Category, DEFAULTS};
use crate::text::excerpt;

/// What became of the settings of another tool.
#[derive(Debug, Default)]
pub struct Translated {
    /// The text of `config.toml`; nothing where the defaults hold.
    pub config: Option<String>,
    /// The schemas that are others than the defaults, each with its category.
    pub schemas: Vec<(String, String)>,
    /// The keys that were understood, as they are called there.
    pub understood: Vec<String>,
    /// The keys that were not, and why a file was not.
    pub left: Vec<String>,
}

/// What a key may be called elsewhere, and what it is here; a number may count in other units.
const KEYS: [(&[&str], &[&str], u64); 5] = [
    (&["staging.ttl_days", "staging_ttl_days"], &["staging", "ttl_days"], 1),
    (&["staging.ttl_seconds", "staging_ttl_seconds"], &["staging", "ttl_days"], 86_400),
    (&["staging.max_open", "staging.max_pending"], &["staging", "max_open"], 1),
    (&["budgets.file_bytes", "max_file_bytes"], &["budgets", "file_bytes"], 1),
    (&["staging.track", "staging.tracked"], &["staging", "track"], 1),
];

/// Tables whose keys are names: of categories, intents and operations.
const TABLES: [&str; 3] = ["routing.categories.", "routing.intents.", "routing.operations."];

const HEAD: &str =
    "# How this store decides, as another tool said it. Every key may be left out.\n";

/// Translates the settings of another tool, of which either file may be missing.
pub fn translate(manifest: Option<&str>, schema: Option<&str>) -> Translated {
    let mut translated = Translated::default();
    if let Some(manifest) = manifest.and_then(|text| translated.read(MANIFEST, text)) {
        translated.take_manifest(&manifest);
    }
    if let Some(schema) = schema.and_then(|text| translated.read(SCHEMA, text)) {
        translated.take_schema(&schema);
    }
    translated
}

impl Translated {
    /// Returns the files that say otherwise than the defaults, relative to the store.
    pub fn files(&self) -> BTreeMap<String, String> {
        let config = self.config.clone().map(|text| ("config.toml".to_owned(), text));
        let schema =
            |(name, text): &(String, String)| (format!("schemas/{name}.toml"), text.clone());
        config.into_iter().chain(self.schemas.iter().map(schema)).collect()
    }

    fn read(&mut self, path: &str, text: &str) -> Option<Value> {
        let read = yaml::read(text);
        read.map_err(|why| self.left.push(format!("{path}: {why}"))).ok()
    }

    fn note(&mut self, is_understood: bool, path: &str, key: &str) {
        let line = format!("{path}: {}", excerpt(key));
        if is_understood { self.understood.push(line) } else { self.left.push(line) }
    }

    fn take_manifest(&mut self, manifest: &Value) {
        let mut config = json!({ "version": 1 });
        let mut leaves = Vec::new();
        flatten(manifest, "", &mut leaves);
        for (key, value) in &leaves {
            let said = target(key, value).and_then(|(path, value)| {
                let mut candidate = config.clone();
                set(&mut candidate, &path, value);
                let is_good =
                    Config::parse(&to_toml(&candidate)?, Path::new("config.toml")).is_ok();
                is_good.then_some(candidate)
            });
            self.note(said.is_some(), MANIFEST, key);
            config = said.unwrap_or(config);
        }
        if config.as_object().is_some_and(|config| config.len() > 1) {
            self.config = to_toml(&config).map(|text| format!("{HEAD}{text}"));
        }
    }

    fn take_schema(&mut self, schema: &Value) {
        let categories = schema.get("categories").unwrap_or(schema);
        for (key, _) in schema.as_object().into_iter().flatten() {
            if schema.get("categories").is_some() && key != "categories" {
                self.note(false, SCHEMA, key);
            }
        }
        match categories {
            Value::Object(named) => named.iter().for_each(|(name, said)| self.take(name, said)),
            Value::Array(list) => {
                for said in list {
                    let name = said["name"].as_str().or_else(|| said["category"].as_str());
                    self.take(name.unwrap_or_default(), said);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.note(false, SCHEMA, "categories");
            }
        }
    }

    /// Takes one category: ours of that name with what is said otherwise, or a new one.
    fn take(&mut self, name: &str, said: &Value) {
        let file = format!("{name}.toml");
        let parses = |category: &Value| {
            let text = to_toml(category)?;
            Category::parse(&text, Path::new(&file)).is_ok().then_some(text)
        };
        let default = DEFAULTS.iter().find(|(known, _)| *known == name);
        let default = default.and_then(|(_, text)| read_toml(text, Path::new(&file)).ok());
        let fresh = json!({ "category": name, "title": name, "path": said["path"], "intents": [] });
        let mut category = default.clone().unwrap_or(fresh);
        if parses(&category).is_none() {
            return self.note(false, SCHEMA, &format!("categories.{name}"));
        }
        let before = category.clone();
        for (key, value) in said.as_object().into_iter().flatten() {
            if matches!(key.as_str(), "name" | "category") {
                continue;
            }
            let mut candidate = category.clone();
            let is_known = overlay(&mut candidate, key, value);
            let is_good = is_known && parses(&candidate).is_some();
            self.note(is_good, SCHEMA, &format!("categories.{name}.{key}"));
            category = if is_good { candidate } else { category };
        }
        let is_new = default.is_none() || category != before;
        self.schemas
            .extend(parses(&category).filter(|_| is_new).map(|text| (name.to_owned(), text)));
    }
}

/// Lists every value that is no mapping, with the way to it.
fn flatten<'v>(value: &'v Value, path: &str, leaves: &mut Vec<(String, &'v Value)>) {
    match value {
        Value::Object(mapping) => {
            for (key, value) in mapping {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(value, &format!("{path}{dot}{key}"), leaves);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            leaves.push((path.to_owned(), value));
        }
    }
}

/// Returns what a key and its value are here.
fn target(key: &str, value: &Value) -> Option<(Vec<String>, Value)> {
    if key == "secrets.pii" {
        return Some((vec!["secrets".to_owned(), "pii".to_owned()], value.clone()));
    }
    if let Some(table) = TABLES.iter().find(|table| key.starts_with(**table)) {
        let path = table.trim_end_matches('.').split('.').map(str::to_owned);
        let path = path.chain([key[table.len()..].to_owned()]).collect();
        return Some((path, mode(value)?));
    }
    let (_, path, unit) = KEYS.iter().find(|(names, ..)| names.contains(&key))?;
    let value = match value.as_u64() {
        Some(number) => json!(number.div_ceil(*unit)),
        None => value.clone(),
    };
    Some((path.iter().map(|part| (*part).to_owned()).collect(), value))
}

/// Returns our word for how a change goes.
fn mode(value: &Value) -> Option<Value> {
    Some(match value.as_str()? {
        "apply" | "auto" | "direct" => json!("apply"),
        "stage" | "review" | "manual" => json!("stage"),
        "deny" | "forbid" | "never" => json!("deny"),
        _ => return None,
    })
}

/// Says one thing of a category otherwise; tells whether it has a meaning here.
fn overlay(category: &mut Value, key: &str, value: &Value) -> bool {
    let path: &[&str] = match key {
        "title" | "path" | "tracked" | "write_once" | "log" | "intents" | "default_path" => &[key],
        "approval" if value.is_string() => &["approval", "default"],
        "provenance" if value.is_boolean() => &["provenance", "required"],
        "requires_provenance" => &["provenance", "required"],
        "max_file_bytes" => &["budget", "file_bytes"],
        "max_section_bytes" => &["section", "max_bytes"],
        "approval" | "provenance" | "section" | "budget" if value.is_object() => &[key],
        _ => return false,
    };
    let value = match key {
        "approval" if value.is_string() => mode(value),
        _ => Some(value.clone()),
    };
    let Some(value) = value else { return false };
    let path: Vec<String> = path.iter().map(|part| (*part).to_owned()).collect();
    set(category, &path, value);
    true
}

/// Sets a value deep inside; the mappings on the way are made.
fn set(value: &mut Value, path: &[String], new: Value) {
    let Some((first, rest)) = path.split_first() else {
        *value = new;
        return;
    };
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    set(&mut value[first.as_str()], rest, new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_meaning_here_is_translated_and_the_rest_is_listed() {
        let manifest = "name: shop\nstaging:\n  ttl_seconds: 1209600\n  max_open: 0\nrouting:\n  categories:\n    pitfalls: review\n";
        let translated = translate(Some(manifest), None);
        let text = translated.config.expect("settings");
        let config = Config::parse(&text, Path::new("config.toml")).expect("good settings");
        assert_eq!(config.staging.ttl.as_secs(), 14 * 86_400);
        assert_eq!(config.staging.max_open, 50);
        assert_eq!(config.overrides.categories.len(), 1);
        assert_eq!(
            translated.left,
            ["meta/manifest.yaml: name", "meta/manifest.yaml: staging.max_open"]
        );
    }

    #[test]
    fn a_category_is_ours_with_what_is_said_otherwise() {
        let schema = "categories:\n  decisions:\n    approval: auto\n    color: red\n  runbooks:\n    path: runbooks/*.md\n    requires_provenance: true\n  broken: 3\n";
        let translated = translate(None, Some(schema));
        let read = |number: usize| {
            let (name, text) = &translated.schemas[number];
            Category::parse(text, Path::new(&format!("{name}.toml"))).expect("a good schema")
        };
        assert_eq!(translated.schemas.len(), 2);
        assert_eq!(read(0).approval, crate::contract::Mode::Apply);
        assert!(read(0).section.is_some());
        assert!(read(1).path.fits("runbooks/a.md") && read(1).needs_evidence);
        assert_eq!(
            translated.left,
            ["meta/schema.yaml: categories.broken", "meta/schema.yaml: categories.decisions.color"]
        );
    }

    #[test]
    fn a_file_that_is_no_yaml_is_listed() {
        let translated = translate(Some("a: [1"), Some("categories: 7\n"));
        assert!(translated.left[0].starts_with("meta/manifest.yaml: it is no YAML"));
        assert_eq!(translated.left[1], "meta/schema.yaml: categories");
        assert!(translated.config.is_none() && translated.schemas.is_empty());
    }
}
