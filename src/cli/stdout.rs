//! Prints an answer on stdout, or on stderr if stdout fails.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anstream::{AutoStream, ColorChoice};

use crate::error::EXIT_COULD_NOT;

/// Whether a command changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnswerKind {
    /// It only reads, so the caller runs it again.
    Read,
    /// It changes something: run again, it would change more, or be refused as a duplicate.
    Change,
}

/// What became of the answer of this process.
static PRINTED: Mutex<Printed> = Mutex::new(Printed::Nothing);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Printed {
    Nothing,
    Some,
    /// The rest of the answer goes to stderr: the reader was gone before anything was written.
    ReaderGone,
    /// The rest of the answer goes to stderr, and the exit code says so.
    Failed,
}

fn printed() -> MutexGuard<'static, Printed> {
    PRINTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How an answer is printed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stdout {
    pub(super) color: ColorChoice,
    pub(super) kind: AnswerKind,
}

impl Stdout {
    /// Prints text; colours go if stdout takes none.
    pub(super) fn print(self, text: &str) {
        self.print_by(text, || {
            let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
            stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
        });
    }

    /// Prints text as it is.
    pub(super) fn print_raw(self, text: &str) {
        self.print_by(text, || write(text));
    }

    /// Prints text with a secret that the caller asked for. It never goes to stderr, which is often kept.
    pub(super) fn print_secret(self, text: &str) {
        let instead =
            "the answer holds a secret and is not repeated here: what was made can be revoked";
        self.print_by(instead, || write(text));
    }

    fn print_by(self, text: &str, write: impl FnOnce() -> io::Result<()>) {
        let mut printed = printed();
        if matches!(*printed, Printed::ReaderGone | Printed::Failed) {
            return self.say(text);
        }
        let Err(error) = write() else {
            *printed = Printed::Some;
            return;
        };
        let is_change = self.kind == AnswerKind::Change;
        match (error.kind() == io::ErrorKind::BrokenPipe, is_change) {
            // A reader such as `head` has read what it wanted.
            (true, false) => return,
            (true, true) if *printed == Printed::Some => return,
            (true, true) => *printed = Printed::ReaderGone,
            (false, _) => *printed = Printed::Failed,
        }
        self.say(&format!("error: could not print the answer: {error}"));
        if !is_change {
            self.say(&format!("hint: {CHECK}"));
            std::process::exit(i32::from(EXIT_COULD_NOT));
        }
        self.say(&format!(
            "hint: what the command changed stays changed, and this is its answer; {CHECK}"
        ));
        self.say(text);
    }

    fn say(self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{}", text.trim_end());
    }
}

const CHECK: &str =
    "check free space and the limit of file size at the destination: `df`, `ulimit -f`";

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush())
}

/// Returns the exit code of a command, as far as its answer could be printed.
pub(super) fn exit_code(code: u8) -> u8 {
    if *printed() == Printed::Failed { EXIT_COULD_NOT } else { code }
}
