//! What a session is told of the index.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::words;

/// What of the index is in, what is not, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct IndexReceipt {
    /// The entries that are in, in order.
    pub included: Vec<String>,
    /// The entries that are not in.
    pub left_out: Vec<LeftOutEntry>,
    /// Tokens that the whole text was allowed to take.
    pub budget: usize,
    /// Tokens of the whole text, estimated for their script, rather too many than too few.
    pub tokens: usize,
    /// SHA-256 of the whole text.
    pub digest: String,
}

/// An entry that is not in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOutEntry {
    /// The entry.
    pub name: String,
    /// Why it is not in.
    pub why: LeftOutReason,
}

words! {
    /// Why an entry is not in.
    LeftOutReason {
        /// Its line would not fit into the budget.
        Budget = "budget",
        /// Its line holds what looks like a secret.
        Secret = "secret",
    }
}
