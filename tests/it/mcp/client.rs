//! A client that writes lines and reads lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::support::{Sandbox, folder};

/// The two ways in which a client begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Era {
    /// Every request says what it needs.
    Stateless,
    /// A handshake first, with this version.
    Session(&'static str),
}

impl Era {
    /// One of each version.
    pub(crate) const ALL: [Self; 5] = [
        Self::Stateless,
        Self::Session("2025-11-25"),
        Self::Session("2025-06-18"),
        Self::Session("2025-03-26"),
        Self::Session("2024-11-05"),
    ];

    /// The schema of the protocol that answers of this era are held against, if it is on this machine.
    #[expect(clippy::print_stderr, reason = "what is left out is said")]
    fn schema(self) -> Option<&'static Value> {
        static NEW: OnceLock<Option<Value>> = OnceLock::new();
        static OLD: OnceLock<Option<Value>> = OnceLock::new();
        let (cell, version) = match self {
            Self::Stateless => (&NEW, "2026-07-28"),
            Self::Session(_) => (&OLD, "2025-11-25"),
        };
        let read = || {
            let places = ["../shared/mcp", "../../shared/mcp"];
            let path = places.map(|place| folder(place).join(format!("schema-{version}.json")));
            let text = path.iter().find_map(|path| std::fs::read_to_string(path).ok());
            if text.is_none() {
                eprintln!("the schema of {version} is not here: answers are not held against it");
            }
            text.map(|text| serde_json::from_str(&text).unwrap())
        };
        cell.get_or_init(read).as_ref()
    }
}

/// The tools whose text is recalled memory inside a fence.
const RECALLS: [&str; 7] = [
    "memory_search",
    "memory.search",
    "memory_context",
    "memory.context",
    "memory.fetch_context",
    "memory_get",
    "memory.get",
];

/// A running server and its client.
pub(crate) struct Client {
    era: Era,
    server: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last: u64,
}

impl Client {
    /// Starts a server in a sandbox, and shakes hands where the era wants it.
    pub(crate) fn start(sandbox: &Sandbox, era: Era) -> Self {
        Self::with(sandbox, &["mcp"], era)
    }

    /// Starts a server with options.
    pub(crate) fn with(sandbox: &Sandbox, words: &[&str], era: Era) -> Self {
        let mut client = Self::over(sandbox.process(words), era);
        if let Era::Session(version) = era {
            let answer = client.request(
                "initialize",
                json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
            );
            assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
            client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    /// Starts a server that nobody has spoken to.
    pub(crate) fn over(mut command: Command, era: Era) -> Self {
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = pipes.spawn().unwrap();
        let stdin = server.stdin.take();
        let stdout = BufReader::new(server.stdout.take().unwrap());
        Self { era, server, stdin, stdout, last: 0 }
    }

    /// Asks and returns the whole answer, which has to be what the protocol's schema says.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.send(method, params);
        let answer = self.read();
        assert_eq!(answer["id"], self.last, "{answer}");
        self.check(method, &answer);
        answer
    }

    /// Sends a request and does not wait for its answer.
    pub(crate) fn send(&mut self, method: &str, mut params: Value) {
        self.last += 1;
        if self.era == Era::Stateless {
            let own = params["_meta"].take();
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
            });
            for (name, value) in own.as_object().into_iter().flatten() {
                params["_meta"][name] = value.clone();
            }
        }
        self.write(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}));
    }

    /// Calls a tool and returns its result.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = answer["result"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        match serde_json::from_str::<Value>(text) {
            Ok(json) => assert_eq!(json, result["structuredContent"], "it is the same JSON"),
            Err(_) => assert!(RECALLS.contains(&tool), "{tool}: {text}"),
        }
        result
    }

    /// Calls a tool that must answer, and returns the answer.
    pub(crate) fn answer(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }

    /// Writes one line.
    pub(crate) fn write(&mut self, line: &impl ToString) {
        // That the server is gone is seen by who reads.
        let _ = writeln!(self.stdin.as_mut().unwrap(), "{}", line.to_string());
    }

    /// Reads one line, which must be JSON.
    pub(crate) fn read(&mut self) -> Value {
        self.read_unless_gone().expect("the server is there")
    }

    /// Reads one line, unless the server ended before it wrote a whole one.
    pub(crate) fn read_unless_gone(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let read =
            || serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        line.ends_with('\n').then(read)
    }

    /// Closes the pipe; returns the exit code, what else came on stdout, and what was said on stderr.
    pub(crate) fn finish(mut self) -> (Option<i32>, String, String) {
        drop(self.stdin.take());
        let (mut out, mut err) = (String::new(), String::new());
        std::io::Read::read_to_string(&mut self.stdout, &mut out).unwrap();
        let mut stderr = self.server.stderr.take().unwrap();
        std::io::Read::read_to_string(&mut stderr, &mut err).unwrap();
        (self.server.wait().unwrap().code(), out, err)
    }

    /// Closes the pipe, reads no answer, and returns the exit code.
    pub(crate) fn leave(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.server.wait().unwrap().code()
    }

    fn check(&self, method: &str, answer: &Value) {
        let Some(schema) = self.era.schema() else { return };
        let kind = match (method, answer.get("error")) {
            (_, Some(_)) => "JSONRPCErrorResponse",
            ("initialize", _) => "InitializeResult",
            ("server/discover", _) => "DiscoverResult",
            ("tools/list", _) => "ListToolsResult",
            ("tools/call", _) => "CallToolResult",
            ("resources/list", _) => "ListResourcesResult",
            ("resources/templates/list", _) => "ListResourceTemplatesResult",
            ("resources/read", _) => "ReadResourceResult",
            ("prompts/list", _) => "ListPromptsResult",
            ("prompts/get", _) => "GetPromptResult",
            _ => "Result",
        };
        let mut schema = schema.clone();
        schema["$ref"] = format!("#/$defs/{kind}").into();
        let document = if kind == "JSONRPCErrorResponse" { answer } else { &answer["result"] };
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let breaches: Vec<String> = validator
            .iter_errors(document)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(breaches.is_empty(), "{method} is no {kind}: {breaches:?}\n{document}");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
