//! What is in a pack, what was left out, and why.

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::words;

/// What is in a pack, what was left out, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Receipt {
    /// The sections that are in, in order.
    pub included: Vec<Included>,
    /// The sections that would have fitted the question, but are not in.
    pub left_out: Vec<LeftOut>,
    /// Tokens that the whole text was allowed to take.
    pub budget: usize,
    /// Tokens of what is inside the fence, estimated for their script, rather too many than too few.
    pub tokens: usize,
    /// Bytes of what is inside the fence.
    pub bytes: usize,
    /// SHA-256 of what is inside the fence: the same memory and the same question give the same.
    pub digest: String,
    /// Other information for the reader.
    pub warnings: Vec<String>,
}

/// A section that is in a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Included {
    /// The file.
    pub path: String,
    /// The section's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its hash, for `if_hash`; absent for the part of a file above its sections.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// As `search` says it; absent if it cites no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freshness: Option<&'static str>,
    /// Whether it was archived.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
    /// Estimated tokens.
    pub tokens: usize,
}

/// A section that is not in a pack.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The file.
    pub path: String,
    /// The section's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it is not in.
    pub why: Why,
}

words! {
    /// Why a section is not in a pack.
    Why {
        /// It would not fit into the budget as a whole.
        Budget = "budget",
        /// Another section says the same.
        Duplicate = "duplicate",
        /// It holds what looks like a secret.
        Secret = "secret",
    }
}
