//! `restore`: what was rejected or swept is pending again.

use serde_json::json;

use crate::requests::{TELLING, convention, session};
use crate::support::{Answer, Sandbox};

fn restore(sandbox: &Sandbox, id: &str) -> Answer {
    sandbox.run(&["restore", id, "--approver", "Ada", "--json"]).answer()
}

#[test]
fn a_rejected_proposal_waits_again_and_may_be_proposed_again() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let before = sandbox.tree();
    sandbox.run(&["reject", &id, "--reason", "not like this"]).expect_code(0);
    sandbox.propose(convention("Errors", TELLING)).rejected("previously_rejected");
    let restored = restore(&sandbox, &id);
    assert_eq!((&restored["status"], &restored["lifted"]), (&json!("restored"), &json!(true)));
    assert_eq!(sandbox.tree(), before);
    assert_eq!(sandbox.propose(convention("Errors", TELLING)).staged(), id);
    sandbox.apply(&id).applied();
}

#[test]
fn a_swept_proposal_waits_again_and_is_as_old_as_it_is() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.advance_days(8);
    sandbox.run(&["sweep"]).expect_code(0);
    let restored = restore(&sandbox, "mistakes").rejected("staging_not_found");
    assert!(restored["hint"].as_str().unwrap().contains("log"), "{}", restored.value);
    let restored = restore(&sandbox, &id);
    assert!(restored["warnings"].to_string().contains("--expired"), "{}", restored.value);
    assert_eq!(restored["expired"], true);
    sandbox.apply(&id).rejected("staging_expired");
    sandbox.run(&["sweep"]).expect_code(0);
    let told = sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0).stdout;
    assert_eq!(told, format!("restored {id}, expired at 2026-11-27T10:00:00Z\n"));
}

#[test]
fn what_was_applied_is_not_restored_but_undone() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.apply(&id).applied();
    let refused = restore(&sandbox, &id).rejected("staging_not_found");
    assert!(refused["hint"].as_str().unwrap().contains("undo"), "{}", refused.value);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(restore(&sandbox, &id)["status"], "restored");
}

#[test]
fn the_latest_is_what_was_decided_last() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("Errors", TELLING)).staged();
    let second =
        sandbox.propose(convention("Names", "- Names are long and plain, as ever.")).staged();
    for id in [&second, &first] {
        sandbox.run(&["reject", id]).expect_code(0);
    }
    let reply = sandbox.run(&["restore", "--latest", "--approver", "Ada"]).expect_code(0);
    assert!(
        reply.stdout.starts_with(&format!("restored {first}, pending until ")),
        "{}",
        reply.stdout
    );
}

#[test]
fn what_was_undone_last_is_the_latest_too() {
    let sandbox = Sandbox::new();
    let rejected = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["reject", &rejected]).expect_code(0);
    let undone = sandbox.propose(convention("Names", "- Names are long and plain.")).staged();
    sandbox.apply(&undone).applied();
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert_eq!(restore(&sandbox, "--latest")["id"], json!(undone));
    assert_eq!(restore(&sandbox, "--latest")["id"], json!(rejected));
    let none = restore(&sandbox, "--latest").rejected("staging_not_found");
    assert!(none["hint"].as_str().unwrap().contains("`agent-memory log`"), "{}", none.value);
}

#[test]
fn what_landed_at_once_and_was_undone_is_said_to_be_no_proposal() {
    let sandbox = Sandbox::new();
    let rejected = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["reject", &rejected]).expect_code(0);
    let landed = sandbox.propose(session("Today", "Done.")).applied()["proposal_id"].clone();
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    let named = restore(&sandbox, landed.as_str().unwrap()).rejected("staging_not_found");
    assert!(named["message"].as_str().unwrap().contains("applied at once"), "{}", named.value);
    let latest = restore(&sandbox, "--latest");
    assert_eq!(latest["id"], json!(rejected));
    assert!(
        latest["warnings"].to_string().contains("had been applied at once"),
        "{}",
        latest.value
    );
}

#[test]
fn a_proposal_can_be_rejected_and_restored_many_times() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    for _ in 0..3 {
        sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
        assert_eq!(restore(&sandbox, &id)["lifted"], true);
    }
    assert!(!sandbox.has(&format!("rejections/{id}.toml")));
    restore(&sandbox, &id).rejected("staging_not_found");
}

#[test]
#[cfg(unix)]
fn what_stands_in_the_place_of_a_proposal_is_kept_elsewhere() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    let asked = sandbox.file(&format!("staging/{id}/proposal.json"));
    let put: [&dyn Fn(&std::path::Path); 3] = [
        &|place| std::fs::write(place, "a file").unwrap(),
        &|place| std::os::unix::fs::symlink("/nowhere", place).unwrap(),
        &|place| {
            std::fs::create_dir(place).unwrap();
            std::fs::write(place.join("proposal.json"), "{}").unwrap();
        },
    ];
    for (round, put) in put.iter().enumerate() {
        sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
        put(&sandbox.store().join(format!("staging/{id}")));
        let restored = restore(&sandbox, &id);
        let number = if round == 0 { String::new() } else { format!(".{}", round + 1) };
        let kept = format!("state/trash/displaced-{id}{number}");
        assert!(restored["warnings"].to_string().contains(&kept), "{}", restored.value);
        assert!(sandbox.store().join(kept).symlink_metadata().is_ok());
        assert_eq!(sandbox.file(&format!("staging/{id}/proposal.json")), asked);
    }
    sandbox.apply(&id).applied();
}

#[test]
fn what_cannot_be_read_any_more_is_named_and_in_nobodys_way() {
    let sandbox = Sandbox::new();
    let damaged = sandbox.propose(convention("Errors", TELLING)).staged();
    let other = sandbox.propose(convention("Names", "- Names are long and plain.")).staged();
    for id in [&other, &damaged] {
        sandbox.run(&["reject", id]).expect_code(0);
    }
    sandbox.write(&format!("state/trash/{damaged}/proposal.json"), "{");
    for wanted in [&damaged, "--latest"] {
        let answer = restore(&sandbox, wanted);
        let error = answer["error"].to_string();
        assert!(answer.code == 2 && error.contains(&damaged), "{}", answer.value);
    }
    assert_eq!(restore(&sandbox, &other)["status"], "restored");
}

#[test]
fn an_agent_restores_nothing() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", TELLING)).staged();
    sandbox.run(&["reject", &id]).expect_code(0);
    let call =
        sandbox.call(&["restore", &id, "--approver", "Ada", "--json"]).env("CURSOR_AGENT", "1");
    call.run().answer().rejected("approval_refused");
    assert!(!sandbox.has(&format!("staging/{id}")));
}
