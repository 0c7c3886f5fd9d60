//! Reads and writes the pipes of a program at once, on one thread.

use std::io::{self, ErrorKind, Read, Write};
use std::process::Child;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::heard::{ANSWER, Heard, TALK, too_much};

/// Writes the input and reads the output until it ends; the error kind is `TimedOut` on a timeout.
pub(super) fn exchange(child: &mut Child, input: &[u8], until: Instant) -> io::Result<Heard> {
    let (mut stdin, mut rest) = (child.stdin.take(), input);
    let (mut stdout, mut stderr) = (child.stdout.take(), child.stderr.take());
    stdin.as_ref().map_or(Ok(()), unblock)?;
    stdout.as_ref().map_or(Ok(()), unblock)?;
    stderr.as_ref().map_or(Ok(()), unblock)?;
    let mut heard = Heard::default();
    while stdout.is_some() || stderr.is_some() {
        let mut pipes = Vec::new();
        pipes.extend(stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        pipes.extend(stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        wait(&mut pipes, until)?;
        write_some(&mut stdin, &mut rest)?;
        read_some(&mut stdout, &mut heard.answer, ANSWER + 1)?;
        if heard.answer.len() > ANSWER {
            return Err(too_much());
        }
        read_some(&mut stderr, &mut heard.talk, TALK)?;
    }
    Ok(heard)
}

fn unblock(pipe: &impl std::os::fd::AsFd) -> io::Result<()> {
    Ok(fcntl_setfl(pipe, fcntl_getfl(pipe)? | OFlags::NONBLOCK)?)
}

fn wait(pipes: &mut [PollFd<'_>], until: Instant) -> io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    let left = Timespec::try_from(left).map_err(io::Error::other)?;
    match poll(pipes, Some(&left)) {
        Ok(0) => Err(ErrorKind::TimedOut.into()),
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn write_some(pipe: &mut Option<impl Write>, rest: &mut &[u8]) -> io::Result<()> {
    let Some(open) = pipe else { return Ok(()) };
    match open.write(rest) {
        Ok(count) => *rest = &rest[count..],
        Err(error) if is_for_later(&error) => {}
        // The program may end before it has read everything; its exit code says why.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => *rest = &[],
        Err(error) => return Err(error),
    }
    if rest.is_empty() {
        *pipe = None;
    }
    Ok(())
}

/// Reads once, as an endless output would never return, and keeps what fits.
fn read_some(pipe: &mut Option<impl Read>, kept: &mut Vec<u8>, limit: usize) -> io::Result<()> {
    let Some(open) = pipe else { return Ok(()) };
    let mut some = [0; 16_384];
    match open.read(&mut some) {
        Ok(0) => *pipe = None,
        Ok(count) => kept.extend(&some[..count.min(limit.saturating_sub(kept.len()))]),
        Err(error) if is_for_later(&error) => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
