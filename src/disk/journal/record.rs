//! What stands in a journal: a change, and the mark that it was carried out.

use serde::{Deserialize, Serialize};

use crate::disk::step::{Step, Trace};

/// A change that was committed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::disk) struct JournalRecord {
    pub(super) version: u32,
    /// The command that wrote it.
    pub(in crate::disk) verb: String,
    pub(in crate::disk) number: u64,
    /// The boot id at that time.
    pub(in crate::disk) boot: String,
    #[serde(default, skip_serializing_if = "Trace::is_kept")]
    pub(in crate::disk) trace: Trace,
    pub(in crate::disk) steps: Vec<Step>,
}

/// The mark that a record was carried out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::disk) struct DoneMark {
    /// The number of the record.
    pub(in crate::disk) done: u64,
    /// The boot id at that time.
    pub(in crate::disk) boot: String,
    /// By the clock of the file system, in nanoseconds since 1970.
    pub(in crate::disk) at: i64,
}

/// A record that recovery has to check.
#[derive(Debug)]
pub(in crate::disk) struct OpenRecord {
    pub(in crate::disk) record: JournalRecord,
    /// The mark that it was carried out, in an earlier boot.
    pub(in crate::disk) done: Option<DoneMark>,
}
