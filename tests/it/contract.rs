//! Every request of `fixtures/proposals` gets the answer that it should; every code has one that earns it.

use std::collections::BTreeSet;
use std::path::Path;

use agent_memory::project::request::Reason;
use serde_json::{Value, json};

use crate::schemas::{breaches, request_validator, response_validator};
use crate::support::{Answer, Sandbox, cases, files_in, for_each_case, replace_placeholders};

/// What the placeholders stand for; none of it may ever come back.
const PLACEHOLDERS: [&str; 2] = ["{{AWS_KEY}}", "{{GITHUB_TOKEN}}"];

/// A fixture, on a stage of its own.
struct Case {
    name: String,
    fixture: Value,
    sandbox: Sandbox,
    staged: String,
    /// The write lock, where the fixture has another process hold it.
    lock: Option<std::fs::File>,
}

impl Case {
    fn open(path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let fixture = serde_json::from_str(&replace_placeholders(&text)).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let (sandbox, staged) = (Sandbox::new(), String::new());
        let mut case = Self { name, fixture, sandbox, staged, lock: None };
        let steps = case.fixture["setup"].as_array().cloned().unwrap_or_default();
        steps.iter().for_each(|step| case.set_up(step));
        case
    }

    fn set_up(&mut self, step: &Value) {
        let text = |name: &str| step[name].as_str().unwrap();
        if let Some(path) = step["write"].as_str() {
            self.sandbox.write(path, text("text"));
        } else if let Some(variable) = step["env"].as_str() {
            self.sandbox.set_env(variable, text("value"));
        } else if let Some(days) = step["advance_days"].as_u64() {
            self.sandbox.advance_days(days);
        } else if step["propose"].is_object() {
            self.staged = self.sandbox.propose(step["propose"].clone()).staged();
        } else if step["run"].is_array() {
            self.run(&step["run"]).unwrap_or_else(|problem| panic!("{}: {problem}", self.name));
        } else if step["hold_lock"] == true {
            self.lock = Some(self.sandbox.hold_lock());
        } else {
            panic!("{}: there is no step {step}", self.name);
        }
    }

    /// Asks what the fixture asks.
    fn ask(&self) -> Answer {
        match (&self.fixture["command"], &self.fixture["raw"]) {
            (command @ Value::Array(_), _) => self.sandbox.run(&self.arguments(command)).answer(),
            (_, Value::String(raw)) => self.sandbox.propose_bytes(raw.as_str()),
            _ => self.sandbox.propose(self.fixture["request"].clone()),
        }
    }

    fn run(&self, command: &Value) -> Result<(), String> {
        let reply = self.sandbox.run(&self.arguments(command));
        if reply.code == 0 { Ok(()) } else { Err(reply.stdout) }
    }

    fn arguments<'a>(&'a self, command: &'a Value) -> Vec<&'a str> {
        let words = command.as_array().unwrap().iter().map(|word| match word.as_str().unwrap() {
            "{{ID}}" => self.staged.as_str(),
            word => word,
        });
        words.chain(["--json"]).collect()
    }
}

/// Does every fixture of a folder; all that is wrong comes in one report.
fn each(folder: &str, check: impl Fn(&Case) -> Result<(), String> + Sync) {
    for_each_case(folder, |path| check(&Case::open(path)));
}

fn expect(holds: bool, problem: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.into()) }
}

fn keeps(schema: &jsonschema::Validator, document: &Value) -> Result<(), String> {
    let found = breaches(schema, document);
    expect(found.is_empty(), format!("the schema does not allow {document}"))
}

