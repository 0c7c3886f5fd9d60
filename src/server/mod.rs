//! The agents' door: the Model Context Protocol on stdin and stdout.
//!
//! It speaks the stateless protocol (2026-07-28) and the older ones that begin with `initialize`. Each call opens the
//! store again, so that the next answer follows a branch switch or a `git pull`. Only the search index stays open, as
//! long as it is the same file. [`serve`] offers the memory of a project, [`serve_service`] that of the service.

mod background;
mod field_fault;
#[cfg(feature = "http")]
mod http;
mod line;
mod ltm;
mod ltm_tools;
mod mcp;
mod message;
mod personal_tools;
mod prompts;
mod repeated;
mod resources;
mod running_calls;
mod schemas;
mod service;
mod service_backend;
mod service_tools;
mod tools;
mod turns;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use rmcp::service::ServerInitializeError;
use rmcp::{ServerHandler, ServiceExt};

use crate::error::{Error, ErrorKind, Result};
use crate::longterm::verbs::LongtermMcp;
use crate::personal::verbs::PersonalSessions;
use crate::project::verbs::Sessions;
use crate::service::verbs::{McpSettings, ServiceLocation};
use background::Background;
#[cfg(feature = "http")]
pub use http::serve_http;
use ltm::LtmServer;
use mcp::Server;
use repeated::{Repeated, SWEEP};
use service::ServiceServer;
use service_backend::{HttpClient, LocalService, RemoteService};
use wire::{GRACE, Wire};

/// Answers a client until it closes the pipe; with the tools of personal memory, where a person is given.
pub fn serve(sessions: Sessions, people: Option<PersonalSessions>) -> Result<()> {
    run(&Server::new(sessions, people), GRACE, || {})
}

/// Answers a client of the memory service until it closes the pipe.
pub fn serve_service(settings: McpSettings) -> Result<()> {
    let budget = settings.recall_budget;
    match settings.service {
        ServiceLocation::Local(sessions) => {
            let background = Arc::new(Background::start(Arc::clone(&sessions)));
            let at_end = Arc::clone(&background);
            let server = ServiceServer::new(Arc::new(LocalService(sessions)), budget);
            run(&server, GRACE, move || at_end.finish())?;
            background.finish();
            Ok(())
        }
        ServiceLocation::Remote { address, key, now } => {
            let remote = RemoteService::new(HttpClient::new(&address, key)?, now);
            run(&ServiceServer::new(Arc::new(remote), budget), GRACE_OF_SERVER, || {})
        }
    }
}

/// Answers a client of long-term memories until it closes the pipe.
pub fn serve_ltm(settings: LongtermMcp) -> Result<()> {
    let settings = Arc::new(settings);
    let swept = Arc::clone(&settings);
    // A failure is that of the database, and the next call tells it.
    let _sweeps = Repeated::start(SWEEP, move || drop(swept.host.sweep()));
    run(&LtmServer::new(settings), GRACE, || {})
}

/// How long the process waits for the next answer of a server after the client has gone: a try and a pause.
const GRACE_OF_SERVER: Duration = Duration::from_secs(28);

/// Answers on stdin and stdout; `at_end` runs once all is answered, or nothing was for the time of `grace`.
fn run<S: ServerHandler + Clone>(
    server: &S,
    grace: Duration,
    at_end: impl FnOnce() + Send + 'static,
) -> Result<()> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime =
        builder.enable_time().max_blocking_threads(4).build().map_err(|cause| {
            Error::new(ErrorKind::Io, "could not start the server").because(cause)
        })?;
    runtime.block_on(answer_all(server, &Wire::open(grace, at_end)));
    // A call that still waits for the lock must not keep the process alive.
    runtime.shutdown_background();
    Ok(())
}

/// A client whose first message is wrong may begin again.
async fn answer_all<S: ServerHandler + Clone>(server: &S, wire: &Wire) {
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
