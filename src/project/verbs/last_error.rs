//! Leaves a note where a hook or the server of agents fails: `doctor` tells it to a person.

use super::session::Session;
use crate::error::Error;
use crate::project::store::{LastError, Store, note_error};

/// Notes that a program of a client failed. What cannot be noted is lost: the failure must not become worse.
pub(crate) fn note_failure(session: &Session, program: &str, error: &Error) {
    let Ok(layout) = session.layout() else { return };
    let store = Store::at(layout);
    if store.newer().is_some() {
        return;
    }
    let said = format!("{program}: {}: {error}", error.kind().code());
    let _ = note_error(store.layout(), &LastError { time: session.now, said });
}
