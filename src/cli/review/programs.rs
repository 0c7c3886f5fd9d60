//! The person's pager.

use std::io::{self, Write};
use std::process::{Command, ExitStatus, Stdio};

use super::terminal;
use crate::cli::output::Output;
use crate::cli::{environment, interrupt};

pub(in crate::cli) fn page(text: &str, output: Output) {
    let (_, rows) = terminal::size();
    let pager = environment::pager();
    if text.lines().count() < rows || pager.is_empty() || pager == "cat" {
        output.data(text);
        return;
    }
    let mut command = Command::new("sh");
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    command.envs(environment::pager_variables());
    // The shell reports a pager that cannot be run; then the text is printed.
    if !interrupt::ignoring_interrupts(|| feed(&mut command, &output.styled(text)))
        .is_ok_and(|status| !matches!(status.code(), Some(126 | 127)))
    {
        output.data(text);
    }
}

fn feed(command: &mut Command, text: &str) -> io::Result<ExitStatus> {
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // The person may quit the pager early.
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait()
}
