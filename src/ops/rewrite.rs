//! Gives files of the store other texts that nobody proposed, as one change.

use std::fmt::Display;

use super::{Stop, Workspace, logged, write};
use crate::contract::MemoryPath;
use crate::store::log::{Entry, LoggedFile, Tail};
use crate::store::{Locked, Step};

/// A file, and what it will say.
pub(super) struct Rewritten<Path = MemoryPath> {
    pub(super) path: Path,
    /// None if there is no file yet.
    pub(super) before: Option<String>,
    pub(super) after: String,
}

/// Files that get other texts, all at once.
pub(super) struct Rewrite<'a> {
    /// What the log calls it.
    pub(super) decision: &'static str,
    pub(super) files: &'a [Rewritten],
    /// Files beside the memory.
    pub(super) others: &'a [Rewritten<String>],
    /// Renews the table of contents, where it has to be.
    pub(super) contents: Option<Step>,
}

impl Rewrite<'_> {
    /// Writes the files and the line in the log; returns what the person should know.
    pub(super) fn land(
        self,
        workspace: &Workspace,
        locked: &mut Locked<'_>,
    ) -> std::result::Result<Vec<String>, Stop> {
        let (files, others) = (self.files.iter(), self.others.iter());
        let steps = files.clone().map(Rewritten::step).chain(others.clone().map(Rewritten::step));
        let mut steps: Vec<Step> = steps.chain(self.contents).collect();
        let logged =
            files.clone().map(Rewritten::logged).chain(others.clone().map(Rewritten::logged));
        let line = Entry { files: logged.collect(), ..Entry::new(workspace.now, self.decision) };
        steps.push(Tail::read(locked.layout())?.append(&line));
        let texts = files.map(|file| file.after.as_str());
        let trace = workspace.trace_of(texts.chain(others.map(|file| file.after.as_str())));
        write(locked, steps, trace)
    }
}

impl<Path: Display> Rewritten<Path> {
    /// Tells whether it will say something else.
    pub(super) fn is_new(&self) -> bool {
        self.before.as_ref() != Some(&self.after)
    }

    fn step(&self) -> Step {
        Step::write(&self.path.to_string(), self.before.as_deref(), self.after.clone())
    }

    fn logged(&self) -> LoggedFile {
        logged(&self.path, self.before.as_deref(), Some(&self.after))
    }
}

/// Returns the files with the texts that they will have.
pub(super) fn texts(files: &[Rewritten]) -> impl Iterator<Item = (&MemoryPath, &str)> {
    files.iter().map(|file| (&file.path, file.after.as_str()))
}
