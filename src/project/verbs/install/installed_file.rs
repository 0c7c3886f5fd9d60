//! What the command does with a file of a client.

use serde::Serialize;

use crate::clients::{Client, Fault, FilePurpose};
use crate::contract::words;

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub(crate) struct InstalledFile {
    pub path: String,
    pub purposes: Vec<FilePurpose>,
    pub state: InstallState,
    /// Other clients that still need the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept_for: Vec<Client>,
    /// Only where nothing is written; secrets are masked.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
    /// Why it cannot be edited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

words! {
    /// What the command does with a file, or would do in a dry run.
    InstallState {
        /// The file is created.
        Created = "created",
        /// The part that agent-memory wrote is added, updated or removed.
        Changed = "changed",
        /// The file needs no change.
        Current = "current",
        /// The file is deleted: it has no other content.
        Removed = "removed",
        /// Another client needs the file.
        Kept = "kept",
        /// The file cannot be edited; `fault` says why.
        Refused = "refused",
    }
}
