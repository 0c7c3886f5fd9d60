//! Runs git as the person would: their hooks, their settings, their signature, their terminal.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::output::cannot_run;
use crate::error::{Error, ErrorKind, Result};
use crate::programs;

/// How long a commit may take: a hook may run the tests, and signing may ask for a passphrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitLimit {
    /// No limit: a person is there who can stop it.
    Person,
    /// At most this long.
    After(Duration),
}

impl CommitLimit {
    /// The limit where no person is there.
    pub const ALONE: Self = Self::After(Duration::from_secs(600));
}

#[derive(Debug)]
pub(crate) enum Acted {
    Done,
    /// Git or a hook said no.
    Refused(Error),
    /// It took too long and was ended.
    Late(Error),
}

/// The time for git to clean up after a signal to end.
const GRACE: Duration = Duration::from_secs(5);

/// How long the last output is awaited after git ended: a process that a hook started may keep the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Bytes of output to keep: the last ones say why it ended.
const KEPT: usize = 64 * 1024;

/// The exit code of a refusal; other codes are failures.
const NO: i32 = 1;

/// Runs a git command with some input; `name` is for messages.
pub(super) fn call(
    mut command: Command,
    name: &str,
    input: &str,
    limit: CommitLimit,
) -> Result<Acted> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot_run)?;
    let words = match listen(&mut child) {
        Ok(words) => words,
        Err(cause) => {
            let _ = child.kill();
            let _ = child.wait();
            return Err(cannot_run(cause));
        }
    };
    if let Some(mut stdin) = child.stdin.take() {
        // Git may end before it has read everything; its exit code says why.
        let _ = stdin.write_all(input.as_bytes());
    }
    let (status, is_late) = wait(&mut child, limit).map_err(cannot_run)?;
    let said = words.last();
    if is_late {
        let CommitLimit::After(limit) = limit else { unreachable!("only a limit ends it") };
        let message = format!("git {name} did not end within {limit:?} and was ended{said}");
        let hint = "see which hook hangs, or do it with git";
        return Ok(Acted::Late(Error::new(ErrorKind::Git, message).hint(hint)));
    }
    if status.success() {
        return Ok(Acted::Done);
    }
    let error = Error::new(ErrorKind::Git, format!("git {name}: {status}{said}"))
        .hint("do it with git, once what it says is settled");
    match status.code() {
        Some(NO) => Ok(Acted::Refused(error)),
        _ => Err(error),
    }
}

/// The output of git and its hooks.
struct ErrorOutput {
    said: Arc<Mutex<Vec<u8>>>,
    /// Is closed at the end of the output.
    end: Receiver<()>,
}

fn listen(child: &mut Child) -> std::io::Result<ErrorOutput> {
    let (tell, end) = mpsc::channel();
    let said = Arc::default();
    let mut pipe = child.stderr.take().expect("it is piped");
    let kept = Arc::clone(&said);
    thread::Builder::new().spawn(move || keep(&mut pipe, &kept, tell))?;
    Ok(ErrorOutput { said, end })
}

/// Reads to the end, so that no process blocks, and keeps the last bytes.
fn keep(pipe: &mut impl Read, kept: &Mutex<Vec<u8>>, tell: Sender<()>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let Ok(mut kept) = kept.lock() else { break };
        kept.extend(&buffer[..count]);
        let excess = kept.len().saturating_sub(KEPT);
        kept.drain(..excess);
    }
    drop(tell);
}

impl ErrorOutput {
    /// Returns the output on one line after a colon; empty if there is none.
    fn last(&self) -> String {
        let _ = self.end.recv_timeout(LAST_WORDS);
        let said = self.said.lock().map(|said| said.clone()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines = said.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<&str> = lines.collect();
        if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) }
    }
}

/// Waits for the end; also tells whether git had to be ended.
fn wait(child: &mut Child, limit: CommitLimit) -> std::io::Result<(ExitStatus, bool)> {
    let CommitLimit::After(limit) = limit else { return Ok((child.wait()?, false)) };
    if let Some(status) = programs::wait(child, Instant::now() + limit)? {
        return Ok((status, false));
    }
    // Git removes its locks and ends its hooks when it is terminated, and cannot when it is killed.
    terminate(child);
    let status = programs::wait(child, Instant::now() + GRACE)?;
    let end = |child: &mut Child| {
        child.kill()?;
        child.wait()
    };
    Ok((status.map_or_else(|| end(child), Ok)?, true))
}

#[cfg(unix)]
fn terminate(child: &Child) {
    let _ = rustix::process::kill_process(
        rustix::process::Pid::from_child(child),
        rustix::process::Signal::TERM,
    );
}

#[cfg(not(unix))]
fn terminate(_child: &Child) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<Acted> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        call(command, "commit", "", CommitLimit::After(Duration::from_secs(60)))
    }

    #[test]
    fn a_process_that_a_hook_left_behind_holds_nothing_up() {
        let begun = Instant::now();
        let talk = "(for i in $(seq 150); do echo again >&2; sleep 0.1; done) & exit 1";
        let Ok(Acted::Refused(error)) = shell(talk) else { panic!("it says no") };
        assert!(error.to_string().contains("again"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(10));
    }

    #[test]
    fn of_many_words_the_last_ones_are_kept() {
        let many = "head -c 300000 /dev/zero | tr '\\0' x >&2; echo the end >&2; exit 1";
        let Ok(Acted::Refused(error)) = shell(many) else { panic!("it says no") };
        let said = error.to_string();
        assert!(said.ends_with("the end") && said.len() < KEPT + 100, "{}", said.len());
    }
}
