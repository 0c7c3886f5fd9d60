//! Tells the last failure of a hook or server.

use super::report::DoctorReport;
use crate::contract::Moment;
use crate::error::Result;
use crate::project::store::{Layout, last_error};
use crate::text::span;

/// How a person learns more, and what removes the note.
const MORE: &str = "run it again with `AGENT_MEMORY_LOG=debug` in its environment to see what it does; \
    `agent-memory doctor --fix` removes this note";

pub(super) fn tell_failure(layout: &Layout, now: Moment, report: &mut DoctorReport) -> Result<()> {
    if let Some(failure) = last_error(layout)? {
        let ago = span(now.seconds_since(failure.time).max(0));
        report.warn("disk", format!("{ago} ago there was a failure: {}", failure.said), MORE);
    }
    Ok(())
}
