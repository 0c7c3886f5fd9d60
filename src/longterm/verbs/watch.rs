//! Tells what was changed, without any text of a memory.

use serde_json::Value;

use super::session::LongtermSession;
use crate::error::Result;

/// Events that are read at one time.
const PAGE: usize = 500;

/// Returns the events after a number, oldest first, and the number of the last; at most a page of them.
pub fn events_after(session: &LongtermSession, number: u64) -> Result<(Vec<Value>, u64)> {
    let events = session.read(|view| view.events_after(number, PAGE))?;
    let last = events.last().map_or(number, |(last, _)| *last);
    Ok((events.into_iter().map(|(_, event)| event).collect(), last))
}
