//! The version of a store's format, as its `config.toml` says it.

use std::fmt;

use serde_json::Value;

/// The version that this program writes.
pub(crate) const FORMAT_VERSION: u64 = 1;

/// The version of a store that a newer program made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewerFormat(u64);

impl NewerFormat {
    /// Reads the settings of a store; none where they say no version, or one that is known.
    pub(crate) fn of(settings: &Value) -> Option<Self> {
        let version = settings.get("version").and_then(Value::as_u64)?;
        (version > FORMAT_VERSION).then_some(Self(version))
    }
}

impl fmt::Display for NewerFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "made by a newer agent-memory ({}); this one knows {FORMAT_VERSION}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_greater_number_is_newer() {
        for version in [json!(null), json!(1), json!(0), json!(-2), json!("2"), json!(1.5)] {
            assert_eq!(NewerFormat::of(&json!({ "version": version })), None, "{version}");
        }
        assert_eq!(NewerFormat::of(&json!({})), None);
        let newer = NewerFormat::of(&json!({"version": 2})).expect("it is newer");
        assert_eq!(newer.to_string(), "made by a newer agent-memory (2); this one knows 1");
    }
}
