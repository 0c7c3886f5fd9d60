//! Reads what git says, and makes errors of its failures.

use std::ffi::OsStr;

use crate::error::{Error, ErrorKind};
use crate::text::visible;

/// Splits a `-z` list.
pub(crate) fn listed(said: &[u8]) -> impl Iterator<Item = String> {
    let entries = said.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(|entry| String::from_utf8_lossy(entry).into_owned())
}

pub(super) fn line(said: Vec<u8>) -> Option<String> {
    let text = String::from_utf8(said).ok()?;
    let line = text.trim_end_matches(['\n', '\r']);
    (!line.is_empty()).then(|| line.to_owned())
}

/// Returns the name of the git command, after its settings.
pub(super) fn name<S: AsRef<OsStr>>(arguments: &[S]) -> String {
    let mut words = arguments.iter().map(|word| word.as_ref().to_string_lossy());
    let name = words.find(|word| !word.starts_with('-') && !word.contains('='));
    name.unwrap_or_default().into_owned()
}

/// Returns git's message as an error; its advice is the hint.
pub(super) fn failure<S: AsRef<OsStr>>(arguments: &[S], talk: &[u8]) -> Error {
    let talk = String::from_utf8_lossy(talk);
    let lines = talk.lines().map(|line| visible(line.trim()).into_owned());
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    let is_advice = |line: &&String| !line.starts_with("fatal:") && !line.starts_with("error:");
    let (advice, mut said): (Vec<&String>, Vec<&String>) = lines.iter().partition(is_advice);
    let hint = advice.iter().map(|line| line.as_str()).collect::<Vec<_>>().join(" ");
    if said.is_empty() {
        said = advice;
    }
    let said: Vec<&str> = said.iter().map(|line| line.as_str()).collect();
    let error = Error::new(ErrorKind::Git, format!("git {}: {}", name(arguments), said.join("; ")));
    if hint.is_empty() { error } else { error.hint(hint) }
}

pub(super) fn cannot_run(cause: std::io::Error) -> Error {
    let hint = "check that `git` is on the PATH, and that the limits for processes and open files are not reached";
    Error::new(ErrorKind::Git, "could not run git").hint(hint).because(cause)
}
