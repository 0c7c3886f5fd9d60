//! Reads values that a host or a directory may have in a wrong form: what cannot be read is absent.

use serde_json::Value;

/// Returns a text that is not blank.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Returns the texts of a list.
pub(super) fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

/// Returns a flag; one that cannot be read is off, an absent one `None`.
pub(super) fn flag(value: &Value) -> Option<bool> {
    (!value.is_null()).then(|| value == &Value::Bool(true))
}