/// Expects a no that says what is wrong and what to do, and that left everything as it was.
fn is_refused(case: &Case) -> Result<(), String> {
    let before = case.sandbox.tree();
    let answer = case.ask();
    let found = format!("found {}", answer.value);
    // Only a request is answered with a status. Where another process keeps the lock, there is no answer.
    let is_request = case.fixture["command"].is_null() && case.lock.is_none();
    let (told_in, code) = match is_request {
        true => (&answer.value, &answer["reason"]),
        false => (&answer["error"], &answer["error"]["code"]),
    };
    let told = |name: &str| told_in[name].as_str().is_some_and(|text| !text.trim().is_empty());
    expect(!is_request || answer["status"] == "rejected", &found)?;
    expect(*code == case.fixture["reason"], &found)?;
    let expected = if case.lock.is_some() { 2 } else { 1 };
    expect(answer.code == expected, format!("the exit code is {}", answer.code))?;
    expect(told("message") && told("hint"), &found)?;
    if let Some(message) = case.fixture["message"].as_str() {
        expect(told_in["message"].as_str().is_some_and(|text| text.contains(message)), &found)?;
    }
    expect(case.sandbox.tree() == before, "the refused request left traces")?;
    if let Some(pointer) = case.fixture.get("pointer") {
        expect(answer["pointer"] == *pointer, &found)?;
    }
    let told = answer.value.to_string();
    let secrets = PLACEHOLDERS.map(replace_placeholders);
    expect(!secrets.iter().any(|secret| told.contains(secret)), "the answer repeats a secret")?;
    if is_request { keeps(&response_validator(), &answer.value) } else { Ok(()) }
}

#[test]
fn a_valid_request_is_applied_or_staged() {
    each("fixtures/proposals/valid", |case| {
        keeps(&request_validator(), &case.fixture["request"])?;
        let answer = case.ask();
        let found = format!("found {}", answer.value);
        expect(answer["status"] == case.fixture["status"] && answer.code == 0, found)?;
        keeps(&response_validator(), &answer.value)
    });
}

#[test]
fn an_invalid_request_is_refused_with_its_code_and_leaves_no_trace() {
    each("fixtures/proposals/invalid", is_refused);
}

#[test]
fn every_reason_code_is_earned() {
    let named = cases("fixtures/proposals/invalid").into_iter().map(|path| {
        let fixture: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        fixture["reason"].as_str().unwrap().to_owned()
    });
    let earned: BTreeSet<String> = named.collect();
    // Reserved: no file is written by the program alone.
    let all = Reason::ALL.iter().filter(|reason| **reason != Reason::ServerManagedCategory);
    let all: BTreeSet<String> = all.map(|reason| reason.name().to_owned()).collect();
    assert_eq!(earned, all);
}

#[test]
fn a_request_that_writes_more_sections_than_anybody_reviews_is_too_large() {
    let sandbox = Sandbox::new();
    let request = |count: usize| {
        let file = |day: usize| {
            json!({ "operation": "create_file", "path": format!("sessions/2026-11-0{day}.md"),
                "content": "## Note\n\n- a\n".repeat(count) })
        };
        json!({ "intent": "session_log", "operations": [file(1), file(2)] })
    };
    let answer = sandbox.propose(request(5_001)).rejected("too_large");
    assert_eq!(answer["pointer"], "/operations/1/content");
    assert!(!sandbox.has("sessions/2026-11-01.md"));
    sandbox.propose(request(5_000)).applied();
}

#[test]
fn a_request_of_more_than_a_mebibyte_is_too_large() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let request = json!({
        "intent": "session_log",
        "operations": [{"operation": "append_section", "heading": "A", "content": "b ".repeat(600_000)}],
    });
    sandbox.propose(request).rejected("too_large");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_lock_that_another_process_holds_is_an_error() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let request = json!({
        "intent": "session_log",
        "operations": [{"operation": "append_section", "heading": "A", "content": "b"}],
    });
    let lock = sandbox.hold_lock();
    let reply = sandbox.call(&["propose", "--wait", "0"]).stdin(request.to_string()).run();
    let error = reply.expect_code(2).json()["error"].clone();
    assert_eq!(error["code"], Reason::LockHeld.name());
    assert!(error["message"].is_string() && error["hint"].is_string(), "{error}");
    assert_eq!(sandbox.tree(), before);
    drop(lock);
    sandbox.propose(request).applied();
}

#[test]
fn rubbish_is_refused_while_another_process_holds_the_lock() {
    let sandbox = Sandbox::new();
    let _lock = sandbox.hold_lock();
    let reply = sandbox.call(&["propose", "--wait", "0"]).stdin("rubbish").run();
    reply.answer().rejected("invalid_request");
}

