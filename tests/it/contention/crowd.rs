//! Sixteen who propose, two who decide, two who search and one who checks, all at once.
//!
//! `CRASH=full cargo test --test it contention` lets each of them propose a hundred times.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use agent_memory::contract::ContentHash;
use serde_json::{Value, json};

use crate::crash::is_full;
use crate::requests::{OPEN_PITFALLS, convention, pitfall_bullet, session, shared};
use crate::support::{Reply, Sandbox};

const WRITERS: usize = 16;
const PITFALLS: &str = "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- the first bullet\n";

/// Proposals of each writer.
fn proposals() -> usize {
    if is_full() { 100 } else { 8 }
}

#[test]
fn a_crowd_loses_nothing_and_sees_no_half() {
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", PITFALLS)]);
    for name in ["conventions", "pitfalls", "sessions", "shared"] {
        let path = format!("schemas/{name}.toml");
        let schema = sandbox.file(&path);
        let budget = schema.lines().find(|line| line.starts_with("max_bytes")).unwrap();
        sandbox.write(&path, schema.replace(budget, "max_bytes = 262144"));
    }
    // Days lie between their clocks.
    sandbox.write("config.toml", "[staging]\nremind = false\n");
    sandbox.run(&["reindex"]).expect_code(0);
    let crowd = Crowd { sandbox: &sandbox, writing: AtomicUsize::new(WRITERS), done: false.into() };
    let answers = crowd.gather();
    crowd.compare_with_the_log(&answers);
    crowd.look_for_the_texts(&answers);
    let findings = sandbox.run(&["doctor", "--json"]).expect_code(0).json()["findings"].clone();
    assert_eq!(findings, json!([]));
}

struct Crowd<'a> {
    sandbox: &'a Sandbox,
    /// Who still proposes.
    writing: AtomicUsize,
    done: AtomicBool,
}

/// What somebody was told: the words that were proposed if it was a request, and the answer.
struct Told {
    words: Option<String>,
    answer: Value,
}

