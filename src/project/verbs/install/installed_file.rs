//! What becomes of a file of a client.

use serde::Serialize;

use crate::clients::{Client, Fault, FilePurpose};
use crate::contract::words;

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct InstalledFile {
    pub path: String,
    pub purposes: Vec<FilePurpose>,
    #[serde(rename = "state")]
    pub fate: FileFate,
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
    /// What becomes of a file.
    FileFate {
        /// It is made.
        Created = "created",
        /// Our part was written into it, or removed from it.
        Changed = "changed",
        /// It needs no change.
        Current = "current",
        /// It held only our part.
        Removed = "removed",
        /// Another client needs it.
        Kept = "kept",
        /// It cannot be edited.
        Refused = "refused",
    }
}
