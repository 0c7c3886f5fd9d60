//! The index as its users hold it: open, up to date, asked.

use std::collections::BTreeSet;
use std::time::Instant;

use rusqlite::Connection;

use super::alike::{AlikeDocument, alike};
use super::candidates::SearchHit;
use super::database::{Database, number};
use super::database_files::{inode_of, metadata_if_ours, would_be_rolled_back};
use super::failure::{failed, is_busy, is_misspelt};
use super::listing::Stamp;
use super::lock::{HeldLock, IndexLock};
use super::opening::{self, OpenedDatabase, open_or_make};
use super::origin::Origin;
use super::question::{Question, misspelt};
use super::refresh::{Refresh, Refreshed, find_suspects};
use super::search::search;
use super::source::{Classify, DocumentSource, KeptDocument};
use super::{patterns, spelling, successors};
use crate::disk::folder::PathMetadata;
use crate::disk::{StorePath, files};
use crate::error::{Error, ErrorKind, Result};

/// Returns the version of SQLite that is built in.
pub(crate) fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// The search index of a system; derived, may be deleted at any time.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    path: StorePath,
    pub(super) database: Database,
    origin: Origin,
    inode: Option<i64>,
    /// None where the database is in memory.
    lock: Option<IndexLock>,
    /// The digest that it was made under. Another one needs another file.
    digest: Option<String>,
    /// Whether it is to be rebuilt, as it holds what it should not.
    is_outdated: bool,
}

/// How much the index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexCounts {
    pub(crate) files: usize,
    /// Documents that can be found.
    pub(crate) documents: usize,
    /// Documents with a secret in them, which cannot be found.
    pub(crate) withheld: usize,
}

impl SearchIndex {
    /// Opens an index; makes an empty one if there is none or none that is fit for use. A process that has the old one
    /// open uses it until it notices. Where no digest can be signed no existing one is used.
    pub(crate) fn open(path: &StorePath, source: &dyn DocumentSource) -> Result<Self> {
        let digest = source.digest();
        Self::open_if(path, digest.clone(), |known| digest.as_deref() == Some(known))
    }

    fn open_if(
        path: &StorePath,
        digest: Option<String>,
        fits: impl Fn(&str) -> bool,
    ) -> Result<Self> {
        let Some(lock) = IndexLock::of(path)? else { return Self::in_memory(path, digest) };
        let opened = open_or_make(path, &lock, digest.as_deref(), fits)?;
        let OpenedDatabase { database, origin, inode } = opened;
        let (path, lock) = (path.clone(), Some(lock));
        Ok(Self { path, database, origin, inode, lock, digest, is_outdated: false })
    }

    /// Makes an empty index in memory. `path` is where it would be: errors name it.
    pub(crate) fn in_memory(path: &StorePath, digest: Option<String>) -> Result<Self> {
        let database = Database::in_memory(digest.as_deref());
        let database = database.map_err(|cause| failed(path, cause))?;
        let (path, origin) = (path.clone(), Origin::Closed);
        Ok(Self { path, database, origin, inode: None, lock: None, digest, is_outdated: false })
    }

    /// Replaces an index with an empty one, whichever user made it; where this user may not, in memory.
    pub(crate) fn rebuild_at(path: &StorePath, source: &dyn DocumentSource) -> Result<Self> {
        match IndexLock::take_over(path) {
            Err(error) if !error.is_forbidden() => Err(error),
            Ok(()) | Err(_) => Self::open_if(path, source.digest(), |_| false),
        }
    }

    /// Opens the index again after an error: an empty one, unless another process was faster.
    pub(crate) fn renew(self, source: &dyn DocumentSource) -> Result<Self> {
        let (path, inode) = (self.path.clone(), self.inode);
        // Some systems remove no file that is open.
        drop(self);
        match inode == inode_of(&path) {
            true => Ok(Self { origin: Origin::Damaged, ..Self::rebuild_at(&path, source)? }),
            false => Self::open(&path, source),
        }
    }

