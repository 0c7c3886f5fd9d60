//! Files of the search index that belong to another user, as after one `sudo agent-memory search`.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::requests::session;
use crate::support::{Reply, Sandbox};

/// Runs the program as somebody whom permissions bind, as they do not bind root.
fn run(sandbox: &Sandbox, arguments: &[&str], stdin: &str) -> Option<Reply> {
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let is_root = fs::metadata(sandbox.root()).unwrap().uid() == 0;
    let mut command = Command::new(if is_root { "setpriv" } else { program });
    if is_root {
        command.args(["--bounding-set=-dac_override,-dac_read_search", program]);
    }
    let input = sandbox.root().join("stdin");
    fs::write(&input, stdin).unwrap();
    command.args(arguments).current_dir(sandbox.project()).env_clear();
    command.envs(sandbox.variables()).env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.stdin(fs::File::open(input).unwrap()).stdout(Stdio::piped()).stderr(Stdio::piped());
    match command.output() {
        Ok(output) => Some(Reply::of(output)),
        Err(_) => {
            println!("skipped: to be bound by permissions root needs `setpriv`");
            None
        }
    }
}

/// Makes a store whose index was searched once.
fn searched() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Quokkas", "They are small.")).applied();
    sandbox.run(&["search", "quokka"]).expect_code(0);
    sandbox
}

fn set_mode(sandbox: &Sandbox, names: &[&str], mode: u32) {
    for name in names {
        let path = sandbox.store().join(name);
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }
}

const INDEX: [&str; 3] =
    ["state/index.sqlite", "state/index.sqlite-journal", "state/index.sqlite.lock"];

fn findings(reply: Reply) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let report = reply.json();
    let found = report["findings"].as_array().unwrap().iter();
    found.map(|each| (text(&each["check"]), text(&each["message"]))).collect()
}

#[test]
fn an_index_that_this_user_may_not_write_is_named_and_can_be_made_their_own() {
    let sandbox = searched();
    set_mode(&sandbox, &INDEX, 0o444);
    let late = session("Wombats", "They dig.").to_string();
    let Some(reply) = run(&sandbox, &["propose"], &late) else { return };
    let answer = reply.expect_code(0).json();
    assert_eq!((&answer["status"], &answer["index_updated"]), (&json!("applied"), &json!(false)));
    let doctor = |arguments: &[&str]| run(&sandbox, arguments, "").unwrap();
    let expected = "the search index is not writable for this user";
    let found = findings(doctor(&["doctor", "--json"]));
    assert_eq!(found, [("search index".to_owned(), expected.to_owned())]);

    set_mode(&sandbox, &["state"], 0o555);
    let said = doctor(&["reindex", "--json"]).expect_code(0).json();
    let warning = said["warnings"][0].as_str().unwrap();
    assert!(warning.contains("for this command only"), "{said}");
    set_mode(&sandbox, &["state"], 0o755);

    let fixed = doctor(&["doctor", "--fix", "--json"]).expect_code(0).json();
    assert_eq!(fixed["healthy"], true, "{fixed}");
    let done = format!("rebuilt {}", expected.replace(" is ", ", which is "));
    assert_eq!(fixed["fixed"], json!([done]));
    let again = session("Possums", "They climb.").to_string();
    let answer = run(&sandbox, &["propose"], &again).unwrap().expect_code(0).json();
    assert_eq!(answer["index_updated"], true);
}

#[test]
fn an_index_that_this_user_may_not_read_is_made_anew_by_whoever_asks() {
    for closed in [&INDEX[..1], &INDEX[1..2], &INDEX[..2]] {
        let sandbox = searched();
        set_mode(&sandbox, closed, 0);
        let Some(named) = run(&sandbox, &["doctor", "--json"], "") else { return };
        let expected = "the search index is another user's";
        assert_eq!(findings(named), [("search index".to_owned(), expected.to_owned())]);
        let found = run(&sandbox, &["search", "quokka", "--json"], "").unwrap().expect_code(0);
        assert_eq!(found.json()["results"].as_array().unwrap().len(), 1, "{closed:?}");
        run(&sandbox, &["doctor"], "").unwrap().expect_code(0);
    }
}

#[test]
fn who_shares_a_store_shares_its_index() {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let mut command = Command::new("sh");
    command.args(["-c", "umask 002; exec \"$0\" search quokka", program]);
    command.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    Reply::of(command.output().unwrap()).expect_code(0);
    sandbox.run(&["search", "quokka"]);
    for name in INDEX.iter().filter(|name| sandbox.has(name)) {
        let mode = fs::metadata(sandbox.store().join(name)).unwrap().mode() & 0o777;
        assert_eq!(mode, 0o664, "{name}");
    }
}
