//! Random pairs of proposals about one file, applied in both orders: the same comes of both, or one of them says that
//! it conflicts, and nothing that was written is lost.
//!
//! `CRASH=full cargo test --test it drift_random` takes many pairs; a plain run takes a sample.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::drift::{THEN, at, request};
use crate::support::Sandbox;

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// What an operation adds and must not be lost, and the operation.
fn operation(numbers: &mut Numbers, mark: &str) -> (Option<String>, Value) {
    let section = ["errors", "details", "names"][numbers.below(3)];
    let level = if section == "details" { "###" } else { "##" };
    let text = [format!("- bullet {mark}"), format!("Words {mark}."), format!("1. step {mark}")];
    let text = text[numbers.below(3)].clone();
    let added = Some(text.clone());
    match numbers.below(8) {
        0..3 => (added, at("append_to_section", section, &json!({ "content": text }))),
        3 => {
            let heading = format!("New {mark}");
            (added, json!({ "operation": "append_section", "heading": heading, "content": text }))
        }
        4 => {
            (None, at("rename_heading", section, &json!({ "new_heading": format!("Name {mark}") })))
        }
        5 => (added, at("replace_section_content", section, &json!({ "content": text }))),
        6 => {
            let content = format!("{level} Whole {mark}\n\n{text}");
            (added, at("replace_section", section, &json!({ "content": content })))
        }
        _ => {
            let kind = ["archive_section", "remove_section"][numbers.below(2)];
            let mut made =
                at(kind, section, &json!({ "archive_path": format!("archive/{mark}.md") }));
            if kind == "remove_section" {
                made["reason"] = "old".into();
            }
            (None, made)
        }
    }
}

/// The sections of a file, by their headings, each with its lines as a set.
fn sections(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut sections = BTreeMap::<String, BTreeSet<String>>::new();
    let mut heading = String::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            line.clone_into(&mut heading);
        }
        sections.entry(heading.clone()).or_default().insert(line.to_owned());
    }
    sections
}

/// All that is written anywhere in the store.
fn written(sandbox: &Sandbox) -> String {
    let tree = sandbox.tree();
    let memory = tree.iter().filter(|(path, _)| {
        path.ends_with("conventions.md") || path.contains("agent-memory/archive/")
    });
    memory.map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect()
}

/// Applies a pair in one order; returns whether both were applied, and what is there.
fn applied(pair: &[(Option<String>, Value); 2], order: [usize; 2]) -> (bool, String) {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let staged = |(_, operation): &(Option<String>, Value)| {
        let mut proposal = request(std::slice::from_ref(operation));
        if matches!(operation["operation"].as_str(), Some("archive_section" | "remove_section")) {
            proposal["intent"] = "archive_stale".into();
            proposal["operations"][0]["path"] = "conventions.md".into();
        }
        sandbox.propose(proposal).staged()
    };
    let ids = [staged(&pair[0]), staged(&pair[1])];
    sandbox.apply(&ids[order[0]]).applied();
    let answer = sandbox.run(&["apply", &ids[order[1]], "--approver", "Ada", "--json"]).json();
    let is_applied = answer["status"] == "applied";
    assert!(is_applied || answer["error"]["code"] == "target_drift", "{answer} {pair:?}");
    let now = written(&sandbox);
    for number in [Some(order[0]), Some(order[1]).filter(|_| is_applied)].into_iter().flatten() {
        let kept = pair[number].0.as_ref().is_none_or(|text| now.contains(text));
        assert!(kept, "{pair:?} {order:?} {now}");
    }
    (is_applied, sandbox.file("conventions.md"))
}

#[test]
fn both_orders_give_the_same_or_one_conflicts() {
    let is_full = std::env::var("CRASH").is_ok_and(|it| it == "full");
    let mut numbers = Numbers(7);
    for pair in 0..if is_full { 400 } else { 12 } {
        let pair =
            [format!("a{pair}"), format!("b{pair}")].map(|mark| operation(&mut numbers, &mark));
        let (one, other) = (applied(&pair, [0, 1]), applied(&pair, [1, 0]));
        if one.0 && other.0 {
            assert_eq!(sections(&one.1), sections(&other.1), "{pair:?}");
        }
    }
}
