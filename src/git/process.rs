//! Runs a program to its end, or ends it.

mod heard;
#[cfg(not(unix))]
mod plain;
#[cfg(unix)]
mod unix;

use std::io;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::programs::{end, in_a_group_of_its_own, wait};
use heard::Heard;
#[cfg(not(unix))]
use plain::exchange;
#[cfg(unix)]
use unix::exchange;

pub(super) use heard::ANSWER_MIB;

#[derive(Debug)]
pub(super) struct Ended {
    pub(super) status: ExitStatus,
    pub(super) answer: Vec<u8>,
    pub(super) talk: Vec<u8>,
}

/// Runs a program with some input. If it takes too long or says too much, it is ended with all its children; the error
/// kind is `TimedOut` or `FileTooLarge`.
pub(super) fn run(mut command: Command, input: &[u8], limit: Duration) -> io::Result<Ended> {
    let until = Instant::now() + limit;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
    in_a_group_of_its_own(&mut command);
    let mut child = command.spawn()?;
    let ended = exchange(&mut child, input, until).and_then(|Heard { answer, talk }| {
        let status = wait(&mut child, until)?.ok_or(io::ErrorKind::TimedOut)?;
        Ok(Ended { status, answer, talk })
    });
    if ended.is_err() {
        end(&mut child);
    }
    ended
}

#[cfg(all(test, unix))]
mod tests {
    use super::heard::TALK;
    use super::*;

    fn shell(script: &str, input: &[u8], limit: u64) -> io::Result<Ended> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, input, Duration::from_millis(limit))
    }

    #[test]
    fn what_is_said_on_both_sides_is_heard_while_it_is_asked() {
        let input = vec![b'x'; 1_000_000];
        let ended = shell("cat; head -c 300000 /dev/zero >&2; exit 3", &input, 30_000).unwrap();
        assert_eq!((ended.answer, ended.status.code()), (input, Some(3)));
        assert_eq!(ended.talk.len(), TALK);
    }

    #[test]
    fn what_takes_too_long_is_ended_with_all_that_it_started() {
        let begun = Instant::now();
        // Its child keeps the pipes open.
        let ended = shell("sleep 60 & echo $!; sleep 60", b"", 200);
        assert!(ended.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn what_never_pauses_is_ended_too() {
        let begun = Instant::now();
        let ended = shell("cat /dev/zero >&2", b"", 200);
        assert!(ended.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut));
        assert!(begun.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn an_answer_without_an_end_is_not_kept() {
        let ended = shell("cat /dev/zero", b"", 60_000);
        assert!(ended.is_err_and(|error| error.kind() == io::ErrorKind::FileTooLarge));
    }
}
