//! Calls the terminal's door and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    agent_memory::cli::run()
}
