//! Finds sections by their words, in a derived database that follows the Markdown files.
//!
//! [`Index::refresh`] brings the database up to date with the files, [`Index::search`] asks it. The
//! Markdown is the truth: the database may be deleted at any time, even while it is in use.

mod candidates;
mod connection;
mod database;
mod dates;
mod drafts;
mod entries;
mod failure;
mod flaws;
mod forms;
mod gate;
mod identifiers;
mod listing;
mod origin;
mod patterns;
mod porter;
mod query;
mod rank;
mod records;
mod refresh;
mod search;
mod sections;
mod snippet;
mod sources;
mod spelling;
mod words;

use std::cell::Cell;

use gate::{Gate, Held};
use listing::Stamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

use crate::disk::folder::Seen;
use crate::disk::key::{Key, Purpose};
use crate::disk::{Folder, Spot, files};
use crate::error::{Error, ErrorKind, Result};
use crate::project::schema::Catalog;
use crate::secrets::Scanner;

pub(crate) use flaws::Part;
pub(crate) use origin::Origin;
pub use query::{Order, Query, Weights};
pub(crate) use refresh::Refreshed;
pub(crate) use search::{Hit, Judge, RECENT};

/// Returns the version of SQLite that is built in.
pub fn sqlite_version() -> &'static str {
    rusqlite::version()
}

/// The search index of a store; derived, may be deleted at any time.
#[derive(Debug)]
pub struct Index {
    path: Spot,
    connection: Connection,
    origin: Origin,
    /// Which file it is, as another one may take its name.
    file: Option<i64>,
    /// None where the database is in memory.
    gate: Option<Gate>,
    /// The digest of the settings that it was made under; empty if there was no key. Other settings need another
    /// file.
    digest: Option<String>,
    is_writable: Cell<bool>,
    /// Whether it is to be rebuilt, as it holds what it should not.
    is_outdated: Cell<bool>,
}

/// What the index is made from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The store, i.e. `.agent-memory/`.
    pub root: &'a Folder,
    /// Knows which category a file belongs to.
    pub catalog: &'a Catalog,
    /// Finds what may not be in the index.
    pub scanner: &'a Scanner,
    /// Signs the index, so that none that came with a repository is believed.
    pub key: &'a Key,
}

/// How much the index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Markdown files.
    pub files: usize,
    /// Sections that can be found.
    pub sections: usize,
    /// Sections with a secret in them, which cannot be found.
    pub withheld: usize,
}

impl Index {
    /// Opens the index of a store; makes an empty one if there is none or none that is fit for use.
    pub fn open(path: &Spot, source: &Source<'_>) -> Result<Self> {
        database::open(path, source.digest().as_deref())
    }

    /// Opens the index again after an error: an empty one, unless another process was faster.
    pub fn renew(self, source: &Source<'_>) -> Result<Self> {
        let (path, file) = (self.path.clone(), self.file);
        // Some systems remove no file that is open.
        drop(self);
        match file == database::number_of(&path) {
            true => Ok(Self { origin: Origin::Damaged, ..Self::rebuild_at(&path, source)? }),
            false => Self::open(&path, source),
        }
    }

    /// Replaces the index with an empty one, whichever user made it; where this user may not, in memory.
    pub fn rebuild_at(path: &Spot, source: &Source<'_>) -> Result<Self> {
        match Gate::take_over(path) {
            Err(error) if !error.is_forbidden() => Err(error),
            Ok(()) | Err(_) => database::make(path, source.digest().as_deref()),
        }
    }

    /// Tells why the next opening would not use the index; nothing if it would, or if there never was one.
    pub fn look(path: &Spot) -> Result<Option<Origin>> {
        database::look(path)
    }

    /// Tells whether the file that was opened still has its name: it may have been deleted.
    pub fn is_in_place(&self) -> bool {
        let is_there = || self.file.is_some() && self.file == database::number_of(&self.path);
        self.gate.is_none() || is_there()
    }

