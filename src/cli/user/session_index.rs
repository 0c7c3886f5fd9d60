//! The person's own memory at the beginning of a session: the index, where nothing forbids it.

use super::person::{self, Named};
use crate::cli::call::Context;
use crate::cli::environment;
use crate::clients::Client;
use crate::personal::verbs::{Injected, SessionStart, inject, is_loaded};
use crate::project::verbs::Session;

/// Packs the index of the person who runs this, for the project of a folder. `begins` says that a session begins now.
pub(in crate::cli) fn session_index(
    context: &Context,
    place: &Session,
    budget: usize,
    begins: bool,
) -> Injected {
    let project = || place.project_name();
    let start = SessionStart { project: &project, budget, begins };
    match person::session(&Named::default(), context) {
        Ok(session) => inject(&session, &start),
        Err(error) => Injected::failed(&error),
    }
}

/// Tells whether a client loads the index of the person who runs this by itself.
pub(in crate::cli) fn loads_index(client: Client, context: &Context, place: &Session) -> bool {
    let session = || person::session(&Named::default(), context).ok();
    let places = || environment::claude(&place.folder).ok();
    client == Client::Claude
        && session().zip(places()).is_some_and(|(session, places)| is_loaded(&session, &places))
}
