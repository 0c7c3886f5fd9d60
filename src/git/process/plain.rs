//! Reads and writes the pipes of a program at once, with one thread for each.

use std::io::{self, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use super::heard::{ANSWER, Heard, TALK, too_much};

/// Writes the input and reads the output until it ends; the error kind is `TimedOut` on a timeout.
pub(super) fn exchange(child: &mut Child, input: &[u8], until: Instant) -> io::Result<Heard> {
    let answer = listen(child.stdout.take().expect("it is piped"), ANSWER + 1)?;
    let talk = listen(child.stderr.take().expect("it is piped"), TALK)?;
    if let Some(mut stdin) = child.stdin.take() {
        let input = input.to_vec();
        // The program may end before it has read everything; its exit code says why.
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
    // A thread is left behind if another process keeps its pipe open.
    thread::Builder::new().spawn(move || {
        let mut kept = Vec::new();
        let mut first = pipe.take(u64::try_from(limit).unwrap_or(u64::MAX));
        let read = first.read_to_end(&mut kept);
        drop(sender.send(read.map(|_| kept)));
        // The rest is read too, so that the program does not block.
        drop(std::io::copy(&mut first.into_inner(), &mut std::io::sink()));
    })?;
    Ok(receiver)
}

fn receive(from: &Receiver<io::Result<Vec<u8>>>, until: Instant) -> io::Result<Vec<u8>> {
    let left = until.saturating_duration_since(Instant::now());
    from.recv_timeout(left).unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
