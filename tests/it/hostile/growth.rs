//! Settings that would make a command run for ever, or take all memory, and what grows with the square.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::Sandbox;

/// Bytes that an answer may not take longer for, on a slow machine and without optimisation.
const PATIENCE: Duration = Duration::from_secs(40);

/// The worst pattern known that is small enough: almost every byte leads to a state that was not there before.
const WORST: &str = "(?:[ -~])*[a-m ](?:[ -~]){1300}[^ -~]";

/// A store whose decisions have such a field.
fn with_pattern(pattern: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let schema = sandbox.file("schemas/decisions.toml");
    let field = format!("\n[section.fields.Evil]\npattern = {}\n", json!(pattern));
    sandbox.write("schemas/decisions.toml", schema + &field);
    sandbox
}

/// Letters that a pattern cannot foresee.
fn letters(count: usize, seed: u64) -> String {
    let step =
        |number: &u64| Some(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1));
    std::iter::successors(step(&seed), step)
        .take(count)
        .map(|it| if it >> 40 & 1 == 0 { 'a' } else { 'z' })
        .collect()
}

fn decision(number: usize, evil: &str) -> String {
    format!(
        "\n## D {number}\n<!-- @id: d-{number} -->\n\n- **Date:** 2026-11-20\n- **Status:** active\n- **Evil:** {evil}\n"
    )
}

#[track_caller]
fn refused(pattern: &str, allowed: &str) {
    let sandbox = with_pattern(pattern);
    let before = sandbox.tree();
    let request = json!({"intent": "add_pitfall", "operations": [
        {"operation": "append_section", "heading": "A", "content": "- b"}]});
    let answer = sandbox.propose(request);
    assert_eq!((answer.code, answer.value["error"]["code"].as_str()), (2, Some("config_invalid")));
    let message = answer.value["error"]["message"].as_str().unwrap();
    for part in ["section.fields.Evil.pattern", "schemas/decisions.toml", allowed] {
        assert!(message.contains(part), "{message}");
    }
    assert_eq!(sandbox.tree(), before);
    let found = sandbox.run(&["check", "--json"]).expect_code(1).json();
    let rules = found["findings"].as_array().unwrap().iter().map(|it| &it["rule"]);
    assert_eq!(rules.filter(|rule| *rule == "config").count(), 1, "{found}");
}

#[test]
fn a_pattern_that_takes_too_much_is_refused_with_its_place() {
    refused("^(?:(?:[ -~]?){200}){180}~~$", "allowed are 100000");
    refused(r"^\w{1,100}$", "allowed are 100000");
    refused(r"^(?:\p{L}\p{M}*){20}$", "allowed are 100000");
    refused(&r"\pL".repeat(400), "allowed are 1024");
}

#[test]
fn patterns_that_are_too_much_together_are_refused() {
    let sandbox = Sandbox::new();
    for number in 0..9 {
        let pattern = format!("{number}|{}", "a".repeat(1_000));
        let text = format!(
            "category = \"c{number}\"\ntitle = \"C\"\npath = \"c{number}/*.md\"\nintents = []\n[section]\nbullets = \"{pattern}\"\n"
        );
        sandbox.write(&format!("schemas/c{number}.toml"), text);
    }
    let said = sandbox.run(&["search", "x"]).expect_code(2).stderr;
    assert!(said.contains("allowed are 8192 together"), "{said}");
}

#[test]
fn a_schema_names_only_so_much() {
    let sandbox = Sandbox::new();
    let schema = sandbox.file("schemas/decisions.toml");
    let fields: String =
        (0..65).map(|n| format!("\n[section.fields.F{n}]\nrequired = true\n")).collect();
    sandbox.write("schemas/decisions.toml", schema + &fields);
    let said = sandbox.run(&["search", "x"]).expect_code(2).stderr;
    assert!(said.contains("allowed are 64"), "{said}");
    sandbox.write("schemas/decisions.toml", "#".repeat(70_000));
    let said = sandbox.run(&["search", "x"]).expect_code(2).stderr;
    assert!(said.contains("allowed are 65536"), "{said}");
}

