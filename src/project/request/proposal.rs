//! What an agent asks for: intent, operations, evidence.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::operation::Operation;
use super::source::Source;
use crate::contract::{Confidence, words};

/// A request as read from the wire (`memory.propose_update`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Request {
    /// What the change is for; decides which files it may touch.
    pub intent: Intent,
    /// The steps; each sees what those before left.
    #[schemars(length(min = 1, max = 64))]
    pub operations: Vec<Operation>,
    /// Reason for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// The evidence.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// How sure the proposer is.
    #[serde(default)]
    pub confidence: Confidence,
    /// Who proposes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OwnerOnTheWire>")]
    pub owner: Option<Owner>,
    /// Do everything except write.
    #[serde(default)]
    pub dry_run: bool,
}

impl Request {
    /// Returns the evidence of what an operation writes.
    pub(crate) fn sources_of<'a>(&'a self, operation: &'a Operation) -> &'a [Source] {
        match operation.sources.as_slice() {
            [] => &self.sources,
            own => own,
        }
    }

    /// Returns all evidence, each once.
    pub(crate) fn all_sources(&self) -> Vec<Source> {
        let own = self.operations.iter().flat_map(|operation| &operation.sources);
        let mut known = BTreeSet::new();
        let all = self.sources.iter().chain(own);
        all.filter(|source| known.insert((source.kind, &source.reference))).cloned().collect()
    }
}

words! {
    /// What a change is for.
    Intent {
        /// State of the work on this branch.
        UpdateCurrent = "update_current",
        /// State of the work across branches.
        UpdateShared = "update_shared",
        /// An entry in today's session file.
        SessionLog = "session_log",
        /// A problem that occurred and may occur again.
        AddPitfall = "add_pitfall",
        /// A decision with its date and status.
        RecordDecision = "record_decision",
        /// What a module does and how.
        RefreshModule = "refresh_module",
        /// How code is written here.
        UpdateConventions = "update_conventions",
        /// Move outdated text to the archive.
        ArchiveStale = "archive_stale",
    }
}

/// Who proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Owner {
    /// Name or id.
    pub id: String,
    /// What it is: an agent, a person, a job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// An owner as it may stand on the wire: a name alone, or with its kind.
#[derive(JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used")]
enum OwnerOnTheWire {
    /// A name or id.
    Name(String),
    /// A name or id, and what it is.
    Full {
        /// Name or id.
        id: String,
        /// What it is: an agent, a person, a job.
        kind: Option<String>,
    },
}
