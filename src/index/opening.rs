//! Opens the database of the index, and replaces one that cannot be used.

use super::database::{Database, VERSION};
use super::database_files::{
    inode_of, is_shut, make_empty, metadata_if_ours, would_be_rolled_back,
};
use super::failure::{failed, is_busy, is_out_of_reach};
use super::last_write::LastWrite;
use super::listing::Stamp;
use super::lock::IndexLock;
use super::origin::Origin;
use crate::disk::StorePath;
use crate::disk::folder::FileKind;
use crate::error::Result;

/// A database that was found or made.
#[derive(Debug)]
pub(super) struct OpenedDatabase {
    pub(super) database: Database,
    pub(super) origin: Origin,
    /// Which file it is, as another one may take its name.
    pub(super) inode: Option<i64>,
}

/// Opens the database, or makes a new one if there is none that is sound and whose digest fits.
pub(super) fn open_or_make(
    path: &StorePath,
    lock: &IndexLock,
    digest: Option<&str>,
    fits: impl Fn(&str) -> bool,
) -> Result<OpenedDatabase> {
    let last_write = lock.last_write()?;
    {
        let _held = lock.share()?;
        match connect(path, &last_write, &fits) {
            Ok(database) => {
                let inode = inode_of(path);
                return Ok(OpenedDatabase { database, origin: Origin::Found, inode });
            }
            Err(UnfitDatabase::Failed(cause)) => return Err(failed(path, cause)),
            Err(UnfitDatabase::Because(_)) => {}
        }
    }
    let _held = lock.alone()?;
    // Another process may have been faster.
    let (database, origin) = match connect(path, &lock.recorded(), &fits) {
        Ok(database) => (database, Origin::Found),
        Err(UnfitDatabase::Failed(cause)) => return Err(failed(path, cause)),
        Err(UnfitDatabase::Because(origin)) => {
            tracing::info!(why = origin.state(), "index rebuilt");
            make_empty(path)?;
            let database = Database::create(path, digest).map_err(|cause| failed(path, cause))?;
            if let Ok(seen) = path.metadata() {
                lock.end_write(Stamp::of(seen));
            }
            (database, origin)
        }
    };
    Ok(OpenedDatabase { database, origin, inode: inode_of(path) })
}

/// Tells why the next opening would not use the database; nothing if it would, or if there never was one.
pub(super) fn inspect(path: &StorePath) -> Result<Option<Origin>> {
    if !IndexLock::exists(path) {
        return Ok(None);
    }
    let Some(lock) = IndexLock::of(path)? else { return Ok(Some(Origin::Closed)) };
    let last_write = lock.last_write()?;
    let _held = lock.share()?;
    match connect(path, &last_write, |_| true) {
        // After a start of the system the next search rebuilds it; that is no fault.
        Ok(_) | Err(UnfitDatabase::Because(Origin::Restarted)) => Ok(None),
        Err(UnfitDatabase::Because(origin)) => Ok(Some(origin)),
        Err(UnfitDatabase::Failed(cause)) => Err(failed(path, cause)),
    }
}

enum UnfitDatabase {
    Because(Origin),
    /// A process that keeps the database keeps the lock too; and where the disk is at fault, a new one could not be written
    /// either.
    Failed(rusqlite::Error),
}

/// Connects to a database that is fit for use. One that this user may not open, as another user made it, can be
/// rebuilt if this user may remove it.
fn connect(
    path: &StorePath,
    last_write: &LastWrite,
    fits: impl Fn(&str) -> bool,
) -> std::result::Result<Database, UnfitDatabase> {
    check_files(path, last_write).map_err(UnfitDatabase::Because)?;
    let open = || -> rusqlite::Result<Option<Database>> {
        let database = Database::open(path)?;
        Ok((database.version()? == VERSION && fits(&database.digest()?)).then_some(database))
    };
    let database = open().map_err(|cause| match is_out_of_reach(&cause) {
        true if is_shut(path) => UnfitDatabase::Because(Origin::Shut),
        false if !is_busy(&cause) => UnfitDatabase::Because(Origin::Damaged),
        true | false => UnfitDatabase::Failed(cause),
    })?;
    database.ok_or(UnfitDatabase::Because(Origin::Outdated))
}

/// Makes sure that the last write was ours; otherwise SQLite should not even open the files.
fn check_files(path: &StorePath, last_write: &LastWrite) -> std::result::Result<(), Origin> {
    match path.metadata() {
        Ok(seen) if seen.kind == FileKind::Folder => return Err(Origin::Folder),
        Ok(_) => {}
        Err(_) => return Err(Origin::Created),
    }
    let seen = metadata_if_ours(path).ok_or(Origin::Damaged)?;
    match last_write.vouches_for(Stamp::of(seen)) {
        true if would_be_rolled_back(path) => Err(Origin::Damaged),
        true => Ok(()),
        false if is_shut(path) => Err(Origin::Shut),
        false if last_write.is_of_earlier_start() => Err(Origin::Restarted),
        false => Err(Origin::Changed),
    }
}
