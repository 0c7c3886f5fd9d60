//! A path inside the store that is safe on every file system.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use super::other_path::OtherPath;
use crate::markdown::stem;
use crate::text::excerpt;

/// A path relative to `.agent-memory/`, with `/`, ending in `.md`.
///
/// Lower-case ASCII only, so that two paths never differ by case or by Unicode form alone, as some
/// file systems cannot tell such names apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(
    extend("pattern" = r"^[a-z0-9_][a-z0-9._-]*(/[a-z0-9_][a-z0-9._-]*)*\.md$"),
    extend("maxLength" = 200)
)]
pub struct MemoryPath(String);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathProblem {
    pub message: String,
    pub hint: String,
}

/// Longest path in bytes; with a repository path before it this stays below 260, Windows' limit.
const LIMIT: usize = 200;

/// Names that Windows gives to devices, whatever their extension.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8",
    "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

impl MemoryPath {
    /// Reads a path, or says why it is none.
    pub fn parse(text: &str) -> Result<Self, PathProblem> {
        if OtherPath::parse(text).is_some() {
            return Err(PathProblem {
                message: format!("`{}` is in another store, which is only read", excerpt(text)),
                hint: "propose it in the repository of that store".to_owned(),
            });
        }
        match problem_of(text) {
            None => Ok(Self(text.to_owned())),
            Some((message, hint)) => Err(PathProblem {
                message: format!("`{}` is not a memory path: {message}", excerpt(text)),
                hint,
            }),
        }
    }

    /// Returns the path as written on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the file name without `.md`.
    pub fn stem(&self) -> &str {
        stem(&self.0)
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

fn problem_of(text: &str) -> Option<(&'static str, String)> {
    let relative = "give a path relative to `.agent-memory/`, e.g. `modules/auth.md`".to_owned();
    if text.is_empty() {
        return Some(("it is empty", relative));
    }
    if text.len() > LIMIT {
        return Some(("it is longer than 200 bytes", "shorten the file name".to_owned()));
    }
    if text.starts_with('/') || text.contains('\\') || text.contains(':') {
        return Some(("it is absolute or not written with `/`", relative));
    }
    if text.chars().any(|c| c.is_ascii_uppercase()) {
        // Not the same in lower case: a secret would no longer be known as one.
        let hint = "write it in lower-case letters, e.g. `modules/auth.md`".to_owned();
        return Some(("it holds upper-case letters", hint));
    }
    if !text.ends_with(".md") {
        return Some(("it does not end in `.md`", relative));
    }
    text.split('/').find_map(segment_problem).map(|message| (message, relative))
}

fn segment_problem(segment: &str) -> Option<&'static str> {
    if matches!(segment, "" | "." | "..") {
        return Some("it holds an empty, `.` or `..` part");
    }
    if segment.starts_with(['.', '-']) {
        return Some("a part begins with `.` or `-`");
    }
    if segment.ends_with('.') {
        return Some("a part ends with `.`");
    }
    if !segment.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b'-')) {
        return Some("a part holds something besides `a-z`, `0-9`, `.`, `_` and `-`");
    }
    let stem = segment.split('.').next().unwrap_or(segment);
    DEVICES.contains(&stem).then_some("a part is the name of a Windows device")
}

/// Returns a path in the store as [`MemoryPath`] has it: a shell completes it from the root of the repository.
pub(crate) fn path_in_store(name: &str) -> &str {
    let plain = name.strip_prefix("./").unwrap_or(name);
    plain.strip_prefix(".agent-memory/").unwrap_or(name)
}

const RESERVED: [&str; 5] = ["decided", "rejections", "schemas", "staging", "state"];

/// Tells whether a path lies in a folder of the store whose files are no memory.
pub(crate) fn is_reserved(path: &str) -> bool {
    path.split_once('/').is_some_and(|(folder, _)| RESERVED.contains(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_and_how_is_decided_is_no_memory() {
        assert!(is_reserved("staging/x/files/decisions.md"));
        assert!(!is_reserved("modules/staging/x.md"));
        assert!(!is_reserved("state.md"));
    }

    #[test]
    fn a_path_that_a_shell_completed_is_one_in_the_store() {
        assert_eq!(path_in_store(".agent-memory/modules/auth.md"), "modules/auth.md");
        assert_eq!(path_in_store("./.agent-memory/modules/auth.md"), "modules/auth.md");
        assert_eq!(path_in_store("modules/auth.md"), "modules/auth.md");
    }

    fn good(text: &str) {
        assert_eq!(MemoryPath::parse(text).map(|path| path.0), Ok(text.to_owned()));
    }

    fn bad(text: &str) {
        assert!(MemoryPath::parse(text).is_err(), "{text:?}");
    }

    #[test]
    fn plain_paths_are_read_as_they_are() {
        good("conventions.md");
        good("modules/auth-service.md");
        good("local/current.feature-x.md");
        good("sessions/2026-11-20.md");
    }

    #[test]
    fn paths_that_leave_the_store_are_refused() {
        bad("../secret.md");
        bad("modules/../../x.md");
        bad("/etc/passwd.md");
        bad("c:/x.md");
        bad("modules\\x.md");
        bad("modules//x.md");
    }

    #[test]
    fn names_that_some_file_system_cannot_keep_are_refused() {
        bad("Modules/Auth.md");
        bad("modules/nul.md");
        bad("modules/com1.x.md");
        bad("modules/über.md");
        bad("modules/.hidden.md");
        bad(&format!("modules/{}.md", "a".repeat(200)));
    }

    #[test]
    fn only_markdown_is_a_memory_path() {
        bad("config.toml");
        bad("modules/auth");
        bad("");
    }
}
