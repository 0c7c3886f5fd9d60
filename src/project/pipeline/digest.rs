//! What a person approves of a change: the result of each operation, whatever else stands in the files.

use serde::Serialize;

use super::planned_file::{PlannedFile, WeakerSource};
use crate::contract::ContentHash;
use crate::project::edit::OperationResult;
use crate::project::request::MemoryPath;

/// What a person approves.
#[derive(Debug)]
pub(super) enum Approvable {
    Operations {
        results: Vec<PlannedResult>,
        /// Evidence that was stronger is nothing that surrounds an addition: it would be lost.
        weakened: Vec<WeakerSource>,
    },
    /// The files as a whole: a person's text replaces all of a file, with what others wrote there since.
    Files,
}

/// What one operation writes, and where.
///
/// The evidence that it writes is a part of it, with the blob of each cited file: what a person approved was read in that
/// version. It is the blob of the day of the proposal, so that a later change of the cited file makes no other text of
/// it. The title of a new file is none: it follows from the path, and another addition may have begun the file.
#[derive(Debug, Serialize)]
pub(super) struct PlannedResult {
    pub(super) file: MemoryPath,
    /// Where the text goes that it takes away.
    pub(super) archive: Option<MemoryPath>,
    pub(super) result: OperationResult,
}

/// A file as a whole, before and after.
#[derive(Serialize)]
struct WholeFile<'a> {
    file: &'a MemoryPath,
    /// What goes counts too: the same new text over another old one is another decision.
    before: Option<&'a ContentHash>,
    after: &'a ContentHash,
}

impl Approvable {
    /// Returns the hash of all that a person approves of a plan for these files.
    pub(super) fn digest(&self, files: &[PlannedFile]) -> ContentHash {
        let json = match self {
            Self::Operations { results, weakened } => serde_json::to_vec(&(results, weakened)),
            Self::Files => serde_json::to_vec(&files.iter().map(whole).collect::<Vec<_>>()),
        };
        ContentHash::of(&json.expect("a plan is plain data"))
    }
}

fn whole(file: &PlannedFile) -> WholeFile<'_> {
    WholeFile { file: &file.path, before: file.before_hash(), after: file.after_hash() }
}
