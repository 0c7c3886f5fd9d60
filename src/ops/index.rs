//! How the search index follows the files, for every verb.

use super::Workspace;
use crate::error::{Error, ErrorKind, Result};
use crate::store::index::{Index, Origin, Refreshed, Source};

impl Workspace {
    /// Brings the index up to date with all files; one that does not answer is made anew.
    pub(super) fn fresh_index(&self) -> Result<(Index, Refreshed)> {
        let source = self.index_source()?;
        let (refreshed, index) = self.with_index(|index| index.refresh(&source))?;
        Ok((index, refreshed))
    }

    /// Asks the index, up to date; one that breaks while it answers is made anew too.
    pub(super) fn ask_index<T>(
        &self,
        ask: impl Fn(&Index) -> Result<T>,
    ) -> Result<(T, Refreshed, Origin)> {
        let source = self.index_source()?;
        let ((refreshed, answer), index) = self.with_index(|index| {
            let refreshed = index.refresh(&source)?;
            Ok((refreshed, ask(index)?))
        })?;
        let origin = index.origin();
        self.index.replace(Some(index));
        Ok((answer, refreshed, origin))
    }

    /// Does something with the index; where that fails, once more with a new one.
    fn with_index<T>(&self, act: impl Fn(&mut Index) -> Result<T>) -> Result<(T, Index)> {
        let is_broken = |error: &Error| error.kind() == ErrorKind::IndexFailed;
        let mut index = match self.open_index() {
            Err(error) if is_broken(&error) => Index::rebuild_at(&self.store.layout().index()),
            opened => opened,
        }?;
        match act(&mut index) {
            Err(error) if is_broken(&error) => index = index.renew()?,
            done => return done.map(|done| (done, index)),
        }
        act(&mut index).map(|done| (done, index))
    }

    fn open_index(&self) -> Result<Index> {
        match self.index.take().filter(Index::is_in_place) {
            Some(open) => Ok(open),
            None => Index::open(&self.store.layout().index()),
        }
    }

    /// Brings the index up to date with a few files, or tells why it is not.
    fn refresh_index(&self, paths: &[String]) -> Result<Option<&'static str>> {
        let mut index = self.open_index()?;
        let refreshed = index.refresh_files(&self.index_source()?, paths)?;
        let why = match (index.is_kept(), refreshed.files_postponed) {
            (true, 0) => None,
            (true, _) => Some("another program keeps it to itself"),
            (false, _) => Some("this user may not write to it"),
        };
        self.index.replace(Some(index));
        Ok(why)
    }

    /// Refreshes the index after a change is in the files; tells whether it did, or why it did not.
    pub(super) fn index_follows(&self, paths: &[String], warnings: &mut Vec<String>) -> bool {
        let why = match self.refresh_index(paths) {
            Ok(None) => return true,
            Ok(Some(why)) => why.to_owned(),
            Err(error) => error.to_string(),
        };
        warnings.push(format!("the change is in the files, the index follows later: {why}"));
        false
    }

    pub(super) fn index_source(&self) -> Result<Source<'_>> {
        Ok(Source {
            root: self.store.layout().folder(),
            catalog: self.catalog()?,
            scanner: &self.scanner,
        })
    }
}
