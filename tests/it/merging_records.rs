//! Two branches that each record, edit and archive come together by stock git, and what stands in files together by
//! `resolve` or the driver.
//!
//! `CRASH=full cargo test --test it merging_records` merges all pairs; a plain run takes a sample.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::merging::merge;
use crate::support::Sandbox;

const PAIRS: u64 = 200;

const SAMPLE: u64 = 6;

/// Records of each kind before the branches part.
const RECORDS: u64 = 5;

const KINDS: [(&str, &str); 2] = [("decisions", "record_decision"), ("pitfalls", "add_pitfall")];

const FIELDS: &str = "- **Date:** 2026-11-01\n- **Status:** active\n\n";

const SOURCE: &str = "<!-- @source: user ada - confirmed 2026-11-20 -->";

/// Numbers that are the same in each run: a linear congruential generator.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (self.0 >> 33) % bound
    }
}

/// What a branch changes: the requests, and the files of the records that it touches.
#[derive(Default)]
struct Work {
    requests: Vec<Value>,
    touched: BTreeSet<String>,
}

fn base() -> Sandbox {
    let sandbox = Sandbox::new();
    for (folder, _) in KINDS {
        for number in 0..RECORDS {
            let text = format!(
                "# Record {number}\n<!-- @id: record-{number} -->\n{SOURCE}\n\n{FIELDS}It holds.\n\n## Why\n<!-- @id: why -->\n\nIt helps.\n"
            );
            sandbox.write(&format!("{folder}/record-{number}.md"), text);
        }
    }
    for (path, title) in [("conventions.md", "Conventions"), ("modules/auth.md", "Auth")] {
        let section = |number| {
            format!("\n## Rule {number}\n<!-- @id: rule-{number} -->\n{SOURCE}\n\n- It holds.\n")
        };
        sandbox.write(path, format!("# {title}\n") + &(0..4).map(section).collect::<String>());
    }
    sandbox.commit("both begin here");
    sandbox
}

fn request(intent: &str, operations: &[Value]) -> Value {
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    json!({ "intent": intent, "sources": sources, "operations": operations })
}

/// Makes a change of a record: a new one, an edited one or an archived one.
fn change_record(
    numbers: &mut Numbers,
    name: &str,
    (folder, intent): (&str, &str),
    work: &mut Work,
) {
    let target = format!("record-{}", numbers.below(RECORDS));
    let operation = match numbers.below(5) {
        0 | 1 => {
            // Both branches may find the same name.
            let topic = numbers.below(30);
            let content = format!("{FIELDS}{name} says {topic}.");
            json!({ "operation": "append_section", "heading": format!("Topic {topic}"), "content": content })
        }
        2 => {
            json!({ "operation": "append_to_section", "section_id": target, "content": format!("{name} adds.") })
        }
        3 => {
            json!({ "operation": "replace_section_content", "section_id": target, "content": format!("{FIELDS}{name} says so.") })
        }
        _ => json!({ "operation": "archive_section", "section_id": target }),
    };
    let id = operation["section_id"].as_str().map(str::to_owned);
    let id =
        id.unwrap_or_else(|| operation["heading"].as_str().unwrap().replace("Topic ", "topic-"));
    if work.touched.insert(format!("{folder}/{id}.md")) {
        work.requests.push(request(intent, &[operation]));
    }
}

/// Makes changes of what stands together: each branch edits other sections, and adds its own.
fn change_rules(numbers: &mut Numbers, name: &str, first: u64, work: &mut Work) {
    for (intent, path) in
        [("update_conventions", "conventions.md"), ("refresh_module", "modules/auth.md")]
    {
        let rule = format!("rule-{}", first + numbers.below(2));
        let operations = [
            json!({ "operation": "append_section", "path": path, "heading": format!("New of {name}"), "content": "It holds too." }),
            json!({ "operation": "append_to_section", "path": path, "section_id": rule, "content": format!("- {name} adds.") }),
        ];
        work.requests.push(request(intent, &operations));
    }
    let path = format!("modules/{name}.md");
    let new = json!({ "operation": "append_section", "path": path, "heading": "What it does", "content": "Much." });
    work.requests.push(request("refresh_module", &[new]));
}

/// Does the work of a branch and commits it.
fn work(sandbox: &Sandbox, numbers: &mut Numbers, name: &str, first: u64) -> BTreeSet<String> {
    let mut work = Work::default();
    for _ in 0..1 + numbers.below(3) {
        let kind = KINDS[usize::try_from(numbers.below(2)).unwrap()];
        change_record(numbers, name, kind, &mut work);
    }
    change_rules(numbers, name, first, &mut work);
    for request in work.requests {
        let id = sandbox.propose(request).staged();
        sandbox.apply(&id).applied();
    }
    sandbox.commit(name);
    work.touched
}

fn check_pair(seed: u64) {
    let mut numbers = Numbers(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let sandbox = base();
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    let theirs = work(&sandbox, &mut numbers, "theirs", 0);
    sandbox.git(&["checkout", "--quiet", "main"]);
    let ours = work(&sandbox, &mut numbers, "ours", 2);
    let both: BTreeSet<_> = ours.intersection(&theirs).cloned().collect();
    let has_driver = seed.is_multiple_of(3);
    if has_driver {
        sandbox.run(&["install", "git"]).expect_code(0);
    }
    let is_merged = merge(&sandbox, "other");
    let unmerged = sandbox.git(&["diff", "--name-only", "--diff-filter=U"]);
    let unmerged: Vec<&str> =
        unmerged.lines().map(|it| it.trim_start_matches(".agent-memory/")).collect();
    let is_together = |path: &str| path == "conventions.md" || path.starts_with("modules/");
    let is_expected = |path: &&str| both.contains(*path) || (is_together(path) && !has_driver);
    assert!(
        unmerged
            .iter()
            .all(|path| is_expected(path) || path.starts_with("archive/") && !both.is_empty()),
        "pair {seed}: {unmerged:?}, both {both:?}"
    );
    if !both.is_empty() {
        return;
    }
    if !is_merged {
        sandbox.run(&["resolve"]).expect_code(0);
        sandbox.git(&["commit", "--quiet", "--no-edit"]);
    }
    for path in ours.iter().chain(&theirs) {
        assert!(sandbox.has(path), "pair {seed}: {path}");
    }
    let conventions = sandbox.file("conventions.md");
    assert!(conventions.contains("New of ours") && conventions.contains("New of theirs"));
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn branches_that_touch_other_records_merge_without_a_conflict() {
    let is_full = std::env::var("CRASH").is_ok_and(|value| value == "full");
    let pairs = if is_full { PAIRS } else { SAMPLE };
    std::thread::scope(|scope| {
        for part in 0..2 {
            scope.spawn(move || (0..pairs).filter(|seed| seed % 2 == part).for_each(check_pair));
        }
    });
}
