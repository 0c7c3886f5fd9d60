//! The files that sections and requests cite, as they are now.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::repository::{FileToday, Repository};
use crate::contract::SourceType;
use crate::cores::side_by_side;
use crate::markdown::SourceNote;
use crate::project::provenance::{Evidence, Freshness, cited_file};

/// A cache of cited files: none is read twice.
#[derive(Debug)]
pub(crate) struct CitedFiles<'w> {
    repository: &'w Repository,
    known: RefCell<HashMap<String, FileToday>>,
}

impl<'w> CitedFiles<'w> {
    pub(crate) fn of(repository: &'w Repository) -> Self {
        Self { repository, known: RefCell::default() }
    }

    /// Returns the worst freshness of the files that a section cites; `None` if it cites none.
    pub(crate) fn freshness(&self, sources: &[SourceNote]) -> Option<Freshness> {
        let cited = sources.iter().filter_map(|source| {
            let cites_file = matches!(source.kind, SourceType::File | SourceType::Test);
            let today = cites_file.then(|| self.look_up(&source.reference))?;
            Some(Freshness::of(source.blob.as_deref(), &today))
        });
        cited.max()
    }

    /// Reads the files of many references at once, on all cores.
    pub(crate) fn read_ahead(&self, references: &[String]) {
        let cited = references.iter().filter_map(|each| cited_file(each));
        let paths: BTreeSet<&str> = cited.map(|cited| cited.path).collect();
        let paths: Vec<&str> = paths.into_iter().collect();
        let repository = self.repository;
        let found = side_by_side(&paths, |path| repository.file_today(path));
        let paths = paths.into_iter().map(str::to_owned);
        self.known.borrow_mut().extend(paths.zip(found));
    }

    pub(crate) fn look_up(&self, reference: &str) -> Evidence {
        let Some(cited) = cited_file(reference) else { return Evidence::Missing };
        let mut known = self.known.borrow_mut();
        if !known.contains_key(cited.path) {
            known.insert(cited.path.to_owned(), self.repository.file_today(cited.path));
        }
        known[cited.path].evidence(cited.last_line)
    }
}
