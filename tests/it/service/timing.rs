//! How long an answer takes tells nothing of what another tenant stored.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::access::token_of;
use super::server::Server;

/// One connection for many requests, so that their own time is measured.
struct Line {
    stream: BufReader<TcpStream>,
    token: String,
}

impl Line {
    fn open(server: &Server, token: String) -> Self {
        let stream = TcpStream::connect(&server.address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream), token }
    }

    /// Asks for what is not there, and returns how long the answer took.
    fn time_of_404(&mut self, method: &str, path: &str) -> Duration {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Length: 2\r\n\r\n{{}}",
            self.token
        );
        let begun = Instant::now();
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut head, mut length) = (String::new(), 0);
        while !head.ends_with("\r\n\r\n") {
            let at = head.len();
            self.stream.read_line(&mut head).unwrap();
            let line = head[at..].to_ascii_lowercase();
            if let Some(number) = line.strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
        }
        self.stream.read_exact(&mut vec![0; length]).unwrap();
        assert!(head.starts_with("HTTP/1.1 404"), "{method} {path}: {head}");
        begun.elapsed()
    }

    /// Returns how many times longer the slower of two is, by their medians.
    fn ratio(&mut self, method: &str, paths: &[String; 2]) -> f64 {
        const ROUNDS: usize = 151;
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..ROUNDS {
            for (path, times) in paths.iter().zip(&mut times) {
                times.push(self.time_of_404(method, path));
            }
        }
        let [one, other] = times.map(|mut times| {
            times.sort();
            times[ROUNDS / 2].as_secs_f64()
        });
        (one / other).max(other / one)
    }
}

#[test]
fn an_id_of_another_tenant_takes_as_long_as_one_that_nothing_has() {
    let server = Server::start();
    let long = "our harbour plan ".repeat(100);
    let foreign = server.store(json!({"content": long, "tags": ["plan", "harbour"]}));
    let mut line = Line::open(&server, token_of(&server, "team-b"));
    let ids = [foreign.as_str(), "00000000-0000-4000-8000-000000000000"];
    for (method, end) in [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/history")] {
        let paths = ids.map(|id| format!("/memory/{id}{end}"));
        // Another process may take the processor for a while.
        let is_alike = (0..3).any(|_| line.ratio(method, &paths) < 2.0);
        assert!(is_alike, "{method} {end}");
    }
}
