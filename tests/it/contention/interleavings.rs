//! The program beside the model: every order of verbs on one proposal, one after the other and at once.
//!
//! The verbs are atomic under the lock, so what may be interleaved is the order in which processes get
//! it. The test holds it until all of them wait for it. `CRASH=full` takes longer orders.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::Value;

use super::model::{State, Verb};
use crate::crash::is_full;
use crate::requests::convention;
use crate::support::{Reply, Sandbox, files_in};

const TEXT: &str = "- Say what to do next in every single error message";

/// Who holds which lock and who waits for it, where the kernel tells.
const QUEUE: &str = "/proc/locks";

/// A store with one proposal, as a moment that can be returned to.
#[derive(Clone)]
struct Moment {
    files: BTreeMap<String, Vec<u8>>,
    id: String,
    state: State,
    /// What the log says of the proposal.
    decisions: Vec<String>,
}

#[test]
fn every_order_of_verbs_ends_where_the_model_does() {
    let (count, length) = (AtomicUsize::new(0), if is_full() { 5 } else { 3 });
    let start = Moment::first();
    thread::scope(|scope| {
        for verb in Verb::ALL {
            let (count, start) = (&count, &start);
            scope.spawn(move || explore(start, verb, length, count));
        }
    });
    let count = count.into_inner();
    assert!(count >= 155, "{count}");
    println!("interleavings: {count} orders of at most {length} verbs, one after the other");
}

#[test]
fn verbs_at_once_end_as_in_the_order_in_which_they_came() {
    let starts = [None, Some(Verb::Apply), Some(Verb::Reject), Some(Verb::Sweep)];
    let starts = starts.map(|verb| match verb {
        None => Moment::first(),
        Some(verb) => Moment::first().run(&[verb]),
    });
    let mut orders: Vec<Vec<Verb>> = Vec::new();
    for first in Verb::ALL {
        for second in Verb::ALL {
            orders.push(vec![first, second]);
            if is_full() {
                orders.extend(Verb::ALL.map(|third| vec![first, second, third]));
            }
        }
    }
    let next = AtomicUsize::new(0);
    let all = starts.len() * orders.len();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(number) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|n| *n < all)
                {
                    starts[number % starts.len()].run(&orders[number / starts.len()]);
                }
            });
        }
    });
    assert!(all >= 20, "{all}");
    println!("interleavings: {all} orders in which two or three processes got the lock");
}

/// Runs a verb and then every order of verbs up to a length.
fn explore(moment: &Moment, verb: Verb, length: usize, count: &AtomicUsize) {
    let after = moment.run(&[verb]);
    count.fetch_add(1, Ordering::Relaxed);
    if length > 1 {
        Verb::ALL.into_iter().for_each(|next| explore(&after, next, length - 1, count));
    }
}

impl Moment {
    /// The proposal waits.
    fn first() -> Self {
        let sandbox = Sandbox::without_git();
        sandbox.run(&["init"]).expect_code(0);
        let id = sandbox.propose(convention("Errors", TEXT)).staged();
        let files = files_in(&sandbox.project());
        Self { files, id, state: State::Waiting, decisions: vec!["staged".to_owned()] }
    }

    /// Runs verbs at once, or only one, and compares all that can be seen with the model.
    fn run(&self, verbs: &[Verb]) -> Self {
        let sandbox = Sandbox::without_git();
        self.files.iter().for_each(|(path, bytes)| sandbox.write_project(path, bytes));
        let told = answers(&sandbox, &self.id, verbs);
        let end = self.observe(&sandbox);
        let said = || format!("{:?} {told:?} ended as {:?}", self.state, end.state);
        assert!(self.state.explains(&told, end.state), "{}", said());
        // The kernel of Linux hands a lock on in the order in which it was asked for.
        let in_order = verbs.len() == 1 || fs::exists(QUEUE).unwrap();
        let mut logged = self.decisions.clone();
        let done: Vec<Verb> = told.iter().filter(|told| told.1).map(|told| told.0).collect();
        logged.extend(done.iter().map(|verb| verb.decision().to_owned()));
        if in_order {
            let mut state = self.state;
            for (verb, done) in &told {
                assert_eq!(state.after(*verb).is_some(), *done, "{verb:?} of {}", said());
                state = state.after(*verb).unwrap_or(state);
            }
            assert_eq!((state, &end.decisions), (end.state, &logged), "{}", said());
        }
        let sorted = |mut list: Vec<String>| {
            list.sort_unstable();
            list
        };
        assert_eq!(sorted(end.decisions.clone()), sorted(logged), "{}", said());
        end
    }

