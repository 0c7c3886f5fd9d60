//! Calls the terminal's door, which may open the others, and returns its exit code.

use std::process::ExitCode;

#[cfg(feature = "mcp")]
const SERVE: Option<agent_memory::cli::Serve> = Some(agent_memory::cli::Serve {
    project: agent_memory::server::serve,
    service: agent_memory::server::serve_service,
    longterm: agent_memory::server::serve_ltm,
});
#[cfg(not(feature = "mcp"))]
const SERVE: Option<agent_memory::cli::Serve> = None;

#[cfg(feature = "http")]
const SERVE_HTTP: Option<agent_memory::cli::ServeHttp> = Some(agent_memory::server::serve_http);
#[cfg(not(feature = "http"))]
const SERVE_HTTP: Option<agent_memory::cli::ServeHttp> = None;

/// Replaces the allocator of musl, which asks the system for every large block.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    agent_memory::cli::run(SERVE, SERVE_HTTP)
}
