//! A memory as it is stored.

use serde::Serialize;

use super::failure::MemoryScope;
use super::memory_number::MemoryNumber;
use crate::contract::Timestamp;

/// Whose memory it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryOwner {
    /// A server shares it.
    Server(String),
    /// It is about one person.
    Person(String),
}

impl MemoryOwner {
    /// Makes the owner that a scope and a bare id name.
    pub fn of(scope: MemoryScope, id: String) -> Self {
        match scope {
            MemoryScope::ServerWide => Self::Server(id),
            MemoryScope::TargetUser => Self::Person(id),
        }
    }

    /// Returns the scope that such a memory has.
    pub fn scope(&self) -> MemoryScope {
        match self {
            Self::Server(_) => MemoryScope::ServerWide,
            Self::Person(_) => MemoryScope::TargetUser,
        }
    }

    /// Returns the bare id.
    pub fn id(&self) -> &str {
        match self {
            Self::Server(id) | Self::Person(id) => id,
        }
    }

    /// Returns the key of the generation that a change raises.
    pub fn generation_key(&self) -> String {
        match self {
            Self::Server(id) => format!("server:{id}"),
            Self::Person(id) => format!("user:{id}"),
        }
    }
}

/// A memory as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryRow {
    /// Never used again.
    pub number: MemoryNumber,
    /// Whose it is.
    pub owner: MemoryOwner,
    /// For which character; 0 for all of them.
    pub lineage: u64,
    /// What is remembered.
    pub content: String,
    /// For sorting out.
    pub tags: Vec<String>,
    /// Who caused it, if it is known.
    pub taught_by: Option<String>,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last changed.
    pub updated: Timestamp,
    /// How many times it was changed.
    pub revision: u64,
}

/// A memory in an export and in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MemoryLine {
    /// Its number.
    pub id: MemoryNumber,
    /// Whose memories it is among.
    pub scope: MemoryScope,
    /// The bare id of the server or person.
    pub owner: String,
    /// For which character; 0 for all of them.
    pub lineage: u64,
    /// What is remembered.
    pub content: String,
    /// For sorting out.
    pub tags: Vec<String>,
    /// Who caused it, if it is known.
    pub taught_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl From<MemoryRow> for MemoryLine {
    fn from(row: MemoryRow) -> Self {
        Self {
            id: row.number,
            scope: row.owner.scope(),
            owner: row.owner.id().to_owned(),
            lineage: row.lineage,
            content: row.content,
            tags: row.tags,
            taught_by: row.taught_by,
            created_at: row.created,
            updated_at: row.updated,
        }
    }
}
