//! A server that gives the answers of a test, and tells what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::thread::{JoinHandle, spawn};

use serde_json::Value;

/// A server that gives some answers, one a connection, and ends.
pub(super) struct FakeServer {
    pub(super) address: String,
    heard: JoinHandle<Vec<Asked>>,
}

/// What the server was asked.
#[derive(Debug)]
pub(super) struct Asked {
    /// Method, path and headers, in small letters.
    pub(super) head: String,
    pub(super) body: Value,
}

impl FakeServer {
    /// Starts a server; each answer is a status line, and a body on the next line. One that ends with `…` breaks off there.
    pub(super) fn start(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let answers: Vec<String> = answers.iter().map(|answer| (*answer).to_owned()).collect();
        let heard = spawn(move || {
            let exchange = |answer: String| {
                let (mut stream, _) = listener.accept().unwrap();
                let asked = Asked::read(&mut BufReader::new(&stream));
                let (status, body) = answer.split_once('\n').unwrap_or((&answer, ""));
                let sent = body.trim_end_matches('…');
                let length = body.len();
                let head =
                    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {length}");
                write!(stream, "{head}\r\n\r\n{sent}").unwrap();
                asked
            };
            answers.into_iter().map(exchange).collect()
        });
        Self { address, heard }
    }

    /// Returns what was asked, once all answers are given.
    pub(super) fn heard(self) -> Vec<Asked> {
        self.heard.join().unwrap()
    }
}

impl Asked {
    fn read(reader: &mut impl BufRead) -> Self {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "{head}");
        }
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = length.map_or(0, |length| length.parse().unwrap());
        let mut body = Vec::new();
        reader.take(length).read_to_end(&mut body).unwrap();
        Self { head, body: serde_json::from_slice(&body).unwrap_or_default() }
    }

    /// Returns a header that must be there once.
    #[track_caller]
    pub(super) fn header(&self, name: &str) -> &str {
        let begin = format!("{name}: ");
        let found: Vec<&str> =
            self.head.lines().filter_map(|line| line.strip_prefix(&begin)).collect();
        assert_eq!(found.len(), 1, "{}", self.head);
        found[0]
    }
}
