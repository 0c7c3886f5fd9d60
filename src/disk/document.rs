//! Reads one JSON document from stdin, and waits for no end: a client may keep its pipe open.

use std::io::{BufRead, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::outside;
use crate::error::{Error, Result};

/// How long what may follow a whole document is waited for: a line end, or what makes it no document.
const AFTER_THE_END: Duration = Duration::from_millis(20);

/// Reads at most `limit` bytes of a file, or of stdin until one JSON document is there. What comes with its end is
/// returned too, and more is not waited for.
pub(crate) fn read_document(path: Option<&Path>, limit: u64) -> Result<Vec<u8>> {
    match path {
        Some(path) => outside::read_up_to(Some(path), limit),
        None => Ok(collect(next_of_stdin, limit, None)?.unwrap_or_default()),
    }
}

/// Does the same with stdin, unless nothing comes for some time: then there is no document.
pub(crate) fn read_document_within(limit: u64, patience: Duration) -> Result<Option<Vec<u8>>> {
    collect(next_of_stdin, limit, Some(patience))
}

/// How long stdin may be silent before it is said what is waited for.
const SILENCE: Duration = Duration::from_secs(1);

/// Calls `say` where nothing comes on stdin for a moment. There is no limit: an agent may think before it sends.
pub(crate) fn say_if_silent(say: impl FnOnce()) {
    if let Ok(false) = is_ready(SILENCE) {
        say();
    }
}

/// What came next on a pipe.
enum Next {
    Part(Vec<u8>),
    /// Nothing, in the time that was given.
    Nothing,
    End,
}

/// Puts parts together up to the end of a document; nothing where none comes for so long.
fn collect(
    mut next: impl FnMut(Option<Duration>) -> std::io::Result<Next>,
    limit: u64,
    patience: Option<Duration>,
) -> Result<Option<Vec<u8>>> {
    let (mut bytes, mut end) = (Vec::new(), DocumentEnd::default());
    while (bytes.len() as u64) < limit {
        let wait = if end.is_reached { Some(AFTER_THE_END) } else { patience };
        match next(wait).map_err(|error| Error::io("read", Path::new("stdin"), error))? {
            Next::Part(part) => {
                end.look_at(&part);
                bytes.extend(part);
            }
            Next::Nothing if !end.is_reached => return Ok(None),
            Next::Nothing | Next::End => break,
        }
    }
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Some(bytes))
}

/// Reads what stdin has, or waits for it; nothing where the time is over.
fn next_of_stdin(wait: Option<Duration>) -> std::io::Result<Next> {
    if let Some(wait) = wait
        && !is_ready(wait)?
    {
        return Ok(Next::Nothing);
    }
    let mut stdin = std::io::stdin().lock();
    loop {
        match stdin.fill_buf() {
            Ok([]) => return Ok(Next::End),
            Ok(read) => {
                let part = read.to_vec();
                stdin.consume(part.len());
                return Ok(Next::Part(part));
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Tells whether stdin has something, or its end, within some time.
#[cfg(unix)]
fn is_ready(wait: Duration) -> std::io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdin = std::io::stdin();
    let wait = Timespec::try_from(wait).map_err(std::io::Error::other)?;
    loop {
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&wait)) {
            Ok(ready) => return Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Elsewhere a pipe cannot be asked: before the end of a document it is waited for, and after it nothing is read.
#[cfg(not(unix))]
fn is_ready(wait: Duration) -> std::io::Result<bool> {
    Ok(wait > AFTER_THE_END)
}

/// Finds the end of an object, a list or a text. All else is no document of ours, and ends where it begins.
#[derive(Default)]
struct DocumentEnd {
    is_reached: bool,
    has_begun: bool,
    /// Objects and lists that are open.
    depth: usize,
    in_text: bool,
    is_escaped: bool,
}

impl DocumentEnd {
    fn look_at(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_text => self.is_escaped = true,
                b'"' => {
                    self.in_text = !self.in_text;
                    self.is_reached |= !self.in_text && self.depth == 0;
                }
                _ if self.in_text => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_reached |= self.depth == 0;
                }
                // The first three are a byte order mark.
                0xef | 0xbb | 0xbf | b' ' | b'\t' | b'\r' | b'\n' if !self.has_begun => continue,
                _ => self.is_reached |= !self.has_begun,
            }
            self.has_begun = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes on a pipe that stays open, part by part.
    fn read(parts: &[&str], limit: u64) -> Option<String> {
        let mut parts = parts.iter();
        let next = |wait: Option<Duration>| {
            let part = parts.next().map(|part| Next::Part(part.as_bytes().to_vec()));
            assert!(part.is_some() || wait.is_some(), "it would wait for ever");
            Ok(part.unwrap_or(Next::Nothing))
        };
        let read = collect(next, limit, Some(Duration::from_secs(1))).expect("it is read");
        read.map(|read| String::from_utf8(read).expect("a text"))
    }

    #[track_caller]
    fn check(parts: &[&str], expected: &str) {
        assert_eq!(read(parts, 1_000).as_deref(), Some(expected));
    }

    #[test]
    fn a_whole_document_is_enough() {
        check(&["{}"], "{}");
        check(&["\u{feff} ", "{\"a\": [1, {}", "]}"], "\u{feff} {\"a\": [1, {}]}");
        check(&["[\"}]\\\"", "]\"]"], "[\"}]\\\"]\"]");
        check(&["\"a \\\\", "\""], "\"a \\\\\"");
    }

    #[test]
    fn what_comes_with_its_end_is_read_too() {
        check(&["{} {"], "{} {");
        check(&["{}", "\n", "{}"], "{}\n{}");
    }

    #[test]
    fn what_can_be_no_document_is_not_waited_for() {
        for begun in ["5", " nul", "}", "hello {"] {
            check(&[begun], begun);
        }
    }

    #[test]
    fn a_part_of_a_document_is_none() {
        assert_eq!(read(&["{\"a\""], 1_000), None);
        assert_eq!(read(&[], 1_000), None);
    }

    #[test]
    fn a_pipe_that_ends_gives_what_it_had() {
        let mut parts = [Next::Part(b"{\"a\"".to_vec()), Next::End].into_iter();
        let read = collect(|_| Ok(parts.next().expect("a part")), 1_000, None);
        assert_eq!(read.expect("it is read").as_deref(), Some(&b"{\"a\""[..]));
    }

    #[test]
    fn no_more_than_the_limit_is_kept() {
        assert_eq!(read(&["[1, 2, 3]"], 4).as_deref(), Some("[1, "));
    }
}
