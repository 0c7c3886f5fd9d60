//! Reminds an agent, once in a session, to keep what the next session must know.

use super::Place;
use crate::store;

/// Tells whether a session is to be reminded: where there is a store, and once.
///
/// A session without a name is reminded each time. Where it cannot be remembered, nobody is: a reminder at
/// every turn would be worse than none.
pub fn is_to_be_reminded(place: &Place, session: Option<&str>) -> bool {
    let Ok(layout) = place.layout() else { return false };
    session.is_none_or(|session| store::is_first_reminder(&layout, session).unwrap_or(false))
}
