//! Reads lines of JSON-RPC from stdin, writes them to stdout, and answers invalid ones.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcError, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::error::Category;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{Receiver, channel};

use super::message::understood_message;
use crate::error::EXIT_COULD_NOT;
use crate::text::{client_text, escape_json, read_json};

/// Bytes of a line at most: the largest request with every character escaped, and its envelope.
const LINE: u64 = 8_388_608;

const AHEAD: usize = 64;

/// How long the server waits for its next answer after the client has gone.
///
/// A call may wait for the lock, or for a client that no longer reads.
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// The bytes of a line; nothing if it was too long.
type Line = Option<Vec<u8>>;

#[derive(Clone)]
pub(super) struct Wire {
    lines: Arc<Mutex<Receiver<Line>>>,
    /// Lines that are not answered yet, and will be.
    open: Arc<AtomicUsize>,
}

impl Wire {
    /// Starts the reader. When stdin ends, the process ends once all is answered, or nothing was for the time of `grace`; before
    /// that `at_end` runs.
    pub(super) fn open(grace: Duration, at_end: impl FnOnce() + Send + 'static) -> Self {
        let (sender, receiver) = channel(AHEAD);
        let open = Arc::new(AtomicUsize::new(0));
        let unanswered = Arc::clone(&open);
        std::thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            while let Ok(Some(line)) = read_line(&mut stdin) {
                unanswered.fetch_add(1, Ordering::SeqCst);
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
            // The next command finishes what a call was writing.
            drop(sender);
            wait_for_answers(&unanswered, grace);
            at_end();
            std::process::exit(0);
        });
        Self { lines: Arc::new(Mutex::new(receiver)), open }
    }

    fn is_done_with_one(&self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }
}

fn wait_for_answers(unanswered: &AtomicUsize, grace: Duration) {
    let (mut left, mut since) = (usize::MAX, Instant::now());
    while left > 0 && since.elapsed() < grace {
        let now = unanswered.load(Ordering::SeqCst);
        if now != left {
            (left, since) = (now, Instant::now());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Transport<RoleServer> for Wire {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        answer(&message);
        if matches!(message, JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_)) {
            self.is_done_with_one();
        }
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let refusal = match self.lines.lock().await.recv().await? {
                None => no_message(None, ErrorCode::INVALID_REQUEST, "the line is too long"),
                Some(line) if line.trim_ascii().is_empty() => {
                    self.is_done_with_one();
                    continue;
                }
                Some(line) => match read_message(&line) {
                    Ok(message) => {
                        if !matches!(message, JsonRpcMessage::Request(_)) {
                            self.is_done_with_one();
                        }
                        return Some(message);
                    }
                    Err(refusal) => refusal,
                },
            };
            answer(&refusal);
            self.is_done_with_one();
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    if input.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 == LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(None));
    }
    Ok(Some(Some(line)))
}

/// Writes a message. If that fails the process ends: the client would wait for the answer forever.
fn answer(message: &impl Serialize) {
    if write(message).is_err() {
        std::process::exit(EXIT_COULD_NOT.into());
    }
}

fn write(message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(message)?;
    let mut stdout = io::stdout().lock();
    // Invisible characters are escaped, as a client may print the answer.
    writeln!(stdout, "{}", escape_json(&text)).and_then(|()| stdout.flush())
}

/// Reads a message as strictly as a request on stdin: a lenient parser would drop one of two equal keys. A refusal has the id
/// of the call wherever it can be found, as its client waits for an answer to it.
fn read_message(line: &[u8]) -> Result<ClientJsonRpcMessage, JsonRpcError> {
    let text = client_text(line)
        .map_err(|what| no_message(None, ErrorCode::PARSE_ERROR, &format!("the line {what}")))?
        .text;
    let refuse = |code, why: &str| no_message(id_in(&text), code, why);
    let value = read_json(&text).map_err(|error| match error.classify() {
        Category::Data => {
            let why = "the message has two equal keys, or is nested too deeply";
            refuse(ErrorCode::INVALID_REQUEST, why)
        }
        Category::Syntax | Category::Eof | Category::Io => {
            refuse(ErrorCode::PARSE_ERROR, "the line is not one JSON document that can be read")
        }
    })?;
    serde_json::from_value(understood_message(value))
        .map_err(|_| refuse(ErrorCode::INVALID_REQUEST, "this is no message of JSON-RPC 2.0"))
}

/// Finds the id of a message, whatever else is in it.
fn id_in(text: &str) -> Option<RequestId> {
    #[derive(serde::Deserialize)]
    struct MessageId {
        id: RequestId,
    }
    serde_json::from_str(text).ok().map(|MessageId { id }| id)
}

fn no_message(id: Option<RequestId>, code: ErrorCode, text: &str) -> JsonRpcError {
    JsonRpcError::new(id, ErrorData::new(code, text.to_owned(), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(line: &[u8], code: i32) {
        let answer = read_message(line).expect_err("it is no message");
        assert_eq!(answer.error.code.0, code, "{}", String::from_utf8_lossy(line));
    }

    #[test]
    fn what_is_not_json_is_told_from_what_is_no_message() {
        refused(b"{\"jsonrpc\":", -32700);
        refused(b"hello", -32700);
        refused(b"\xff\xfe", -32700);
        refused(b"[]", -32600);
        refused(b"{\"id\":1}", -32600);
        refused(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}", -32600);
    }

    #[test]
    fn a_refusal_has_the_id_of_its_call() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for params in [r#"{"a": 1, "a": 2}"#, "1e400", deep.as_str(), "{}"] {
            let line = format!("{{\"jsonrpc\": \"2.0\", \"id\": 7, \"way\": {params}}}");
            let answer = read_message(line.as_bytes()).expect_err("it is refused");
            assert_eq!(answer.id, Some(RequestId::Number(7)), "{:.80}", line);
        }
    }

    #[test]
    fn half_a_character_in_a_call_is_no_fault() {
        let line = r#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"cut": "\ud83d"}}"#;
        assert!(read_message(line.as_bytes()).is_ok());
    }

    #[test]
    fn a_line_without_an_end_is_read_and_one_that_is_too_long_is_skipped() {
        let mut input = io::Cursor::new([vec![b'x'; 9_000_000], b"\nlast".to_vec()].concat());
        assert!(matches!(read_line(&mut input), Ok(Some(None))));
        assert!(matches!(read_line(&mut input), Ok(Some(Some(line))) if line == b"last"));
        assert!(matches!(read_line(&mut input), Ok(None)));
    }
}
