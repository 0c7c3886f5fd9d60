//! Measures the memory service over HTTP: `cargo bench --bench service`.
//!
//! It starts the program on data of its own, and prints how fast it stores with 32 connections, beside a bare insert with a sync
//! of the same disk; how soon it recalls among 6,000 and 100,000 memories, beside a bare query of FTS5; how soon it starts
//! and how much memory it takes. `RETRIEVAL_DATA=questions.json.gz` also measures how often it finds the evidence;
//! `-- --million` loads a million memories too, `-- --only-million` nothing else; `-- --quick` measures less of everything.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::{Value, json};

const TOKEN: &str = "token-of-the-benchmark";

/// Connections that store at one time.
const CONNECTIONS: usize = 32;

fn main() {
    let has = |wanted: &str| std::env::args().any(|argument| argument == wanted);
    let quick = has("--quick");
    let folder = tempfile::Builder::new()
        .prefix("service-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let rate = Duration::from_secs(if quick { 2 } else { 8 });
    limits(folder.path());
    if has("--only-million") {
        recalling(&folder.path().join("million"), 1_000_000, 1_000);
        return;
    }
    storing(&folder.path().join("storing"), rate);
    let sizes: &[usize] = match (quick, has("--million")) {
        (true, _) => &[6_000],
        (false, false) => &[6_000, 100_000],
        (false, true) => &[6_000, 100_000, 1_000_000],
    };
    for size in sizes {
        recalling(&folder.path().join(size.to_string()), *size, if quick { 200 } else { 1_000 });
    }
    if let Some(path) = std::env::var_os("RETRIEVAL_DATA") {
        finding(&folder.path().join("finding"), Path::new(&path));
    }
}

/// Prints what the disk and SQLite can do by themselves.
fn limits(folder: &Path) {
    let path = folder.join("limit.sqlite");
    let connection = Connection::open(&path).expect("a database");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t(x TEXT)",
        )
        .expect("a table");
    let text = "x".repeat(200);
    let begun = Instant::now();
    let mut count = 0_u32;
    while begun.elapsed() < Duration::from_secs(1) {
        connection.execute("INSERT INTO t VALUES (?1)", [&text]).expect("it is written");
        count += 1;
    }
    let each = begun.elapsed() / count.max(1);
    println!("limit: a bare insert with a sync takes {:.3} ms", each.as_secs_f64() * 1e3);
}