    /// Tells why the next opening would not use the index; nothing if it would, or if there never was one.
    pub(crate) fn inspect(path: &StorePath) -> Result<Option<Origin>> {
        opening::inspect(path)
    }

    /// Tells whether the file that was opened still has its name: it may have been deleted.
    pub(crate) fn is_in_place(&self) -> bool {
        self.lock.is_none() || (self.inode.is_some() && self.inode == inode_of(&self.path))
    }

    /// Tells whether opening the database at a path would lead to the same one, and find nothing wrong: it may have
    /// been deleted, replaced or written to since it was opened.
    pub(crate) fn is_what_opens(&self, path: &StorePath) -> bool {
        let Some(lock) = self.lock.as_ref().filter(|_| !self.is_outdated) else {
            return false;
        };
        let is_same = |seen: PathMetadata| self.inode == Some(seen.inode) && **path == *self.path;
        let Some(seen) = metadata_if_ours(path).filter(|seen| is_same(*seen)) else {
            return false;
        };
        // The folder that is held may have been moved, and what was in it put back.
        self.is_in_place()
            && lock.is_at(path)
            && lock.recorded().vouches_for(Stamp::of(seen))
            && !would_be_rolled_back(path)
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Tells whether it is on disk; where this user may not write it is in memory.
    pub(crate) fn is_saved(&self) -> bool {
        self.lock.is_some()
    }

    /// Brings the index up to date with a few files, or with all of the system; the former takes no longer where there
    /// are many others.
    pub(crate) fn refresh(
        &mut self,
        source: &dyn DocumentSource,
        files: Option<&[String]>,
    ) -> Result<Refreshed> {
        let refreshed = self.refresh_once(source, files)?;
        self.is_outdated = refreshed.holds_secret;
        if !self.is_outdated {
            return Ok(refreshed);
        }
        match self.refresh_once(source, files) {
            // What is withheld is not found any more; the next process that opens it rebuilds it.
            Err(error) if error.kind() == ErrorKind::LockHeld => Ok(refreshed),
            refreshed => refreshed,
        }
    }

    fn refresh_once(
        &mut self,
        source: &dyn DocumentSource,
        files: Option<&[String]>,
    ) -> Result<Refreshed> {
        let (digest, begun) = (source.digest(), Instant::now());
        // What is withheld must not even remain in a free page of the file.
        if self.is_outdated || self.digest != digest {
            *self = Self::open(&self.path, source)?;
        }
        let _held = self.hold()?;
        let mut refreshed = Refreshed::default();
        let suspects = match files {
            Some(files) => files.iter().cloned().collect(),
            None => {
                let listing = source.list()?;
                find_suspects(&self.database, source, listing, &mut refreshed.warnings)
                    .map_err(|cause| self.failed(cause))?
            }
        };
        if !suspects.is_empty() {
            // Taken before any file is read: a change in the same tick is suspected again next time.
            let now = self.lock.as_ref().map(IndexLock::begin_write).transpose()?;
            self.narrow(source, &suspects)?;
            let refresh =
                Refresh { database: &self.database, source, now: now.unwrap_or_default() };
            match refresh.index_all(suspects, &mut refreshed) {
                Err(cause) if !is_busy(&cause) => return Err(self.failed(cause)),
                Ok(()) | Err(_) => {}
            }
            self.end_write();
            let Refreshed { files_changed: changed, files_removed: removed, .. } = refreshed;
            tracing::debug!(changed, removed, ms = begun.elapsed().as_millis(), "index refreshed");
        }
        // Each begins with its path; folders are listed in no order.
        refreshed.warnings.sort_unstable();
        Ok(refreshed)
    }

    /// Finds the documents that answer a question best; any text is a question, unless it is raw.
    pub(crate) fn search(
        &self,
        question: &Question<'_>,
        classify: &Classify<'_>,
    ) -> Result<Vec<SearchHit>> {
        question.check()?;
        let _held = self.hold()?;
        search(&self.database.connection, question, classify).map_err(|cause| match question.raw {
            true if is_misspelt(&cause) => misspelt(question.text, &cause),
            true | false => self.failed(cause),
        })
    }

    /// Returns what a question that finds nothing was probably meant to be; nothing if it is spelt as the texts spell
    /// it.
    pub(crate) fn respelled(&self, question: &Question<'_>) -> Result<Option<String>> {
        self.ask(|connection| spelling::respelled(connection, question))
    }

    /// Returns the kinds of the files that a question could be narrowed to, none of them if there is no such file.
    pub(crate) fn kinds(&self, pattern: &str) -> Result<Vec<Option<String>>> {
        let sql = format!("SELECT DISTINCT kind FROM files WHERE {}", patterns::FITS);
        self.ask(|connection| {
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([patterns::list(pattern)], |row| row.get(0))?.collect()
        })
    }

    /// Returns the files that a question could be narrowed to.
    pub(crate) fn fitting(&self, pattern: &str) -> Result<Vec<String>> {
        let sql = format!("SELECT path FROM files WHERE {}", patterns::FITS);
        self.ask(|connection| {
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([patterns::list(pattern)], |row| row.get(0))?.collect()
        })
    }

    /// Returns the documents whose texts hold the most, and the rarest, of some terms.
    pub(crate) fn alike(&self, terms: &[&str], most: usize) -> Result<Vec<AlikeDocument>> {
        self.ask(|connection| alike(connection, terms, most))
    }

    /// Returns the documents of which the note says which others they stand for.
    pub(crate) fn replacing(&self) -> Result<Vec<KeptDocument>> {
        self.ask(successors::replacing)
    }

    pub(crate) fn counts(&self) -> Result<IndexCounts> {
        let sql = "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM documents),
            (SELECT count(*) FROM documents WHERE withheld)";
        self.ask(|connection| {
            connection.prepare_cached(sql)?.query_row([], |row| {
                let (files, withheld) = (number(row, 0)?, number(row, 2)?);
                Ok(IndexCounts { files, documents: number(row, 1)? - withheld, withheld })
            })
        })
    }

    /// Reads the whole database and says whether it is sound, and each part says what the others do.
    pub(crate) fn check(&self) -> Result<()> {
        self.ask(|_| self.database.check())
    }

    /// Asks the database while no process replaces it.
    fn ask<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let _held = self.hold()?;
        read(&self.database.connection).map_err(|cause| self.failed(cause))
    }

