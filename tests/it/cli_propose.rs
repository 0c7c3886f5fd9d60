//! `propose`: one request in, one answer out.

use serde_json::json;

use crate::requests::{
    OPEN_PITFALLS, TELLING, convention, pitfall_bullet, session, shared, two_files,
};
use crate::schemas::{breaches, response_validator};
use crate::support::Sandbox;

#[test]
fn a_note_of_the_day_lands_at_once() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(session("Today", "Done.")).applied();
    assert_eq!(answer["files"], json!(["sessions/2026-11-20.md"]));
    assert_eq!(answer["applied_at"], "2026-11-20T10:00:00Z");
    assert_eq!(answer["index_updated"], true);
    insta::assert_snapshot!(sandbox.file("sessions/2026-11-20.md"), @r"
    # 2026-11-20

    ## Today
    <!-- @id: today -->

    Done.
    ");
}

#[test]
fn a_convention_waits_and_changes_no_file() {
    let sandbox = Sandbox::new();
    let before = sandbox.file("conventions.md");
    let answer = sandbox.propose(convention("Errors", "Name the path."));
    assert_eq!(answer["human_approval_required"], true);
    assert_eq!(answer["staging_ttl_seconds"], 604_800);
    assert_eq!(answer["expires_at"], "2026-11-27T10:00:00Z");
    let id = answer["staging_id"].as_str().unwrap();
    assert_eq!(answer["proposal_id"], id);
    assert_eq!(answer["review_command"], format!("agent-memory show {id}"));
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn each_answer_names_the_version_of_its_form_and_keeps_its_schema() {
    let sandbox = Sandbox::new();
    let requests = [session("Today", "Done."), convention("Errors", "Name the path."), json!({})];
    for (request, status) in requests.into_iter().zip(["applied", "staged", "rejected"]) {
        let answer = sandbox.propose(request);
        assert_eq!((&answer["status"], &answer["schema_version"]), (&json!(status), &json!(1)));
        assert_eq!(breaches(&response_validator(), &answer.value), Vec::<String>::new());
    }
}

#[test]
fn a_staged_folder_holds_the_question_and_both_sides() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let waiting = format!("staging/{id}");
    assert_eq!(
        sandbox.file(&format!("{waiting}/base/conventions.md")),
        sandbox.file("conventions.md")
    );
    assert!(sandbox.file(&format!("{waiting}/files/conventions.md")).contains("Name the path."));
    let proposal: serde_json::Value =
        serde_json::from_str(&sandbox.file(&format!("{waiting}/proposal.json"))).unwrap();
    assert_eq!(proposal["request"], convention("Errors", "Name the path."));
}

#[test]
fn an_id_is_the_time_a_slug_and_four_digits() {
    let sandbox = Sandbox::new();
    let mut request = convention("Öfter: Errors & hints!", "Name the path.");
    request["rationale"] = json!("They were read twice");
    let id = sandbox.propose(request).staged();
    let (stem, tail) = id.rsplit_once('-').unwrap();
    assert_eq!(stem, "20261120-100000-ofter-errors-hints");
    assert!(tail.len() == 4 && tail.chars().all(|digit| digit.is_ascii_hexdigit()), "{id}");
}

#[test]
fn a_request_can_come_from_a_file() {
    let sandbox = Sandbox::new();
    sandbox.write_project("request.json", session("Today", "Done.").to_string());
    sandbox.run(&["propose", "--file", "request.json"]).expect_code(0).answer().applied();
}

#[test]
fn a_request_file_that_is_not_there_is_no_answer() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["propose", "--file", "absent.json"]).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "io");
}

