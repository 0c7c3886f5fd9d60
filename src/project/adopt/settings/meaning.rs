//! What a key of the other tool means here.

use serde_json::Value;

pub(super) const CONFIG: &str = "config.toml";

/// A value in a file of settings. What a key means elsewhere may take several, or none, where it holds anyway.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meaning {
    pub(super) file: String,
    pub(super) path: Vec<String>,
    pub(super) value: Value,
}

impl Meaning {
    pub(super) fn category(name: &str, path: &[&str], value: impl Into<Value>) -> Self {
        let path = path.iter().map(|part| (*part).to_owned()).collect();
        Self { file: schema_of(name), path, value: value.into() }
    }

    pub(super) fn config(path: [&str; 2], value: impl Into<Value>) -> Self {
        let path = path.map(str::to_owned).to_vec();
        Self { file: CONFIG.to_owned(), path, value: value.into() }
    }
}

/// Returns the meaning of a key that needs no setting here: its value is what holds here anyway.
pub(super) fn given(holds: bool) -> Option<Vec<Meaning>> {
    holds.then(Vec::new)
}

pub(super) fn is_known_version(value: &Value) -> bool {
    value.as_str().is_some_and(|version| version == "0.4" || version.starts_with("0.4."))
}

pub(super) fn approval(category: &str, operation: &str, value: &Value) -> Option<Vec<Meaning>> {
    Some(vec![Meaning::category(category, &["approval", operation], mode(value)?)])
}

/// The only operation that the tool tells from all others, and only for pitfalls; there the category means it by
/// itself.
pub(super) const ADDING: &str = "append_to_section";

pub(super) fn mode(value: &Value) -> Option<&'static str> {
    match value.as_str()? {
        "apply" => Some("apply"),
        "stage" => Some("stage"),
        "server_only" => Some("deny"),
        _ => None,
    }
}

pub(super) fn schema_of(category: &str) -> String {
    format!("schemas/{category}.toml")
}
