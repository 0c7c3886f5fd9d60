//! The queue: what is superseded, what is reminded of, what a yes to everything does.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, pitfall_bullet, session, with_conventions};
use crate::support::{Reply, Sandbox};

const DAY: Duration = Duration::from_secs(86_400);

/// A request in somebody's name.
fn of(owner: &str, mut request: Value) -> Value {
    request["owner"] = owner.into();
    request
}

fn pending(sandbox: &Sandbox) -> Vec<Value> {
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    status["pending"].as_array().unwrap().clone()
}

/// Two texts for one section from the same agent, the earlier first.
fn superseded() -> (Sandbox, String, String) {
    let sandbox = with_conventions();
    let body = |text| of("claude", new_body("errors", text));
    let old = sandbox.propose(body("They name a path and a line.")).staged();
    let new = sandbox.propose(body("They name a path, a line and a column.")).staged();
    (sandbox, old, new)
}

#[test]
fn a_later_text_of_the_same_owner_supersedes_the_earlier() {
    let (sandbox, old, new) = superseded();
    let waiting = pending(&sandbox);
    assert_eq!((&waiting[0]["id"], &waiting[0]["superseded_by"]), (&json!(old), &json!(new)));
    assert_eq!(waiting[1].get("superseded_by"), None);
    assert_eq!(sandbox.run(&["show", &old, "--json"]).json()["superseded_by"], json!(new));
    for command in [["status", "-q"], ["show", &old], ["review", &old]] {
        let text = sandbox.run(&command).expect_code(0).stdout;
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!("superseded by {new}")), "{command:?}: {text}");
    }
}

#[test]
fn nothing_of_it_is_on_disk_and_it_ends_with_the_later_one() {
    let (sandbox, old, new) = superseded();
    let before = sandbox.tree();
    pending(&sandbox);
    assert_eq!(sandbox.tree(), before);
    sandbox.run(&["reject", &new]).expect_code(0);
    let waiting = pending(&sandbox);
    assert_eq!((&waiting[0]["id"], waiting[0].get("superseded_by")), (&json!(old), None));
}

#[test]
fn others_and_nobody_in_particular_supersede_nothing() {
    let sandbox = with_conventions();
    sandbox.propose(of("claude", new_body("errors", "They name a path and a line."))).staged();
    sandbox.propose(of("codex", new_body("errors", "They name a line."))).staged();
    sandbox.propose(new_body("errors", "They name a column.")).staged();
    sandbox.propose(new_body("errors", "They name a file.")).staged();
    assert!(pending(&sandbox).iter().all(|each| each.get("superseded_by").is_none()));
}

#[test]
fn what_is_superseded_lands_with_a_warning() {
    let (sandbox, old, new) = superseded();
    let answer = sandbox.apply(&old).applied();
    let warnings = answer["warnings"].to_string();
    assert!(warnings.contains(&format!("superseded by `{new}`")), "{warnings}");
}

