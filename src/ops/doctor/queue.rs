//! What waits, where the rules know nothing of it: that somebody edited it.

use super::Report;
use crate::check::Level;
use crate::error::Result;
use crate::store::Layout;
use crate::store::staging::{self, Fidelity};

pub(super) fn check_edits(layout: &Layout, report: &mut Report) -> Result<()> {
    for staged in staging::read_queue(layout)?.proposals {
        if staged.fidelity == Fidelity::Changed {
            let message = format!("`{}` was edited after it was staged", staged.id);
            let hint = format!("look at it as it is now: `agent-memory show {}`", staged.id);
            report.say("queue", Level::Warning, message, hint);
        }
    }
    Ok(())
}
