//! Says what a command waits for on stdin, so that its silence explains itself.

use std::io::IsTerminal;

use super::output::Output;
use crate::disk::say_if_silent;

/// At a terminal it is said at once, and in a pipe where nothing came for a second. It is about stderr alone: stdout
/// stays data.
pub(super) fn say_what_is_awaited(what: &str, output: Output) {
    if std::io::stdin().is_terminal() {
        output.talk(&format!("reading {what} from the terminal, end it with Ctrl-D"));
    } else {
        say_if_silent(|| output.talk(&format!("waiting for {what} on standard input")));
    }
}
