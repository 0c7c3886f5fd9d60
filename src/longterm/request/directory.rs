//! What the store knows of people and servers: facts that change slowly.

use std::collections::BTreeMap;

use serde_json::Value;

use super::json::{flag, texts};
use super::privacy::PrivacyLevel;
use crate::contract::words;

words! {
    /// What an entry is about.
    DirectoryKind {
        /// A person.
        User = "user",
        /// A server.
        Server = "server",
    }
}

/// The part of the directory that a call needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Directory {
    /// The server of the call.
    pub server: ServerEntry,
    /// People, by id.
    pub users: BTreeMap<String, UserEntry>,
}

/// What is known of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerEntry {
    /// Whether the model may teach itself there, if it is known.
    pub self_teaching: Option<bool>,
    /// Whether personal memories are used there, if it is known.
    pub personal_memories: Option<bool>,
    /// Whom it excludes.
    pub blacklist: Vec<String>,
    /// Who belongs to it.
    pub members: Vec<String>,
}

/// What is known of a person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserEntry {
    /// How much they let the bot remember, if they said so.
    pub privacy: Option<PrivacyLevel>,
    /// Nicknames.
    pub names: Vec<String>,
    /// Names that a character uses for them, by lineage.
    pub saved_names: BTreeMap<String, Vec<String>>,
    /// Whether they speak through a bridge.
    pub is_bridge: bool,
}

impl ServerEntry {
    /// Reads an entry; what cannot be read counts as not known, a flag as off.
    pub(crate) fn read(value: &Value) -> Self {
        if !value.is_object() {
            let off = Some(false);
            return Self { self_teaching: off, personal_memories: off, ..Self::default() };
        }
        Self {
            self_teaching: flag(&value["flags"]["self_teaching"]),
            personal_memories: flag(&value["flags"]["personal_memories"]),
            blacklist: texts(&value["blacklist"]),
            members: texts(&value["members"]),
        }
    }
}

impl UserEntry {
    /// Reads an entry; what cannot be read counts as not known, a level as the strictest.
    pub(crate) fn read(value: &Value) -> Self {
        if !value.is_object() {
            return Self { privacy: Some(PrivacyLevel::Full), ..Self::default() };
        }
        let saved = value["saved_names"].as_object().into_iter().flatten();
        Self {
            privacy: PrivacyLevel::read(value.get("privacy")),
            names: texts(&value["names"]),
            saved_names: saved.map(|(lineage, names)| (lineage.clone(), texts(names))).collect(),
            is_bridge: flag(&value["bridge"]) == Some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_entry_that_cannot_be_read_allows_nothing() {
        for broken in [json!(null), json!("x"), json!([])] {
            assert_eq!(UserEntry::read(&broken).privacy, Some(PrivacyLevel::Full));
            assert_eq!(ServerEntry::read(&broken).self_teaching, Some(false));
        }
        assert_eq!(UserEntry::read(&json!({})).privacy, None);
    }
}
