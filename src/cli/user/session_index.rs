//! The person's own memory at the beginning of a session: the index, where nothing forbids it.

use super::person::{self, Named};
use crate::cli::call::Context;
use crate::cli::environment;
use crate::clients::Client;
use crate::personal::verbs::{IndexRequest, Injected, claude_loads_index, inject};
use crate::project::verbs::Session;

/// Packs the index of the person who runs this, for the project of a session, into a quarter of a budget.
///
/// Where the session begins in a client, it is told what changed since the last one, and gets nothing from a client that
/// loads the index by itself.
pub(in crate::cli) fn session_index(
    context: &Context,
    session: &Session,
    budget: usize,
    begins_in: Option<Client>,
) -> Injected {
    let person = match person::session(&Named::default(), context) {
        Ok(person) => person,
        Err(error) => return Injected::failed(&error),
    };
    if begins_in == Some(Client::Claude)
        && environment::claude_settings(session.client_project.as_ref().unwrap_or(&session.folder))
            .is_ok_and(|settings| claude_loads_index(&person, &settings))
    {
        return Injected::default();
    }
    let project = || session.project_name();
    inject(&person, &IndexRequest { project: &project, budget, tells_news: begins_in.is_some() })
}
