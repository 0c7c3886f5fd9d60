//! Where a store goes: at the top of the repository, or in the folder below it in which `init` was called.

use std::path::PathBuf;

use crate::error::{ErrorKind, Result};
use crate::project::store::Repository;
use crate::project::verbs::session::Session;

/// Two folders for a new store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlaceChoice {
    /// The top of the repository, where the store goes if nothing else is said.
    pub top: PathBuf,
    /// The command that makes it in the working directory.
    pub command: String,
}

/// Returns the choice, where there is one: no store is there, no root was named, and the working directory is below the
/// top of a repository.
pub(crate) fn place_choice(session: &Session) -> Result<Option<PlaceChoice>> {
    if session.root.is_some() {
        return Ok(None);
    }
    match session.here().layout() {
        Err(error) if error.kind() == ErrorKind::StoreNotFound => {}
        found => return found.map(|_| None),
    }
    let top = Repository::find(&session.folder).filter(|top| *top != session.folder);
    let command = "agent-memory init --root .".to_owned();
    Ok(top.map(|top| PlaceChoice { top, command }))
}
