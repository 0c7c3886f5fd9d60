//! The agents' door: the Model Context Protocol on stdin and stdout.
//!
//! It speaks the stateless protocol (2026-07-28) and the older ones that begin with `initialize`. Each call opens the
//! store again, so that the next answer follows a branch switch or a `git pull`. Only the search index stays open, as
//! long as it is the same file.

mod mcp;
mod personal_tools;
mod prompts;
mod resources;
mod schemas;
mod tools;
mod wire;

use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;

use crate::error::{Error, ErrorKind, Result};
use crate::personal::verbs::PersonalSessions;
use crate::project::verbs::Sessions;
use mcp::Server;
use wire::Wire;

/// Answers a client until it closes the pipe; with the tools of personal memory, where a person is given.
pub fn serve(sessions: Sessions, people: Option<PersonalSessions>) -> Result<()> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime =
        builder.enable_time().max_blocking_threads(4).build().map_err(|cause| {
            Error::new(ErrorKind::Io, "could not start the server").because(cause)
        })?;
    runtime.block_on(answer_all(&Server::new(sessions, people), &Wire::open()));
    // A call that still waits for the lock must not keep the process alive.
    runtime.shutdown_background();
    Ok(())
}

/// A client whose first message is wrong may begin again.
async fn answer_all(server: &Server, wire: &Wire) {
    loop {
        match server.clone().serve(wire.clone()).await {
            Ok(session) => {
                let _ = session.waiting().await;
                return;
            }
            Err(ServerInitializeError::ConnectionClosed(_) | ServerInitializeError::Cancelled) => {
                return;
            }
            Err(_) => {}
        }
    }
}
