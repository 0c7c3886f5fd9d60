//! Finds the file of a section for an operation that names none.

use super::surroundings::Surroundings;
use crate::markdown::Outline;
use crate::project::edit::find_target;
use crate::project::request::{
    Action, Answer, MemoryPath, OperationKind, Reason, Refusal, Selector,
};
use crate::project::schema::{Catalog, Category};

/// How many files a refusal names.
const LISTED: usize = 5;

pub(super) struct SectionFinder<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) surroundings: &'a dyn Surroundings,
}

impl SectionFinder<'_> {
    /// Returns the one file that has the section at which an operation is aimed, of the categories that it may write;
    /// none if it is aimed at none.
    pub(super) fn find(
        &self,
        action: &Action,
        may_write: impl Fn(&Category) -> bool,
        pointer: &str,
    ) -> Answer<Option<MemoryPath>> {
        let Some(selector) = aimed_at(action) else { return Ok(None) };
        let found = self.files_with(&selector, may_write);
        let (name, field) = match (&selector, action.kind()) {
            (Selector::Id(id), OperationKind::AppendSection) => (id.as_str(), "parent_section_id"),
            (Selector::Id(id), _) => (id.as_str(), "section_id"),
            (Selector::Heading { text, .. }, _) => (text.as_str(), "heading"),
        };
        let (reason, message, hint) = match found.as_slice() {
            [only] => return Ok(Some(only.clone())),
            [] => (
                Reason::SectionNotFound,
                format!("no file that this intent may write has a section `{name}`"),
                "`agent-memory search` finds sections; give `path` where an operation before this one begins the file",
            ),
            several => {
                let listed: Vec<String> =
                    several.iter().take(LISTED).map(|path| format!("`{path}`")).collect();
                let more = match several.len() - listed.len() {
                    0 => String::new(),
                    more => format!(", and {more} more"),
                };
                let message =
                    format!("several files have a section `{name}`: {}{more}", listed.join(", "));
                (Reason::SectionAmbiguous, message, "give the one that is meant as `path`")
            }
        };
        Err(Refusal::new(reason, message, hint).at(format!("{pointer}/{field}")))
    }

    /// Returns the files of some categories that have a section. What is archived is a copy, which no request writes.
    pub(super) fn files_with(
        &self,
        selector: &Selector,
        is_meant: impl Fn(&Category) -> bool,
    ) -> Vec<MemoryPath> {
        let is_of_meant = |path: &MemoryPath| {
            let owner = self.catalog.owner_of(path.as_str());
            owner.is_some_and(|owner| !owner.write_once && is_meant(owner))
        };
        let has_it = |path: &MemoryPath| {
            let text = self.surroundings.text(path);
            text.is_some_and(|text| find_target(&Outline::read(&text), selector).is_some())
        };
        let files = self.surroundings.files();
        let files = files.iter().filter_map(|path| MemoryPath::parse(path).ok());
        files.filter(is_of_meant).filter(has_it).collect()
    }
}

/// Returns the section that an operation is aimed at, be it as the parent of a new one.
pub(super) fn aimed_at(action: &Action) -> Option<Selector> {
    if let Action::AppendSection { parent_section_id, .. } = action {
        return parent_section_id.clone().map(Selector::Id);
    }
    action.target().map(|target| target.selector.clone())
}