#[test]
fn a_review_shows_what_is_superseded_behind_what_took_its_place() {
    let (sandbox, old, new) = superseded();
    let review = sandbox.run(&["review", "--json"]).expect_code(0).json();
    let ids: Vec<&Value> = review["proposals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| &each["proposal"]["id"])
        .collect();
    assert_eq!(ids, [&json!(new), &json!(old)]);
}

fn apply_all(sandbox: &Sandbox, more: &[&str]) -> Reply {
    sandbox.run(&[&["apply", "--all", "--approver", "Ada"], more].concat())
}

#[test]
fn a_yes_to_everything_stops_at_nothing() {
    let sandbox = with_conventions();
    let one = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let stuck = sandbox.propose(new_body("errors", "They name a line.")).staged();
    let two = sandbox.propose(new_body("names", "They are short.")).staged();
    let reply = apply_all(&sandbox, &[]).expect_code(1);
    let said = reply.stdout.replace(&one, "[one]").replace(&two, "[two]");
    insta::assert_snapshot!(said, @r"
    applied [one]
      changed  conventions.md#errors  cf6e310d5c2d7673
    applied [two]
      changed  conventions.md#names  30e7612d324014c7
    ");
    assert!(
        reply.stderr.contains(&stuck) && reply.stderr.contains("[target_drift]"),
        "{}",
        reply.stderr
    );
    assert!(reply.stderr.contains("2 applied, 1 refused, 0 not tried"), "{}", reply.stderr);
    let waiting = pending(&sandbox);
    assert_eq!((waiting.len(), &waiting[0]["id"]), (1, &json!(stuck)));
    assert_eq!(waiting[0]["reason"], "target_drift");
}

#[test]
fn what_cannot_land_costs_no_byte_however_often_it_is_asked() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a path", "a way"));
    sandbox.run(&["status"]).expect_code(0);
    // Neither the log nor the journal, and not even the lock: somebody else may hold it.
    let held = sandbox.hold_lock();
    let everything =
        || (sandbox.tree(), sandbox.bytes("state/log.jsonl"), sandbox.bytes("state/lock"));
    let before = everything();
    for _ in 0..2 {
        let answer = apply_all(&sandbox, &["--json", "--wait", "0"]).expect_code(1).json();
        assert_eq!(answer["results"][0]["error"]["code"], "target_drift");
        assert_eq!(everything(), before);
    }
    drop(held);
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a way", "a path"));
    apply_all(&sandbox, &[]).expect_code(0);
}

#[test]
fn a_yes_to_everything_leaves_what_expired_and_what_is_superseded() {
    let mut sandbox = with_conventions();
    let expired = sandbox.propose(of("claude", new_body("names", "They are short."))).staged();
    sandbox.advance(8 * DAY);
    let old = sandbox.propose(of("claude", new_body("errors", "They name a line."))).staged();
    let new = sandbox.propose(of("claude", new_body("errors", "They name a column."))).staged();
    let answer = apply_all(&sandbox, &["--json"]).expect_code(0).json();
    assert_eq!(answer["results"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&answer["results"][0]["status"], &answer["results"][0]["asked_for"]),
        (&json!("applied"), &json!(new))
    );
    assert_eq!(
        answer["left"],
        json!([
            { "id": expired, "expired_at": "2026-11-27T10:00:00Z" },
            { "id": old, "superseded_by": new },
        ])
    );
    let answer = apply_all(&sandbox, &["--json", "--expired"]).expect_code(0).json();
    assert_eq!(answer["results"].as_array().unwrap().len(), 1);
    assert_eq!(answer["results"][0]["status"], "applied");
    assert_eq!(answer["left"], json!([{ "id": old, "superseded_by": new }]));
}

/// Says yes to everything, and lets something happen while that waits for the lock.
fn apply_all_while(sandbox: &Sandbox, happens: impl FnOnce()) -> Value {
    let held = sandbox.hold_lock();
    std::thread::scope(|scope| {
        let applying = scope.spawn(|| apply_all(sandbox, &["--json", "--wait", "60"]));
        sandbox.wait_for_a_writer();
        happens();
        drop(held);
        applying.join().unwrap().expect_code(1).json()
    })
}

#[test]
fn what_is_superseded_while_a_yes_to_everything_waits_does_not_land() {
    let (sandbox, old, new) = superseded();
    let (waits, aside) = (sandbox.store().join("staging").join(&new), sandbox.root().join("aside"));
    fs::rename(&waits, &aside).unwrap();
    let before = sandbox.file("conventions.md");
    let answer = apply_all_while(&sandbox, || fs::rename(&aside, &waits).unwrap());
    let [only] = answer["results"].as_array().unwrap().as_slice() else { panic!("{answer}") };
    assert_eq!(
        (&only["asked_for"], &only["error"]["code"]),
        (&json!(old), &json!("approval_stale"))
    );
    let message = format!("`{old}` was superseded by `{new}` since");
    assert_eq!(only["error"]["message"], message);
    assert_eq!(sandbox.file("conventions.md"), before);
    assert_eq!(pending(&sandbox).len(), 2);
}

#[test]
fn what_another_applies_while_a_yes_to_everything_waits_is_no_duplicate() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("names", "They are short.")).staged();
    let logs = sandbox.propose(convention("Logs", TELLING)).staged();
    let answer = apply_all_while(&sandbox, || {
        let section = format!("\n## Logs\n<!-- @id: logs -->\n\n{TELLING}\n");
        sandbox.append("conventions.md", &section);
        let waits = sandbox.store().join("staging").join(&logs);
        fs::rename(waits, sandbox.root().join("aside")).unwrap();
    });
    assert_eq!(answer["results"][0]["status"], "applied");
    let other = &answer["results"][1];
    assert_eq!(other["error"]["code"], "staging_not_found", "{answer}");
    assert_eq!(other["error"]["message"], format!("`{logs}` was decided in between"));
}

