//! `.gitignore` of a store: what belongs to this machine alone.

use super::project::Project;
use crate::contract::FileState;
use crate::error::Result;
use crate::project::store::{Step, Store, read_gitignore};

pub(super) const PATH: &str = ".gitignore";

/// The lines of a new store; a team may remove all but the first.
pub(super) const DEFAULT: &str = "/state/\n/local/\n/sessions/\n/staging/\n";

/// Returns the lines of a new store whose queue is kept in git.
pub(super) fn with_tracked_queue() -> String {
    DEFAULT.split_inclusive('\n').filter(|line| !names(line, QUEUE)).collect()
}

/// Returns the step that keeps `state/` out of git in a store whose file was there before.
pub(super) fn renewal(store: &Store) -> Result<Option<Step>> {
    let FileState::Text(text) = store.read_any(PATH)? else { return Ok(None) };
    let is_state = |line: &str| line.trim().trim_matches('/') == "state";
    if text.lines().any(is_state) {
        return Ok(None);
    }
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    Ok(Some(Step::write(PATH, Some(&text), format!("{text}{gap}/state/\n"))))
}

/// Returns the local folders that the `.gitignore` of the store does not name.
pub(super) fn not_ignored(project: &Project) -> Result<Vec<&'static str>> {
    let ignored = read_gitignore(project.store.layout())?;
    let is_meant = |folder: &&str| *folder != QUEUE || !project.config.staging.track;
    let folders = DEFAULT.lines().filter(is_meant);
    Ok(folders.filter(|folder| !ignored.iter().any(|line| names(line, folder))).collect())
}

/// Tells whether `.gitignore` names a queue that should be tracked.
pub(super) fn ignores_queue(project: &Project) -> Result<bool> {
    if !project.config.staging.track {
        return Ok(false);
    }
    let ignored = read_gitignore(project.store.layout())?;
    Ok(ignored.iter().any(|line| names(line, QUEUE)))
}

/// Returns the step that keeps the queue in git, or out of it, in a store that has a `.gitignore`.
pub(super) fn queue_step(store: &Store, is_tracked: bool) -> Result<Option<Step>> {
    let FileState::Text(text) = store.read_any(PATH)? else { return Ok(None) };
    let without: String = text.split_inclusive('\n').filter(|line| !names(line, QUEUE)).collect();
    let gap = if without.is_empty() || without.ends_with('\n') { "" } else { "\n" };
    let after = match (is_tracked, without == text) {
        (true, false) => without,
        (false, true) => format!("{without}{gap}{QUEUE}\n"),
        (true, true) | (false, false) => return Ok(None),
    };
    Ok(Some(Step::write(PATH, Some(&text), after)))
}

const QUEUE: &str = "/staging/";

pub(super) const QUEUE_IGNORED: &str =
    "`.gitignore` of the store names `/staging/`, which `[staging] track` wants in git";

pub(super) fn names(line: &str, folder: &str) -> bool {
    line.trim() == folder || line.trim() == folder.trim_end_matches('/')
}
