//! How the search index follows the files, for every verb.

use super::Workspace;
use crate::error::{ErrorKind, Result};
use crate::store::index::{Index, Origin, Refreshed, Source};

impl Workspace {
    /// Brings the index up to date with all files; one that does not answer is made anew.
    pub(super) fn fresh_index(&self) -> Result<(Index, Refreshed)> {
        let path = self.store.layout().index();
        let fresh = |mut index: Index| {
            let refreshed = index.refresh(&self.index_source()?)?;
            Ok((index, refreshed))
        };
        match self.open_index().and_then(fresh) {
            Err(error) if error.kind() == ErrorKind::IndexFailed => {
                fresh(Index::rebuild_at(&path)?)
            }
            answer => answer,
        }
    }

    /// Asks the index, up to date; one that breaks while it answers is made anew too.
    pub(super) fn ask_index<T>(
        &self,
        ask: impl Fn(&Index) -> Result<T>,
    ) -> Result<(T, Refreshed, Origin)> {
        let (mut index, mut refreshed) = self.fresh_index()?;
        let mut origin = index.origin();
        let answer = match ask(&index) {
            Err(error) if error.kind() == ErrorKind::IndexFailed => {
                index = Index::rebuild_at(&self.store.layout().index())?;
                refreshed = index.refresh(&self.index_source()?)?;
                origin = Origin::Damaged;
                ask(&index)
            }
            answer => answer,
        }?;
        self.index.replace(Some(index));
        Ok((answer, refreshed, origin))
    }

    fn open_index(&self) -> Result<Index> {
        match self.index.take().filter(Index::is_in_place) {
            Some(open) => Ok(open),
            None => Index::open(&self.store.layout().index()),
        }
    }

    /// Brings the index up to date with a few files; tells whether it is.
    fn refresh_index(&self, paths: &[String]) -> Result<bool> {
        let mut index = self.open_index()?;
        let refreshed = index.refresh_files(&self.index_source()?, paths)?;
        self.index.replace(Some(index));
        Ok(refreshed.files_postponed == 0)
    }

    /// Refreshes the index after a change is in the files; tells whether it did, or why it did not.
    pub(super) fn index_follows(&self, paths: &[String], warnings: &mut Vec<String>) -> bool {
        self.refresh_index(paths).unwrap_or_else(|error| {
            warnings.push(format!("the change is in the files, the index follows later: {error}"));
            false
        })
    }

    pub(super) fn index_source(&self) -> Result<Source<'_>> {
        Ok(Source {
            root: self.store.layout().folder(),
            catalog: self.catalog()?,
            scanner: &self.scanner,
        })
    }
}
