//! Parses the output of git, and turns its failures into errors.

use std::ffi::OsStr;

use crate::error::{Error, ErrorKind};
use crate::text::visible;

/// Splits a `-z` list.
pub(crate) fn split_nul(stdout: &[u8]) -> impl Iterator<Item = String> {
    let entries = stdout.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(|entry| String::from_utf8_lossy(entry).into_owned())
}

pub(super) fn single_line(stdout: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(stdout).ok()?;
    let line = text.trim_end_matches(['\n', '\r']);
    (!line.is_empty()).then(|| line.to_owned())
}

/// Returns the name of the git command, after its settings.
pub(super) fn subcommand<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let mut words = arguments.iter().map(|word| word.as_ref().to_string_lossy());
    let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
    name.unwrap_or_default().into_owned()
}

/// Returns git's message as an error; its advice is the hint.
pub(super) fn failure<S: AsRef<OsStr>>(arguments: &[S], stderr: &[u8]) -> Error {
    let stderr = String::from_utf8_lossy(stderr);
    let lines = stderr.lines().map(|line| visible(line.trim()).into_owned());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    let is_advice = |line: &&String| !line.starts_with("fatal:") && !line.starts_with("error:");
    let (advice, mut messages): (Vec<&String>, Vec<&String>) = lines.iter().partition(is_advice);
    let hint = advice.iter().map(|line| line.as_str()).collect::<Vec<_>>().join(" ");
    if messages.is_empty() {
        messages = advice;
    }
    let messages: Vec<&str> = messages.iter().map(|line| line.as_str()).collect();
    let error = Error::new(
        ErrorKind::Git,
        format!("git {}: {}", subcommand(arguments), messages.join("; ")),
    );
    if hint.is_empty() { error } else { error.hint(hint) }
}

pub(super) fn cannot_run(cause: std::io::Error) -> Error {
    let hint = "check that `git` is on the PATH, and that the limits for processes and open files are not reached";
    Error::new(ErrorKind::Git, "could not run git").hint(hint).because(cause)
}
