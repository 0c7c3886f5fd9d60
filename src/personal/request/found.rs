//! What a search of a person's entries finds.

use schemars::JsonSchema;
use serde::Serialize;

/// The entries that answer a question, the best first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FoundEntries {
    /// The entries.
    pub results: Vec<FoundEntry>,
    /// Other information for the caller.
    pub warnings: Vec<String>,
    /// A corrected question, where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// An entry that was found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FoundEntry {
    /// The name of its file, without `.md`.
    pub name: String,
    /// `user`, `feedback`, `project`, `reference`, or the word that stands in the file.
    #[serde(rename = "type")]
    pub kind: String,
    /// The one line that the index shows.
    pub description: String,
    /// Its file, relative to the person's folder.
    pub path: String,
    /// How well it fits; higher is better.
    pub score: f64,
    /// The best lines of its body.
    pub snippet: String,
    /// Where in the snippet a word of the question stands: byte offsets.
    pub matches: Vec<(usize, usize)>,
    /// SHA-256 of its file, for `if_hash`.
    pub hash: String,
    /// Entries that say the same in the same words, and are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<String>,
}
