//! Opens the database of the index, and replaces one that cannot be used.
//!
//! SQLite takes a path and no folder that is held. It refuses a path with a link in it, but looks before it
//! opens: an attacker who swaps `state/` for a link in between only gets a database of what the store says anyway.

use std::cell::Cell;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Row};

use super::Index;
use super::connection::{configure, digest_in, prepare_to_read, prepare_to_write};
use super::failure::{failed, is_busy, is_out_of_reach};
use super::gate::{Gate, Seal};
use super::listing::Stamp;
use super::origin::Origin;
use crate::disk::folder::{Access, Kind, Seen};
use crate::disk::store_folder::make_room;
use crate::disk::{Spot, files};
use crate::error::Result;

/// To be raised whenever the tables below, or what stands in them, change.
const VERSION: i32 = 18;

/// What SQLite adds to the name of the database, for that itself and the files beside it; an older
/// version kept a write-ahead log.
const SUFFIXES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// How long one process waits for another.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The number of a file is never used again, so that a pending removal cannot hit another file. Texts are stored
/// apart from their places, as a new line at the top of a file moves every section in it. Texts are cut into terms
/// before they are written: the tokenizer only splits them at blanks, and with marks (`Mn`, `Mc`) it does not split
/// a word of Hindi or Thai at each of its vowels. New words are sorted in 8 MiB of memory; with the 1 MiB that is
/// the default of FTS5, merging takes a quarter of its time.
const SCHEMA: &str = "
BEGIN;
CREATE TABLE settings(digest TEXT NOT NULL);
CREATE TABLE files(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, category TEXT,
  size INTEGER NOT NULL, modified INTEGER NOT NULL, changed INTEGER NOT NULL, inode INTEGER NOT NULL,
  seen INTEGER NOT NULL, hash TEXT NOT NULL, problem TEXT);
CREATE TABLE sections(
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, line INTEGER NOT NULL, key BLOB NOT NULL,
  section_id TEXT, heading TEXT NOT NULL, hash TEXT NOT NULL,
  archived INTEGER NOT NULL, withheld INTEGER NOT NULL, sources TEXT NOT NULL,
  day TEXT);
