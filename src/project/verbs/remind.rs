//! Reminds an agent, once in a session, to keep what the next session must know.

use super::Place;
use crate::error::Result;
use crate::project::store;

/// Largest event of a client that is read, in bytes; some repeat the whole last answer of the agent.
const EVENT_BYTES: usize = 16_777_216;

/// Reads from stdin what a client says about an event; what is beyond the limit is left unread.
pub fn read_event() -> Result<Vec<u8>> {
    store::read_request(None, EVENT_BYTES)
}

/// Tells whether a session is to be reminded: where there is a store, and once.
///
/// Where it cannot be remembered, nobody is: a reminder at every turn would be worse than none.
pub fn is_to_be_reminded(place: &Place, session: &str) -> bool {
    let Ok(layout) = place.layout() else { return false };
    store::is_first_reminder(&layout, session).unwrap_or(false)
}
