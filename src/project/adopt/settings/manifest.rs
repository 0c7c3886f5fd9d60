//! How a store of another tool decides: `meta/manifest.yaml`.

use serde_json::{Value, json};

use super::meaning::{ADDING, CONFIG, Meaning, approval, given, is_known_version, mode};
use super::translation::Translation;
use crate::project::adopt::other_tool::MANIFEST;

const BYTES_OF_A_CHARACTER: u64 = 4;

const PARTLY: &str =
    "security.pii_scan, in part: cards are looked for, social security numbers are not";

const SECONDS_OF_A_DAY: u64 = 86_400;

pub(super) fn translate(manifest: &Value, translation: &mut Translation) {
    let mut leaves = Vec::new();
    flatten(manifest, "", &mut leaves);
    for (key, value) in &leaves {
        let meanings = meanings(key, value, translation);
        translation.translate(MANIFEST, key, meanings);
    }
    if manifest["security"]["pii_scan"] == true {
        translation.told.left.push(format!("{MANIFEST}: {PARTLY}"));
    }
}

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

/// Returns what a key and its value are here; nothing if they have no meaning.
fn meanings(key: &str, value: &Value, translation: &Translation) -> Option<Vec<Meaning>> {
    let (flag, number) = (value.as_bool(), value.as_u64());
    match key {
        "version" => given(is_known_version(value)),
        // What the table of contents says is printed on demand here.
        "updates.approval.index" => given(value == "server_only"),
        "project.root" => given(value == "."),
        "budgets.max_file_chars" => {
            let bytes = number?.checked_mul(BYTES_OF_A_CHARACTER)?;
            Some(vec![Meaning::config(["budgets", "file_bytes"], bytes)])
        }
        "staging.ttl_seconds" => {
            let days = number?.div_ceil(SECONDS_OF_A_DAY);
            Some(vec![Meaning::config(["staging", "ttl_days"], days)])
        }
        "security.pii_scan" => personal("card", flag?, translation),
        "security.pii_scan_email" => personal("email", flag?, translation),
        "security.secret_scan"
        | "security.reject_untrusted_durable_updates"
        | "archive.enabled"
        | "local_state.per_branch"
        | "local_state.shared_file_enabled" => given(flag?),
        "git.track_local"
        | "git.track_sessions"
        | "git.auto_stage_changes"
        | "git.auto_commit"
        | "git.merge_driver_installed"
        | "sessions.per_branch" => given(!flag?),
        _ => of_approval(key.strip_prefix("updates.approval.")?, value, translation),
    }
}

fn of_approval(name: &str, value: &Value, translation: &Translation) -> Option<Vec<Meaning>> {
    let (category, operation) = match name {
        "pitfalls_append" => ("pitfalls", ADDING),
        "pitfalls_replace" => ("pitfalls", "default"),
        "current_shared" => ("shared", "default"),
        name => (name, "default"),
    };
    match translation.draft.is_closed(category) {
        true => given(mode(value)? == "deny"),
        false => approval(category, operation, value),
    }
}

/// Returns the meaning of refusing one kind of personal data besides those that are refused by now.
fn personal(kind: &str, is_refused: bool, translation: &Translation) -> Option<Vec<Meaning>> {
    if !is_refused {
        return given(true);
    }
    let path = ["secrets", "pii"];
    let mut kinds = translation.draft.get(CONFIG, path).unwrap_or_else(|| json!([]));
    kinds.as_array_mut()?.push(kind.into());
    Some(vec![Meaning::config(path, kinds)])
}
