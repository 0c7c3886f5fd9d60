//! What an import and an export answer.

use serde::Serialize;

/// What an import did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MemoryImport {
    /// Always `success`.
    pub status: &'static str,
    /// Memories that were stored.
    pub imported: usize,
    /// Memories that were there already, with the same content.
    pub skipped: usize,
    /// Memories and relations that were not stored.
    pub refused: Vec<RefusedMemory>,
    /// Relations that were set.
    pub relations: usize,
    /// Relations that could not be set.
    pub dropped_relations: DroppedRelations,
    /// Vectors that were stored.
    pub vectors: usize,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Relations that an import could not set: an end is missing, or the type is unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DroppedRelations {
    /// How many.
    pub count: usize,
    /// The first of them, with the reason.
    pub first: Vec<String>,
}

/// Dropped relations that are named.
const NAMED: usize = 5;

impl DroppedRelations {
    pub(crate) fn add(&mut self, relation: &str, reason: &str) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(format!("{relation}: {reason}"));
        }
    }

    /// Adds those that were dropped later.
    pub(crate) fn extend(&mut self, later: Self) {
        self.count += later.count;
        let room = NAMED.saturating_sub(self.first.len());
        self.first.extend(later.first.into_iter().take(room));
    }
}

/// A memory that an import did not store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RefusedMemory {
    /// Its id; where it has none, its line.
    pub id: String,
    /// Why, with the field that is wrong.
    pub reason: String,
}

/// What an export wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MemoryExport {
    /// Always `success`.
    pub status: &'static str,
    /// Memories that were written.
    pub exported: usize,
    /// Relations that were written.
    pub relations: usize,
    /// The folder that has the files; absent where a text was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}
