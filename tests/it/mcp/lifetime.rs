//! A server that lives long: it sees what changes around it, and goes when its client goes.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Client, Era};
use crate::requests::{session, with_conventions};
use crate::support::Sandbox;

/// Much less than the five seconds of the protocol library, and more than a busy machine takes.
const SOON: Duration = Duration::from_secs(3);

#[test]
fn it_goes_with_its_client_and_says_nothing() {
    let sandbox = Sandbox::new();
    for era in Era::ALL {
        let (code, rest, talk) = Client::start(&sandbox, era).finish();
        assert_eq!((code, rest.as_str(), talk.as_str()), (Some(0), "", ""), "{era:?}");
    }
    let early = Client::over(sandbox.process(&["mcp"]), Era::Stateless);
    assert_eq!(early.finish().0, Some(0));
}

#[test]
fn an_answer_that_is_on_its_way_when_the_client_goes_is_written() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let call = json!({"name": "memory_propose_update", "arguments": session("Day", "Done.")});
    client.send("tools/call", call);
    while !sandbox.store().join("sessions/2026-11-20.md").exists() {
        std::thread::yield_now();
    }
    let (code, rest, _) = client.finish();
    assert!(rest.contains("\"applied\""), "{rest}");
    assert_eq!(code, Some(0));
}

#[test]
fn calls_that_wait_for_another_writer_do_not_keep_it() {
    for era in [Era::Stateless, Era::Session("2025-11-25")] {
        let sandbox = Sandbox::new();
        let mut client = Client::start(&sandbox, era);
        let _lock = sandbox.hold_lock();
        for number in 0..10 {
            let request = session(&format!("Day {number}"), "Done.");
            let call = json!({"name": "memory_propose_update", "arguments": request});
            client.send("tools/call", call);
        }
        let began = Instant::now();
        assert_eq!(client.finish().0, Some(0), "{era:?}");
        assert!(began.elapsed() < SOON, "{era:?} took {:?}", began.elapsed());
        assert!(!sandbox.store().join("sessions/2026-11-20.md").exists(), "nothing was written");
    }
}

#[test]
fn a_client_that_reads_nothing_does_not_keep_it() {
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, Era::Stateless);
    // Together they are longer than any pipe.
    (0..40).for_each(|_| client.send("tools/list", json!({})));
    let began = Instant::now();
    assert_eq!(client.leave(), Some(0));
    assert!(began.elapsed() < SOON, "took {:?}", began.elapsed());
}

#[test]
fn a_branch_switch_changes_the_next_answer() {
    let sandbox = with_conventions();
    sandbox.commit("memory");
    let mut client = Client::start(&sandbox, Era::Stateless);
    let finds = |client: &mut Client, word: &str| {
        let found = client.answer("memory_search", json!({"query": word}));
        found["results"].as_array().unwrap().len()
    };
    assert_eq!(finds(&mut client, "zebra"), 0);
    sandbox.git(&["switch", "--quiet", "--create", "work"]);
    sandbox.append("conventions.md", "\n## Zebra\n\nStriped.\n");
    sandbox.commit("zebra");
    assert_eq!(finds(&mut client, "zebra"), 1);
    let mut request = session("Now", "On work.");
    request["intent"] = "update_current".into();
    let answer = client.answer("memory_propose_update", request);
    assert_eq!(answer["files"][0], "local/current.work.md");
    sandbox.git(&["switch", "--quiet", "main"]);
    assert_eq!(finds(&mut client, "zebra"), 0);
}

#[test]
fn what_one_call_leaves_open_is_no_older_than_the_store_for_the_next() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let finds = |client: &mut Client, word: &str| {
        let found = client.answer("memory_search", json!({"query": word}));
        found["results"].as_array().unwrap().len()
    };
    assert_eq!(finds(&mut client, "zebra"), 0);
    let mut request = session("Zebra", "Ask zoe@stripes.io about stripes.");
    for (heading, expected) in [("Zebra", 1), ("Zebra again", 2), ("Zebra once more", 3)] {
        request["operations"][0]["heading"] = heading.into();
        let answer = client.answer("memory_propose_update", request.clone());
        assert_eq!(answer["index_updated"], true, "{answer}");
        assert_eq!(finds(&mut client, "zebra"), expected);
    }
    sandbox.propose(session("Zebra elsewhere", "By another process.")).applied();
    assert_eq!(finds(&mut client, "zebra"), 4);
    fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
    assert_eq!(finds(&mut client, "stripes"), 4, "one by its neighbour");
    sandbox.write("config.toml", "[secrets]\npii = [\"email\"]\n");
    assert_eq!(finds(&mut client, "stripes"), 0, "what is withheld now");
    let answer = client.answer("memory_propose_update", session("Okapi", "Its stripes."));
    assert_eq!((&answer["index_updated"], finds(&mut client, "stripes")), (&true.into(), 2));
}

