//! Many processes at once: nothing is lost, and nobody sees a half.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use serde_json::{Value, json};

use crate::requests::{convention, pitfall_bullet, session, shared};
use crate::support::Sandbox;

const WRITERS: usize = 8;
const PROPOSALS: usize = 12;
const WAITING: usize = 6;

#[test]
fn many_processes_lose_no_update() {
    let sandbox = Sandbox::given(&[(
        "pitfalls.md",
        "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- the first bullet\n",
    )]);
    let waiting: Vec<String> = (0..WAITING)
        .map(|number| convention(&format!("Rule {number}"), &format!("waiting text {number}.")))
        .map(|request| sandbox.propose(request).staged())
        .collect();
    let done = AtomicBool::new(false);
    let mut ids = thread::scope(|scope| {
        let searcher = scope.spawn(|| search_until(&sandbox, &done));
        let applier = scope.spawn(|| apply_all(&sandbox, &waiting));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let sandbox = &sandbox;
                scope.spawn(move || propose_all(sandbox, writer))
            })
            .collect();
        let mut ids: Vec<String> =
            writers.into_iter().flat_map(|writer| writer.join().unwrap()).collect();
        applier.join().unwrap();
        done.store(true, Ordering::Relaxed);
        assert!(searcher.join().unwrap() > 0, "somebody searched meanwhile");
        ids.extend(waiting.iter().cloned());
        ids
    });

    for writer in 0..WRITERS {
        for number in 0..PROPOSALS {
            let text = sandbox.file(place(number));
            let count = text.matches(&words(writer, number)).count();
            assert_eq!(count, 1, "{} in {}", words(writer, number), place(number));
        }
    }
    let text = sandbox.file("conventions.md");
    for number in 0..WAITING {
        assert_eq!(text.matches(&format!("waiting text {number}.")).count(), 1, "{text}");
    }
    let mut logged = applied_ids(&sandbox);
    logged.sort();
    ids.sort();
    assert_eq!(logged, ids);
    let found = sandbox.run(&["search", "--json", "writer3number4"]).expect_code(0).json();
    assert_eq!(found["results"][0]["path"], place(4));
    let findings = sandbox.run(&["doctor", "--json"]).expect_code(0).json()["findings"].clone();
    assert_eq!(findings, json!([]));
}

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
fn many_processes_can_make_the_store_at_once() {
    let sandbox = Sandbox::without_git();
    thread::scope(|scope| {
        let all: Vec<_> =
            (0..6).map(|_| scope.spawn(|| sandbox.run(&["init", "--json"]))).collect();
        all.into_iter().for_each(|each| drop(each.join().unwrap().expect_code(0)));
    });
    sandbox.run(&["doctor"]).expect_code(0);
}

fn propose_all(sandbox: &Sandbox, writer: usize) -> Vec<String> {
    (0..PROPOSALS)
        .map(|number| {
            let text = words(writer, number);
            let heading = format!("Writer {writer} number {number}");
            let mut request = match number % 3 {
                0 => shared(&heading, &text),
                1 => session(&heading, &text),
                _ => pitfall_bullet("trap", &format!("- {text}")),
            };
            request["rationale"] = json!(format!("w{writer} n{number}"));
            let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run();
            assert_eq!(reply.stderr, "");
            let answer = reply.answer().applied();
            assert_eq!((&answer["index_updated"], &answer["warnings"]), (&json!(true), &json!([])));
            answer["proposal_id"].as_str().unwrap().to_owned()
        })
        .collect()
}

fn apply_all(sandbox: &Sandbox, waiting: &[String]) {
    for id in waiting {
        let reply = sandbox.run(&["apply", id, "--approver", "Ada", "--json"]);
        assert_eq!(reply.stderr, "");
        assert_eq!(reply.answer().applied()["warnings"], json!([]));
    }
}

fn search_until(sandbox: &Sandbox, done: &AtomicBool) -> usize {
    let mut count = 0;
    while !done.load(Ordering::Relaxed) {
        let reply = sandbox.run(&["search", "--json", "the first bullet"]).expect_code(0);
        assert_eq!(reply.stderr, "");
        let found = reply.json();
        assert_eq!(found["results"][0]["path"], "pitfalls.md", "{found}");
        assert_eq!(found["warnings"], json!([]));
        sandbox.run(&["log", "--verify"]).expect_code(0);
        count += 1;
    }
    count
}

fn applied_ids(sandbox: &Sandbox) -> Vec<String> {
    let text = sandbox.file("state/log.jsonl");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a whole line"));
    let applied = lines.filter(|line| line["decision"] == "applied");
    applied.map(|line| line["id"].as_str().unwrap().to_owned()).collect()
}

fn words(writer: usize, number: usize) -> String {
    format!("writer{writer}number{number} was here.")
}

fn place(number: usize) -> &'static str {
    match number % 3 {
        0 => "local/shared.md",
        1 => "sessions/2026-11-20.md",
        _ => "pitfalls.md",
    }
}