impl Crowd<'_> {
    /// Lets everybody work until all is proposed and decided; returns what the writers and deciders
    /// were told.
    fn gather(&self) -> Vec<Told> {
        thread::scope(|scope| {
            let writers: Vec<_> =
                (0..WRITERS).map(|writer| scope.spawn(move || self.propose_all(writer))).collect();
            let deciders = [false, true].map(|turned| scope.spawn(move || self.decide_all(turned)));
            let watchers = [
                scope.spawn(|| self.until_done(|seen| self.search(seen))),
                scope.spawn(|| self.until_done(|seen| self.search(seen))),
                scope.spawn(|| self.until_done(|_| self.check())),
            ];
            let workers = writers.into_iter().chain(deciders);
            let all: Vec<_> = workers.map(thread::ScopedJoinHandle::join).collect();
            self.done.store(true, Ordering::Relaxed);
            let looks = watchers.map(|watcher| watcher.join().unwrap());
            assert!(looks.iter().all(|looks| *looks > 0), "everybody looked meanwhile: {looks:?}");
            all.into_iter().flat_map(Result::unwrap).collect()
        })
    }

    fn propose_all(&self, writer: usize) -> Vec<Told> {
        let _leaving = Leaving(&self.writing);
        let propose = |number: usize| {
            let words = format!("writer{writer}number{number} was here.");
            let heading = format!("Writer {writer} number {number}");
            let mut request = match number % 8 {
                0 => convention(&heading, &words),
                1 | 4 | 7 => pitfall_bullet("trap", &format!("- {words}")),
                2 | 5 => session(&heading, &words),
                _ => shared(&heading, &words),
            };
            request["rationale"] = json!(format!("w{writer} n{number}"));
            let answer = self.propose(writer, &request);
            match number % 8 {
                0 => assert_eq!(answer["status"], "staged", "{answer}"),
                _ => assert_eq!(
                    (&answer["status"], &answer["index_updated"]),
                    (&json!("applied"), &json!(true)),
                    "{answer}"
                ),
            }
            assert_eq!(answer["warnings"], json!([]), "{answer}");
            Told { words: Some(words), answer }
        };
        (0..proposals()).map(propose).collect()
    }

    /// Proposes until the queue has room.
    fn propose(&self, writer: usize, request: &Value) -> Value {
        loop {
            let call = self.sandbox.call(&["propose"]).stdin(request.to_string());
            // A day of their own, and so a file of their own for what was done on it.
            let day = format!("2026-11-{:02}T10:00:00Z", writer + 15);
            let answer = understood(&call.env("AGENT_MEMORY_NOW", &day).run());
            if answer["reason"] != "queue_full" {
                return answer;
            }
        }
    }

    /// Decides what waits, beginning with the oldest or the youngest.
    fn decide_all(&self, turned: bool) -> Vec<Told> {
        let mut told = Vec::new();
        loop {
            // Looked at first: what was proposed before the last writer left is in the queue by now.
            let last = self.writing.load(Ordering::SeqCst) == 0;
            let status = self.sandbox.run(&["status", "--json"]).expect_code(0);
            let status = understood(&status);
            assert_eq!(status["health"]["warnings"], json!([]), "{status}");
            let mut ids: Vec<&str> = texts(&status["pending"], "id").collect();
            if last && ids.is_empty() {
                return told;
            }
            if turned {
                ids.reverse();
            }
            for id in ids {
                let yes = id.ends_with(['0', '2', '4', '6', '8', 'a', 'c', 'e']);
                let arguments: &[&str] = match yes {
                    true => &["apply", id, "--approver", "Ada", "--json"],
                    false => &["reject", id, "--reason", "not like this", "--json"],
                };
                let answer = understood(&self.sandbox.run(arguments));
                if let Some(error) = answer.get("error") {
                    // The other one was quicker.
                    assert_eq!(error["code"], "staging_not_found", "{answer}");
                    let hint = format!("was {}", if yes { "applied" } else { "rejected" });
                    assert!(error["message"].as_str().unwrap().contains(&hint), "{answer}");
                } else {
                    told.push(Told { words: None, answer });
                }
            }
        }
    }

    fn until_done(&self, mut look: impl FnMut(&mut BTreeMap<&'static str, String>)) -> usize {
        let (mut seen, mut count) = (BTreeMap::new(), 0);
        while !self.done.load(Ordering::Relaxed) {
            look(&mut seen);
            count += 1;
        }
        count
    }

    fn search(&self, seen: &mut BTreeMap<&'static str, String>) {
        let reply = self.sandbox.run(&["search", "--json", "the first bullet"]).expect_code(0);
        let found = understood(&reply);
        assert_eq!(found["results"][0]["path"], "pitfalls.md", "{found}");
        assert_eq!(found["warnings"], json!([]));
        // These only grow, by whole lines.
        for path in ["conventions.md", "local/shared.md", "pitfalls.md", "sessions/2026-11-18.md"] {
            let text = if self.sandbox.has(path) { self.sandbox.file(path) } else { String::new() };
            let before = seen.entry(path).or_default();
            assert!(text.starts_with(before.as_str()), "{path}: {before}\nbecame: {text}");
            assert!(text.is_empty() || text.ends_with('\n'), "half of {path}: {text}");
            *before = text;
        }
    }

    fn check(&self) {
        for verb in ["doctor", "check"] {
            let reply = self.sandbox.run(&[verb, "--json"]);
            assert_eq!(understood(&reply)["findings"], json!([]), "{verb}");
            reply.expect_code(0);
        }
    }

    /// Each answer has its line, each line its answer, and each file's hashes make a chain.
    fn compare_with_the_log(&self, answers: &[Told]) {
        let text = self.sandbox.file("state/log.jsonl");
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a whole line")).collect();
        let mut logged: Vec<(&str, &str)> = lines
            .iter()
            .map(|line| (line["id"].as_str().unwrap(), line["decision"].as_str().unwrap()))
            .collect();
        let mut told: Vec<(&str, &str)> = answers
            .iter()
            .map(|Told { answer, .. }| {
                let id = answer.get("id").unwrap_or(&answer["proposal_id"]).as_str().unwrap();
                (id, answer["status"].as_str().unwrap())
            })
            .collect();
        for (number, (id, decision)) in logged.iter().enumerate() {
            let waited = logged[..number].contains(&(id, "staged"));
            let decided = lines[number]["approver"].is_string();
            assert_eq!(waited, decided, "{id} was {decision} by a person if it waited");
        }
        logged.sort_unstable();
        told.sort_unstable();
        assert_eq!(logged, told);
        let mut last: BTreeMap<&str, String> = BTreeMap::new();
        last.insert("pitfalls.md", ContentHash::of(PITFALLS.as_bytes()).to_string());
        for line in lines.iter().filter(|line| line["decision"] == "applied") {
            for file in line["files"].as_array().unwrap() {
                let path = file["path"].as_str().unwrap();
                let after = file["after"].as_str().unwrap().to_owned();
                let before = last.insert(path, after);
                if let Some(before) = before {
                    assert_eq!(file["before"], before, "{path} was lost between two changes");
                }
            }
        }
        for (path, hash) in last {
            assert_eq!(ContentHash::of(&self.sandbox.bytes(path)).to_string(), hash, "{path}");
        }
    }

    /// What was applied is there once, what was rejected is not.
    fn look_for_the_texts(&self, answers: &[Told]) {
        let rejected: Vec<&str> = answers
            .iter()
            .filter(|told| told.answer["status"] == "rejected")
            .map(|told| told.answer["id"].as_str().unwrap())
            .collect();
        for Told { words, answer } in answers {
            let Some(words) = words else { continue };
            let path = answer["files"][0].as_str().unwrap();
            let expected =
                usize::from(!rejected.contains(&answer["proposal_id"].as_str().unwrap()));
            assert_eq!(
                self.sandbox.file(path).matches(words).count(),
                expected,
                "{words} in {path}"
            );
        }
        let found = self.sandbox.run(&["search", "--json", "writer3number6"]).expect_code(0).json();
        assert_eq!(found["results"][0]["path"], "local/shared.md", "{found}");
        println!(
            "contention: {} proposals and {} decisions, of which {} no, without a loss",
            WRITERS * proposals(),
            answers.iter().filter(|told| told.words.is_none()).count(),
            rejected.len()
        );
    }
}

/// Tells the others that somebody has left, even by a panic.
struct Leaving<'a>(&'a AtomicUsize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Reads an answer: nobody waited for too long, and nobody talked of a locked database.
#[track_caller]
fn understood(reply: &Reply) -> Value {
    assert_eq!(reply.stderr, "", "{}", reply.stdout);
    let answer = reply.json();
    assert!(
        reply.code == 0
            || answer["status"] == "rejected"
            || reply.code == 1 && answer["error"].is_object(),
        "{answer}"
    );
    assert!(!reply.stdout.contains("is locked"), "{answer}");
    answer
}

fn texts<'v>(list: &'v Value, name: &'static str) -> impl Iterator<Item = &'v str> {
    list.as_array().unwrap().iter().map(move |each| each[name].as_str().unwrap())
}
