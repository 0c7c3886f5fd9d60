//! The person's own memory at the beginning of a session: the index, where nothing forbids it.

use super::person::{self, Named};
use crate::cli::call::Context;
use crate::cli::environment;
use crate::clients::Client;
use crate::personal::verbs::{IndexRequest, Injected, claude_loads_index, inject};
use crate::project::verbs::Session;

/// Packs the index of the person who runs this, for the project of a session, into a quarter of a budget.
pub(in crate::cli) fn session_index(
    context: &Context,
    session: &Session,
    budget: usize,
    tells_news: bool,
) -> Injected {
    let project = || session.project_name();
    let request = IndexRequest { project: &project, budget, tells_news };
    match person::session(&Named::default(), context) {
        Ok(person) => inject(&person, &request),
        Err(error) => Injected::failed(&error),
    }
}

/// Tells whether a client loads the index of the person who runs this by itself.
pub(in crate::cli) fn loads_index(client: Client, context: &Context, session: &Session) -> bool {
    let person = || person::session(&Named::default(), context).ok();
    let settings = || environment::claude_settings(&session.folder).ok();
    client == Client::Claude
        && person()
            .zip(settings())
            .is_some_and(|(person, settings)| claude_loads_index(&person, &settings))
}
