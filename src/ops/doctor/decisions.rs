//! What waits, and what was decided.

use super::{Level, Report};
use crate::chain::{Break, BreakKind};
use crate::contract::Reason;
use crate::error::Result;
use crate::ops::Workspace;
use crate::ops::pending::readiness;
use crate::store::staging::{self, Fidelity};
use crate::store::{Layout, log};

pub(super) fn check_queue(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("queue");
    let queue = staging::read_queue(workspace.store.layout())?;
    for (name, why) in queue.damaged {
        let hint = format!("look at `staging/{name}` and move it away");
        report.add(Level::Error, format!("`staging/{name}` is no proposal: {why}"), hint);
    }
    for staged in &queue.proposals {
        if staged.fidelity == Fidelity::Changed {
            let message = format!("`{}` was edited after it was staged", staged.id);
            let hint = format!("look at it as it is now: `agent-memory show {}`", staged.id);
            report.add(Level::Warning, message, hint);
        }
        let ready = readiness(workspace, staged)?;
        if let Some(message) = ready.message {
            let hint = match ready.reason {
                Some(Reason::StagingExpired) => format!(
                    "`agent-memory apply --expired {}` lands it, `agent-memory sweep` takes all that expired out of the queue",
                    staged.id
                ),
                _ => format!("`agent-memory show {}`, then apply or reject it", staged.id),
            };
            report.add(
                Level::Warning,
                format!("`{}` cannot be applied: {message}", staged.id),
                hint,
            );
        }
    }
    Ok(())
}

pub(super) fn check_log(layout: &Layout, report: &mut Report) -> Result<()> {
    report.begin("log");
    for Break { line, kind, message } in log::verify(layout)?.findings {
        let message = format!("line {line} of `state/log.jsonl`, {kind}: {message}");
        let (level, hint) = match kind {
            BreakKind::Torn => (Level::Warning, "`agent-memory doctor --fix` cuts it off"),
            BreakKind::Changed | BreakKind::Missing | BreakKind::Cut | BreakKind::Foreign => (
                Level::Error,
                "compare with a copy; to begin anew, move `state/log.jsonl` and `state/log.end` away together",
            ),
        };
        report.add(level, message, hint.to_owned());
    }
    Ok(())
}