#[test]
fn a_store_that_is_gone_is_said_and_one_that_comes_back_is_used() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    client.answer("memory_status", json!({}));
    let aside = sandbox.root().join("aside");
    fs::rename(sandbox.store(), &aside).unwrap();
    let result = client.call("memory_status", json!({}));
    assert_eq!(result["isError"], true);
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "store_not_found");
    assert!(error["hint"].as_str().unwrap().contains("agent-memory init"), "{error}");
    fs::rename(&aside, sandbox.store()).unwrap();
    client.answer("memory_status", json!({}));
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    assert_eq!(client.answer("memory_search", json!({"query": "path"}))["results"][0]["line"], 3);
}

#[test]
fn the_store_is_that_of_the_root_then_the_nearest_then_that_of_the_project_of_the_client() {
    let (here, there) = (Sandbox::new(), with_conventions());
    let sections = |client: &mut Client| {
        client.answer("memory_status", json!({}))["health"]["sections"].clone()
    };
    let mut command = here.process(&["mcp"]);
    command.env("CLAUDE_PROJECT_DIR", there.project());
    assert_eq!(sections(&mut Client::over(command, Era::Stateless)), 1);
    let mut command = here.process(&["mcp"]);
    command.env("CLAUDE_PROJECT_DIR", there.project()).current_dir(here.root());
    assert_eq!(sections(&mut Client::over(command, Era::Stateless)), 3);
    let root = here.project().display().to_string();
    let mut command = here.process(&["mcp", "--root", &root]);
    command.env("CLAUDE_PROJECT_DIR", there.project()).current_dir(there.project());
    assert_eq!(sections(&mut Client::over(command, Era::Stateless)), 1);
}

#[test]
fn a_call_that_waits_for_the_lock_keeps_no_other_waiting() {
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    client.answer("memory_status", json!({}));
    let lock = sandbox.hold_lock();
    let call = json!({"name": "memory_propose_update", "arguments": session("Day", "Done.")});
    client.send("tools/call", call);
    client.answer("memory_get", json!({"path": "conventions.md"}));
    drop(lock);
    assert_eq!(client.read()["result"]["structuredContent"]["status"], "applied");
}

#[test]
fn many_calls_while_others_edit_the_store() {
    let rounds = if std::env::var("CRASH").is_ok_and(|value| value == "full") { 250 } else { 20 };
    let sandbox = with_conventions();
    let mut client = Client::start(&sandbox, Era::Stateless);
    let done = AtomicBool::new(false);
    let began = Instant::now();
    std::thread::scope(|scope| {
        let stop = Stop(&done);
        let edits = scope.spawn(|| {
            let mut count = 0;
            while !done.load(Ordering::Relaxed) {
                sandbox.propose(session(&format!("Edit {count}"), "By another process.")).applied();
                save(&sandbox, &format!("\n## By hand {count}\n\nWord{count}.\n"));
                count += 1;
            }
            count
        });
        for round in 0..rounds {
            let request = session(&format!("Round {round}"), "By the server.");
            assert_eq!(client.answer("memory_propose_update", request)["status"], "applied");
            client.answer("memory_search", json!({"query": "path"}));
            client.answer("memory_context", json!({"query": "errors"}));
            let got = client
                .answer("memory_get", json!({"path": "conventions.md", "section_id": "errors"}));
            assert!(got["sections"][0]["text"].as_str().unwrap().contains("They name a path."));
        }
        drop(stop);
        let count = edits.join().unwrap();
        eprintln!("{} calls beside {count} edits in {:?}", rounds * 4, began.elapsed());
        let log = sandbox.run(&["log", "--json", "--limit", "100000"]);
        let applied = log.stdout.matches("\"applied\"").count();
        assert!(applied >= rounds + count, "{applied} of {}", rounds + count);
    });
    sandbox.run(&["log", "--verify"]).expect_code(0);
    assert_eq!(client.finish().0, Some(0));
}

/// Ends the edits, also when a call was not answered as it should be.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Adds to the conventions as an editor saves: nobody sees half a file.
fn save(sandbox: &Sandbox, text: &str) {
    let aside = sandbox.root().join("saved.md");
    fs::write(&aside, sandbox.file("conventions.md") + text).unwrap();
    fs::rename(&aside, sandbox.store().join("conventions.md")).unwrap();
}

#[test]
fn calls_write_in_the_order_in_which_they_came_also_when_the_client_is_gone() {
    let sandbox = Sandbox::new();
    let mut client = Client::with(&sandbox, &["mcp", "--user", "--as", "ada"], Era::Stateless);
    for number in 0..20 {
        let entry = json!({
            "action": "upsert", "name": "x", "type": "user", "description": "d",
            "body": format!("Text {number}."),
        });
        client.send("tools/call", json!({"name": "update_user_memory", "arguments": entry}));
    }
    let (code, rest, _) = client.finish();
    assert_eq!((code, rest.matches("\"updated\"").count() >= 19), (Some(0), true), "{rest}");
    let read = sandbox.run(&["user", "read", "x", "--as", "ada"]).expect_code(0);
    assert!(read.stdout.ends_with("Text 19.\n"), "{}", read.stdout);
}
