//! A server on a free port, with data of its own; it is stopped when this value goes.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The tokens of every server.
pub(super) const TOKEN: &str = "token-of-the-tests";
pub(super) const ADMIN: &str = "admin-of-the-tests";

/// After this a request counts as one that hangs.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) struct Server {
    pub(super) child: Child,
    pub(super) address: String,
    data: Option<TempDir>,
    /// What it said before it listened.
    pub(super) said: String,
    talk: BufReader<ChildStderr>,
}

/// A status and a body.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Value,
    pub(super) text: String,
}

impl Server {
    pub(super) fn start() -> Self {
        Self::with(&[], &[])
    }

    /// Starts one with more arguments and variables.
    pub(super) fn with(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let data = tempfile::Builder::new().prefix("agent-memory-service-").tempdir().unwrap();
        let mut server = Self::on(data.path(), arguments, variables);
        server.data = Some(data);
        server
    }

    /// Starts one on data that are there.
    pub(super) fn on(data: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = command(data, arguments, variables).spawn().unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(talk.read_line(&mut line).unwrap() > 0, "it did not begin to listen: {said}");
            if let Some((_, address)) = line.trim().split_once("listening on http://") {
                break address.to_owned();
            }
            said += &line;
        };
        Self { child, address, data: None, said, talk }
    }

    pub(super) fn data(&self) -> &Path {
        self.data.as_ref().unwrap().path()
    }

    pub(super) fn get(&self, path: &str) -> Answer {
        self.call("GET", path, None)
    }

    pub(super) fn post(&self, path: &str, body: Value) -> Answer {
        self.call("POST", path, Some(&body.to_string()))
    }

    pub(super) fn patch(&self, path: &str, body: Value) -> Answer {
        self.call("PATCH", path, Some(&body.to_string()))
    }

    pub(super) fn delete(&self, path: &str) -> Answer {
        self.call("DELETE", path, None)
    }

    /// Stores a memory and returns its id.
    pub(super) fn store(&self, body: Value) -> String {
        let stored = self.post("/memory", body).expect(201);
        stored["memory_id"].as_str().unwrap().to_owned()
    }

    pub(super) fn call(&self, method: &str, path: &str, body: Option<&str>) -> Answer {
        self.send(method, path, &[("Authorization", &format!("Bearer {TOKEN}"))], body)
    }

    /// Sends a request with these headers alone.
    pub(super) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let body = body.unwrap_or_default();
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: {}\r\n", self.address);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        self.exchange(request.as_bytes())
    }

    /// Calls a method of the protocol for tools.
    pub(super) fn call_mcp(&self, method: &str, mut params: Value, token: Option<&str>) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        });
        let bearer = token.map(|token| format!("Bearer {token}"));
        let mut headers = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        headers.extend(params["name"].as_str().map(|name| ("Mcp-Name", name)));
        headers.extend(bearer.as_deref().map(|bearer| ("Authorization", bearer)));
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.send("POST", "/mcp", &headers, Some(&call.to_string()))
    }

    /// Sends bytes as they are.
    pub(super) fn exchange(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may answer and close before it has read all.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let body = serde_json::from_str(text).unwrap_or(Value::Null);
        Answer { status, head: head.to_ascii_lowercase(), body, text: text.to_owned() }
    }

    /// Returns the next line that it says.
    pub(super) fn next_line(&mut self) -> String {
        let mut line = String::new();
        self.talk.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// Waits until every memory is enriched.
    pub(super) fn wait_for_enrichment(&self) {
        let end = Instant::now() + PATIENCE;
        loop {
            let status = self.get("/enrichment/status").expect(200);
            if status["queue_size"] == json!(0) {
                return;
            }
            assert!(Instant::now() < end, "{status}");
            std::thread::yield_now();
        }
    }

    /// Asks the process to end; returns its exit code and how long that took.
    #[cfg(unix)]
    pub(super) fn end(&mut self) -> (Option<i32>, Duration) {
        let begun = Instant::now();
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        let status = self.child.wait().unwrap();
        (status.code(), begun.elapsed())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// Returns the body of an answer that must have this status.
    #[track_caller]
    pub(super) fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.body
    }
}

/// Prepares a server, cut off from the machine.
pub(super) fn command(data: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(["serve", "--listen", "127.0.0.1:0"]).arg("--data").arg(data).args(arguments);
    command.env_clear().env("HOME", data).current_dir(data);
    command.env("AUTOMEM_API_TOKEN", TOKEN).env("ADMIN_API_TOKEN", ADMIN);
    command.envs(variables.iter().copied());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}
