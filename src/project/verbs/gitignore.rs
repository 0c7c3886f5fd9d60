//! `.gitignore` of a store: what belongs to this machine alone.

use crate::contract::FileState;
use crate::error::Result;
use crate::project::store::{Step, Store};

pub(super) const PATH: &str = ".gitignore";

/// The lines of a new store; a team may remove all but the first.
pub(super) const DEFAULT: &str = "/state/\n/local/\n/sessions/\n/staging/\n";

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
