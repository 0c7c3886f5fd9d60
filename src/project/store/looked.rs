//! Remembers up to where in the log a person has looked at what was applied without review.

use super::layout::Layout;
use crate::contract::Moment;
use crate::disk::files;
use crate::error::Result;

/// How far a person has looked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Looked {
    /// Bytes of the log that were there.
    pub(crate) mark: u64,
    pub(crate) time: Moment,
}

/// Reads how far a person has looked; none if no person has, or the log was cut off since. A program that runs as the same
/// user can write this: it decides nothing, and `log` shows all.
pub(crate) fn looked(layout: &Layout) -> Result<Option<Looked>> {
    let bytes = files::read_short(&layout.looked())?.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let read = text.lines().next().and_then(|line| {
        let (mark, time) = line.split_once(' ')?;
        Some(Looked { mark: mark.parse().ok()?, time: Moment::parse(time)? })
    });
    let end = layout.signed_log().length()?;
    Ok(read.filter(|looked| looked.mark <= end))
}

/// Every mark has the same length, so that a new one covers the old.
pub(crate) fn note_looked(layout: &Layout, looked: Looked) -> Result<()> {
    let line = format!("{:020} {}\n", looked.mark, looked.time);
    files::write_at(&layout.looked(), 0, line.as_bytes())
}