    /// Tells whether opening the database at a path would lead to the same one, and find nothing wrong: it may have
    /// been deleted, replaced or written to since it was opened.
    pub fn is_what_opens(&self, path: &Spot) -> bool {
        let Some(gate) = self.gate.as_ref().filter(|_| !self.is_outdated.get()) else {
            return false;
        };
        let is_same = |seen: Seen| self.file == Some(seen.inode) && **path == *self.path;
        let Some(seen) = database::look_at_ours(path).filter(|seen| is_same(*seen)) else {
            return false;
        };
        // The folder that is held may have been moved, and what was in it put back.
        let is_safe = self.is_in_place() && gate.is_at(path);
        let is_sound = is_safe
            && gate.read_seal().vouches_for(Stamp::of(seen)) == Some(true)
            && !database::would_be_rolled_back(path, false);
        if is_sound {
            gate.trust();
        }
        is_sound
    }

    pub(crate) fn origin(&self) -> Origin {
        self.origin
    }

    /// Tells whether it is on disk; where this user may not write it is in memory.
    pub fn is_kept(&self) -> bool {
        self.gate.is_some()
    }

    /// Brings the index up to date with all files of the store.
    pub fn refresh(&mut self, source: &Source<'_>) -> Result<Refreshed> {
        self.follow(source, refresh::refresh)
    }

    /// Brings the index up to date with a few files; takes no longer in a large store.
    pub fn refresh_files(&mut self, source: &Source<'_>, paths: &[String]) -> Result<Refreshed> {
        self.follow(source, |index, source| refresh::refresh_files(index, source, paths))
    }

    fn follow(
        &mut self,
        source: &Source<'_>,
        refresh: impl Fn(&Self, &Source<'_>) -> Result<Refreshed>,
    ) -> Result<Refreshed> {
        let refreshed = self.follow_once(source, &refresh)?;
        if !self.is_outdated.get() {
            return Ok(refreshed);
        }
        match self.follow_once(source, &refresh) {
            // What is withheld is not found any more; the next process that opens it rebuilds it.
            Err(error) if error.kind() == ErrorKind::LockHeld => Ok(refreshed),
            followed => followed,
        }
    }

    fn follow_once(
        &mut self,
        source: &Source<'_>,
        refresh: &impl Fn(&Self, &Source<'_>) -> Result<Refreshed>,
    ) -> Result<Refreshed> {
        self.settle_settings(source)?;
        let _held = self.hold()?;
        let mut refreshed = refresh(self, source)?;
        // Each begins with its path; folders are listed in no order.
        refreshed.warnings.sort_unstable();
        self.seal();
        Ok(refreshed)
    }

    /// Finds the sections that answer a question best; any text is a question, unless it is raw.
    pub fn search(&self, query: &Query<'_>, judge: &Judge<'_>) -> Result<Vec<Hit>> {
        query.check()?;
        let _held = self.hold()?;
        search::search(&self.connection, query, judge).map_err(|cause| match query.raw {
            true if failure::is_misspelt(&cause) => query::misspelt(query.text, &cause),
            true | false => self.failed(cause),
        })
    }

    /// Returns what a question that finds nothing was probably meant to be; nothing if it is
    /// spelt as the store spells it.
    pub fn respelled(&self, query: &Query<'_>) -> Result<Option<String>> {
        let _held = self.hold()?;
        spelling::respelled(&self.connection, query).map_err(|cause| self.failed(cause))
    }

    /// Returns the categories of the files that a question could be narrowed to, none of them if there is no such file.
    pub fn categories(&self, pattern: &str) -> Result<Vec<Option<String>>> {
        let _held = self.hold()?;
        let sql = format!("SELECT DISTINCT category FROM files WHERE {}", patterns::FITS);
        let read = || -> rusqlite::Result<_> {
            let mut statement = self.connection.prepare(&sql)?;
            statement.query_map([patterns::list(pattern)], |row| row.get(0))?.collect()
        };
        read().map_err(|cause| self.failed(cause))
    }

    pub(crate) fn counts(&self) -> Result<Counts> {
        let _held = self.hold()?;
        let sql = "SELECT (SELECT count(*) FROM files),
            count(*) FILTER (WHERE NOT withheld), count(*) FILTER (WHERE withheld) FROM sections";
        let read = |row: &rusqlite::Row<'_>| {
            Ok(Counts {
                files: database::number(row, 0)?,
                sections: database::number(row, 1)?,
                withheld: database::number(row, 2)?,
            })
        };
        self.connection.query_row(sql, [], read).map_err(|cause| self.failed(cause))
    }

    pub(crate) fn withheld(&self) -> Result<usize> {
        let _held = self.hold()?;
        let sql = "SELECT count(*) FROM sections WHERE withheld";
        let count = |row: &rusqlite::Row<'_>| database::number(row, 0);
        self.connection
            .prepare_cached(sql)
            .and_then(|mut query| query.query_row([], count))
            .map_err(|cause| self.failed(cause))
    }

    /// Reads the whole database and says whether it is sound, and each part says what the others do.
    pub fn check(&self) -> Result<()> {
        let _held = self.hold()?;
        match connection::find_fault(&self.connection).map_err(|cause| self.failed(cause))? {
            None => Ok(()),
            fault @ Some(_) => {
                let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
                Err(self.failed(rusqlite::Error::SqliteFailure(code, fault)))
            }
        }
    }

    /// Limits who may read the database to those who may read all of these files, as their texts are about to be
    /// written into it.
    fn narrow(&self, source: &Source<'_>, paths: &[String]) -> Result<()> {
        if self.gate.is_none() {
            return Ok(());
        }
        let mode =
            paths.iter().fold(0o777, |mode, path| mode & files::mode(&source.root.spot(path)));
        files::narrow(&self.path, mode)?;
        files::narrow(&self.path.with_suffix("-journal"), mode)
    }

    /// Seals the database after a write, unless another one has replaced it.
    fn seal(&self) {
        let Some(gate) = self.gate.as_ref().filter(|gate| gate.is_to_be_sealed()) else { return };
        if let Some(seen) = self.path.look().ok().filter(|seen| self.file == Some(seen.inode)) {
            gate.seal(Stamp::of(seen));
        }
    }

    /// Seals it as after a write of ours.
    #[cfg(test)]
    pub(super) fn seal_again(&self) {
        self.gate.as_ref().expect("it is ours").unseal().expect("it is written");
        self.seal();
    }

    /// Keeps the database from being replaced, unless that has happened already.
    fn hold(&self) -> Result<Option<Held<'_>>> {
        let held = self.gate.as_ref().map(Gate::share).transpose()?;
        if self.is_in_place() { Ok(held) } else { Err(self.replaced()) }
    }

