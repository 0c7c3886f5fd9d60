//! What has become of the files that sections cite.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::contract::SourceType;
use crate::markdown::SourceNote;
use crate::provenance::{Evidence, Freshness};
use crate::store::Repository;

/// The files that sections cite; none is read twice, however many cite it.
#[derive(Debug)]
pub(super) struct CitedFiles<'w> {
    repository: &'w Repository,
    known: RefCell<HashMap<String, Evidence>>,
}

impl<'w> CitedFiles<'w> {
    /// Looks at nothing yet.
    pub(super) fn of(repository: &'w Repository) -> Self {
        Self { repository, known: RefCell::default() }
    }

    /// Returns the worst that has become of the files that a section cites; nothing where it cites none.
    pub(super) fn freshness(&self, sources: &[SourceNote]) -> Option<Freshness> {
        let cited = sources.iter().filter_map(|source| {
            let cites_file = matches!(source.kind, SourceType::File | SourceType::Test);
            let blob = source.blob.as_deref().filter(|_| cites_file)?;
            let mut known = self.known.borrow_mut();
            let today = known
                .entry(source.reference.clone())
                .or_insert_with(|| self.repository.look_up_file(&source.reference));
            Some(Freshness::of(blob, today))
        });
        cited.max()
    }
}
