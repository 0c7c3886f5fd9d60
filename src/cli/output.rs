//! Prints: data on stdout, talk on stderr, colour where it is wanted.
#![allow(clippy::print_stderr, clippy::print_stdout, reason = "this is the door that prints")]

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::columns::wrap;
use super::environment;
use crate::contract::{Refusal, Violation};
use crate::error::{EXIT_COULD_NOT, Error};
use crate::secrets::{shown_json, shown_name};

/// Done: applied, staged, clean.
pub(super) const DONE: u8 = 0;
/// The answer is no.
pub(super) const NO: u8 = 1;

/// For names and what went well.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// For what went wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// For lines that go.
pub(super) const GONE: Style = AnsiColor::Red.on_default();
/// For the words that come.
pub(super) const STRONG_GOOD: Style = GOOD.bold().underline();
/// For the words that go.
pub(super) const STRONG_GONE: Style = GONE.bold().underline();
/// For what a person should look at.
pub(super) const CARE: Style = AnsiColor::Yellow.on_default();
/// For headings of a diff and hints.
pub(super) const TITLE: Style = AnsiColor::Cyan.on_default();
/// For what matters less.
pub(super) const FAINT: Style = Style::new().dimmed();

/// How a command prints.
#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    /// One JSON document on stdout instead of words.
    pub(super) json: bool,
    /// No talk.
    pub(super) quiet: bool,
    /// More talk.
    pub(super) verbose: bool,
    /// Colour.
    pub(super) color: ColorChoice,
}

impl Output {
    /// Prints data; a reader that went away is no error.
    pub(super) fn data(self, text: &str) {
        let mut stdout = AutoStream::new(io::stdout().lock(), self.color);
        check(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()));
    }

    /// Returns a text as a pager on stdout gets it.
    pub(super) fn styled(self, text: &str) -> String {
        match AutoStream::new(io::stdout(), self.color).current_choice() {
            ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
            _ => text.to_owned(),
        }
    }

    /// Tells whether a person can be asked, and sees the question.
    pub(super) fn at_terminal(self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Prints a line of talk.
    pub(super) fn talk(self, text: &str) {
        if !self.quiet {
            self.insist(text);
        }
    }

    /// Prints lines of talk, if there are any.
    pub(super) fn talk_unless_empty(self, lines: &str) {
        if !lines.is_empty() {
            self.talk(lines.trim_end());
        }
    }

    /// Prints a line that a person has to see, quiet or not.
    pub(super) fn insist(self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
    }

    /// Prints a warning, quiet or not: no later command says again where an edit went.
    pub(super) fn warn(self, text: &str) {
        self.insist(&labelled((CARE, "warning:"), text));
    }

    pub(super) fn warn_each<'a>(self, texts: impl IntoIterator<Item = &'a String>) {
        texts.into_iter().for_each(|text| self.warn(text));
    }

    /// Prints one JSON document with the version of its form.
    pub(super) fn document(self, value: &impl Serialize) {
        self.answer(&Document { schema_version: SCHEMA_VERSION, value });
    }

    /// Prints one JSON document as it is, such as an answer whose form a contract fixes: in one line for a program, laid out
    /// for a person.
    pub(super) fn answer(self, value: &impl Serialize) {
        let text = match io::stdout().is_terminal() {
            true => serde_json::to_string_pretty(value),
            false => serde_json::to_string(value),
        };
        let text = text.expect("answers are plain data");
        let mut stdout = io::stdout().lock();
        check(writeln!(stdout, "{}", shown_json(&text)).and_then(|()| stdout.flush()));
    }

    /// Prints a no, with what to do next.
    pub(super) fn refusal(self, refusal: &Refusal) {
        let message = format!("{} [{}]", refusal.message, refusal.reason);
        let mut text = labelled((BAD, "refused:"), &message);
        for Violation { pointer, message, .. } in &refusal.violations {
            let lines = fitted(&format!("{}: {}", shown_name(pointer), shown_name(message)), 2);
            lines.lines().for_each(|line| text += &format!("\n  {line}"));
        }
        text += &format!("\n{}", labelled((TITLE, "hint:"), &refusal.hint));
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
        drop(stderr);
        refusal.warnings.iter().for_each(|warning| self.warn(warning));
    }

    /// Prints why there is no answer.
    pub(super) fn error(self, error: &Error) -> ExitCode {
        if self.json {
            self.document(&error.document(|text| shown_name(text).into_owned()));
            return ExitCode::from(EXIT_COULD_NOT);
        }
        self.insist(&labelled((BAD, "error:"), &error.to_string()));
        if let Some(hint) = error.next_step() {
            self.insist(&labelled((TITLE, "hint:"), hint));
        }
        error.warnings().iter().for_each(|said| self.warn(said));
        ExitCode::from(EXIT_COULD_NOT)
    }
}

/// The version of the documents of `--json`; a field that goes, or means another thing, makes a new one.
const SCHEMA_VERSION: u32 = 1;

/// A document with the version of its form.
#[derive(Serialize)]
struct Document<'v, T> {
    schema_version: u32,
    #[serde(flatten)]
    value: &'v T,
}

/// Writes a text behind a word that says what it is.
fn labelled((style, label): (Style, &str), text: &str) -> String {
    let lines = fitted(&format!("{label} {}", shown_name(text)), 0);
    match lines.strip_prefix(label) {
        Some(rest) => format!("{style}{label}{style:#}{rest}"),
        None => lines,
    }
}

/// Breaks a text of talk into lines that leave so many columns of a window free; a program gets it in one.
fn fitted(text: &str, margin: usize) -> String {
    match environment::columns_of_talk() {
        Some(columns) => wrap(text, columns - margin),
        None => text.to_owned(),
    }
}

/// Ends the process if an answer could not be printed: a caller that reads nothing must not read "done".
///
/// A reader that went away, such as `head`, has read what it wanted.
fn check(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        eprintln!("error: could not print the answer: {error}");
        eprintln!(
            "hint: see whether where it goes has room, and takes a file of that size: `df`, `ulimit -f`"
        );
        std::process::exit(i32::from(EXIT_COULD_NOT));
    }
}