    /// Opens a new index if this one was made under other settings, or a secret was found in what it holds: what is
    /// withheld must not even remain in a free page of the file.
    fn settle_settings(&mut self, source: &Source<'_>) -> Result<()> {
        let digest = source.digest();
        if self.is_outdated.get() || self.digest != digest {
            *self = database::open(&self.path, digest.as_deref())?;
        }
        Ok(())
    }

    /// Begins to change the database; other processes cannot until the end.
    fn begin(&self) -> rusqlite::Result<Transaction<'_>> {
        // SQLite compiles each `PRAGMA` again.
        if !self.is_writable.get() {
            connection::prepare_to_write(&self.connection)?;
            self.is_writable.set(true);
        }
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
    }

    fn replaced(&self) -> Error {
        let message = "the search index was replaced while it was open";
        Error::new(ErrorKind::IndexFailed, message).at(&self.path).hint("ask again")
    }

    fn failed(&self, cause: rusqlite::Error) -> crate::error::Error {
        // SQLite says so in many ways.
        match failure::is_busy(&cause) || self.is_in_place() {
            true => failure::failed(&self.path, cause),
            false => self.replaced(),
        }
    }
}

impl Source<'_> {
    /// Names all besides the files that the contents of the index depend on, signed with the key of this machine;
    /// nothing where there is none.
    fn digest(&self) -> Option<String> {
        let categories = self.catalog.categories().iter();
        let owners: Vec<_> = categories.map(|each| (&each.name, &each.path, each.log)).collect();
        let all = format!("{} {:?} {owners:?}", env!("CARGO_PKG_VERSION"), self.scanner);
        self.key.is_known().then(|| self.key.sign(Purpose::INDEX, all.as_bytes()))
    }
}

pub(crate) fn memory_files(root: &Folder) -> Result<Vec<String>> {
    Ok(listing::list(root)?.files.into_iter().map(|(path, _)| path).collect())
}

#[cfg(test)]
mod tests;
