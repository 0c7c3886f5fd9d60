//! Runs a program to its end, or ends it.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes that are kept of what a program says about itself.
const TALK: u64 = 64 * 1024;

/// What became of a program.
pub(super) struct Ended<T> {
    pub(super) status: ExitStatus,
    pub(super) answer: T,
    pub(super) talk: Vec<u8>,
}

enum Heard<T> {
    Answer(io::Result<T>),
    Talk(Vec<u8>),
}

/// Runs a program with some input; `read` takes what it prints. Where it takes too long, it is ended with all that it
/// started, and the error is of the kind `TimedOut`.
pub(super) fn run<T: Send + 'static>(
    mut command: Command,
    input: &[u8],
    limit: Duration,
    read: impl FnOnce(ChildStdout) -> io::Result<T> + Send + 'static,
) -> io::Result<Ended<T>> {
    let until = Instant::now() + limit;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    in_a_group_of_its_own(&mut command);
    let mut child = command.spawn()?;
    let ended = listen(&mut child, input, read).and_then(|heard| heard.until(until, &mut child));
    if ended.is_err() {
        end(&mut child);
    }
    ended
}

/// What a program says, as it comes.
struct Listening<T>(std::sync::mpsc::Receiver<Heard<T>>);

/// Reads and writes at once, as a program that cannot write does not read on.
fn listen<T: Send + 'static>(
    child: &mut Child,
    input: &[u8],
    read: impl FnOnce(ChildStdout) -> io::Result<T> + Send + 'static,
) -> io::Result<Listening<T>> {
    let (sender, receiver) = channel();
    let stdout = child.stdout.take().expect("it is piped");
    let mut stderr = child.stderr.take().expect("it is piped");
    let tell = |sender: &Sender<Heard<T>>| sender.clone();
    let answers = tell(&sender);
    // A thread that waits for a pipe which something else holds open is left behind.
    spawn(move || drop(answers.send(Heard::Answer(read(stdout)))))?;
    spawn(move || {
        let mut talk = Vec::new();
        let _ = stderr.by_ref().take(TALK).read_to_end(&mut talk);
        let _ = io::copy(&mut stderr, &mut io::sink());
        drop(sender.send(Heard::Talk(talk)));
    })?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // It may end before it has read everything; its exit code says why.
        spawn(move || drop(stdin.write_all(&input)))?;
    }
    Ok(Listening(receiver))
}

impl<T> Listening<T> {
    fn until(self, until: Instant, child: &mut Child) -> io::Result<Ended<T>> {
        let (mut answer, mut talk) = (None, None);
        while answer.is_none() || talk.is_none() {
            match self.0.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Heard::Answer(heard)) => answer = Some(heard?),
                Ok(Heard::Talk(heard)) => talk = Some(heard),
                Err(RecvTimeoutError::Timeout) => return Err(io::ErrorKind::TimedOut.into()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::Error::other("a thread that read what it said has ended"));
                }
            }
        }
        let status = wait(child, until)?.ok_or(io::ErrorKind::TimedOut)?;
        let both = answer.zip(talk).expect("the loop ends with both");
        Ok(Ended { status, answer: both.0, talk: both.1 })
    }
}

/// Waits for the end; nothing where it does not come in time.
fn wait(child: &mut Child, until: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(50);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

fn spawn(act: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().spawn(act).map(drop)
}

#[cfg(unix)]
fn in_a_group_of_its_own(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn in_a_group_of_its_own(_: &mut Command) {}

fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, input: &[u8], limit: u64) -> io::Result<Ended<Vec<u8>>> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, input, Duration::from_millis(limit), |mut stdout| {
            let mut answer = Vec::new();
            stdout.read_to_end(&mut answer).map(|_| answer)
        })
    }

    #[test]
    fn what_is_said_on_both_sides_is_heard_while_it_is_asked() {
        let input = vec![b'x'; 1_000_000];
        let ended = shell("cat; head -c 300000 /dev/zero >&2; exit 3", &input, 30_000).unwrap();
        assert_eq!((ended.answer, ended.status.code()), (input, Some(3)));
        assert_eq!(ended.talk.len() as u64, TALK);
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let begun = Instant::now();
        // What it leaves behind holds the pipes open.
        let ended = shell("sleep 60 & echo $!; sleep 60", b"", 200);
        assert!(ended.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
}
