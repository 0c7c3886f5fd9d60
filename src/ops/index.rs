//! How the search index follows the files, for every verb.

use std::cell::Ref;

use super::Workspace;
use crate::error::{ErrorKind, Result};
use crate::pipeline::PlannedFile;
use crate::store::index::{Ahead, Counts, Index, Origin, Refreshed, Source};

/// So often an index is asked that somebody deletes or makes anew meanwhile.
const TRIES: usize = 5;

/// Bytes of texts beyond which the index takes much longer than the disk, while others wait for the lock.
const MOST_AHEAD: usize = 32 * 1024;

/// Why the index did not follow a change, if it did not.
pub(super) type Followed = Result<Option<&'static str>>;

impl Workspace {
    /// Brings the index up to date with all files; one that does not answer is made anew.
    pub(super) fn fresh_index(&self) -> Result<(Index, Refreshed)> {
        let source = self.index_source()?;
        let refresh = |index: &mut Index| index.refresh(&source);
        let (refreshed, index) = self.with_index(self.open_index(), refresh)?;
        Ok((index, refreshed))
    }

    /// Makes the index anew from all files; who is overtaken by another one that does goes on with that one's.
    pub(super) fn renew_index(&self) -> Result<(Refreshed, Counts)> {
        let source = self.index_source()?;
        let renew = |index: &mut Index| Ok((index.refresh(&source)?, index.counts()?));
        let empty = Index::rebuild_at(&self.store.layout().index());
        self.with_index(empty, renew).map(|(renewed, _)| renewed)
    }

    /// Asks the index, up to date; one that breaks while it answers is made anew too.
    pub(super) fn ask_index<T>(
        &self,
        ask: impl Fn(&Index) -> Result<T>,
    ) -> Result<(T, Refreshed, Origin)> {
        let source = self.index_source()?;
        let ((refreshed, answer), index) = self.with_index(self.open_index(), |index| {
            let refreshed = index.refresh(&source)?;
            Ok((refreshed, ask(index)?))
        })?;
        let origin = index.origin();
        self.index.put(index);
        Ok((answer, refreshed, origin))
    }

    /// Does something with the index; where that fails, again with a new one.
    fn with_index<T>(
        &self,
        mut opened: Result<Index>,
        act: impl Fn(&mut Index) -> Result<T>,
    ) -> Result<(T, Index)> {
        let mut tries = 1..TRIES;
        loop {
            let (broken, error) = match opened {
                Ok(mut index) => match act(&mut index) {
                    Ok(done) => return Ok((done, index)),
                    Err(error) => (Some(index), error),
                },
                Err(error) => (None, error),
            };
            if error.kind() != ErrorKind::IndexFailed || tries.next().is_none() {
                return Err(error);
            }
            let rebuild = || Index::rebuild_at(&self.store.layout().index());
            opened = broken.map_or_else(rebuild, Index::renew);
        }
    }

    fn open_index(&self) -> Result<Index> {
        let path = self.store.layout().index();
        self.index.take(&path).map_or_else(|| Index::open(&path), Ok)
    }

    /// Brings the index up to date with a few files.
    fn refresh_index(&self, paths: &[String]) -> Followed {
        let mut index = self.open_index()?;
        let refreshed = index.refresh_files(&self.index_source()?, paths)?;
        let is_kept = index.is_kept();
        self.index.put(index);
        Ok(match is_kept {
            true => postponed(&refreshed),
            false => Some("this user may not write to it"),
        })
    }

    /// Returns the index if it is open already, as opening it takes longer than the disk does, and if it can be ahead
    /// of such files soon.
    pub(super) fn index_to_get_ahead(&self, files: &[PlannedFile]) -> Option<Ref<'_, Index>> {
        let bytes: usize = files.iter().map(|file| file.after.len()).sum();
        let index = self.index.at(&self.store.layout().index());
        index.filter(|_| bytes <= MOST_AHEAD)
    }

    /// Lets the index write what files are about to hold.
    pub(super) fn get_index_ahead<'i>(
        &self,
        index: &'i Index,
        files: &[PlannedFile],
    ) -> Option<Ahead<'i>> {
        let texts = files.iter().map(|file| (file.path.as_str(), file.after.as_str()));
        index.get_ahead(&self.index_source().ok()?, texts)
    }

    /// Brings an index that is ahead up to date with files that are written now.
    pub(super) fn index_arrives(&self, ahead: Ahead<'_>, paths: &[String]) -> Followed {
        ahead.arrive(&self.index_source()?, paths).map(|refreshed| postponed(&refreshed))
    }

    /// Refreshes the index after a change is in the files; tells whether it did, or why it did not.
    pub(super) fn index_follows(&self, paths: &[String], warnings: &mut Vec<String>) -> bool {
        self.index_followed(None, paths, warnings)
    }

    /// Does the same, unless the index was ahead.
    pub(super) fn index_followed(
        &self,
        followed: Option<Followed>,
        paths: &[String],
        warnings: &mut Vec<String>,
    ) -> bool {
        let why = match followed.unwrap_or_else(|| self.refresh_index(paths)) {
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

/// Tells why an index does not know some files yet.
fn postponed(refreshed: &Refreshed) -> Option<&'static str> {
    (refreshed.files_postponed > 0).then_some("another program keeps it to itself")
}
