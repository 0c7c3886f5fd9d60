//! Many processes at once: nothing is lost, and nobody sees a half.

#![allow(clippy::print_stdout, reason = "a person who asks for all wants to see the count")]

mod crowd;
mod interleavings;
mod model;

use std::fs;
use std::thread;
use std::time::Instant;

use agent_memory::project::request::Outcome;
use agent_memory::project::verbs::{Project, propose};

use crate::requests::{convention, session};
use crate::support::{Sandbox, plant_foreign_state};

#[test]
fn one_proposal_is_applied_or_rejected_but_never_both() {
    let sandbox = Sandbox::new();
    for round in 0..4 {
        let text = format!("a text for round {round} alone");
        let id = sandbox.propose(convention(&format!("Round {round}"), &text)).staged();
        let (yes, no) = thread::scope(|scope| {
            let yes = scope.spawn(|| sandbox.run(&["apply", &id, "--approver", "Ada", "--json"]));
            let no = scope.spawn(|| sandbox.run(&["reject", &id, "--json"]));
            (yes.join().unwrap(), no.join().unwrap())
        });
        assert_eq!(yes.code + no.code, 1, "{}{}", yes.stdout, no.stdout);
        assert_eq!(sandbox.file("conventions.md").contains(&text), yes.code == 0);
    }
}

#[test]
fn the_same_request_from_many_processes_is_one_proposal() {
    let sandbox = Sandbox::new();
    let mut ids: Vec<String> = thread::scope(|scope| {
        let all: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| sandbox.propose(convention("Errors", "Name it.")).staged()))
            .collect();
        all.into_iter().map(|each| each.join().unwrap()).collect()
    });
    ids.dedup();
    assert_eq!(ids.len(), 1);
}

#[test]
fn many_processes_set_foreign_state_apart_once() {
    let sandbox = Sandbox::new();
    plant_foreign_state(&sandbox);
    thread::scope(|scope| {
        for number in 0..6 {
            let text = format!("Note {number} of all.");
            let sandbox = &sandbox;
            scope.spawn(move || {
                sandbox.propose(session(&format!("Note {number}"), &text)).applied()
            });
        }
    });
    let trash = fs::read_dir(sandbox.store().join("state/trash")).unwrap();
    let names = trash.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    assert_eq!(names.filter(|name| name.starts_with("foreign-")).count(), 1);
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 6);
    sandbox.run(&["log", "--verify"]).expect_code(0);
    assert!(!sandbox.has("modules/evil.md"));
}

#[test]
fn many_processes_can_make_the_store_at_once() {
    let sandbox = Sandbox::without_git();
    thread::scope(|scope| {
        let all: Vec<_> =
            (0..6).map(|_| scope.spawn(|| sandbox.run(&["init", "--json"]))).collect();
        all.into_iter().for_each(|each| drop(each.join().unwrap().expect_code(0)));
    });
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_process_that_stays_notices_that_the_index_was_deleted() {
    let sandbox = Sandbox::new();
    let project = Project::open_to_write(&sandbox.session()).unwrap();
    for round in 0..3 {
        let request = session(&format!("Round {round}"), &format!("word{round}"));
        let outcome = propose(&project, request.to_string().into_bytes()).unwrap();
        let Outcome::Applied(applied) = outcome else { panic!("{outcome:?}") };
        assert!(applied.index_updated);
        assert!(sandbox.has("state/index.sqlite"), "round {round}");
        fs::remove_file(sandbox.store().join("state/index.sqlite")).unwrap();
    }
}

#[test]
fn many_processes_can_make_the_index_anew_at_once() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "The rotation works.")).applied();
    let expected = sandbox.run(&["reindex", "--json"]).expect_code(0).json();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..6 {
                    let answer = sandbox.run(&["reindex", "--json"]).expect_code(0).json();
                    assert_eq!(answer, expected);
                }
            });
        }
    });
}

#[test]
fn who_waits_for_the_index_in_vain_says_so_after_a_bounded_time() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "The rotation works.")).applied();
    let path = sandbox.store().join("state/index.sqlite");
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let told = |arguments: &[&str], bound: u64| {
        let begun = Instant::now();
        let reply = sandbox.run(arguments);
        let seconds = begun.elapsed().as_secs();
        assert!(seconds < bound, "{arguments:?} took {seconds} s");
        assert!(reply.stdout.contains("waited 10 s for another process"), "{}", reply.stdout);
        assert!(reply.stdout.contains("try again"), "{}", reply.stdout);
        assert!(!reply.stdout.contains("is locked"), "{}", reply.stdout);
        reply.code
    };
    thread::scope(|scope| {
        scope.spawn(|| assert_eq!(told(&["doctor", "--json"], 18), 1));
        scope.spawn(|| assert_eq!(told(&["search", "--json", "rotation"], 18), 2));
        scope.spawn(|| assert_eq!(told(&["status", "--json"], 18), 2));
        scope.spawn(|| {
            let begun = Instant::now();
            let answer = sandbox.propose(session("Later", "It is told.")).applied();
            assert!(begun.elapsed().as_secs() < 18);
            assert_eq!(answer["index_updated"], false);
            assert!(answer["warnings"][0].as_str().unwrap().contains("waited 10 s"), "{answer:?}");
        });
    });
}
