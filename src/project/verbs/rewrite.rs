//! Rewrites memory files without a proposal, as one change.

use super::answer::{Attempt, logged, write};
use super::project::Project;
use crate::disk::step::FormerFile;
use crate::project::pipeline::text_left;
use crate::project::request::{MemoryPath, ProposalId};
use crate::project::store::log::Entry;
use crate::project::store::{Locked, Step, undo};

/// A file with its old and new text.
pub(super) struct Rewritten {
    pub(super) path: MemoryPath,
    /// None if there is no file yet.
    pub(super) before: Option<String>,
    pub(super) after: String,
}

impl Rewritten {
    /// Returns the text that is left; none if the file goes.
    pub(super) fn left(&self) -> Option<&str> {
        text_left(self.before.as_deref(), &self.after)
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.before.as_deref().into_iter().chain([self.after.as_str()])
    }
}

/// Returns the step that takes a file away of which nothing is left; a secret in it is not kept in the trash.
pub(super) fn take_away(
    project: &Project,
    id: &ProposalId,
    path: &MemoryPath,
    before: &str,
) -> Step {
    match project.is_secret(before) {
        true => Step::Remove { path: path.to_string(), before: FormerFile::of(before) },
        false => undo::put_away(project.store.layout(), id, path.as_str(), before),
    }
}

pub(super) struct Rewrite<'a> {
    /// The decision in the log.
    pub(super) decision: &'static str,
    pub(super) files: &'a [Rewritten],
}

impl Rewrite<'_> {
    /// Writes the files and the log line; returns warnings.
    pub(super) fn write(self, project: &Project, locked: &mut Locked<'_>) -> Attempt<Vec<String>> {
        let step = |file: &Rewritten| {
            Step::write(file.path.as_str(), file.before.as_deref(), file.after.clone())
        };
        let mut steps: Vec<Step> = self.files.iter().map(step).collect();
        let files = self.files.iter();
        let files = files.map(|file| logged(&file.path, file.before.as_deref(), Some(&file.after)));
        let line =
            Entry { files: files.collect(), ..Entry::new(project.session.now, self.decision) };
        steps.push(line.append_to(&locked.layout().signed_log().tail()?));
        let trace = project.trace_of(self.files.iter().flat_map(Rewritten::texts));
        write(locked, steps, trace)
    }
}
