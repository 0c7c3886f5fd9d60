//! Remembers where the log ended when the last session began, in `state/session`, without the lock.

use serde_json::Value;

use super::person_folder::PersonFolder;
use crate::disk::files;
use crate::error::Result;

/// Reads the changes since the last session began, newest first, and remembers that one begins now. None before the first, or
/// where the mark cannot be read.
///
/// Two processes may overwrite each other: then a change is told twice, or once.
pub(crate) fn changes_at_session_start(folder: &PersonFolder) -> Result<Vec<Value>> {
    let (place, log) = (folder.state().join("session"), folder.signed_log());
    let mark = files::read_text(&place)?.and_then(|text| text.trim().parse().ok());
    let now = format!("{}\n", log.length()?);
    files::renew(&place, |before| before == now.as_bytes(), &now)?;
    mark.map_or(Ok(Vec::new()), |mark| log.read_since(mark))
}