#[test]
fn a_long_value_is_refused_before_it_is_matched() {
    let sandbox = with_pattern(".*");
    let request = |length: usize| {
        json!({"intent": "record_decision", "sources": [{"type": "user", "ref": "ada"}],
        "operations": [{"operation": "append_section", "heading": "D", "content":
            format!("- **Date:** 2026-11-20\n- **Status:** active\n- **Evil:** {}", "x".repeat(length))}]})
    };
    sandbox.propose(request(4_096)).staged();
    let answer = sandbox.propose(request(4_097)).rejected("validation_failed");
    let violation = &answer["violations"][0];
    assert_eq!(violation["rule"], "fields.Evil");
    let message = violation["message"].as_str().unwrap();
    assert!(message.contains("has 4097 bytes, at most 4096 are matched"), "{message}");
}

#[test]
fn a_check_ends_whatever_the_patterns_are() {
    let sandbox = with_pattern(WORST);
    let text: String =
        (0..5).map(|number| decision(number, &letters(4_000, number as u64))).collect();
    sandbox.write("decisions.md", format!("# Decisions\n{text}"));
    let start = Instant::now();
    sandbox.run(&["check"]).expect_code(1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

#[test]
fn a_request_is_answered_whatever_the_patterns_are() {
    let sandbox = with_pattern(WORST);
    let operations: Vec<Value> = (0..5)
        .map(|number| {
            let evil = letters(4_000, number);
            json!({"operation": "append_section", "heading": format!("D {number}"), "content":
                format!("- **Date:** 2026-11-20\n- **Status:** active\n- **Evil:** {evil}\n")})
        })
        .collect();
    let start = Instant::now();
    let answer = sandbox.propose(json!({"intent": "record_decision",
        "sources": [{"type": "user", "ref": "ada"}], "operations": operations}));
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    answer.rejected("validation_failed");
}

/// Proposals that wait, put there by hand.
fn queue(count: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("config.toml", "[staging]\nmax_open = 10000\n");
    for number in 0..count {
        let id = format!("20260101-{number:06}-x-0000");
        let proposal = json!({
            "version": 1, "id": id, "submitted_at": "2026-11-20T00:00:00Z", "day": "2026-11-20", "order": 0,
            "ttl_seconds": 604_800, "expires_at": "2026-11-27T00:00:00Z", "branch": "",
            "routing": {"mode": "stage", "decided_by": []}, "question": format!("{number:064}"),
            "touched": [], "sources": [], "owner": {"type": "agent", "id": "a"},
            "request": {"intent": "add_pitfall", "operations": [{
                "operation": "append_section", "heading": format!("T{number}"), "content": "- x",
            }]},
        });
        sandbox.write(&format!("staging/{id}/proposal.json"), proposal.to_string());
    }
    sandbox
}

#[test]
fn a_review_lists_the_queue_in_its_order_and_reads_it_once() {
    let sandbox = queue(12);
    let reply = sandbox.run(&["review", "--json"]).json();
    let ids: Vec<&str> = reply["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| each["proposal"]["id"].as_str().unwrap())
        .collect();
    let expected: Vec<String> =
        (0..12).map(|number| format!("20260101-{number:06}-x-0000")).collect();
    assert_eq!(ids, expected);
}

#[test]
fn doctor_names_each_file_that_it_cannot_read_once() {
    let sandbox = Sandbox::new();
    for number in 0..30 {
        sandbox.write(&format!("modules/m{number}.md"), [0xff, 0]);
    }
    let found = sandbox.run(&["doctor", "--json"]).json();
    for number in 0..30 {
        let name = format!("modules/m{number}.md");
        let findings = found["findings"].as_array().unwrap().iter();
        let about = findings.filter(|it| it["message"].as_str().unwrap().contains(&name));
        assert_eq!(about.count(), 1, "{name}: {found}");
    }
}
