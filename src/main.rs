//! Calls the terminal's door, which may open the agents' one, and returns its exit code.

use std::process::ExitCode;

#[cfg(feature = "mcp")]
const SERVE: Option<agent_memory::cli::Serve> = Some(agent_memory::server::serve);
#[cfg(not(feature = "mcp"))]
const SERVE: Option<agent_memory::cli::Serve> = None;

/// Replaces the allocator of musl, which asks the system for every large block.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    agent_memory::cli::run(SERVE)
}
