//! Finds the file of an entry in a category of which each entry has a file of its own.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::section_path::{SectionFinder, aimed_at};
use super::surroundings::Surroundings;
use crate::contract::SectionId;
use crate::markdown::Outline;
use crate::project::edit::find_target;
use crate::project::request::{Action, IfExists, IfMissing, MemoryPath, Selector};
use crate::project::schema::CategoryPaths;

/// How many ids are tried for an entry whose own one is taken.
const TRIES: usize = 1_000;

pub(super) struct RecordFinder<'a> {
    pub(super) paths: &'a CategoryPaths,
    /// Finds an entry whose file has another name than its id.
    pub(super) renamed: SectionFinder<'a>,
    pub(super) surroundings: &'a dyn Surroundings,
    /// The files that operations before this one begin.
    pub(super) begun: &'a RefCell<BTreeSet<String>>,
}

/// The file of an entry, and the id of a new one.
pub(super) struct RecordPlace {
    pub(super) path: String,
    pub(super) new_id: Option<SectionId>,
}

impl RecordFinder<'_> {
    /// Returns the file for an operation that names none; `None` where entries share files.
    pub(super) fn find(&self, action: &Action) -> Option<RecordPlace> {
        if let Some(selector) = aimed_at(action) {
            let own = self.of_existing(&selector)?;
            let path = self.hinting(action, own);
            return Some(RecordPlace { path, new_id: None });
        }
        let id = new_id(action)?;
        let own = self.paths.of_record(&id)?;
        let if_exists = match action {
            Action::AppendSection { if_exists, .. } => *if_exists,
            _ => return Some(self.begin(own, id)),
        };
        let shared = self.shared_with(&Selector::Id(id.clone()));
        Some(match (if_exists, shared) {
            (IfExists::Reject | IfExists::Replace, Some(path)) => {
                RecordPlace { path, new_id: None }
            }
            (IfExists::Reject | IfExists::Replace, None) => self.begin(own, id),
            (IfExists::Suffix, _) => {
                let mut ids = (1..TRIES).map(|number| id.numbered(number));
                let free = ids.find(|id| !self.is_taken(id)).unwrap_or(id);
                self.begin(self.paths.of_record(&free)?, free)
            }
        })
    }

    /// Returns the file of its own that an entry has now, for an operation that names the file in which entries stood
    /// together.
    pub(super) fn moved_from(&self, path: &MemoryPath, action: &Action) -> Option<String> {
        let selector = aimed_at(action).filter(|_| !self.paths.is_record(path.as_str()))?;
        let own = self.of_existing(&selector)?;
        let is_gone = self.paths.is_record(&own) && !self.holds(path.as_str(), &selector);
        (is_gone && self.text(&own).is_some()).then_some(own)
    }

    fn of_existing(&self, selector: &Selector) -> Option<String> {
        let id = match selector {
            Selector::Id(id) => id.clone(),
            Selector::Heading { text, .. } => SectionId::from_heading(text),
        };
        let own = self.paths.of_record(&id)?;
        match self.text(&own) {
            Some(_) => Some(own),
            None => {
                let shared = self.shared_with(selector);
                Some(shared.or_else(|| self.renamed_with(selector)).unwrap_or(own))
            }
        }
    }

    /// Returns the one file in which an entry, or a section of one, stands under another name.
    fn renamed_with(&self, selector: &Selector) -> Option<String> {
        let found = self.renamed.files_with(selector, |category| category.paths == *self.paths);
        <[MemoryPath; 1]>::try_from(found).ok().map(|[only]| only.to_string())
    }

    /// Returns the file whose sections the caller may have meant, where an entry is nowhere.
    fn hinting(&self, action: &Action, own: String) -> String {
        let begins = matches!(action, Action::ReplaceSection { if_missing: IfMissing::Append, .. });
        if begins || self.begun.borrow().contains(&own) || self.text(&own).is_some() {
            return own;
        }
        let shared = self.paths.shared_files().find(|path| self.text(path).is_some());
        shared.map_or(own, str::to_owned)
    }

    /// Returns the file in which an entry stands together with others.
    fn shared_with(&self, selector: &Selector) -> Option<String> {
        let mut shared = self.paths.shared_files();
        shared.find(|path| self.holds(path, selector)).map(str::to_owned)
    }

    fn is_taken(&self, id: &SectionId) -> bool {
        let own = self.paths.of_record(id);
        own.is_some_and(|own| self.begun.borrow().contains(&own) || self.text(&own).is_some())
            || self.shared_with(&Selector::Id(id.clone())).is_some()
    }

    fn holds(&self, path: &str, selector: &Selector) -> bool {
        let found = |text: String| find_target(&Outline::read(&text), selector).is_some();
        self.text(path).is_some_and(found)
    }

    fn begin(&self, path: String, id: SectionId) -> RecordPlace {
        self.begun.borrow_mut().insert(path.clone());
        RecordPlace { path, new_id: Some(id) }
    }

    fn text(&self, path: &str) -> Option<String> {
        self.surroundings.text(&MemoryPath::parse(path).ok()?)
    }
}

/// Returns the id that a new entry gets, unless that is taken.
pub(super) fn new_id(action: &Action) -> Option<SectionId> {
    let written = |content: &str| Outline::read(content).sections().first().cloned();
    match action {
        Action::AppendSection { heading, content, section_id, .. } => {
            let given = section_id.clone();
            let is_it = |text: &str| text == heading;
            let written = || written(content).filter(|it| is_it(&it.heading.text))?.id;
            Some(given.or_else(written).unwrap_or_else(|| SectionId::from_heading(heading)))
        }
        Action::CreateFile { content, .. } => {
            let first = written(content)?;
            let of_heading = || SectionId::from_heading(&first.heading.text);
            Some(first.id.clone().unwrap_or_else(of_heading))
        }
        Action::ReplaceSection { .. }
        | Action::ReplaceSectionContent { .. }
        | Action::AppendToSection { .. }
        | Action::RenameHeading { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => None,
    }
}
