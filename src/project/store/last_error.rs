//! Keeps the last failure of a hook or of the server of agents, on one line: no person reads what they print.

use super::layout::Layout;
use crate::contract::{Moment, hex};
use crate::disk::{files, random};
use crate::error::Result;
use crate::secrets::shown_name;
use crate::text::within_bytes;

/// Bytes of the line at most, without its time.
const LINE: usize = 1_000;

/// What failed, when, and why.
#[derive(Debug, Clone)]
pub(crate) struct LastError {
    pub(crate) time: Moment,
    pub(crate) said: String,
}

/// Replaces the line as a whole, without the lock: of two failures at the same moment one is kept.
pub(crate) fn note_error(layout: &Layout, failure: &LastError) -> Result<()> {
    let said = shown_name(&failure.said);
    let line = format!("{} {}\n", failure.time, within_bytes(&said, LINE));
    let temp = layout.temporary().join(format!("last-error.{}", hex(&random::<4>()?)));
    drop(files::write(&temp, line.as_bytes())?);
    files::narrow(&temp, 0o600)?;
    files::rename(&temp, &layout.last_error())
}

/// Returns the last failure. Whatever else stands in the file is none.
pub(crate) fn last_error(layout: &Layout) -> Result<Option<LastError>> {
    let Some(bytes) = files::read_short(&layout.last_error())? else { return Ok(None) };
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().next().and_then(|line| {
        let (time, said) = line.split_once(' ')?;
        Some(LastError { time: Moment::parse(time)?, said: said.chars().take(LINE).collect() })
    }))
}

/// Removes the line; tells whether there was one.
pub(crate) fn forget_error(layout: &Layout) -> Result<bool> {
    let place = layout.last_error();
    let was_there = files::exists(&place);
    files::remove_plain(&place)?;
    Ok(was_there)
}
