//! Checks `state/`: the log, the undo list, what processes that died left there, and what was set apart.

use crate::chain::BreakKind;
use crate::disk::lock::is_held;
use crate::disk::{StoreFolder, files};
use crate::error::Result;
use crate::personal::request::PersonalFinding;
use crate::personal::store::PersonFolder;

const CHECK: &str = "state";

const REMOVED: &str =
    "the next change removes what is unfinished; `agent-memory doctor --user --fix` does it now";

const LOG: &str = "state/log.jsonl";

pub(super) fn check(folder: &PersonFolder) -> Result<Vec<PersonalFinding>> {
    let mut found = Vec::new();
    for broken in folder.signed_log().verify()?.findings {
        let message = format!("line {} of `{LOG}`: {}", broken.line, broken.message);
        let hint = match broken.kind {
            BreakKind::Torn => REMOVED,
            BreakKind::Changed | BreakKind::Missing | BreakKind::Cut | BreakKind::Foreign => {
                "see who wrote there; the entries do not depend on the log, and a backup may have its lines"
            }
        };
        found.push(PersonalFinding::new(CHECK, LOG, message, hint));
    }
    if folder.undo_list().torn()? > 0 {
        let message = "`state/undo.jsonl` ends in a line that was not written to its end";
        found.push(PersonalFinding::new(CHECK, "state/undo.jsonl", message, REMOVED));
    }
    found.extend(leftovers(folder)?.map(|count| {
        let message = format!("`state/tmp` holds leftovers of a process that died: {count}");
        PersonalFinding::new(CHECK, "state/tmp", message, REMOVED)
    }));
    let apart = files::all_below(&folder.set_apart()).into_iter();
    found.extend(apart.filter(files::is_plain).map(|path| {
        let path = path.relative().display().to_string();
        let message = format!("`{path}` was set apart: it was edited while a change was written");
        PersonalFinding::new(
            CHECK,
            &path,
            message,
            "take over what is wanted of it, then delete it",
        )
    }));
    Ok(found)
}

/// Counts the temp files of processes that died; none while a process is writing.
pub(super) fn leftovers(folder: &PersonFolder) -> Result<Option<usize>> {
    let left = files::list(&folder.temporary())?.len();
    Ok(Some(left).filter(|left| *left > 0 && !is_held(&StoreFolder::lock(folder))))
}
