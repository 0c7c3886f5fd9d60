//! Tells whether the last write to the database was ours, by the metadata that it left.

use super::listing::Stamp;
use crate::disk::boot_id;

/// Bytes of a record.
pub(super) const LENGTH: usize = 121;

/// Overwrites the beginning of a record before the database is written to.
pub(super) const BROKEN: &[u8] = b"\n";

/// What is recorded of the last write; broken while a process writes, after it died, or if there never was one.
///
/// If the metadata of the database differs, another program wrote there, such as a commit that brings a database. If
/// the system was started since, a power cut may have lost pages that were not synced. Then it is not opened, but
/// rebuilt.
#[derive(Debug)]
pub(super) struct LastWrite(pub(super) [u8; LENGTH]);

impl LastWrite {
    /// Tells whether only we wrote to a database with this metadata.
    pub(super) fn vouches_for(&self, database: Stamp) -> bool {
        self.0 == record(database).as_bytes()
    }

    pub(super) fn is_broken(&self) -> bool {
        self.0.starts_with(BROKEN)
    }

    /// Tells whether it was before the system was started.
    pub(super) fn is_of_earlier_start(&self) -> bool {
        !self.is_broken() && !self.0.ends_with(format!("{:>36.36}\n", boot_id()).as_bytes())
    }
}

pub(super) fn record(database: Stamp) -> String {
    let Stamp { size, modified, changed, inode } = database;
    let boot = boot_id();
    format!("{size:>20} {modified:>20} {changed:>20} {inode:>20} {boot:>36.36}\n")
}