    /// Limits who may read the database to those who may read all of these files, as their texts are about to be
    /// written into it.
    fn narrow(&self, source: &dyn DocumentSource, suspects: &BTreeSet<String>) -> Result<()> {
        if self.lock.is_none() {
            return Ok(());
        }
        let mode = suspects.iter().fold(0o777, |mode, file| mode & source.mode(file));
        files::narrow(&self.path, mode)?;
        files::narrow(&self.path.with_suffix("-journal"), mode)
    }

    /// Records a write, unless another database has replaced this one.
    fn end_write(&self) {
        let Some(lock) = &self.lock else { return };
        if let Some(seen) = self.path.metadata().ok().filter(|seen| self.inode == Some(seen.inode))
        {
            lock.end_write(Stamp::of(seen));
        }
    }

    /// Records a write that a test made.
    #[cfg(test)]
    pub(super) fn record_write(&self) {
        self.lock.as_ref().expect("it is ours").begin_write().expect("it is written");
        self.end_write();
    }

    /// Keeps the database from being replaced, unless that has happened already.
    pub(super) fn hold(&self) -> Result<Option<HeldLock<'_>>> {
        let held = self.lock.as_ref().map(IndexLock::share).transpose()?;
        if self.is_in_place() { Ok(held) } else { Err(self.replaced()) }
    }

    fn replaced(&self) -> Error {
        let message = "the search index was replaced while it was open";
        Error::new(ErrorKind::IndexFailed, message).at(&self.path).hint("ask again")
    }

    pub(super) fn failed(&self, cause: rusqlite::Error) -> Error {
        // SQLite says so in many ways.
        match is_busy(&cause) || self.is_in_place() {
            true => failed(&self.path, cause),
            false => self.replaced(),
        }
    }
}
