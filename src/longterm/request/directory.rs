//! What the store knows of people and servers: facts that change slowly.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::json::{flag, id, restricts, texts};
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerEntry {
    /// Whether the model may teach itself there, if it is known.
    pub self_teaching: Option<bool>,
    /// Whether personal memories are used there, if it is known.
    pub personal_memories: Option<bool>,
    /// Whom it excludes; `None` where that cannot be read, which excludes everyone.
    pub blacklist: Option<Vec<String>>,
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

impl Default for ServerEntry {
    /// Nothing is known.
    fn default() -> Self {
        Self::read(&json!({}))
    }
}

/// Reads a list of ids, an absent one as empty; `None` where one of them cannot be read.
fn blacklist(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        list => list.as_array()?.iter().map(id).collect(),
    }
}

impl ServerEntry {
    /// Reads an entry; a flag that cannot be read is off, and a list of members has those that can be read.
    pub(crate) fn read(value: &Value) -> Self {
        if !value.is_object() {
            let off = Some(false);
            let members = Vec::new();
            return Self { self_teaching: off, personal_memories: off, blacklist: None, members };
        }
        let members = value["members"].as_array().into_iter().flatten();
        Self {
            self_teaching: flag(&value["flags"]["self_teaching"]),
            personal_memories: flag(&value["flags"]["personal_memories"]),
            blacklist: blacklist(&value["blacklist"]),
            members: members.filter_map(id).collect(),
        }
    }
}

impl UserEntry {
    /// Tells whether an entry is of a person who was forgotten.
    pub(crate) fn is_forgotten(value: &Value) -> bool {
        restricts(&value["forgotten"])
    }

    /// Reads an entry; what cannot be read counts as not known, a level as the strictest. Of a person who was forgotten the
    /// level stays the strictest, whatever a host says later.
    pub(crate) fn read(value: &Value) -> Self {
        if !value.is_object() {
            return Self { privacy: Some(PrivacyLevel::Full), ..Self::default() };
        }
        let saved = value["saved_names"].as_object().into_iter().flatten();
        Self {
            privacy: match Self::is_forgotten(value) {
                true => Some(PrivacyLevel::Full),
                false => PrivacyLevel::read(value.get("privacy")),
            },
            names: texts(&value["names"]),
            saved_names: saved.map(|(lineage, names)| (lineage.clone(), texts(names))).collect(),
            is_bridge: restricts(&value["bridge"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_cannot_be_read_allows_nothing() {
        for broken in [json!(null), json!("x"), json!([])] {
            assert_eq!(UserEntry::read(&broken).privacy, Some(PrivacyLevel::Full));
            assert_eq!(ServerEntry::read(&broken).self_teaching, Some(false));
        }
        assert_eq!(UserEntry::read(&json!({})).privacy, None);
        for broken in [json!("u1"), json!(["u1", {}]), json!({"u1": true})] {
            assert_eq!(ServerEntry::read(&json!({"blacklist": broken})).blacklist, None);
        }
        assert_eq!(ServerEntry::default().blacklist, Some(Vec::new()));
        assert!(UserEntry::read(&json!({"bridge": "no"})).is_bridge);
        let forgotten = UserEntry::read(&json!({"privacy": "minimal", "forgotten": true}));
        assert_eq!(forgotten.privacy, Some(PrivacyLevel::Full));
    }
}