#[test]
fn a_yes_to_everything_needs_a_person() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("names", "They are short.")).staged();
    let reply = sandbox
        .call(&["apply", "--all", "--approver", "Ada", "--json"])
        .env("CLAUDECODE", "1")
        .run();
    reply.answer().rejected("approval_refused");
    sandbox.run(&["apply", "--all", "--json"]).answer().rejected("approval_refused");
    assert_eq!(pending(&sandbox).len(), 1);
}

#[test]
fn everything_of_nothing_is_done() {
    let sandbox = Sandbox::new();
    let answer = apply_all(&sandbox, &["--json"]).expect_code(0).json();
    assert_eq!(answer, json!({ "schema_version": 1, "results": [], "left": [] }));
    apply_all(&sandbox, &["--force"]).expect_code(2);
}

const NOTE: &str = "note: 2 proposals have been pending for up to 3d, see `agent-memory review`\n";

/// Two proposals that have waited for a day and more, and one that came today.
fn forgotten() -> Sandbox {
    let mut sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.advance(DAY);
    sandbox.propose(new_body("names", "They are short.")).staged();
    sandbox.advance(2 * DAY);
    sandbox.propose(convention("Logs", "They are read by people.")).staged();
    sandbox
}

#[test]
fn what_has_waited_for_more_than_a_day_is_a_line_on_stderr() {
    let sandbox = forgotten();
    for command in [
        &["search", "errors"][..],
        &["log"],
        &["show", "conventions.md"],
        &["reindex"],
        &["log", "--json"],
    ] {
        let reply = sandbox.run(command).expect_code(0);
        assert!(reply.stderr.ends_with(NOTE), "{command:?}: {}", reply.stderr);
        assert!(!reply.stdout.contains("have waited"), "{command:?}");
    }
}

#[test]
fn an_agent_that_proposes_still_reads_one_document_on_stdout() {
    let sandbox = forgotten();
    for request in [session("Today", "Done."), convention("Tests", "They are fast.")] {
        let reply = sandbox.call(&["propose"]).stdin(request.to_string()).run().expect_code(0);
        assert_ne!(reply.json()["status"], "rejected");
        assert_eq!(reply.stderr, NOTE);
    }
}

#[test]
fn who_looks_at_the_queue_or_wants_silence_is_not_reminded() {
    let sandbox = forgotten();
    for command in [&["status"][..], &["review"], &["sweep"], &["log", "-q"]] {
        let reply = sandbox.run(command).expect_code(0);
        assert!(!reply.stderr.contains("waited"), "{command:?}: {}", reply.stderr);
    }
    sandbox.write("config.toml", "[staging]\nremind = false\n");
    assert_eq!(sandbox.run(&["log"]).expect_code(0).stderr, "");
}

