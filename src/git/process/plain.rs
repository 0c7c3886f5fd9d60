//! Reads and writes the pipes of a program at once, on a thread each, where pipes cannot be waited for together.

use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use super::{ANSWER, Heard, TALK, too_much};

/// Hands a program its input and takes what it says, until it says no more; the error is of the kind `TimedOut` where
/// that takes too long.
pub(super) fn exchange(child: &mut Child, input: &[u8], until: Instant) -> io::Result<Heard> {
    let answer = listen(child.stdout.take().expect("it is piped"), ANSWER + 1)?;
    let talk = listen(child.stderr.take().expect("it is piped"), TALK)?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // It may end before it has read everything; its exit code says why.
        thread::Builder::new().spawn(move || drop(stdin.write_all(&input)))?;
    }
    let answer = receive(&answer, until)?;
    if answer.len() > ANSWER {
        return Err(too_much());
    }
    Ok(Heard { answer, talk: receive(&talk, until)? })
}

fn listen(
    pipe: impl Read + Send + 'static,
    limit: usize,
) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = channel();
    // A thread that waits for a pipe which something else holds open is left behind.
    thread::Builder::new().spawn(move || {
        let mut kept = Vec::new();
        let mut first = pipe.take(u64::try_from(limit).unwrap_or(u64::MAX));
        let read = first.read_to_end(&mut kept);
        drop(sender.send(read.map(|_| kept)));
        // What has no room is read all the same, so that the program is not kept waiting.
        drop(std::io::copy(&mut first.into_inner(), &mut std::io::sink()));
    })?;
    Ok(receiver)
}

fn receive(from: &Receiver<io::Result<Vec<u8>>>, until: Instant) -> io::Result<Vec<u8>> {
    let left = until.saturating_duration_since(Instant::now());
    from.recv_timeout(left).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