#[test]
fn a_request_that_is_not_utf_8_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.propose_bytes(*b"{\"intent\": \"\xff\"}").rejected("invalid_request");
    let utf_16: Vec<u8> = "\u{feff}{}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let answer = sandbox.propose_bytes(utf_16).rejected("invalid_request");
    assert!(answer["message"].as_str().unwrap().contains("UTF-16"), "{answer:?}");
}

#[test]
fn what_clients_send_before_and_in_a_document_is_understood() {
    let sandbox = Sandbox::new();
    let request = r#"{"intent": "update_current", "operations": [
        {"operation": "append_section", "heading": "Where", "content": "- half is done, cut \ud83d"}
    ]}"#;
    let answer = sandbox.propose_bytes(format!("\u{feff}{request}")).applied();
    assert!(answer["warnings"].to_string().contains("half of a character"), "{answer:?}");
    let found = sandbox.run(&["search", "half", "--json"]).expect_code(0).stdout;
    assert!(found.contains('\u{fffd}'), "{found}");
}

#[test]
fn all_violations_come_in_one_answer() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(json!({
        "intent": "record_decision",
        "sources": [{"type": "user", "ref": "ada"}],
        "operations": [
            {"operation": "append_section", "heading": "One", "content": "- Date: yesterday"},
            {"operation": "append_section", "heading": "Two", "content": "- Status: maybe"},
        ],
    }));
    let answer = answer.rejected("validation_failed");
    let violations = answer["violations"].as_array().unwrap().iter();
    let found: Vec<(&str, &str)> = violations
        .map(|each| (each["pointer"].as_str().unwrap(), each["rule"].as_str().unwrap()))
        .collect();
    assert_eq!(found.len(), 4, "{}", answer.value);
    assert_eq!(found.iter().filter(|each| each.0 == "/operations/0/content").count(), 2);
    assert_eq!(found.iter().filter(|each| each.0 == "/operations/1/content").count(), 2);
}

#[test]
fn the_same_request_returns_the_proposal_that_waits() {
    let sandbox = Sandbox::new();
    let request = json!({
        "intent": "add_pitfall",
        "operations": [{"operation": "append_section", "heading": "A", "content": "Text."}],
    });
    let first = sandbox.propose(request.clone()).staged();
    assert_eq!(sandbox.propose(request).staged(), first);
}

#[test]
fn a_dry_run_leaves_no_trace() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    for intent in ["session_log", "add_pitfall"] {
        let answer = sandbox.propose(json!({
            "intent": intent,
            "dry_run": true,
            "operations": [{"operation": "append_section", "heading": "A", "content": "Text."}],
        }));
        assert_eq!(answer.code, 0);
        assert_eq!(answer["affected_sections"][0]["change"], "added", "{}", answer.value);
    }
    assert_eq!(sandbox.tree(), before);
    assert!(!sandbox.has("state/log.jsonl"), "a dry run is no decision");
}

/// Expects that nothing that was said, and no file of ours, holds eight characters of a secret in a row.
#[track_caller]
fn tells_nothing(sandbox: &Sandbox, arguments: &[&str], stdin: &str) {
    let secret = replace_placeholders(PLACEHOLDERS[1]);
    let stdin = stdin.replace(PLACEHOLDERS[1], &secret);
    let arguments: Vec<String> =
        arguments.iter().map(|word| word.replace(PLACEHOLDERS[1], &secret)).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let reply = sandbox.call(&words).stdin(stdin).run();
    let files = files_in(&sandbox.store()).into_values();
    let files = files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let plain = |text: &str| text.to_lowercase().replace(['-', '_'], "");
    let secret = plain(&secret);
    for told in [reply.stdout, reply.stderr].into_iter().chain(files) {
        let told_plain = plain(&told);
        let part = secret.as_bytes().windows(8).find_map(|part| {
            let part = std::str::from_utf8(part).unwrap();
            told_plain.contains(part).then_some(part)
        });
        assert_eq!(part, None, "a part of a secret in: {told}");
    }
}

