//! Remembers which sessions were reminded, without the lock and in a small file.

use super::layout::Layout;
use crate::contract::ContentHash;
use crate::disk::files;
use crate::error::Result;

/// Bytes after which the file starts again.
const LIMIT: usize = 4_096;

/// Tells whether a session is reminded for the first time, and remembers it.
///
/// Two processes may overwrite each other: then one session is reminded once more.
pub(crate) fn is_first_reminder(layout: &Layout, session: &str) -> Result<bool> {
    let place = layout.reminded();
    let known = files::read_short(&place)?.unwrap_or_default();
    let key = ContentHash::of(session.as_bytes()).to_string();
    if known.split(|byte| *byte == b'\n').any(|line| line == key.as_bytes()) {
        return Ok(false);
    }
    let offset = if known.len() < LIMIT { known.len() as u64 } else { 0 };
    files::write_at(&place, offset, format!("{key}\n").as_bytes())?;
    Ok(true)
}