#[test]
fn the_same_request_again_is_the_proposal_that_waits() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let second = sandbox.propose(convention("Errors", "Name the path."));
    assert!(second["warnings"][0].as_str().unwrap().contains("is pending already"));
    assert_eq!(second.staged(), first);
    let status = sandbox.run(&["status", "--json"]).json();
    assert_eq!(status["pending"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_request_from_somebody_else_is_the_same_proposal() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let mut again = convention("Errors", "Name the path.");
    again["owner"] = json!("another-agent");
    again["rationale"] = json!("for another reason");
    assert_eq!(sandbox.propose(again).staged(), first);
}

#[test]
fn a_full_queue_takes_no_more() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nmax_open = 2\n")]);
    sandbox.propose(convention("One", "The first.")).staged();
    sandbox.propose(convention("Two", "The second.")).staged();
    let before = sandbox.tree();
    sandbox.propose(convention("Three", "The third.")).rejected("queue_full");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_full_queue_takes_what_replaces_an_own_proposal() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nmax_open = 2\n")]);
    let by = |owner: &str, text: &str, dry_run: bool| {
        let mut request = convention("One", text);
        request["owner"] = json!(owner);
        request["dry_run"] = json!(dry_run);
        sandbox.propose(request)
    };
    let first = by("agent-a", "The first.", false).staged();
    sandbox.propose(convention("Two", "The second.")).staged();
    let before = sandbox.tree();
    by("agent-b", "Not mine.", false).rejected("queue_full");
    sandbox.propose(convention("One", "Without an owner.")).rejected("queue_full");
    let mut other = convention("Three", "Another section.");
    other["owner"] = json!("agent-a");
    let hint = sandbox.propose(other).rejected("queue_full")["hint"].to_string();
    assert!(hint.contains("the same `owner`"), "{hint}");
    let planned = by("agent-a", "In other words.", true);
    assert!(planned["warnings"].to_string().contains(&format!("`{first}`, which this replaces")));
    assert_eq!(sandbox.tree(), before);

    let answer = by("agent-a", "In other words.", false);
    let said = answer["warnings"].to_string();
    assert!(said.contains(&format!("`agent-memory restore {first}` brings it back")), "{said}");
    let second = answer.staged();
    let pending = || -> Vec<String> {
        let status = sandbox.run(&["status", "--json"]).json();
        let all = status["pending"].as_array().unwrap().iter();
        all.map(|each| each["id"].as_str().unwrap().to_owned()).collect()
    };
    assert!(pending().contains(&second) && !pending().contains(&first) && pending().len() == 2);
    let log = sandbox.run(&["log"]).expect_code(0).stdout;
    assert!(log.contains(&format!("the same owner replaced it by {second}")), "{log}");
    // The older one is neither lost nor refused from now on.
    sandbox.run(&["reject", &second, "--reason", "no"]).expect_code(0);
    sandbox.run(&["restore", &first, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&first).applied();
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_full_queue_still_knows_the_same_request() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nmax_open = 1\n")]);
    let id = sandbox.propose(convention("One", "The first.")).staged();
    assert_eq!(sandbox.propose(convention("One", "The first.")).staged(), id);
}

#[test]
fn an_expired_proposal_makes_room() {
    let mut sandbox = Sandbox::given(&[("config.toml", "[staging]\nmax_open = 1\nttl_days = 1\n")]);
    sandbox.propose(convention("One", "The first.")).staged();
    sandbox.advance_days(2);
    sandbox.propose(convention("Two", "The second.")).staged();
}

#[test]
fn a_dry_run_that_would_land_writes_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let mut request = session("Today", "Done.");
    request["dry_run"] = json!(true);
    let answer = sandbox.propose(request).applied();
    assert_eq!(answer["dry_run"], true);
    assert!(answer.value.get("proposal_id").is_none() && answer.value.get("applied_at").is_none());
    assert_eq!(sandbox.tree(), before);
    assert!(!sandbox.has("state/log.jsonl"));
}

#[test]
fn a_dry_run_that_would_wait_writes_nothing() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let mut request = convention("Errors", "Name the path.");
    request["dry_run"] = json!(true);
    let answer = sandbox.propose(request);
    assert_eq!((&answer["status"], &answer["dry_run"]), (&json!("staged"), &json!(true)));
    assert!(answer.value.get("staging_id").is_none());
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_refused_request_changes_no_byte() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let refused = [
        ("[]".to_owned(), "invalid_request"),
        (json!({ "intent": "shout", "operations": [] }).to_string(), "invalid_intent"),
        (json!({ "intent": "session_log", "operations": [] }).to_string(), "no_operations"),
        (pitfall_bullet("absent", "- x").to_string(), "section_not_found"),
        (session("A\u{202e}b", "x").to_string(), "hidden_characters"),
        (session("A", "<<<<<<< ours\nx").to_string(), "invalid_markdown"),
        (session("A", "```\nx").to_string(), "containment_violation"),
    ];
    for (request, reason) in refused {
        sandbox.propose_bytes(request).rejected(reason);
    }
    assert_eq!(sandbox.tree(), before);
    assert!(!sandbox.has("state/log.jsonl"));
}

