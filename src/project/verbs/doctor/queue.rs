//! Checks the queue beyond the rules: edited proposals, and those that were decided before.

use super::report::DoctorReport;
use crate::error::Result;
use crate::project::store::Layout;
use crate::project::store::staging::{self, Damaged, Fidelity};

pub(super) fn check(layout: &Layout, report: &mut DoctorReport) -> Result<()> {
    if layout.undo_list().torn()? > 0 {
        let message = "`state/undo.jsonl` ends in a line that was not written to its end";
        let hint = "the change that it is about may not be taken back, git has its files; the next one that is applied replaces the line";
        report.warn("log", message, hint);
    }
    let queue = staging::read_queue(layout)?;
    for Damaged { name, .. } in &queue.damaged {
        let folder = layout.staging().join(name);
        if folder.names().is_ok_and(|names| names.is_empty()) {
            let message =
                format!("`staging/{name}` is an empty folder, so nothing is pending there");
            report.warn("queue", message, "remove it, with `rmdir`");
        }
    }
    for staged in queue.proposals {
        if staged.fidelity == Fidelity::Changed {
            let message = format!("`{}` was edited after it was staged", staged.id);
            let hint = format!("look at it as it is now: `agent-memory show {}`", staged.id);
            report.warn("queue", message, hint);
        }
        if staged.was_decided {
            let message = format!("`{}` was decided here, and is pending again", staged.id);
            let hint = format!(
                "look at it with `agent-memory show {0}`, then `reject {0}`, or `apply {0}` if it is wanted now",
                staged.id
            );
            report.warn("queue", message, hint);
        }
    }
    Ok(())
}
