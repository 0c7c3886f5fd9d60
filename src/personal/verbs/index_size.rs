//! How many entries there are and how full the index is, and when that is too much or worth a word.

use crate::personal::entry_file::Dialect;
use crate::personal::index_file::sizes;
use crate::personal::request::{EntryReason, EntryRefusal, IndexSize};
use crate::personal::settings::PersonalSettings;

const MAKE_ROOM: &str = "replace an old entry, or delete what is no longer needed";

pub(super) fn size_of(index: &str, settings: &PersonalSettings) -> IndexSize {
    let (lines, bytes) = sizes(index);
    IndexSize { lines, bytes, max_lines: settings.limits.lines, max_bytes: settings.limits.bytes }
}

/// Warns from 80 % on: Claude Code does not load what is beyond the limits.
pub(super) fn warning(size: IndexSize) -> Option<String> {
    let said = near_limits(size)?;
    Some(format!("{said}: join entries, or delete what is no longer needed"))
}

/// Says how full the index is, from 80 % on.
pub(super) fn near_limits(size: IndexSize) -> Option<String> {
    let IndexSize { lines, bytes, max_lines, max_bytes } = size;
    let is_near = lines * 5 >= max_lines * 4 || bytes * 5 >= max_bytes * 4;
    is_near.then(|| {
        format!("the index has {lines} of {max_lines} lines and {bytes} of {max_bytes} bytes")
    })
}

/// Refuses one more entry where there are as many as the settings allow.
pub(super) fn refuse_many(
    names: &[String],
    settings: &PersonalSettings,
) -> Result<(), Box<EntryRefusal>> {
    let most = settings.limits.entries;
    if names.len() < most {
        return Ok(());
    }
    let message = format!("there are {} entries, allowed are {most}", names.len());
    Err(EntryRefusal::new(EntryReason::LimitExceeded, message, MAKE_ROOM))
}

/// Refuses a new entry whose line Claude Code would cut off.
pub(super) fn refuse_full(
    before: &str,
    after: &str,
    settings: &PersonalSettings,
) -> Result<(), Box<EntryRefusal>> {
    let (old, new) = (size_of(before, settings), size_of(after, settings));
    let grows = new.lines > old.lines || new.bytes > old.bytes;
    let is_full = new.lines > new.max_lines || new.bytes > new.max_bytes;
    if settings.dialect != Dialect::Claude || !grows || !is_full {
        return Ok(());
    }
    let message = format!(
        "the index would have {} lines and {} bytes, of which Claude Code reads {} and {}",
        new.lines, new.bytes, new.max_lines, new.max_bytes
    );
    Err(EntryRefusal::new(EntryReason::LimitExceeded, message, MAKE_ROOM))
}