#[test]
fn a_refusal_names_the_field_and_the_next_step() {
    let sandbox = Sandbox::new();
    let mut request = session("Today", "Done.");
    request["operations"][0]["headng"] = json!("x");
    let answer = sandbox.propose(request).rejected("invalid_operation");
    let violation = &answer["violations"][0];
    assert_eq!(violation["pointer"], "/operations/0/headng");
    assert!(violation["message"].as_str().unwrap().contains("did you mean `heading`?"));
    assert!(!answer["hint"].as_str().unwrap().is_empty());
}

#[test]
fn a_hidden_character_is_named_by_line_and_code_point() {
    let sandbox = Sandbox::new();
    let answer =
        sandbox.propose(session("Today", "One.\nTwo\u{200b}.")).rejected("hidden_characters");
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("U+200B") && message.contains("line 2"), "{message}");
}

#[test]
fn an_intent_reaches_only_its_own_categories() {
    let sandbox = Sandbox::new();
    let mut request = session("Today", "Done.");
    request["operations"][0]["path"] = json!("decisions.md");
    sandbox.propose(request).rejected("intent_category_mismatch");
}

#[test]
fn a_change_of_two_files_is_one_proposal() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(two_files());
    assert_eq!(answer["files"], json!(["modules/auth.md", "modules/net.md"]));
    let id = answer.staged();
    assert!(sandbox.has(&format!("staging/{id}/files/modules/auth.md")));
    assert!(sandbox.has(&format!("staging/{id}/files/modules/net.md")));
}

#[test]
fn the_same_bullet_twice_is_skipped_with_a_warning() {
    let sandbox =
        Sandbox::given(&[("pitfalls.md", "# Pitfalls\n\n## A\n<!-- @id: a -->\n\n- One\n")]);
    let answer = sandbox.propose(pitfall_bullet("a", "- One")).applied();
    assert!(answer["warnings"].to_string().contains("already"), "{}", answer.value);
    assert_eq!(sandbox.file("pitfalls.md").matches("- One").count(), 1);
}

#[test]
fn if_hash_of_another_text_is_drift() {
    let sandbox =
        Sandbox::given(&[("pitfalls.md", "# Pitfalls\n\n## A\n<!-- @id: a -->\n\n- One\n")]);
    let mut request = pitfall_bullet("a", "- Two");
    request["operations"][0]["if_hash"] = json!("0123456789abcdef");
    sandbox.propose(request).rejected("target_drift");
}

#[test]
fn if_hash_that_show_printed_fits() {
    let sandbox = Sandbox::given(&[
        OPEN_PITFALLS,
        ("pitfalls.md", "# Pitfalls\n\n## A\n<!-- @id: a -->\n\n- One\n"),
    ]);
    let shown = sandbox.run(&["show", "pitfalls.md#a", "--json"]).expect_code(0).json();
    let mut request = pitfall_bullet("a", "- Two");
    let hash = shown["sections"][0]["hash"].as_str().unwrap();
    request["operations"][0]["if_hash"] = json!(hash.to_uppercase());
    sandbox.propose(request).applied();
}

#[test]
fn if_hash_that_an_answer_gave_fits() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(shared("Alpha", "One.")).applied();
    let sections = answer["affected_sections"].as_array().unwrap();
    let alpha = sections.iter().find(|section| section["section_id"] == "alpha").unwrap();
    let next = json!({ "intent": "update_shared", "operations": [{
        "operation": "append_to_section", "section_id": "alpha", "content": "Two.",
        "if_hash": alpha["hash"],
    }]});
    sandbox.propose(next).applied();
}

#[test]
fn who_proposes_stands_in_the_log() {
    let sandbox = Sandbox::new();
    let mut request = session("Today", TELLING);
    request["owner"] = json!({ "id": "claude", "kind": "agent" });
    sandbox.propose(request).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["owner"], "claude");
}

#[test]
fn a_busy_lock_is_no_answer_after_the_wait() {
    let sandbox = Sandbox::new();
    let held = sandbox.hold_lock();
    let call = sandbox.call(&["propose", "--wait", "0"]);
    let reply = call.stdin(session("Today", "Done.").to_string()).run().expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "lock_held");
    drop(held);
    sandbox.propose(session("Today", "Done.")).applied();
}

#[test]
fn rubbish_does_not_wait_for_the_lock() {
    let sandbox = Sandbox::new();
    let _held = sandbox.hold_lock();
    let call = sandbox.call(&["propose", "--wait", "0"]);
    call.stdin("rubbish").run().answer().rejected("invalid_request");
}

