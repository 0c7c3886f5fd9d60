//! What the log says of the files of a decision, and what is shown of them.

use serde::Serialize;
use serde_json::Value;

use crate::project::request::{MemoryPath, ProposalId};

/// What a decision did to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct PastDiff {
    pub path: String,
    /// A unified diff, where the texts are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// The note where there is no diff.
const FORGOTTEN: &str = "the text before or after it is not kept any more";

pub(super) struct Logged {
    pub(super) path: MemoryPath,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

impl Logged {
    pub(super) fn without_diff(&self) -> PastDiff {
        self.with_note(FORGOTTEN)
    }

    pub(super) fn with_note(&self, note: &'static str) -> PastDiff {
        PastDiff { path: self.path.to_string(), diff: None, note: Some(note) }
    }
}

/// Returns the files of a log line; they are parsed, as the log may have been edited.
pub(super) fn files_of(entry: &Value) -> impl Iterator<Item = Logged> {
    let files = entry["files"].as_array().into_iter().flatten();
    files.filter_map(|file| {
        let hash = |name: &str| file[name].as_str().map(str::to_owned);
        let path = MemoryPath::parse(file["path"].as_str()?).ok()?;
        Some(Logged { path, before: hash("before"), after: hash("after") })
    })
}

pub(super) fn id_of(entry: &Value) -> Option<ProposalId> {
    ProposalId::parse(entry["id"].as_str()?)
}
