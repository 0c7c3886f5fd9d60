//! Reads values that a host or a directory may have in a wrong form. What cannot be read is absent where it would permit
//! something, and holds where it restricts.

use serde_json::Value;

use super::memory_number::MemoryNumber;

/// Returns a text that is not blank.
pub(super) fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// Returns an id: a text that is not blank, or a whole number, which some clients send in its place. A larger one than every
/// reader keeps exact may be that of another.
pub(super) fn id(value: &Value) -> Option<String> {
    match value {
        Value::Number(number) => {
            number.as_u64().and_then(MemoryNumber::new).map(|exact| exact.to_string())
        }
        value => text(value),
    }
}

/// Returns the texts of a list.
pub(super) fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(text).collect()
}

/// Tells whether something is restricted; what cannot be read is a restriction.
pub(super) fn restricts(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// Returns a flag; one that cannot be read is off, an absent one `None`.
pub(super) fn flag(value: &Value) -> Option<bool> {
    (!value.is_null()).then(|| value == &Value::Bool(true))
}
