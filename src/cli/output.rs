//! Prints data on stdout and messages on stderr, in colour where that is wanted.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::columns::wrap;
use super::environment;
use super::stdout::{AnswerKind, Stdout};
use crate::contract::{Failure, Violation};
use crate::error::{EXIT_COULD_NOT, Error};
use crate::project::request::Refusal;
use crate::secrets::{shown_json, shown_name};

pub(super) const DONE: u8 = 0;
/// The answer is no: refused, findings, nothing found.
pub(super) const NO: u8 = 1;

pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// For removed lines.
pub(super) const GONE: Style = AnsiColor::Red.on_default();
/// For added words.
pub(super) const STRONG_GOOD: Style = GOOD.bold().underline();
/// For removed words.
pub(super) const STRONG_GONE: Style = GONE.bold().underline();
pub(super) const CARE: Style = AnsiColor::Yellow.on_default();
pub(super) const TITLE: Style = AnsiColor::Cyan.on_default();
pub(super) const FAINT: Style = Style::new().dimmed();

/// Writes JSON as it is printed for a program.
pub(super) fn one_line_of_json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("answers are plain data");
    shown_json(&text)
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Output {
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) verbose: bool,
    pub(super) color: ColorChoice,
    pub(super) kind: AnswerKind,
}

impl Output {
    fn stdout(self) -> Stdout {
        Stdout { color: self.color, kind: self.kind }
    }

    pub(super) fn data(self, text: &str) {
        self.stdout().print(text);
    }

    /// Prints data with a secret that the caller asked for.
    pub(super) fn secret(self, text: &str) {
        self.stdout().print_secret(text);
    }

    /// Removes the colours if stdout takes none.
    pub(super) fn styled(self, text: &str) -> String {
        match AutoStream::new(io::stdout(), self.color).current_choice() {
            ColorChoice::Never => anstream::adapter::strip_str(text).to_string(),
            _ => text.to_owned(),
        }
    }

    /// Tells whether a person can read a question and answer it.
    pub(super) fn at_terminal(self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    /// Prints a message on stderr.
    pub(super) fn talk(self, text: &str) {
        if !self.quiet {
            self.insist(text);
        }
    }

    /// Prints a message on stderr, with `--quiet` too.
    pub(super) fn insist(self, text: &str) {
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
    }

    /// Prints a warning, with `--quiet` too, as no later command repeats it.
    pub(super) fn warn(self, text: &str) {
        self.insist(&labelled(CARE, "warning:", text));
    }

    pub(super) fn warn_each<'a>(self, texts: impl IntoIterator<Item = &'a String>) {
        texts.into_iter().for_each(|text| self.warn(text));
    }

    /// Prints an answer: a JSON document, or its text.
    pub(super) fn answer(self, value: &impl Serialize, text: impl FnOnce() -> String) {
        match self.json {
            true => self.document(value),
            false => self.data(&text()),
        }
    }

    /// Prints one JSON document with the version of its form.
    pub(super) fn document(self, value: &impl Serialize) {
        self.print_json(&JsonDocument { schema_version: SCHEMA_VERSION, value });
    }

    /// Prints one JSON document whose secret the caller asked for, and withholds nothing of it.
    pub(super) fn document_with_secret(self, value: &impl Serialize) {
        let document = JsonDocument { schema_version: SCHEMA_VERSION, value };
        let text = serde_json::to_string(&document).expect("answers are plain data");
        self.secret(&format!("{text}\n"));
    }

    /// Prints JSON whose form a contract fixes: one line for a program, indented for a person.
    pub(super) fn print_json(self, value: &impl Serialize) {
        let text = match io::stdout().is_terminal() {
            true => {
                let text = serde_json::to_string_pretty(value).expect("answers are plain data");
                shown_json(&text)
            }
            false => one_line_of_json(value),
        };
        self.stdout().print_raw(&format!("{text}\n"));
    }

    /// Prints an answer, or why there is none; the exit code is 1 for an answer that is not good.
    pub(super) fn told_if<T: Serialize, R>(
        self,
        answer: Result<T, R>,
        refuse: impl FnOnce(R) -> u8,
        is_good: impl FnOnce(&T) -> bool,
        print: impl FnOnce(&T),
    ) -> u8 {
        let answer = match answer {
            Ok(answer) => answer,
            Err(refusal) => return refuse(refusal),
        };
        match self.json {
            true => self.document(&answer),
            false => print(&answer),
        }
        if is_good(&answer) { DONE } else { NO }
    }

    /// Prints a refusal and returns its exit code.
    pub(super) fn refuse(self, refusal: &Refusal) -> u8 {
        match self.json {
            true => self.document(&Failure::from(refusal.clone())),
            false => self.refusal(refusal),
        }
        NO
    }

    /// Says why a request about a memory is refused, and what to do next.
    pub(super) fn refused(self, message: &str, hint: &str) {
        self.refused_for(message);
        self.insist(&labelled(TITLE, "hint:", hint));
    }

    /// Says why a request is refused, where the reason says what to do next.
    pub(super) fn refused_for(self, reason: &str) {
        self.insist(&labelled(BAD, "refused:", reason));
    }

    pub(super) fn refusal(self, refusal: &Refusal) {
        let message = format!("{} [{}]", refusal.message, refusal.reason);
        let mut text = labelled(BAD, "refused:", &message);
        for Violation { pointer, message, .. } in &refusal.violations {
            let lines = fitted(&format!("{}: {}", shown_name(pointer), shown_name(message)), 2);
            lines.lines().for_each(|line| text += &format!("\n  {line}"));
        }
        text += &format!("\n{}", labelled(TITLE, "hint:", &refusal.hint));
        let mut stderr = AutoStream::new(io::stderr().lock(), self.color);
        let _ = writeln!(stderr, "{text}");
        drop(stderr);
        refusal.warnings.iter().for_each(|warning| self.warn(warning));
    }

    pub(super) fn error(self, error: &Error) -> ExitCode {
        if self.json {
            self.document(&error.document(|text| shown_name(text).into_owned()));
            return ExitCode::from(EXIT_COULD_NOT);
        }
        self.insist(&labelled(BAD, "error:", &error.to_string()));
        if let Some(hint) = error.next_step() {
            self.insist(&labelled(TITLE, "hint:", hint));
        }
        error.warnings().iter().for_each(|said| self.warn(said));
        ExitCode::from(EXIT_COULD_NOT)
    }
}

/// The version of the documents of `--json`; it rises when a field is removed or changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// A document with the version of its form.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub(super) struct JsonDocument<'v, T> {
    schema_version: u32,
    #[serde(flatten)]
    value: &'v T,
}

fn labelled(style: Style, label: &str, text: &str) -> String {
    let lines = fitted(&format!("{label} {}", shown_name(text)), 0);
    match lines.strip_prefix(label) {
        Some(rest) => format!("{style}{label}{style:#}{rest}"),
        None => lines,
    }
}

/// Breaks a message into lines that leave `margin` columns free; a program gets one line.
fn fitted(text: &str, margin: usize) -> String {
    match environment::columns_of_talk() {
        Some(columns) => wrap(text, columns - margin),
        None => text.to_owned(),
    }
}
