//! Reads one JSON document from stdin, and waits for no end: a client may keep its pipe open.

use std::io::{BufRead, ErrorKind};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use super::outside;
use crate::error::{Error, Result};

/// Reads at most `limit` bytes of a file, or of stdin until one JSON document is there. What came with its end is
/// returned too, and more is not waited for.
pub(crate) fn read_document(path: Option<&Path>, limit: u64) -> Result<Vec<u8>> {
    match path {
        Some(path) => outside::read_up_to(Some(path), limit),
        None => read_from(&mut std::io::stdin().lock(), limit)
            .map_err(|error| Error::io("read", Path::new("stdin"), error)),
    }
}

/// Does the same with stdin for a limited time; nothing where no whole document came in it.
pub(crate) fn read_document_within(limit: u64, patience: Duration) -> Result<Option<Vec<u8>>> {
    let (sender, received) = sync_channel(1);
    // The thread ends with the process, if nothing comes.
    thread::spawn(move || sender.send(read_document(None, limit)));
    received.recv_timeout(patience).ok().transpose()
}

fn read_from(input: &mut impl BufRead, limit: u64) -> std::io::Result<Vec<u8>> {
    let (mut bytes, mut end) = (Vec::new(), DocumentEnd::default());
    while (bytes.len() as u64) < limit && !end.is_reached {
        let read = match input.fill_buf() {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if read.is_empty() {
            break;
        }
        end.look_at(read);
        bytes.extend_from_slice(read);
        let count = read.len();
        input.consume(count);
    }
    bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(bytes)
}

/// Finds the end of an object, a list or a text. A number and a word have none before the end of the input.
#[derive(Default)]
struct DocumentEnd {
    is_reached: bool,
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
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::read_from;

    /// Gives its parts one by one; a read after the last would block a client's pipe, and fails here.
    struct Parts(Vec<&'static str>);

    impl Read for Parts {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            assert!(!self.0.is_empty(), "more was waited for");
            let part = self.0.remove(0);
            into[..part.len()].copy_from_slice(part.as_bytes());
            Ok(part.len())
        }
    }

    #[track_caller]
    fn check(parts: &[&'static str], expected: &str) {
        let read = read_from(&mut BufReader::new(Parts(parts.to_vec())), 1_000);
        assert_eq!(
            read.map(|read| String::from_utf8(read).expect("a text")).ok(),
            Some(expected.to_owned())
        );
    }

    #[test]
    fn more_than_a_whole_document_is_not_waited_for() {
        check(&["{}"], "{}");
        check(&["\u{feff} ", "{\"a\": [1, {}", "]}"], "\u{feff} {\"a\": [1, {}]}");
        check(&["[\"}]\\\"", "]\"]"], "[\"}]\\\"]\"]");
        check(&["\"a \\\\", "\""], "\"a \\\\\"");
        check(&["{} {"], "{} {");
        check(&["}"], "}");
    }

    #[test]
    fn what_has_no_end_of_its_own_is_read_to_the_end_of_the_input() {
        check(&["5", "5", ""], "55");
        check(&["nul", "l", ""], "null");
        check(&["{\"a\"", ""], "{\"a\"");
        check(&[""], "");
    }

    #[test]
    fn no_more_than_the_limit_is_kept() {
        let read = read_from(&mut BufReader::new("[1, 2, 3]".as_bytes()), 4);
        assert_eq!(read.ok(), Some(b"[1, ".to_vec()));
    }
}
