//! Reminds an agent once in a session to propose what the next session must know.

use std::time::Duration;

use super::session::Session;
use crate::disk::read_document_within;
use crate::error::Result;
use crate::project::store::{self, Store};

/// The largest event of a client that is read, in bytes; some contain the whole last answer of the agent.
const EVENT_BYTES: usize = 16_777_216;

/// How long a hook waits for more of the event: a session must not begin late because a client says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads the event of a client from stdin, up to the limit; nothing where none comes.
pub(crate) fn read_event() -> Result<Option<Vec<u8>>> {
    read_document_within(EVENT_BYTES as u64, PATIENCE)
}

/// Tells whether a session gets its one reminder. Without a store, or where it cannot be recorded, it gets none: a
/// reminder at every turn would be worse.
pub(crate) fn is_to_be_reminded(session: &Session, session_id: &str) -> bool {
    let Ok(layout) = session.layout() else { return false };
    let store = Store::at(layout);
    store.newer().is_none() && store::is_first_reminder(store.layout(), session_id).unwrap_or(false)
}
