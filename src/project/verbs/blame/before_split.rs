//! A section in the file that it stood in before `doctor --split`, where only git knows of that: in another clone.

use super::at_commit::AtCommit;
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::request::MemoryPath;
use crate::project::store::Commit;
use crate::project::verbs::own_changes::is_same;
use crate::project::verbs::project::Project;
use crate::project::verbs::split::as_split;

/// The file out of which a commit moved an entry, as it was before that commit.
pub(super) struct BeforeSplit {
    /// The text out of which the entry came.
    pub(super) text: String,
    pub(super) from: MemoryPath,
    /// The commit that has it.
    pub(super) parent: String,
    /// The sections of the entry as `doctor --split` moves them, with nothing else changed.
    moved: AtCommit,
}

impl BeforeSplit {
    /// Reads what a commit moved into a file; `None` where the file was there before, or came from nowhere.
    pub(super) fn of(
        project: &Project,
        path: &MemoryPath,
        commit: &Commit,
    ) -> Result<Option<Self>> {
        let git = project.store.layout().git();
        let Some(parent) = git.commit_of(&format!("{}^", commit.id))? else { return Ok(None) };
        let text_of = |path: &MemoryPath| git.text_in(&parent, &git.named(path.as_str())).ok()?;
        if text_of(path).is_some() {
            return Ok(None);
        }
        let Some(moved) = as_split(project, path, text_of) else { return Ok(None) };
        let sections = AtCommit::read(&moved.entry);
        Ok(Some(Self { text: moved.shared, from: moved.from, parent, moved: sections }))
    }

    /// Returns the number of a section in the former file, if the commit moved it and changed nothing of it.
    pub(super) fn find(
        &self,
        outline: &Outline<'_>,
        number: usize,
        at_split: &AtCommit,
    ) -> Option<usize> {
        let (moved, there) = (self.moved.find(outline, number)?, at_split.find(outline, number)?);
        let id = outline.sections()[number].id.as_ref()?;
        let is_moved = is_same(Some(&moved.own), Some(&there.own));
        let is_it = |section: &Section| section.id.as_ref() == Some(id);
        let before = Outline::read(&self.text);
        before.sections().iter().position(is_it).filter(|_| is_moved)
    }
}
