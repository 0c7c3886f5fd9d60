//! Reads lines of JSON-RPC from stdin, writes them to stdout, and answers invalid ones.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorCode, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::json;
use tokio::sync::Mutex;
use tokio::sync::mpsc::{Receiver, channel};

use super::line::{LineRefusal, ReadMessage, read_messages, too_long};
use super::running_calls::{CallEnd, RunningCalls};
use crate::error::EXIT_COULD_NOT;
use crate::text::escape_json;

/// Bytes of a line at most: the largest request with every character escaped, and its envelope.
const LINE: u64 = 8_388_608;

const AHEAD: usize = 64;

/// How long the server waits for its next answer after the client has gone.
///
/// A call may wait for the lock, or for a client that no longer reads.
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// A line, or the beginning of one that is too long.
enum Line {
    Whole(Vec<u8>),
    TooLong(Vec<u8>),
}

/// What was read and not given out yet.
struct Input {
    lines: Receiver<Line>,
    /// The messages of a line that are left.
    batch: VecDeque<ReadMessage>,
}

#[derive(Clone)]
pub(super) struct Wire {
    input: Arc<Mutex<Input>>,
    /// Messages that are not answered yet, and will be.
    open: Arc<AtomicUsize>,
    running: RunningCalls,
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
        let input = Input { lines: receiver, batch: VecDeque::new() };
        Self { input: Arc::new(Mutex::new(input)), open, running: RunningCalls::default() }
    }

    fn is_done_with_one(&self) {
        self.open.fetch_sub(1, Ordering::SeqCst);
    }

    /// Reads the next message; `None` where stdin has ended.
    async fn next(&self) -> Option<ReadMessage> {
        let mut input = self.input.lock().await;
        while input.batch.is_empty() {
            input.batch = match input.lines.recv().await? {
                Line::TooLong(beginning) => [Err(too_long(&beginning, LINE))].into(),
                Line::Whole(line) if line.trim_ascii().is_empty() => VecDeque::new(),
                Line::Whole(line) => read_messages(&line).into(),
            };
            // The line was counted.
            self.open.fetch_add(input.batch.len(), Ordering::SeqCst);
            self.is_done_with_one();
        }
        input.batch.pop_front()
    }

    /// Notes a call that begins. One with the id of a call that is running is refused: the library would carry out both,
    /// and answer one.
    fn begin(&self, message: ClientJsonRpcMessage) -> ReadMessage {
        match &message {
            JsonRpcMessage::Request(call) if !self.running.begin(call) => {
                let why = "the call with this `id` is not answered yet; give each call its own";
                let id = Some(json!(call.id));
                return Err(LineRefusal::new(id, ErrorCode::INVALID_REQUEST, why.to_owned()));
            }
            // A call that was cancelled is not answered.
            JsonRpcMessage::Notification(told) => {
                if let ClientNotification::CancelledNotification(cancelled) = &told.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.running.end(id, CallEnd::Cancelled);
                }
            }
            _ => {}
        }
        Ok(message)
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
        let (answer_kind, id) = match &message {
            JsonRpcMessage::Response(response) => (Some(CallEnd::Answered), Some(&response.id)),
            JsonRpcMessage::Error(error) => (Some(CallEnd::Refused), error.id.as_ref()),
            JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => (None, None),
        };
        if let (Some(end), Some(id)) = (answer_kind, id) {
            // Before the client can have read the answer: it may use the id again.
            self.running.end(id, end);
        }
        answer(&message);
        if answer_kind.is_some() {
            self.is_done_with_one();
        }
        std::future::ready(Ok(()))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.next().await?.and_then(|message| self.begin(message)) {
                Ok(message) => {
                    if !matches!(message, JsonRpcMessage::Request(_)) {
                        self.is_done_with_one();
                    }
                    return Some(message);
                }
                Err(refusal) => {
                    answer(&refusal);
                    self.is_done_with_one();
                }
            }
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
        return Ok(Some(Line::TooLong(line)));
    }
    Ok(Some(Line::Whole(line)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_read_and_one_that_is_too_long_is_skipped() {
        let mut input = io::Cursor::new([vec![b'x'; 9_000_000], b"\nlast".to_vec()].concat());
        assert!(matches!(read_line(&mut input), Ok(Some(Line::TooLong(_)))));
        assert!(matches!(read_line(&mut input), Ok(Some(Line::Whole(line))) if line == b"last"));
        assert!(matches!(read_line(&mut input), Ok(None)));
    }
}
