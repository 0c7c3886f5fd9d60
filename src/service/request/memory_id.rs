//! The id of a memory: a UUID.

use std::fmt;

use uuid::{Builder, Uuid};

/// The id of a memory, printed with hyphens in small letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryId(Uuid);

impl MemoryId {
    /// Reads a UUID in any of its usual spellings.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::parse_str(text.trim()).ok().map(Self)
    }

    /// Makes an id (version 4) of bytes: random ones, or those of a digest.
    pub(crate) fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(Builder::from_random_bytes(bytes).into_uuid())
    }
}

impl fmt::Display for MemoryId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0.hyphenated(), out)
    }
}

impl serde::Serialize for MemoryId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for MemoryId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MemoryId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "uuid"})
    }
}

#[cfg(test)]
mod tests {
    use super::MemoryId;

    #[test]
    fn the_usual_spellings_of_a_uuid_are_one_id() {
        let id = "11111111-1111-4111-8111-11111111111a";
        for text in [id, &id.to_uppercase(), &id.replace('-', ""), &format!("{{{id}}}")] {
            assert_eq!(MemoryId::parse(text).map(|it| it.to_string()).as_deref(), Some(id));
        }
        for text in ["", "abc", "11111111-1111-4111-8111-1111111111"] {
            assert_eq!(MemoryId::parse(text), None);
        }
    }
}