#[test]
fn no_part_of_a_secret_comes_back_in_a_refusal() {
    let sandbox = Sandbox::new();
    let operation = |field: &str, value: &str| {
        let mut operation =
            json!({"operation": "append_section", "heading": "A", "content": "Some text."});
        operation[field] = value.into();
        json!({"intent": "refresh_module", "operations": [operation]}).to_string()
    };
    let secret = PLACEHOLDERS[1];
    let cut = format!("{} {secret}", "x".repeat(40));
    for request in [
        json!({"intent": secret}).to_string(),
        json!({"intent": cut}).to_string(),
        json!({secret: 1}).to_string(),
        json!({cut.as_str(): 1}).to_string(),
        json!({"intent": "session_log", "confidence": cut, "operations": [{}]}).to_string(),
        json!({"intent": "session_log", "operations": cut}).to_string(),
        json!({"intent": "session_log", "operations": [], "dry_run": cut}).to_string(),
        json!({"intent": "session_log", "operations": [{"operation": cut}]}).to_string(),
        format!("{{\"{secret}\": 1, \"{secret}\": 2}}"),
        operation("path", &format!("modules/{secret}.md")),
        operation("path", &format!("modules/{}/{secret}.md", "x".repeat(50))),
        operation("path", &format!("notes/{}.md", secret.to_lowercase())),
        operation("section_id", secret),
        operation("section_id", &cut),
        operation("parent_section_id", secret),
        operation("heading", &format!("# {secret}")),
        operation("heading_level", secret),
        operation("if_exists", &cut),
        operation(&cut, "x"),
        operation("content", &format!("key {secret}")),
    ] {
        tells_nothing(&sandbox, &["propose"], &request);
    }
}

#[test]
fn no_part_of_a_secret_comes_back_from_the_command_line() {
    let sandbox = Sandbox::new();
    let secret = PLACEHOLDERS[1];
    for command in ["show", "diff", "apply", "reject", "search"] {
        tells_nothing(&sandbox, &[command, secret, "--json"], "");
        tells_nothing(&sandbox, &[command, &format!("some {secret}"), "--json"], "");
        tells_nothing(&sandbox, &[command, secret], "");
    }
    tells_nothing(&sandbox, &["propose", "--file", secret], "");
    tells_nothing(&sandbox, &["status", "--root", secret, "--json"], "");
    tells_nothing(&sandbox, &["status", &format!("--{secret}"), "--json"], "");
    let request = json!({
        "intent": "add_pitfall",
        "operations": [{"operation": "append_section", "heading": "A", "content": "Text."}],
    });
    sandbox.propose(request).staged();
    tells_nothing(&sandbox, &["reject", "--latest", "--reason", secret, "--json"], "");
    tells_nothing(&sandbox, &["apply", "--latest", "--approver", secret, "--json"], "");
    tells_nothing(&sandbox, &["reject", "--latest", "--approver", secret, "--json"], "");
}

#[test]
fn with_json_stdout_holds_exactly_one_document() {
    let (sandbox, bare) = (Sandbox::new(), Sandbox::without_store());
    let commands: [&[&str]; 13] = [
        &["status"],
        &["show", "nothing"],
        &["diff", "nothing"],
        &["apply", "nothing", "--approver", "Ada"],
        &["apply", "--latest"],
        &["reject", "nothing"],
        &["search", "zebra"],
        &["log"],
        &["reindex"],
        &["doctor"],
        &["propose"],
        &["status", "--no-such-option"],
        &["init"],
    ];
    for command in commands {
        let arguments: Vec<&str> = command.iter().copied().chain(["--json"]).collect();
        for sandbox in [&sandbox, &bare] {
            let reply = sandbox.run(&arguments);
            let document = serde_json::from_str::<Value>(&reply.stdout);
            assert!(document.is_ok(), "{command:?} printed {:?}", reply.stdout);
            let is_error = document.is_ok_and(|it| it["error"].is_object());
            let expected = if is_error { 1..=2 } else { 0..=1 };
            assert!(expected.contains(&reply.code), "{command:?} ended with {}", reply.code);
        }
    }
}
