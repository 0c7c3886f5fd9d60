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
    /// Vectors that were stored.
    pub vectors: usize,
    /// What the caller should know besides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
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
