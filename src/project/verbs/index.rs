//! Keeps the search index up to date with the files.

use super::project::Project;
use crate::error::{ErrorKind, Result};
use crate::index::{DocumentSource, IndexCounts, Origin, Refreshed, SearchIndex, kept_by_another};
use crate::project::store::sections::{SectionSource, is_memory};
use crate::project::store::{OtherStores, ReadFiles};

/// How many times a broken index is tried.
const TRIES: usize = 3;

/// How many times an index is tried that other processes delete or rebuild.
const TRIES_IF_GONE: usize = 20;

/// Changes of more bytes are indexed by the next query and not by the writer: indexing takes up to a second per MiB.
const MOST_AT_ONCE: u64 = 512 * 1024;

pub(super) struct RebuiltIndex {
    pub(super) refreshed: Refreshed,
    pub(super) counts: IndexCounts,
    /// False where this user may not write the index.
    pub(super) is_saved: bool,
}

impl Project {
    /// Refreshes the index; a broken one is rebuilt.
    pub(super) fn fresh_index(&self) -> Result<(SearchIndex, Refreshed)> {
        let source = self.index_source()?;
        let refresh = |index: &mut SearchIndex| index.refresh(&source, None);
        let (refreshed, index) = self.with_index(&source, self.open_index(&source), refresh)?;
        Ok((index, refreshed))
    }

    /// Rebuilds the index; if another process rebuilds it at the same time, uses that one.
    pub(super) fn rebuild_index(&self) -> Result<RebuiltIndex> {
        self.store.refuse_newer()?;
        let source = self.index_source()?;
        let renew = |index: &mut SearchIndex| Ok((index.refresh(&source, None)?, index.counts()?));
        let empty = SearchIndex::rebuild_at(&self.store.layout().index(), &source);
        let ((refreshed, counts), index) = self.with_index(&source, empty, renew)?;
        Ok(RebuiltIndex { refreshed, counts, is_saved: index.is_saved() })
    }

    /// Refreshes the index and queries it; one that breaks during the query is rebuilt.
    pub(super) fn ask_index<T>(
        &self,
        ask: impl Fn(&SearchIndex) -> Result<T>,
    ) -> Result<(T, Refreshed, Origin)> {
        let source = self.index_source()?;
        let ((refreshed, answer), index) =
            self.with_index(&source, self.open_index(&source), |index| {
                let refreshed = index.refresh(&source, None)?;
                Ok((refreshed, ask(index)?))
            })?;
        let origin = index.origin();
        self.index.put(index);
        Ok((answer, refreshed, origin))
    }

    /// Uses the index; after a failure again with a rebuilt one.
    fn with_index<T>(
        &self,
        source: &SectionSource<'_>,
        mut opened: Result<SearchIndex>,
        act: impl Fn(&mut SearchIndex) -> Result<T>,
    ) -> Result<(T, SearchIndex)> {
        let (mut tries, mut tries_if_gone) = (1..TRIES, 1..TRIES_IF_GONE);
        loop {
            let (broken, error) = match opened {
                Ok(mut index) => match act(&mut index) {
                    Ok(done) => return Ok((done, index)),
                    Err(error) => (Some(index), error),
                },
                Err(error) => (None, error),
            };
            if error.kind() == ErrorKind::LockHeld {
                self.waited_for_index.set(true);
            }
            let is_gone = broken.as_ref().is_some_and(|index| !index.is_in_place());
            let left = if is_gone { &mut tries_if_gone } else { &mut tries };
            if error.kind() != ErrorKind::IndexFailed || left.next().is_none() {
                return Err(error);
            }
            let rebuild = || SearchIndex::rebuild_at(&self.store.layout().index(), source);
            opened = broken.map_or_else(rebuild, |index| index.renew(source));
        }
    }

    fn open_index(&self, source: &SectionSource<'_>) -> Result<SearchIndex> {
        let path = self.store.layout().index();
        if self.waited_for_index.get() {
            return Err(kept_by_another(&path));
        }
        if self.config.newer.is_some() {
            // The file may be of another form.
            return SearchIndex::in_memory(&path, source.digest());
        }
        self.index.take(&path).map_or_else(|| SearchIndex::open(&path, source), Ok)
    }

    /// Refreshes a few files; returns why it did not.
    fn refresh_index(&self, paths: &[String]) -> Result<Option<&'static str>> {
        if self.store.bytes_of(paths) > MOST_AT_ONCE {
            return Ok(Some("it is much text, which the next question takes in"));
        }
        // What was written is in the store: git need not be asked for the files that are read besides.
        let (reads, others) = (ReadFiles::unread(&self.config), OtherStores::unread(&self.config));
        let source = self.source_with(&reads, &others)?;
        let paths: Vec<String> = paths.iter().filter(|path| is_memory(path)).cloned().collect();
        let refresh = |index: &mut SearchIndex| index.refresh(&source, Some(&paths));
        let (refreshed, index) = self.with_index(&source, self.open_index(&source), refresh)?;
        let is_saved = index.is_saved();
        self.index.put(index);
        Ok(match (is_saved, refreshed.files_postponed) {
            (true, 0) => None,
            (true, _) => Some("another program keeps it to itself"),
            (false, _) => Some("this user may not write to it"),
        })
    }

    /// Refreshes the index after a change; returns whether it did, and adds a warning where it did not.
    pub(super) fn index_follows(&self, paths: &[String], warnings: &mut Vec<String>) -> bool {
        self.entries.forget();
        let why = match self.refresh_index(paths) {
            Ok(None) => return true,
            Ok(Some(why)) => why.to_owned(),
            Err(error) => error.to_string(),
        };
        warnings.push(format!("the change is in the files, the index follows later: {why}"));
        false
    }

    pub(super) fn index_source(&self) -> Result<SectionSource<'_>> {
        self.source_with(self.reads()?, self.others()?)
    }

    fn source_with<'s>(
        &'s self,
        reads: &'s ReadFiles,
        others: &'s OtherStores,
    ) -> Result<SectionSource<'s>> {
        Ok(SectionSource {
            root: self.store.layout().folder(),
            reads,
            others,
            catalog: self.catalog()?,
            scanner: &self.scanner,
            key: self.store.layout().key(),
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests delete the file")]
mod tests {
    use std::cell::Cell;
    use std::fs;

    use super::*;
    use crate::project::verbs::{InitOptions, Session, init};

    #[test]
    fn an_index_that_is_deleted_again_and_again_answers_all_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let session = Session::alone_in(folder.path());
        init(&session, &InitOptions::default()).expect("a store");
        let project = Project::open(&session).expect("it opens");
        let delete = |times: usize| {
            let left = Cell::new(times);
            let path = project.store.layout().index();
            project.ask_index(|index| {
                if left.get() > 0 {
                    left.set(left.get() - 1);
                    fs::remove_file(&*path).expect("it is there");
                }
                index.counts()
            })
        };
        delete(10).expect("it is there at last");
        let error = delete(1_000).expect_err("it never is");
        assert!(error.to_string().contains("was replaced"), "{error}");
    }
}
