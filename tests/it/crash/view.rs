//! What a store holds, to be compared with what it should hold.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::support::files_in;

/// What a store holds: its files, its queue and what was decided, and its log. What belongs to the
/// machine alone is left out, and the notes of the day, to which a check adds one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct View {
    /// The files by path, proposals that wait or were decided among them.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    /// The log.
    pub(crate) log: String,
}

impl View {
    /// Looks at the store of a project.
    pub(crate) fn of(project: &Path) -> Self {
        let mut files = files_in(&project.join(".agent-memory"));
        let log = files.remove("state/log.jsonl").unwrap_or_default();
        files.retain(|path, _| {
            let is_kept = ["state/trash/", "state/shown/"].iter().any(|it| path.starts_with(it))
                && !path.starts_with("state/trash/foreign-");
            let local = path.starts_with("state/") && !is_kept;
            !local && !path.starts_with("sessions/")
        });
        Self { files, log: String::from_utf8_lossy(&log).into_owned() }
    }

    /// Takes the last line off the log: that of a note which a check added.
    pub(crate) fn without_last_line(mut self) -> Self {
        let kept = self.log.trim_end_matches('\n').rfind('\n').map_or(0, |newline| newline + 1);
        self.log.truncate(kept);
        self
    }

    /// Returns the memory: what a second attempt must bring about.
    pub(crate) fn memory(&self) -> BTreeMap<&str, &[u8]> {
        let files = self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
        files.filter(|(path, _)| path.ends_with(".md") && !path.contains("20261120-")).collect()
    }

    /// Says in which files a view is another.
    pub(crate) fn compare(&self, old: &Self, new: &Self) -> String {
        let apart = |other: &Self| -> Vec<String> {
            let all = self.files.keys().chain(other.files.keys());
            let mut paths: Vec<String> = all
                .filter(|path| self.files.get(*path) != other.files.get(*path))
                .cloned()
                .collect();
            paths.sort();
            paths.dedup();
            paths.extend((self.log != other.log).then(|| format!("log {}", self.log)));
            paths
        };
        json!({ "not as old": apart(old), "not as new": apart(new) }).to_string()
    }
}