#[test]
fn much_text_at_once_is_left_to_the_next_question() {
    let sandbox = Sandbox::new();
    let section = |part| format!("## Part {part}\n\n{}", "zebra crossing\n".repeat(2_000));
    let text = |day| format!("# Day {day}\n\n{}", (0..7).map(section).collect::<String>());
    let operations: Vec<_> = (1..4)
        .map(|day| json!({ "operation": "create_file", "path": format!("sessions/2026-11-0{day}.md"), "content": text(day) }))
        .collect();
    let answer = sandbox.propose(json!({ "intent": "session_log", "operations": operations }));
    let answer = answer.applied();
    assert_eq!(answer["index_updated"], false);
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.contains("the index follows later: it is much text"), "{warning}");
    let found = sandbox.run(&["search", "zebra", "--json"]).expect_code(0).json();
    assert!(found.to_string().contains("part-6"), "{found}");
}

#[test]
fn a_request_in_the_form_that_an_agent_gave_it_is_understood() {
    let sandbox = Sandbox::new();
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    let flat = json!({ "intent": "update_conventions", "operation": "append_section",
        "heading": "## Errors", "content": "Name the path.", "sources": "user: ada" });
    let id = sandbox.propose_bytes(format!("Done:\n```json\n{flat:#}\n```\n")).staged();
    let proposal = sandbox.file(&format!("staging/{id}/proposal.json"));
    let request = &serde_json::from_str::<serde_json::Value>(&proposal).unwrap()["request"];
    assert_eq!((&request["sources"], &request["intent"]), (&sources, &flat["intent"]));
    let operation = json!({ "operation": "append_section", "heading": "Errors",
        "heading_level": 2, "content": "Name the path." });
    assert_eq!(request["operations"], json!([operation]));
    // The same in its plain form is pending already.
    let plain =
        json!({ "intent": "update_conventions", "operations": [operation], "sources": sources });
    assert_eq!(sandbox.propose(plain).staged(), id);
}

#[test]
fn new_evidence_of_a_text_that_stands_there_is_added() {
    let sandbox = Sandbox::new();
    let add = |who: &str| {
        json!({ "intent": "update_conventions",
        "sources": [{ "type": "user", "ref": who }], "operations": [{
        "operation": "append_to_section", "path": "conventions.md", "section_id": "errors",
        "content": "Name the path." }]})
    };
    sandbox.apply(&sandbox.propose(convention("Errors", "Name the path.")).staged()).applied();
    sandbox.apply(&sandbox.propose(add("grace")).staged()).applied();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("@source: user grace") && text.contains("@source: user ada"), "{text}");
    assert_eq!(text.matches("Name the path.").count(), 1);
}

#[test]
fn nothing_is_added_to_what_a_section_leaves_open() {
    for open in ["<!-- draft", "<pre>", "<script>", "```", "<![CDATA[ x"] {
        let text = format!("# Shared\n\n## Alpha\n<!-- @id: alpha -->\n\nx\n\n{open}\ny\n");
        let sandbox = Sandbox::given(&[("local/shared.md", &text)]);
        let add = json!({ "intent": "update_shared", "operations": [{
            "operation": "append_to_section", "section_id": "alpha", "content": "Seen." }]});
        sandbox.propose(add).rejected("invalid_markdown");
        assert_eq!(sandbox.file("local/shared.md"), text, "{open}");
    }
}

#[test]
fn a_text_that_was_escaped_twice_is_applied_with_a_warning() {
    let sandbox = Sandbox::new();
    let answer = sandbox.propose(session("Today", "One.\\n\\nTwo.")).applied();
    let warning = answer["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("/operations/0: its text has `\\n`"), "{warning}");
    let answer = sandbox.propose(session("Code", "Write `\\n`:\n\nhere.")).applied();
    assert_eq!(answer["warnings"], json!([]));
}

#[test]
fn an_intent_and_an_operation_in_each_others_field_are_told_apart() {
    let sandbox = Sandbox::new();
    let mut request = session("Today", "Done.");
    request["intent"] = json!("append_section");
    let refused = sandbox.propose(request.clone()).rejected("invalid_intent");
    assert!(refused["hint"].to_string().contains("append_section"), "{}", refused.value);
    request["intent"] = json!("add_decision");
    let refused = sandbox.propose(request.clone()).rejected("invalid_intent");
    assert!(refused["hint"].to_string().contains("record_decision"), "{}", refused.value);
    request["intent"] = json!("session_log");
    request["operations"][0]["operation"] = json!("record_decision");
    let refused = sandbox.propose(request).rejected("invalid_operation");
    assert!(refused["message"].to_string().contains("is an intent"), "{}", refused.value);
}