    /// Looks where the proposal is.
    fn observe(&self, sandbox: &Sandbox) -> Self {
        let id = &self.id;
        let waits = sandbox.has(&format!("staging/{id}"));
        let is_there = sandbox.file("conventions.md").matches(TEXT).count();
        let is_known = sandbox.has(&format!("rejections/{id}.toml"));
        let state = match (waits, is_there, is_known) {
            (true, 0, false) => State::Waiting,
            (false, 1, false) => State::Applied,
            (false, 0, true) => State::Rejected,
            (false, 0, false) => State::Dropped,
            seen => panic!("in no state: waits, times in the file, known again: {seen:?}"),
        };
        assert_eq!(sandbox.has(&format!("state/trash/{id}")), !waits, "it is in one place");
        let log = sandbox.file("state/log.jsonl");
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let decisions = lines.map(|line| line["decision"].as_str().unwrap().to_owned()).collect();
        Self { files: files_in(&sandbox.project()), id: id.clone(), state, decisions }
    }
}

/// Starts the verbs one behind the other while nobody can have the lock; tells which were done.
fn answers(sandbox: &Sandbox, id: &str, verbs: &[Verb]) -> Vec<(Verb, bool)> {
    let lock = (verbs.len() > 1).then(|| sandbox.hold_lock());
    let mut children = Vec::new();
    for verb in verbs {
        let mut child = start(sandbox, id, *verb);
        if lock.is_some() {
            wait_until_it_waits(&mut child);
        }
        children.push(child);
    }
    drop(lock);
    let replies = children.into_iter().map(|child| Reply::of(child.wait_with_output().unwrap()));
    verbs.iter().zip(replies).map(|(verb, reply)| (*verb, was_done(*verb, &reply))).collect()
}

fn start(sandbox: &Sandbox, id: &str, verb: Verb) -> Child {
    let (arguments, now): (&[&str], _) = match verb {
        Verb::Apply => (&["apply", id, "--approver", "Ada", "--json"], "2026-11-20T10:00:00Z"),
        Verb::Reject => (&["reject", id, "--approver", "Ada", "--json"], "2026-11-20T10:00:00Z"),
        Verb::Restore => (&["restore", id, "--approver", "Ada", "--json"], "2026-11-20T10:00:00Z"),
        Verb::Undo => (&["undo", id, "--approver", "Ada", "--json"], "2026-11-20T10:00:00Z"),
        Verb::Sweep => (&["sweep", "--json"], "2026-12-20T10:00:00Z"),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(arguments).current_dir(sandbox.project()).env_clear();
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config")).env("AGENT_MEMORY_NOW", now);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns when a process stands in the queue for a lock; where nobody can tell, at once.
fn wait_until_it_waits(child: &mut Child) {
    let pid = child.id().to_string();
    while child.try_wait().unwrap().is_none() {
        let Ok(locks) = fs::read_to_string(QUEUE) else { return };
        let waits = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            words.contains(&"->") && words.contains(&pid.as_str())
        };
        if locks.lines().any(waits) {
            return;
        }
        thread::yield_now();
    }
}

fn was_done(verb: Verb, reply: &Reply) -> bool {
    let answer = reply.json();
    match (reply.code, verb) {
        (0, Verb::Sweep) => answer["swept"].as_array().is_some_and(|swept| !swept.is_empty()),
        (0, Verb::Apply | Verb::Reject | Verb::Restore | Verb::Undo) => {
            assert_eq!(
                answer["status"],
                if verb == Verb::Restore { "restored" } else { verb.decision() }
            );
            true
        }
        (1, _) => {
            assert_eq!(answer["error"]["code"], "staging_not_found", "{verb:?}: {answer}");
            false
        }
        (code, _) => panic!("{verb:?} ended with {code}: {answer}{}", reply.stderr),
    }
}
