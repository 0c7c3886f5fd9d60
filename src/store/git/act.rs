//! Runs git as the person would: their hooks, their settings, their signature, their terminal.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, ErrorKind, Result};

/// How long a commit may take: a hook may run the tests, and signing may ask for a passphrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitLimit {
    /// As long as it takes: a person is there who can end it.
    Person,
    /// At most so long.
    After(Duration),
}

impl CommitLimit {
    /// The limit where no person is there.
    pub const ALONE: Self = Self::After(Duration::from_secs(600));
}

/// How a call ended.
#[derive(Debug)]
pub(in crate::store) enum Ended {
    /// Without a word against it.
    Done,
    /// Git or a hook said no.
    Refused(Error),
    /// It did not end in time, and was ended.
    Late(Error),
}

/// How long git may take to clean up once it is told to end.
const GRACE: Duration = Duration::from_secs(5);

/// How long words are waited for behind the end of git; a hook may leave a process that keeps the pipe open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How often git is looked after at most.
const PAUSE: Duration = Duration::from_millis(20);

/// The exit code with which git says no; with others it could not go on.
const NO: i32 = 1;

/// Runs a command of git, which is called `name`, with some input.
pub(super) fn call(
    mut command: Command,
    (name, input): (&str, &str),
    limit: CommitLimit,
) -> Result<Ended> {
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
    let said = last_words(&words);
    if is_late {
        let CommitLimit::After(limit) = limit else { unreachable!("only a limit ends it") };
        let message = format!("git {name} did not end within {limit:?} and was ended{said}");
        let hint = "see which hook hangs, or do it with git";
        return Ok(Ended::Late(Error::new(ErrorKind::Git, message).hint(hint)));
    }
    if status.success() {
        return Ok(Ended::Done);
    }
    let error = Error::new(ErrorKind::Git, format!("git {name}: {status}{said}"))
        .hint("do it with git, once what it says is settled");
    match status.code() {
        Some(NO) => Ok(Ended::Refused(error)),
        _ => Err(error),
    }
}

fn cannot_run(cause: std::io::Error) -> Error {
    let hint = "is `git` on the PATH, and are there processes and files to be had?";
    Error::new(ErrorKind::Git, "could not run git").hint(hint).because(cause)
}

/// Takes in what git and its hooks say, as it comes.
fn listen(child: &mut Child) -> std::io::Result<Receiver<Vec<u8>>> {
    let (tell, words) = mpsc::channel();
    let mut pipe = child.stderr.take().expect("it is piped");
    thread::Builder::new().spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            if tell.send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    })?;
    Ok(words)
}

/// Returns what was said, on one line that begins with a colon; empty where nothing was.
fn last_words(words: &Receiver<Vec<u8>>) -> String {
    let mut said = Vec::new();
    while let Ok(more) = words.recv_timeout(LAST_WORDS) {
        said.extend(more);
    }
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) }
}

/// Waits for the end; tells also whether it had to be brought about.
fn wait(child: &mut Child, limit: CommitLimit) -> std::io::Result<(ExitStatus, bool)> {
    let CommitLimit::After(limit) = limit else { return Ok((child.wait()?, false)) };
    if let Some(status) = wait_until(child, Instant::now() + limit)? {
        return Ok((status, false));
    }
    // Git takes its locks away and ends its hooks when it is asked to end, and cannot when it is killed.
    terminate(child);
    let status = wait_until(child, Instant::now() + GRACE)?;
    let end = |child: &mut Child| {
        child.kill()?;
        child.wait()
    };
    Ok((status.map_or_else(|| end(child), Ok)?, true))
}

fn wait_until(child: &mut Child, deadline: Instant) -> std::io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(PAUSE);
    }
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