#[test]
fn what_waits_for_a_day_or_less_and_names_of_no_proposal_are_no_reason() {
    let mut sandbox = with_conventions();
    sandbox.write("staging/20261320-250000-never-0a0b/proposal.json", "{}");
    sandbox.write("staging/notes/proposal.json", "{}");
    sandbox.propose(new_body("names", "They are short.")).staged();
    sandbox.advance(DAY);
    assert_eq!(sandbox.run(&["log"]).expect_code(0).stderr, "");
}

#[test]
fn a_decision_reminds_of_what_is_left() {
    let sandbox = forgotten();
    let reply = apply_all(&sandbox, &[]).expect_code(0);
    assert!(!reply.stderr.contains("waited"), "{}", reply.stderr);
}

#[test]
fn status_and_doctor_say_how_what_expired_leaves_the_queue() {
    let mut sandbox = with_conventions();
    sandbox.propose(new_body("names", "They are short.")).staged();
    assert!(!sandbox.run(&["status"]).stdout.contains("sweep"));
    sandbox.advance(8 * DAY);
    for command in ["status", "doctor"] {
        let reply = sandbox.run(&[command]);
        let text = reply.stdout + &reply.stderr;
        assert!(text.contains("apply --expired") && text.contains("sweep"), "{command}: {text}");
    }
}

#[test]
fn bullets_of_one_owner_for_one_section_all_wait() {
    let sandbox = Sandbox::given(&[
        ("pitfalls.md", "# Pitfalls\n\n## Retries\n<!-- @id: retries -->\n\n- They add up.\n"),
        ("config.toml", "[routing.intents]\nadd_pitfall = \"stage\"\n"),
    ]);
    for text in ["- They need a budget.", "- They need a deadline."] {
        sandbox.propose(of("claude", pitfall_bullet("retries", text))).staged();
    }
    assert!(pending(&sandbox).iter().all(|each| each.get("superseded_by").is_none()));
}

#[test]
fn a_damaged_twin_keeps_nobody_from_asking_anew() {
    let sandbox = with_conventions();
    let request = || new_body("names", "They are short.");
    let id = sandbox.propose(request()).staged();
    let path = format!("staging/{id}/proposal.json");
    sandbox.write(&path, sandbox.file(&path).replace("\"version\": 1", "\"version\": 9"));
    assert_ne!(sandbox.propose(request()).staged(), id);
}

#[test]
fn a_proposal_that_cannot_be_read_is_told_by_all_who_go_through_the_queue() {
    let sandbox = with_conventions();
    let good = sandbox.propose(convention("Logs", TELLING)).staged();
    let torn = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let request = format!("staging/{torn}/proposal.json");
    sandbox.write(&request, &sandbox.file(&request)[..100]);
    let said = format!("`staging/{torn}` cannot be read");
    for command in [&["review"][..], &["diff"], &["sweep"], &["status"]] {
        let reply = sandbox.run(command);
        assert!(format!("{}{}", reply.stdout, reply.stderr).contains(&said), "{command:?}");
    }
    let reply = sandbox.run(&["apply", "--all", "--approver", "Ada"]).expect_code(2);
    let all = format!("{}{}", reply.stdout, reply.stderr);
    assert!(all.contains(&said) && all.contains(&good), "{all}");
    assert!(sandbox.file("conventions.md").contains(TELLING));
    for command in ["show", "diff", "rebase", "reject"] {
        let reply = sandbox.run(&[command, &torn, "--json"]).expect_code(2).json();
        assert_eq!(reply["error"]["code"], "store_damaged", "{command}");
        assert!(reply["error"]["hint"].to_string().contains("move it away"), "{command}");
    }
    let doctor = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    let about =
        |rule: &str| doctor["findings"].as_array().unwrap().iter().find(|it| it["rule"] == rule);
    let hint = about("file-unreadable").unwrap()["hint"].to_string();
    assert!(
        hint.contains("out of the store") && about("proposal-inapplicable").is_none(),
        "{doctor}"
    );
}
