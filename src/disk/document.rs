//! Reads one JSON document from stdin, and waits for no end: a client may keep its pipe open.

use std::io::{BufRead, ErrorKind};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
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
        None => Ok(collect(&parts_of_stdin(), limit, None)?.unwrap_or_default()),
    }
}

/// Does the same with stdin, unless nothing comes for some time: then there is no document.
pub(crate) fn read_document_within(limit: u64, patience: Duration) -> Result<Option<Vec<u8>>> {
    collect(&parts_of_stdin(), limit, Some(patience))
}

type Part = std::io::Result<Vec<u8>>;

/// Reads stdin on a thread of its own, which ends with stdin or with the process.
fn parts_of_stdin() -> Receiver<Part> {
    let (sender, parts) = sync_channel(1);
    thread::spawn(move || send_parts(&mut std::io::stdin().lock(), &sender));
    parts
}

/// Sends each part as it comes, until the end or until they are no longer wanted.
fn send_parts(input: &mut impl BufRead, sender: &SyncSender<Part>) {
    loop {
        let part = match input.fill_buf() {
            Ok([]) => return,
            Ok(read) => Ok(read.to_vec()),
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => Err(error),
        };
        input.consume(part.as_ref().map_or(0, Vec::len));
        let is_end = part.is_err();
        if sender.send(part).is_err() || is_end {
            return;
        }
    }
}

/// Puts parts together up to the end of a document; nothing where none comes for so long.
fn collect(
    parts: &Receiver<Part>,
    limit: u64,
    patience: Option<Duration>,
) -> Result<Option<Vec<u8>>> {
    let (mut bytes, mut end) = (Vec::new(), DocumentEnd::default());
    while (bytes.len() as u64) < limit {
        let wait = if end.is_reached { Some(AFTER_THE_END) } else { patience };
        let part = match wait {
            Some(wait) => parts.recv_timeout(wait),
            None => parts.recv().map_err(RecvTimeoutError::from),
        };
        match part {
            Ok(part) => {
                let part = part.map_err(|error| Error::io("read", Path::new("stdin"), error))?;
                end.look_at(&part);
                bytes.extend(part);
            }
            Err(RecvTimeoutError::Timeout) if !end.is_reached => return Ok(None),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Some(bytes))
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
        let (sender, received) = sync_channel(parts.len());
        for part in parts {
            sender.send(Ok(part.as_bytes().to_vec())).expect("there is room");
        }
        let read = collect(&received, limit, Some(Duration::from_millis(50))).expect("it is read");
        drop(sender);
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
        let (sender, received) = sync_channel(8);
        send_parts(&mut "{\"a\"".as_bytes(), &sender);
        drop(sender);
        let read = collect(&received, 1_000, None).expect("it is read");
        assert_eq!(read.as_deref(), Some(&b"{\"a\""[..]));
    }

    #[test]
    fn no_more_than_the_limit_is_kept() {
        assert_eq!(read(&["[1, 2, 3]"], 4).as_deref(), Some("[1, "));
    }
}
