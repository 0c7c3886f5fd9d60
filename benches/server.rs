//! Measures how soon the server answers and how soon it goes: `cargo bench --bench server`.
//!
//! Beside it stands `cat`, which does nothing and answers too. Each round does everything once, beginning
//! with another kind each time. `-- --quick` does fewer rounds.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 101;
const QUICK_ROUNDS: usize = 11;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}"#;

/// A call that is sent again and again after the first answer, when the client goes with calls in flight.
const CALL: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"memory_status","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}"#;
const IN_FLIGHT: usize = 50;

/// What is measured, in the order of the table.
const KINDS: [Kind; 4] = [
    Kind { name: "cat, which does nothing", program: "cat", first: DISCOVER, in_flight: 0 },
    Kind { name: "mcp, initialize", program: SERVER, first: INITIALIZE, in_flight: 0 },
    Kind { name: "mcp, server/discover", program: SERVER, first: DISCOVER, in_flight: 0 },
    Kind { name: "mcp, calls in flight", program: SERVER, first: DISCOVER, in_flight: IN_FLIGHT },
];

const SERVER: &str = env!("CARGO_BIN_EXE_agent-memory");

struct Kind {
    name: &'static str,
    program: &'static str,
    first: &'static str,
    /// Calls that nobody waits for before the end.
    in_flight: usize,
}

/// What a process took.
struct Measured {
    /// From its start to the first answer.
    answer: Duration,
    /// From the end of its stdin to its own.
    end: Duration,
}

fn main() {
    // Cargo itself adds `--bench`.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    let folder = tempfile::Builder::new()
        .prefix("server-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let project = folder.path();
    for (program, argument) in [("git", "init"), (SERVER, "init")] {
        let mut command = Command::new(program);
        let output = command.args([argument, "--quiet"]).current_dir(project).output();
        assert!(output.expect("it starts").status.success(), "{program}");
    }
    let mut measured: Vec<Vec<Measured>> = KINDS.iter().map(|_| Vec::new()).collect();
    for round in 0..rounds {
        for turn in 0..KINDS.len() {
            let kind = (round + turn) % KINDS.len();
            measured[kind].push(measure(&KINDS[kind], project));
        }
    }
    println!("\n{rounds} rounds, medians; more: than `cat`\n");
    print!("{}", table(&measured));
}

fn measure(kind: &Kind, project: &Path) -> Measured {
    let mut command = Command::new(kind.program);
    if kind.program == SERVER {
        command.arg("mcp");
    }
    command.current_dir(project).stdin(Stdio::piped()).stdout(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    writeln!(stdin, "{}", kind.first).expect("it reads");
    let mut line = String::new();
    stdout.read_line(&mut line).expect("it answers");
    let answer = start.elapsed();
    assert!(kind.program != SERVER || line.contains(r#""result":"#), "{line}");
    (0..kind.in_flight).for_each(|_| writeln!(stdin, "{CALL}").expect("it reads"));
    let start = Instant::now();
    drop(stdin);
    assert!(child.wait().expect("it ends").success(), "{}", kind.name);
    Measured { answer, end: start.elapsed() }
}

fn table(measured: &[Vec<Measured>]) -> String {
    let nothing = median(&measured[0], |each| each.answer);
    let mut text =
        format!("{:<26} {:>10} {:>9} {:>7} {:>9}\n", "", "answer ms", "more ms", "ratio", "end ms");
    for (kind, rounds) in KINDS.iter().zip(measured) {
        let (answer, end) = (median(rounds, |each| each.answer), median(rounds, |each| each.end));
        let (more, ratio) = (answer - nothing, answer / nothing);
        text += &format!("{:<26} {answer:>10.2} {more:>9.2} {ratio:>7.2} {end:>9.2}\n", kind.name);
    }
    text
}

/// Returns the median in milliseconds.
fn median(rounds: &[Measured], of: impl Fn(&Measured) -> Duration) -> f64 {
    let mut times: Vec<Duration> = rounds.iter().map(of).collect();
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1_000.0
}
