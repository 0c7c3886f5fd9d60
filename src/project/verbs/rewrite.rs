//! Gives memory files other texts that nobody proposed, as one change.

use super::{Stop, Workspace, logged, write};
use crate::contract::MemoryPath;
use crate::project::store::log::{Entry, Tail};
use crate::project::store::{Locked, Step};

/// A file, and what it will say.
pub(super) struct Rewritten {
    pub(super) path: MemoryPath,
    /// None if there is no file yet.
    pub(super) before: Option<String>,
    pub(super) after: String,
}

impl Rewritten {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.before.as_deref().into_iter().chain([self.after.as_str()])
    }
}

/// Files that get other texts, all at once.
pub(super) struct Rewrite<'a> {
    /// What the log calls it.
    pub(super) decision: &'static str,
    pub(super) files: &'a [Rewritten],
}

impl Rewrite<'_> {
    /// Writes the files and the line in the log; returns what the person should know.
    pub(super) fn land(
        self,
        workspace: &Workspace,
        locked: &mut Locked<'_>,
    ) -> std::result::Result<Vec<String>, Stop> {
        let step = |file: &Rewritten| {
            Step::write(file.path.as_str(), file.before.as_deref(), file.after.clone())
        };
        let mut steps: Vec<Step> = self.files.iter().map(step).collect();
        let files = self.files.iter();
        let files = files.map(|file| logged(&file.path, file.before.as_deref(), Some(&file.after)));
        let line = Entry { files: files.collect(), ..Entry::new(workspace.now, self.decision) };
        steps.push(Tail::read(locked.layout())?.append(&line));
        let trace = workspace.trace_of(self.files.iter().flat_map(Rewritten::texts));
        write(locked, steps, trace)
    }
}
