//! Which operation is to be told what is wrong with a section.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::markdown::{Outline, Section};
use crate::project::edit::find_target;
use crate::project::request::{Action, MemoryPath};

/// What the operations of a request did to the sections of each file.
#[derive(Debug, Default)]
pub(super) struct Writers(BTreeMap<MemoryPath, Written>);

#[derive(Debug, Default)]
struct Written {
    /// Which operation wrote each section last.
    last: HashMap<String, usize>,
    /// Those that one failed to write.
    failed: HashSet<String>,
    /// Those out of which an operation removed another section.
    around: HashSet<String>,
}

impl Writers {
    pub(super) fn wrote(&mut self, path: &MemoryPath, titles: Vec<String>, index: usize) {
        self.file(path).last.extend(titles.into_iter().map(|title| (title, index)));
    }

    /// Notes that an operation removes its section; it answers for the sections around it.
    pub(super) fn takes_away(
        &mut self,
        path: &MemoryPath,
        outline: &Outline<'_>,
        index: usize,
        action: &Action,
    ) {
        let file = self.file(path);
        let parent = |number: &usize| outline.sections()[*number].parent;
        for number in std::iter::successors(target_of(outline, action), parent).skip(1) {
            let title = outline.sections()[number].title();
            file.around.insert(title.to_owned());
            file.last.entry(title.to_owned()).or_insert(index);
        }
    }

    /// Returns the sections of a file out of which another one was removed.
    pub(super) fn around(&self, path: &MemoryPath, outline: &Outline<'_>) -> Vec<usize> {
        let Some(file) = self.0.get(path).filter(|file| !file.around.is_empty()) else {
            return Vec::new();
        };
        let sections = outline.sections().iter().enumerate();
        let around = sections.filter(|(_, section)| file.around.contains(section.title()));
        around.map(|(index, _)| index).collect()
    }

    pub(super) fn failed(&mut self, path: &MemoryPath, outline: &Outline<'_>, action: &Action) {
        let target = target_of(outline, action);
        let title = target.map(|it| outline.sections()[it].title().to_owned());
        self.file(path).failed.extend(title);
    }

    pub(super) fn of(&self, path: &MemoryPath, section: &Section) -> Option<usize> {
        self.0.get(path)?.last.get(section.title()).copied()
    }

    /// Tells whether a section, or one in it, would say something else if every operation could be done.
    pub(super) fn is_unsure(&self, path: &MemoryPath, outline: &Outline<'_>, index: usize) -> bool {
        let Some(file) = self.0.get(path).filter(|file| !file.failed.is_empty()) else {
            return false;
        };
        let family = &outline.sections()[index..index + outline.family(index)];
        family.iter().any(|section| file.failed.contains(section.title()))
    }

    fn file(&mut self, path: &MemoryPath) -> &mut Written {
        self.0.entry(path.clone()).or_default()
    }
}

/// Returns the number of the section that an operation names, as far as it is there.
fn target_of(outline: &Outline<'_>, action: &Action) -> Option<usize> {
    if let Action::AppendSection { parent_section_id, .. } = action {
        return outline.find(parent_section_id.as_ref()?);
    }
    find_target(outline, &action.target()?.selector)
}
