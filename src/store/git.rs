//! Calls git: no hook runs, nobody is asked, and no lock is taken that is not needed.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use super::git_folder;
use crate::error::{Error, ErrorKind, Result};

/// Settings for every call: a hook or a monitor is somebody else's program, the first commit brings files too, and what
/// is said and heard is UTF-8, whatever a person reads and writes.
const SETTINGS: [&str; 10] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "log.showRoot=true",
    "-c",
    "i18n.commitEncoding=UTF-8",
    "-c",
    "i18n.logOutputEncoding=UTF-8",
];

/// What the environment may say of where a repository is.
const PLACES: [&str; 3] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR"];

/// What the environment may say of how paths are read; two of them at once git refuses.
const MANNERS: [&str; 3] = ["GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"];

/// Git, in a folder.
#[derive(Debug, Clone)]
pub(super) struct Git {
    folder: PathBuf,
    index: Option<PathBuf>,
    is_offline: bool,
}

impl Git {
    /// Takes the folder in which git runs.
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), index: None, is_offline: false }
    }

    /// Takes another index than that of the person.
    pub(super) fn with_index(&self, index: &Path) -> Self {
        Self { index: Some(index.to_path_buf()), ..self.clone() }
    }

    /// Leaves what a partial clone would have to fetch first out of sight; git before 2.44 fetches it.
    pub(super) fn without_network(self) -> Self {
        Self { is_offline: true, ..self }
    }

    /// Asks git; nothing if it says no.
    pub(super) fn consult<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<Option<Vec<u8>>> {
        let output = self.call(arguments, b"").map_err(cannot_run)?;
        Ok(output.status.success().then_some(output.stdout))
    }

    /// Asks git; nothing if it says no or is not there.
    pub(super) fn ask<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Option<Vec<u8>> {
        let output = self.call(arguments, b"").ok()?;
        output.status.success().then_some(output.stdout)
    }

    /// Asks git for one line; nothing if it is empty.
    pub(super) fn ask_line<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Option<String> {
        let text = String::from_utf8(self.ask(arguments)?).ok()?;
        let line = text.trim_end_matches(['\n', '\r']);
        (!line.is_empty()).then(|| line.to_owned())
    }

    /// Lets git do something with some input; what it says against that is the error.
    pub(super) fn run<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> Result<Vec<u8>> {
        let output = self.call(arguments, input).map_err(cannot_run)?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let talk = String::from_utf8_lossy(&output.stderr);
        let talk = talk.lines().map(str::trim).filter(|line| !line.is_empty());
        let name = arguments.first().map(|name| name.as_ref().display().to_string());
        Err(Error::new(
            ErrorKind::Git,
            format!("git {}: {}", name.unwrap_or_default(), talk.collect::<Vec<_>>().join("; ")),
        ))
    }

    /// Lets git do something and returns the one line that it prints.
    pub(super) fn run_line<S: AsRef<OsStr>>(
        &self,
        arguments: &[S],
        input: &[u8],
    ) -> Result<String> {
        let text = self.run(arguments, input)?;
        Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
    }

    fn call<S: AsRef<OsStr>>(&self, arguments: &[S], input: &[u8]) -> std::io::Result<Output> {
        let mut command = command(&self.folder, arguments);
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        if self.is_offline {
            command.env("GIT_NO_LAZY_FETCH", "1");
        }
        let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let Some(mut stdin) = child.stdin.take() else { return child.wait_with_output() };
        // Git answers while it reads: who writes everything first would wait for git, and git for them.
        thread::scope(|scope| {
            let write = move || {
                // Git may end before it has read everything; its exit code says why.
                let _ = stdin.write_all(input);
            };
            if let Err(cause) = thread::Builder::new().spawn_scoped(scope, write) {
                // Half of the input would be taken for all of it.
                let _ = child.kill();
                let _ = child.wait();
                return Err(cause);
            }
            child.wait_with_output()
        })
    }
}

fn cannot_run(cause: std::io::Error) -> Error {
    let hint = "is `git` on the PATH, and are there processes and files to be had?";
    Error::new(ErrorKind::Git, "could not run git").hint(hint).because(cause)
}

/// Splits a list that git wrote with `-z`.
pub(super) fn listed(said: &[u8]) -> impl Iterator<Item = String> {
    let entries = said.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
    entries.map(|entry| String::from_utf8_lossy(entry).into_owned())
}

/// Makes a call of git in a folder, for one who minds its input and output.
pub(super) fn command<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Command {
    let mut command = Command::new("git");
    command.current_dir(folder).args(SETTINGS).args(arguments);
    command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    for name in MANNERS {
        command.env_remove(name);
    }
    // In a linked worktree git tells hooks and aliases where its folder is and not where the work tree begins:
    // the next git would take the folder it runs in for that. What lies around the store tells both.
    if git_folder::find(folder).is_some() {
        for name in PLACES {
            command.env_remove(name);
        }
    }
    command
}
