//! What was made last is last, also after the clock was set back.

use std::fs;

use serde_json::Value;

use crate::requests::{convention, session};
use crate::support::Sandbox;

const TEN: &str = "2026-11-20T10:00:00Z";
const NINE: &str = "2026-11-20T09:00:00Z";

/// A store with a proposal of each of these times, in this order.
fn with_proposals(times: &[&str]) -> (Sandbox, Vec<String>) {
    let mut sandbox = Sandbox::new();
    let ids = times.iter().zip(["Mist", "Fog", "Haze", "Dew"]).map(|(time, name)| {
        sandbox.set_env("AGENT_MEMORY_NOW", time);
        sandbox.propose(convention(name, &format!("- {name} is told to all drivers."))).staged()
    });
    let ids = ids.collect();
    (sandbox, ids)
}

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|each| each["id"].as_str().unwrap()).collect()
}

#[test]
fn the_queue_is_in_the_order_in_which_it_was_filled() {
    let (sandbox, made) = with_proposals(&[TEN, NINE, TEN, NINE]);
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(ids(&status["pending"]), made);
    let review = sandbox.run(&["review", "--json"]).expect_code(0).json();
    let reviewed = review["proposals"].as_array().unwrap().iter();
    let reviewed: Vec<&Value> = reviewed.map(|each| &each["proposal"]["id"]).collect();
    assert_eq!(reviewed, made.iter().collect::<Vec<_>>());
    for verb in ["show", "reject"] {
        let last = sandbox.run(&[verb, "--latest", "--json"]).expect_code(0).json();
        assert_eq!(last["id"], made[3].as_str(), "{verb}");
    }
    let applied = sandbox.run(&["apply", "--latest", "--approver", "Ada", "--json"]);
    assert_eq!(applied.expect_code(0).json()["proposal_id"], made[2].as_str());
    let undone = sandbox.run(&["undo", "--latest", "--approver", "Ada", "--json"]).expect_code(0);
    assert_eq!(undone.json()["id"], made[2].as_str());
}

#[test]
fn what_is_restored_keeps_its_place_in_the_queue() {
    let (sandbox, made) = with_proposals(&[TEN, TEN, NINE]);
    sandbox.run(&["reject", &made[1]]).expect_code(0);
    sandbox.run(&["restore", &made[1], "--approver", "Ada"]).expect_code(0);
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(ids(&status["pending"]), made);
}

#[test]
fn what_was_staged_elsewhere_stands_at_its_time() {
    let (sandbox, mut made) = with_proposals(&[NINE, TEN, NINE]);
    let (other, theirs) = with_proposals(&["2026-11-20T08:00:00Z", "2026-11-20T09:30:00Z"]);
    for id in &theirs {
        let path = format!("staging/{id}/proposal.json");
        sandbox.write(&path, other.file(&path));
    }
    made.insert(1, theirs[1].clone());
    made.insert(0, theirs[0].clone());
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(ids(&status["pending"]), made);
    // Without the log, the times are all that is known.
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    fs::remove_dir_all(sandbox.project().join(".git/agent-memory")).unwrap();
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    let mut times: Vec<&str> = ids(&status["pending"]).iter().map(|id| &id[..15]).collect();
    assert_eq!(times.len(), 5);
    assert!(times.is_sorted(), "{times:?}");
    times.dedup();
    assert_eq!(times.len(), 4);
}

#[test]
fn the_log_and_its_rejections_are_in_the_order_of_what_happened() {
    let (mut sandbox, made) = with_proposals(&[TEN, TEN, TEN]);
    for (time, id) in
        ["2026-11-20T11:00:00Z", NINE, TEN].into_iter().zip([&made[1], &made[2], &made[0]])
    {
        sandbox.set_env("AGENT_MEMORY_NOW", time);
        sandbox.run(&["reject", id]).expect_code(0);
    }
    let newest_first = [&made[0], &made[2], &made[1]];
    for arguments in [&["log", "--json", "-n", "3"][..], &["log", "--json", "--rejected"]] {
        let log = sandbox.run(arguments).expect_code(0).json();
        assert_eq!(ids(&log["decisions"]), newest_first, "{arguments:?}");
    }
    let restored = sandbox.run(&["restore", "--latest", "--approver", "Ada", "--json"]);
    assert_eq!(restored.expect_code(0).json()["id"], made[0].as_str());
}

#[test]
fn the_latest_change_is_the_one_that_was_applied_last() {
    let mut sandbox = Sandbox::new();
    let mut applied = Vec::new();
    for (time, name) in [(TEN, "Mist"), (NINE, "Fog")] {
        sandbox.set_env("AGENT_MEMORY_NOW", time);
        applied
            .push(sandbox.propose(session(name, "It was seen.")).applied()["proposal_id"].clone());
    }
    applied.reverse();
    for id in applied {
        let undone = sandbox.run(&["undo", "--latest", "--approver", "Ada", "--json"]);
        assert_eq!(undone.expect_code(0).json()["id"], id);
    }
}
