//! Measures long-term memories: `cargo bench --bench longterm`.
//!
//! It fills a database with a million memories over 10,000 servers, and prints how long an update takes beside a bare
//! update with a sync of the same disk, and how long what a prompt of 20 participants may have. `-- --quick` takes 50,000
//! memories over 500 servers.
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agent_memory::contract::Timestamp;
use agent_memory::longterm::request::{CallContext, GivenArguments, LongtermCall, LongtermTool};
use agent_memory::longterm::verbs::{
    LongtermSession, LongtermSettings, LongtermStore, PromptForm, answer, context, import,
};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// Memories of a server: 80 shared ones, and 20 of people.
const OF_SERVER: u64 = 100;
const SHARED: u64 = 80;

/// People who are participants of a prompt.
const PARTICIPANTS: u64 = 20;

/// Calls that are measured.
const CALLS: u64 = 500;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let servers = if quick { 500 } else { 10_000 };
    let folder = tempfile::Builder::new()
        .prefix("longterm-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    let store = LongtermStore::open(folder.path(), LongtermSettings::default());
    let store = Arc::new(store.expect("a database"));
    let now = Timestamp::from_microseconds(1_790_000_000_000_000);
    let tenant = store.tenant("default", now).expect("a tenant");
    let session = LongtermSession { store, tenant, operator: "bench".to_owned(), now };
    let begun = Instant::now();
    for first in (0..servers).step_by(250) {
        fill(&session, first..(first + 250).min(servers));
    }
    let count = servers * OF_SERVER;
    println!("{count} memories of {servers} servers, imported in {:.0?}", begun.elapsed());
    let bare = bare_database(&folder.path().join("bare.sqlite"), count);
    let (limit, updates) = updates(&bare, &session, servers);
    let times = updates.as_secs_f64() / limit.as_secs_f64();
    println!("a bare update with a sync: {limit:.1?}");
    println!("an update: {updates:.1?}, {times:.2} times the bare one (2 are allowed)");
    println!(
        "what a prompt of {PARTICIPANTS} may have: {:.2?} (5 ms are allowed)",
        prompts(&session, servers)
    );
}

fn content(number: u64) -> String {
    format!(
        "memory {number}: meetings are on day {} of the week, and {{user}} brings tea",
        number % 7
    )
}

/// Imports the memories of some servers.
fn fill(session: &LongtermSession, servers: std::ops::Range<u64>) {
    let mut lines = String::new();
    for number in servers.start * OF_SERVER..servers.end * OF_SERVER {
        let (server, place) = (number / OF_SERVER, number % OF_SERVER);
        let (scope, owner) = match place < SHARED {
            true => ("server_wide", format!("s{server}")),
            false => ("target_user", format!("u{server}-{}", place - SHARED)),
        };
        let line = json!({
            "id": number + 1, "scope": scope, "owner": owner, "lineage": 1, "content": content(number),
        });
        let _ = writeln!(lines, "{line}");
    }
    let report = import(session, &lines).expect("they are imported");
    assert_eq!(report.refused, []);
}

fn context_of(server: u64) -> Value {
    let ids: Vec<String> = (0..PARTICIPANTS).map(|person| format!("u{server}-{person}")).collect();
    let participants: Vec<Value> =
        ids.iter().map(|id| json!({"id": id, "label": format!("Person {id}")})).collect();
    let users: serde_json::Map<String, Value> =
        ids.iter().map(|id| (id.clone(), json!({"privacy": "minimal"}))).collect();
    json!({
        "server": {"id": format!("s{server}"), "kind": "guild"}, "caller": {"id": ids[0]},
        "bot": {"id": "b1"}, "persona": {"id": "p1", "lineage": 1},
        "flags": {"self_teaching": true, "personal_memories": true},
        "participants": participants, "users": users,
    })
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// Spreads the calls over all servers.
fn server_of(call: u64, servers: u64) -> u64 {
    call * 7_919 % servers
}

/// Makes a database of as many rows, without anything else.
fn bare_database(path: &Path, count: u64) -> Connection {
    let mut connection = Connection::open(path).expect("a database");
    let tables = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
        CREATE TABLE t(number INTEGER PRIMARY KEY, content TEXT)";
    connection.execute_batch(tables).expect("a table");
    let change = connection.transaction().expect("a transaction");
    for number in 0..count {
        let values = params![number, content(number)];
        let mut insert = change.prepare_cached("INSERT INTO t VALUES (?1, ?2)").expect("SQL");
        insert.execute(values).expect("it is written");
    }
    change.commit().expect("it is written");
    connection
}

/// Measures bare updates of one row and those of a memory in turn, as the disk is now faster, now slower.
fn updates(bare: &Connection, session: &LongtermSession, servers: u64) -> (Duration, Duration) {
    let mut update = bare.prepare("UPDATE t SET content = ?2 WHERE number = ?1").expect("SQL");
    let (mut of_bare, mut of_memory) = (Vec::new(), Vec::new());
    for call in 0..CALLS {
        let server = server_of(call, servers);
        let text = format!("changed {call}");
        let begun = Instant::now();
        update.execute(params![server * OF_SERVER, text]).expect("it is written");
        of_bare.push(begun.elapsed());
        let arguments = json!({"memory_id": server * OF_SERVER + 1, "memory_content": text});
        let arguments = GivenArguments::new(arguments.as_object().cloned().unwrap_or_default());
        let call = LongtermCall { context: context_of(server), arguments };
        let begun = Instant::now();
        let told = answer(session, LongtermTool::Update, &call);
        of_memory.push(begun.elapsed());
        assert!(told.success, "{told:?}");
    }
    (median(of_bare), median(of_memory))
}

fn prompts(session: &LongtermSession, servers: u64) -> Duration {
    let times = (0..CALLS).map(|call| {
        let said = context_of(server_of(call, servers));
        let begun = Instant::now();
        let read = CallContext::read(&said).expect("a context");
        let prompt = context(session, &read, PromptForm::Stored).expect("it is read");
        let took = begun.elapsed();
        assert_eq!((prompt.shared.len(), prompt.people.len()), (80, 20));
        took
    });
    median(times.collect())
}