fn storing(data: &Path, during: Duration) {
    let server = Server::start(data);
    println!("idle: {} MB", server.megabytes());
    let stored = AtomicUsize::new(0);
    let begun = Instant::now();
    thread::scope(|scope| {
        for connection in 0..CONNECTIONS {
            let (server, stored) = (&server, &stored);
            scope.spawn(move || {
                let mut client = server.client();
                for number in 0_usize.. {
                    if begun.elapsed() > during {
                        return;
                    }
                    let body = memory(connection * 1_000_000 + number);
                    assert_eq!(client.call("POST", "/memory", Some(&body)).0, 201);
                    stored.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let rate = stored.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64();
    println!(
        "storing, {CONNECTIONS} connections: {rate:.0} memories a second, each durable; then {} MB",
        server.megabytes()
    );
}

fn recalling(data: &Path, size: usize, questions: usize) {
    let server = Server::start(data);
    let mut client = server.client();
    load(&mut client, size);
    let times = median_and_most((0..questions).map(|number| {
        let begun = Instant::now();
        let path = format!("/recall?query={}", question(number));
        let (status, answer) = client.call("GET", &path, None);
        assert_eq!((status, answer["status"].as_str()), (200, Some("success")));
        begun.elapsed()
    }));
    println!("{size} memories: recall takes {times}; {} MB", server.megabytes());
    bare_query(data, questions);
    drop((client, server));
    let begun = Instant::now();
    let server = Server::start(data);
    assert_eq!(server.client().call("GET", "/recall?query=harbour", None).0, 200);
    let took = begun.elapsed().as_secs_f64() * 1e3;
    println!("{size} memories: from the start to the first answer {took:.0} ms");
}

fn load(client: &mut Client, size: usize) {
    let begun = Instant::now();
    for first in (0..size).step_by(500) {
        let memories: Vec<Value> = (first..size.min(first + 500)).map(memory).collect();
        let body = json!({ "memories": memories });
        assert_eq!(client.call("POST", "/memory/batch", Some(&body)).0, 201);
    }
    let loaded = begun.elapsed().as_secs_f64();
    while client.call("GET", "/enrichment/status", None).1["queue_size"] != json!(0) {
        thread::sleep(Duration::from_millis(200));
    }
    let enriched = begun.elapsed().as_secs_f64();
    println!("{size} memories: loaded in {loaded:.1} s, enriched in {enriched:.1} s");
}

/// Says how long things take in the median, and for 99 of 100.
fn median_and_most(times: impl Iterator<Item = Duration>) -> String {
    let mut times: Vec<f64> = times.map(|time| time.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    let (median, most) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    format!("{median:.2} ms in the median, {most:.2} ms for 99 of 100")
}

/// Prints how long FTS5 alone takes for the same questions.
fn bare_query(data: &Path, questions: usize) {
    let connection = Connection::open(data.join("service.sqlite")).expect("a database");
    let sql = "SELECT rowid FROM words_1 WHERE words_1 MATCH ?1 ORDER BY rank LIMIT 5";
    let mut statement = connection.prepare(sql).expect("a statement");
    let times = median_and_most((0..questions).map(|number| {
        let words = question(number).replace('+', " OR ");
        let begun = Instant::now();
        let rows = statement.query_map([&words], |row| row.get::<_, i64>(0)).expect("it answers");
        assert!(rows.count() <= 5);
        begun.elapsed()
    }));
    println!("  limit: a bare query of FTS5 takes {times}");
}

/// Prints how often any evidence is among the first five answers, by category.
fn finding(data: &Path, path: &Path) {
    let unpacked = Command::new("gzip").args(["-dc"]).arg(path).output().expect("gzip");
    let set: Value = serde_json::from_slice(&unpacked.stdout).expect("questions");
    let of_set = |list: &str| -> Vec<Value> {
        let all = set[list].as_array().expect("a list").iter();
        all.filter(|each| each["set"] == "locomo").cloned().collect()
    };
    let server = Server::start(data);
    let mut client = server.client();
    let (turns, questions) = (of_set("corpus"), of_set("queries"));
    for some in turns.chunks(500) {
        let memories: Vec<Value> = some.iter().map(turn).collect();
        assert_eq!(
            client.call("POST", "/memory/batch", Some(&json!({ "memories": memories }))).0,
            201
        );
    }
    let mut counts: std::collections::BTreeMap<String, (usize, usize)> =
        std::collections::BTreeMap::new();
    for asked in &questions {
        let text = |name: &str| asked[name].as_str().unwrap_or_default();
        let path =
            format!("/recall?limit=5&tags={}&query={}", text("conv"), encoded(text("question")));
        let answer = client.call("GET", &path, None).1;
        let evidence = asked["evidence"].as_array().expect("a list");
        let found = answer["results"].as_array().expect("a list").iter().take(5);
        let is_found =
            found.into_iter().any(|it| evidence.contains(&it["memory"]["metadata"]["turn"]));
        for category in [text("category"), "all"] {
            let count = counts.entry(category.to_owned()).or_default();
            *count = (count.0 + usize::from(is_found), count.1 + 1);
        }
    }
    for (category, (found, all)) in counts {
        println!("finding, {category}: {:.3} of {all}", found as f64 / all as f64);
    }
}

fn turn(turn: &Value) -> Value {
    let text = |name: &str| turn[name].as_str().unwrap_or_default();
    let caption =
        turn["caption"].as_str().map(|caption| format!(" [Image: {caption}]")).unwrap_or_default();
    json!({
        "content": format!("{}: {}{caption}", text("speaker"), text("text")),
        "tags": [text("conv")], "timestamp": text("date"), "metadata": { "turn": text("id") },
    })
}

const WORDS: [&str; 64] = [
    "harbour",
    "kettle",
    "lantern",
    "meadow",
    "compass",
    "granite",
    "velvet",
    "orchard",
    "signal",
    "copper",
    "window",
    "thunder",
    "paper",
    "silver",
    "garden",
    "engine",
    "market",
    "river",
    "forest",
    "bridge",
    "castle",
    "ladder",
    "mirror",
    "needle",
    "ocean",
    "pepper",
    "quartz",
    "ribbon",
    "saddle",
    "temple",
    "umbrella",
    "violin",
    "walnut",
    "yellow",
    "zephyr",
    "anchor",
    "basket",
    "candle",
    "dragon",
    "ember",
    "feather",
    "glacier",
    "hammer",
    "island",
    "jacket",
    "kitchen",
    "lemon",
    "marble",
    "nectar",
    "olive",
    "pencil",
    "quiver",
    "rocket",
    "sunset",
    "tunnel",
    "urgent",
    "valley",
    "winter",
    "xylophone",
    "yogurt",
    "zenith",
    "arrow",
    "blossom",
    "cactus",
];

/// Returns a word by a number; words are as unlike as in texts: some are in most memories, most in few.
fn word(number: usize) -> String {
    let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let common = WORDS[mixed % WORDS.len()];
    if mixed.is_multiple_of(3) { common.to_owned() } else { format!("{common}{}", mixed % 997) }
}

fn memory(number: usize) -> Value {
    let words: Vec<String> = (0..24).map(|at| word(number * 31 + at)).collect();
    json!({ "content": words.join(" "), "tags": [format!("project-{}", number % 50)], "importance": (number % 10) as f64 / 10.0 })
}

fn question(number: usize) -> String {
    let words: Vec<String> = (0..5).map(|at| word(number * 77 + at * 13)).collect();
    words.join("+")
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        command
            .env_clear()
            .env("AUTOMEM_API_TOKEN", TOKEN)
            .env("HOME", data)
            .stderr(Stdio::piped());
        let child = command.spawn().expect("the program starts");
        let (mut server, mut said) = (Self { child, address: String::new() }, String::new());
        let mut talk = BufReader::new(server.child.stderr.take().expect("it is piped"));
        loop {
            said.clear();
            assert!(talk.read_line(&mut said).expect("it talks") > 0, "it did not begin to listen");
            if let Some((_, address)) = said.trim().split_once("listening on http://") {
                address.clone_into(&mut server.address);
                return server;
            }
        }
    }

    fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_nodelay(true).expect("it can be set");
        Client { stream: BufReader::new(stream) }
    }

    /// Returns the memory that the process has, where the system tells.
    fn megabytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))
            .unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok())
            .unwrap_or_default()
            / 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection that stays open.
struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    fn call(&mut self, method: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let body = body.map(Value::to_string).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).expect("it is sent");
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("it answers");
            let line = line.trim().to_ascii_lowercase();
            if let Some(rest) = line.strip_prefix("http/1.1 ") {
                status = rest[..3].parse().expect("a status");
            } else if let Some(rest) = line.strip_prefix("content-length: ") {
                length = rest.parse().expect("a length");
            } else if line.is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        self.stream.read_exact(&mut text).expect("it answers");
        (status, serde_json::from_slice(&text).unwrap_or(Value::Null))
    }
}
