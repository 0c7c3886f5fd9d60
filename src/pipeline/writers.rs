//! Which operation is to be told what is wrong with a section.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{Action, MemoryPath};
use crate::markdown::{Outline, Section, find_target};

/// A section, by its file and its id or heading.
type Key = (MemoryPath, String);

/// Which operation wrote each section last, which sections one failed to write, and out of which one took another.
#[derive(Debug, Default)]
pub(super) struct Writers {
    last: BTreeMap<Key, usize>,
    failed: BTreeSet<Key>,
    around: BTreeSet<Key>,
}

impl Writers {
    /// Notes that an operation wrote a section.
    pub(super) fn wrote(&mut self, path: &MemoryPath, title: &str, index: usize) {
        self.last.insert((path.clone(), title.to_owned()), index);
    }

    /// Notes that an operation takes its section away: those around it are its matter.
    pub(super) fn takes_away(
        &mut self,
        path: &MemoryPath,
        outline: &Outline<'_>,
        (index, action): (usize, &Action),
    ) {
        let target = target_of(outline, action);
        let parent = |number: &usize| outline.sections()[*number].parent;
        for number in std::iter::successors(target, parent).skip(1) {
            let key = (path.clone(), outline.sections()[number].title());
            self.around.insert(key.clone());
            self.last.entry(key).or_insert(index);
        }
    }

    /// Returns the sections of a file out of which another one was taken.
    pub(super) fn around(&self, path: &MemoryPath, outline: &Outline<'_>) -> Vec<usize> {
        let is_one = |section: &Section| self.around.contains(&(path.clone(), section.title()));
        match self.around.is_empty() {
            true => Vec::new(),
            false => (0..outline.sections().len())
                .filter(|it| is_one(&outline.sections()[*it]))
                .collect(),
        }
    }

    /// Notes that an operation could not write its section.
    pub(super) fn failed(&mut self, path: &MemoryPath, outline: &Outline<'_>, action: &Action) {
        let target = target_of(outline, action);
        self.failed.extend(target.map(|it| (path.clone(), outline.sections()[it].title())));
    }

    /// Returns the operation that wrote a section last.
    pub(super) fn of(&self, path: &MemoryPath, section: &Section) -> Option<usize> {
        self.last.get(&(path.clone(), section.title())).copied()
    }

    /// Tells whether a section, or one in it, would say something else if every operation could be done.
    pub(super) fn is_unsure(&self, path: &MemoryPath, outline: &Outline<'_>, index: usize) -> bool {
        let family = &outline.sections()[index..index + outline.family(index)];
        !self.failed.is_empty()
            && family.iter().any(|it| self.failed.contains(&(path.clone(), it.title())))
    }
}

/// Returns the number of the section that an operation names, as far as it is there.
fn target_of(outline: &Outline<'_>, action: &Action) -> Option<usize> {
    if let Action::AppendSection { parent_section_id, .. } = action {
        return outline.find(parent_section_id.as_ref()?);
    }
    find_target(outline, &action.target()?.selector)
}
