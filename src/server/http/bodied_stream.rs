//! Gives a body to what the HTTP library refuses by itself, before it is a request that a route could answer: what is no
//! HTTP, an address that is too long, headers that are too many or too large.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::reply::refusal;

/// A connection on which each refusal has a body. The library offers no other place for it: it writes a head with the
/// length 0, and our answers all have a body, so that such a head is known when it is written. What takes too long to send
/// its head is closed without an answer.
pub(super) struct BodiedStream {
    stream: TcpStream,
    /// What is written in place of such a head.
    answer: Vec<u8>,
    written: usize,
}

impl BodiedStream {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream, answer: Vec::new(), written: 0 }
    }

    /// Writes an answer to its end, then tells that the head is written that it replaces.
    fn write_answer(&mut self, cx: &mut Context<'_>, head: usize) -> Poll<Result<usize>> {
        while self.written < self.answer.len() {
            let rest = &self.answer[self.written..];
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(Error::from(ErrorKind::WriteZero))),
                count => self.written += count,
            }
        }
        self.answer.clear();
        self.written = 0;
        Poll::Ready(Ok(head))
    }
}

impl AsyncRead for BodiedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, room)
    }
}

impl AsyncWrite for BodiedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        if self.answer.is_empty() {
            let Some(answer) = with_body(bytes) else {
                return Pin::new(&mut self.stream).poll_write(cx, bytes);
            };
            self.answer = answer;
        }
        self.write_answer(cx, bytes.len())
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        match parts {
            [head] => self.poll_write(cx, head),
            parts => Pin::new(&mut self.stream).poll_write_vectored(cx, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Returns a refusal without a body with one; nothing where the bytes are something else.
fn with_body(bytes: &[u8]) -> Option<Vec<u8>> {
    const NO_BODY: &str = "content-length: 0\r\n";
    if !bytes.starts_with(b"HTTP/1.") || !bytes.ends_with(b"\r\n\r\n") {
        return None;
    }
    let head = std::str::from_utf8(bytes).ok()?;
    let status = StatusCode::from_bytes(head.get(9..12)?.as_bytes()).ok()?;
    if !status.is_client_error() || !head.contains(NO_BODY) {
        return None;
    }
    let (message, next) = match status {
        StatusCode::URI_TOO_LONG => ("The address is too long", "send at most 65,534 bytes"),
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            ("The headers are too many or too large", "send at most 100 headers, 400 KiB in all")
        }
        _ => ("The request cannot be read", "send a request of HTTP/1.1"),
    };
    let body = refusal(status, message, next).to_string();
    let length = format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len());
    Some((head.replacen(NO_BODY, &length, 1) + &body).into_bytes())
}

#[cfg(test)]
mod tests {
    use super::with_body;

    #[test]
    fn only_a_refusal_without_a_body_gets_one() {
        let head = |status: &str, length: usize| {
            format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\ndate: today\r\n\r\n")
        };
        let bodied = with_body(head("414 URI Too Long", 0).as_bytes()).expect("it has none");
        let bodied = String::from_utf8(bodied).expect("it is text");
        let (told, body) = bodied.split_once("\r\n\r\n").expect("a body");
        assert!(told.contains(&format!("content-length: {}\r\n", body.len())), "{bodied}");
        assert!(body.contains("\"code\":414"), "{bodied}");
        for other in [head("404 Not Found", 7), head("204 No Content", 0), head("200 OK", 0)] {
            assert_eq!(with_body(other.as_bytes()), None, "{other}");
        }
        assert_eq!(with_body(b"data: HTTP/1.1 414\r\n\r\n"), None);
    }
}