CREATE INDEX sections_of_file ON sections(file);
CREATE INDEX archived_sections ON sections(id) WHERE archived;
CREATE INDEX withheld_sections ON sections(id) WHERE withheld;
CREATE TABLE bodies(id INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE VIRTUAL TABLE words USING fts5(
  heading, names, body, parts, before, after,
  content='', contentless_delete=1,
  tokenize='unicode61 remove_diacritics 0 categories ''L* N* Co Mn Mc''');
INSERT INTO words(words, rank) VALUES('hashsize', 8388608);
";

/// Opens the database, or makes a new one if there is none that was made under the settings with this digest.
///
/// A process that has the old one open uses it until it notices.
///
/// Without a digest, as where there is no key to sign it with, no existing database is used.
pub(super) fn open(path: &Spot, digest: Option<&str>) -> Result<Index> {
    open_or_make(path, digest, |known| digest == Some(known))
}

/// Replaces the database with a new one.
pub(super) fn make(path: &Spot, digest: Option<&str>) -> Result<Index> {
    open_or_make(path, digest, |_| false)
}

fn open_or_make(path: &Spot, digest: Option<&str>, fits: impl Fn(&str) -> bool) -> Result<Index> {
    let (path, gate) = (path.clone(), Gate::of(path)?);
    let (connection, origin, file) = match &gate {
        Some(gate) => find(&path, gate, digest, fits)?,
        None => {
            let connection = in_memory(digest).map_err(|cause| failed(&path, cause))?;
            (connection, Origin::Closed, None)
        }
    };
    let (is_writable, is_outdated) = (Cell::new(false), Cell::new(false));
    let digest = digest.map(str::to_owned);
    Ok(Index { path, connection, origin, file, gate, digest, is_writable, is_outdated })
}

/// Makes a database in memory, where a store may be read and not written.
fn in_memory(digest: Option<&str>) -> rusqlite::Result<Connection> {
    let connection = Connection::open_in_memory()?;
    configure(&connection)?;
    lay_out(&connection, digest)?;
    Ok(connection)
}

/// Makes the tables. The digest is written with them: a database without one would not be signed.
fn lay_out(connection: &Connection, digest: Option<&str>) -> rusqlite::Result<()> {
    connection.execute_batch(SCHEMA)?;
    connection.execute("INSERT INTO settings VALUES (?1)", [digest.unwrap_or_default()])?;
    connection.execute_batch(&format!("PRAGMA user_version = {VERSION}; COMMIT"))
}

fn find(
    path: &Spot,
    gate: &Gate,
    digest: Option<&str>,
    fits: impl Fn(&str) -> bool,
) -> Result<(Connection, Origin, Option<i64>)> {
    let seal = gate.read_seal();
    {
        let _held = gate.share()?;
        match connect(path, gate, &seal, &fits) {
            Ok(connection) => return Ok((connection, Origin::Found, number_of(path))),
            // The process that keeps the database keeps the gate too, and the timeout is over.
            Err(Unfit::Busy(cause)) => return Err(failed(path, cause)),
            Err(Unfit::Because(_) | Unfit::OutOfReach(_)) => {}
        }
    }
    let _held = gate.close()?;
    // Another process may have been faster.
    let seal = gate.read_closed();
    let (connection, origin) = match connect(path, gate, &seal, &fits) {
        Ok(connection) => (connection, Origin::Found),
        Err(Unfit::Busy(cause) | Unfit::OutOfReach(cause)) => return Err(failed(path, cause)),
        Err(Unfit::Because(origin)) => {
            let connection = create(path, digest)?;
            gate.trust();
            if let Ok(seen) = path.look() {
                gate.seal(Stamp::of(seen));
            }
            (connection, origin)
        }
    };
    Ok((connection, origin, number_of(path)))
}

/// Tells why the next opening would not use the database; nothing if it would, or if there never was one.
pub(super) fn look(path: &Spot) -> Result<Option<Origin>> {
    if !Gate::exists(path) {
        return Ok(None);
    }
    let Some(gate) = Gate::of(path)? else { return Ok(Some(Origin::Closed)) };
    let seal = gate.read_seal();
    let _held = gate.share()?;
    match connect(path, &gate, &seal, |_| true) {
        Ok(_) => Ok(None),
        // After a start of the system the next search rebuilds it; that is no fault.
        Err(Unfit::Because(Origin::Restarted)) => Ok(None),
        Err(Unfit::Because(origin)) => Ok(Some(origin)),
        Err(Unfit::Busy(cause) | Unfit::OutOfReach(cause)) => Err(failed(path, cause)),
    }
}

/// Reads a count, which a signed column holds.
pub(super) fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<usize> {
    let number: i64 = row.get(column)?;
    usize::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

pub(super) fn number_of(path: &Spot) -> Option<i64> {
    path.look().ok().map(|seen| seen.inode)
}

enum Unfit {
    Because(Origin),
    Busy(rusqlite::Error),
    /// A new one could not be written either.
    OutOfReach(rusqlite::Error),
}

impl From<rusqlite::Error> for Unfit {
    fn from(cause: rusqlite::Error) -> Self {
        match is_busy(&cause) {
            true => Self::Busy(cause),
            false if is_out_of_reach(&cause) => Self::OutOfReach(cause),
            false => Self::Because(Origin::Damaged),
        }
    }
}

/// Connects to a database that is fit for use. One that this user may not open, as another user made it, can be
/// rebuilt if this user may remove it.
fn connect(
    path: &Spot,
    gate: &Gate,
    seal: &Seal,
    fits: impl Fn(&str) -> bool,
) -> std::result::Result<Connection, Unfit> {
    match try_to_connect(path, gate, seal, fits) {
        Err(Unfit::OutOfReach(_)) if is_shut(path) => Err(Unfit::Because(Origin::Shut)),
        connected => connected,
    }
}

fn is_shut(path: &Spot) -> bool {
    let is_forbidden = |error: io::Error| error.kind() == io::ErrorKind::PermissionDenied;
    SUFFIXES
        .iter()
        .any(|suffix| path.with_suffix(suffix).open(Access::Read).is_err_and(is_forbidden))
}

fn try_to_connect(
    path: &Spot,
    gate: &Gate,
    seal: &Seal,
    fits: impl Fn(&str) -> bool,
) -> std::result::Result<Connection, Unfit> {
    match path.look() {
        Ok(seen) if seen.kind == Kind::Folder => return Err(Unfit::Because(Origin::Folder)),
        Ok(_) => {}
        Err(_) => return Err(Unfit::Because(Origin::Created)),
    }
    let database = look_at_ours(path).ok_or(Unfit::Because(Origin::Damaged))?;
    let vouched = seal.vouches_for(Stamp::of(database));
    if vouched == Some(false) {
        return Err(Unfit::Because(match seal.is_of_earlier_start() {
            _ if is_shut(path) => Origin::Shut,
            true => Origin::Restarted,
            false => Origin::Unsealed,
        }));
    }
    if would_be_rolled_back(path, vouched.is_none()) {
        return Err(Unfit::Because(Origin::Damaged));
    }
    let connection = Connection::open_with_flags(real_path(path), flags())?;
    prepare_to_read(&connection)?;
    let version: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version != VERSION {
        return Err(Unfit::Because(Origin::Outdated));
    }
    if !fits(&digest_in(&connection)?) {
        return Err(Unfit::Because(Origin::Outdated));
    }
    if vouched == Some(true) {
        gate.trust();
    }
    Ok(connection)
}

/// Looks at a database; nothing unless it and the files beside it are only ours. SQLite writes to the files as they lie
/// there: it destroys a database that has two names, and a file that never was ours.
pub(super) fn look_at_ours(path: &Spot) -> Option<Seen> {
    let seen = look_at_all(path);
    let is_ours = |seen: &Seen| seen.kind == Kind::File && !seen.is_linked;
    seen[0].filter(|_| seen.iter().flatten().all(is_ours))
}

/// Tells whether SQLite would write pages from a file beside the database into it, which may have come with a commit. Only
/// a process that writes at this moment has such a journal, and none a write-ahead log.
pub(super) fn would_be_rolled_back(path: &Spot, may_be_in_use: bool) -> bool {
    let is_there = |suffix: &str| files::exists(&path.with_suffix(suffix));
    // The journal stays, and begins with a zero once its change is whole.
    let is_hot = || {
        let begin = files::read_between(&path.with_suffix("-journal"), 0, 1);
        // One that cannot be read is not read by SQLite either.
        begin.is_ok_and(|begin| begin.first().is_some_and(|first| *first != 0))
    };
    is_there("-wal") || is_there("-shm") || (!may_be_in_use && is_hot())
}

/// Looks at the database and the files beside it; their folder is opened once for all of them.
fn look_at_all(path: &Spot) -> [Option<Seen>; SUFFIXES.len()] {
    let folder = path.ancestors().nth(1).and_then(|folder| folder.enter().ok());
    let spot = folder.zip(path.file_name()).map(|(folder, name)| folder.spot(name));
    SUFFIXES.map(|suffix| spot.as_ref()?.with_suffix(suffix).look().ok())
}

fn create(path: &Spot, digest: Option<&str>) -> Result<Connection> {
    for suffix in SUFFIXES {
        make_room(&path.with_suffix(suffix))?;
    }
    // SQLite would make it writable for this user only, whatever the umask of a group that shares the store.
    files::open_shared(path)?;
    let make = || {
        let flags = flags() | OpenFlags::SQLITE_OPEN_CREATE;
        let connection = Connection::open_with_flags(real_path(path), flags)?;
        prepare_to_read(&connection)?;
        prepare_to_write(&connection)?;
        lay_out(&connection, digest)?;
        Ok(connection)
    };
    make().map_err(|cause| failed(path, cause))
}

fn flags() -> OpenFlags {
    OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_NOFOLLOW
}

/// Returns the path for SQLite, which refuses links above the store as well.
fn real_path(path: &Spot) -> PathBuf {
    match path.folder().real_path() {
        Ok(folder) => folder.join(path.relative()),
        Err(_) => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests;
