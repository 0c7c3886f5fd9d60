//! What an agent is told that asked badly: every slip, where it stands, and what to do instead.

use serde_json::{Value, json};

use crate::support::{Answer, Sandbox};

/// Returns the pointers and rules of what a refusal lists.
fn listed(answer: &Answer) -> Vec<String> {
    let place = |it: &Value| {
        format!("{} {}", it["pointer"].as_str().unwrap(), it["rule"].as_str().unwrap())
    };
    answer["violations"].as_array().into_iter().flatten().map(place).collect()
}

fn decisions(operations: Value) -> Value {
    let sources = json!([{ "type": "user", "ref": "ada" }]);
    json!({ "intent": "record_decision", "sources": sources, "operations": operations })
}

#[test]
fn what_cannot_be_done_hides_no_breach_of_a_schema() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let answer = sandbox
        .propose(json!({
            "intent": "record_decision",
            "sources": [{ "type": "user", "ref": "ada" }],
            "operations": [
                { "operation": "append_section", "heading": "Tokens", "content": "They rotate." },
                { "operation": "append_to_section", "section_id": "absent", "content": "- x" },
                { "operation": "append_section", "heading": "Retries", "content": "Date: today" },
            ],
        }))
        .rejected("section_not_found");
    let violations = answer["violations"].as_array().unwrap();
    let listed: Vec<String> =
        violations.iter().map(|it| format!("{} {}", it["pointer"], it["rule"])).collect();
    let expected = [
        "\"/operations/1/path\" \"section_not_found\"",
        "\"/operations/2/content\" \"fields.Date\"",
        "\"/operations/2/content\" \"fields.Status\"",
        "\"/operations/0/content\" \"fields.Date\"",
        "\"/operations/0/content\" \"fields.Status\"",
    ];
    assert_eq!(listed, expected);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_budget_hides_no_breach_of_a_schema() {
    let sandbox = Sandbox::new();
    let config = sandbox.file("config.toml").replace("file_bytes = 262144", "file_bytes = 1024");
    sandbox.write("config.toml", config);
    let content = format!("Status: bad\n\n{}", "word ".repeat(300));
    let request = decisions(json!([
        { "operation": "append_section", "heading": "A", "content": content },
    ]));
    let answer = sandbox.propose(request).rejected("budget_exceeded");
    let expected = [
        "/operations budget_exceeded",
        "/operations/0/content fields.Date",
        "/operations/0/content fields.Status",
    ];
    assert_eq!(listed(&answer), expected);
}

#[test]
fn a_wrong_level_is_told_where_it_stands_and_with_the_rest() {
    let sandbox = Sandbox::new();
    let request = decisions(json!([
        { "operation": "append_section", "heading": "A", "heading_level": 3, "content": "x" },
    ]));
    let expected = [
        "/operations/0/heading_level level",
        "/operations/0/content fields.Date",
        "/operations/0/content fields.Status",
    ];
    let former = "# Decisions\n";
    sandbox.write("decisions.md", former);
    let mut request = request;
    request["operations"][0]["path"] = json!("decisions.md");
    assert_eq!(listed(&sandbox.propose(request).rejected("validation_failed")), expected);
}

#[test]
fn what_comes_of_another_slip_is_not_listed() {
    let sandbox = Sandbox::new();
    let request = decisions(json!([
        { "operation": "append_section", "heading": "A", "content": "Status: active" },
        { "operation": "append_to_section", "section_id": "a", "content": "Date: 2026-01-01\n```\nx" },
    ]));
    sandbox.propose(request).rejected("containment_violation");
    let request = decisions(json!([
        { "operation": "append_section", "heading": "A", "content": "```\nopen" },
        { "operation": "append_to_section", "section_id": "a", "content": "x" },
        { "operation": "append_section", "heading": "B", "content": "```\nopen" },
    ]));
    let answer = sandbox.propose(request).rejected("containment_violation");
    let expected = [
        "/operations/0/content containment_violation",
        "/operations/2/content containment_violation",
    ];
    assert_eq!(listed(&answer), expected);
}

#[test]
fn two_slips_in_one_file_are_both_told() {
    let text = "# Shared\n\n## A\n<!-- @id: alpha -->\n\nx\n\n## B\n<!-- @id: beta -->\n\ny\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let append =
        |id: &str| json!({ "operation": "append_to_section", "section_id": id, "content": "x" });
    let request =
        json!({ "intent": "update_shared", "operations": [append("alph"), append("bet")] });
    let answer = sandbox.propose(request).rejected("section_not_found");
    assert_eq!(listed(&answer).len(), 2, "{}", answer.value);
    let request = json!({ "intent": "update_shared", "owner": "a\u{200b}", "operations": [
        { "operation": "append_to_section", "section_id": "alpha", "content": "x\u{200b}" },
    ] });
    assert_eq!(listed(&sandbox.propose(request).rejected("hidden_characters")).len(), 2);
}

#[test]
fn a_section_that_must_be_there_is_not_taken_away() {
    let schema = "category = \"runbooks\"\ntitle = \"R\"\npath = \"runbooks/*.md\"\nintents = [\"refresh_module\"]\n[section]\nlevel = 2\nsubsections = [\"Steps\"]\n";
    let text = "# A\n\n## Good\n<!-- @id: good -->\n\nx\n\n### Steps\n<!-- @id: steps -->\n\ny\n";
    let sandbox = Sandbox::given(&[("schemas/runbooks.toml", schema), ("runbooks/a.md", text)]);
    let request = json!({
        "intent": "refresh_module",
        "operations": [{
            "operation": "remove_section", "path": "runbooks/a.md", "section_id": "steps",
            "reason": "nobody takes them",
        }],
    });
    let answer = sandbox.propose(request.clone()).rejected("validation_failed");
    assert_eq!(listed(&answer), ["/operations/0 subsections"]);
    sandbox.write("runbooks/a.md", text.replace("<!-- @id: steps -->\n", ""));
    let mut request = request;
    request["operations"][0]["section_id"] = Value::Null;
    request["operations"][0]["heading"] = json!("Steps");
    let answer = sandbox.propose(request).rejected("validation_failed");
    assert_eq!(listed(&answer), ["/operations/0 subsections"]);
}

#[test]
fn a_text_is_added_to_a_file_without_headings() {
    let sandbox = Sandbox::given(&[("sessions/a.md", "just text\n")]);
    let request = json!({ "intent": "session_log", "operations": [{
        "operation": "create_file", "path": "sessions/a.md", "if_exists": "append", "content": "more",
    }] });
    sandbox.propose(request).applied();
    assert_eq!(sandbox.file("sessions/a.md"), "just text\n\nmore\n");
}

#[test]
fn a_section_that_is_not_named_does_not_grow() {
    let text = "# Shared\n\n## X\n<!-- @id: x -->\n\ntext of x\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let whole = |content: &str| json!({ "operation": "create_file", "path": "local/shared.md", "if_exists": "append", "content": content });
    let cases = [
        (
            json!({ "operation": "replace_section", "heading": "Foo", "content": "### Bar\n\ny", "if_missing": "append" }),
            "invalid_operation",
        ),
        (whole("### Bar\n\ny"), "invalid_operation"),
        (whole("only text"), "containment_violation"),
    ];
    for (operation, reason) in cases {
        let request = json!({ "intent": "update_shared", "operations": [operation] });
        sandbox.propose(request).rejected(reason);
        assert_eq!(sandbox.file("local/shared.md"), text);
    }
}

#[test]
fn a_byte_order_mark_stays_where_it_is() {
    let text =
        "\u{feff}## First\n<!-- @id: first -->\n\nx\n\n## Second\n<!-- @id: second -->\n\ny\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let cases = [
        json!({ "operation": "replace_section", "section_id": "first", "content": "## First\n\nz" }),
        json!({ "operation": "rename_heading", "section_id": "first", "new_heading": "Erst" }),
        json!({ "operation": "create_file", "path": "local/shared.md", "if_exists": "replace", "content": "## New\n\nz" }),
    ];
    for operation in cases {
        sandbox.write("local/shared.md", text);
        let request = json!({ "intent": "update_shared", "operations": [operation] });
        let answer = sandbox.propose(request);
        if answer["status"] == "staged" {
            sandbox.apply(answer["staging_id"].as_str().unwrap()).applied();
        }
        assert!(sandbox.file("local/shared.md").starts_with("\u{feff}##"), "{}", answer.value);
    }
}

#[test]
fn a_target_that_is_not_there_leads_to_the_one_that_is_meant() {
    let text = "# Shared\n\n## Alpha\n<!-- @id: alpha -->\n\nx\n\n### Why\n\ny\n\n##\n\nz\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let cases = [
        (
            json!({ "heading": "Why", "heading_level": 2 }),
            "/heading_level",
            "of level 3",
            "set it to 3",
        ),
        (
            json!({ "section_id": "why" }),
            "/section_id",
            "a heading `Why` without one",
            "give `Why` as `heading`",
        ),
        (json!({ "heading": "Alpa" }), "/heading", "no section `Alpa`", "the heading `Why`"),
    ];
    for (target, pointer, message, hint) in cases {
        let mut operation = target.clone();
        operation["operation"] = json!("append_to_section");
        operation["content"] = json!("x");
        let request = json!({ "intent": "update_shared", "operations": [operation] });
        let answer = sandbox.propose(request).rejected("section_not_found");
        assert_eq!(answer["pointer"], format!("/operations/0{pointer}"), "{target}");
        let found = [&answer["message"], &answer["hint"]].map(|it| it.as_str().unwrap());
        assert!(found[0].contains(message) && found[1].contains(hint), "{found:?}");
    }
}

#[test]
fn each_breach_of_a_section_says_what_to_do_about_it() {
    let text = "# Shared\n\n## A\n<!-- @id: a -->\n\nOne.\n\n### B\n<!-- @id: b -->\n\n## C\n<!-- @id: c -->\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let body = |content: &str| json!({ "operation": "replace_section_content", "section_id": "a", "content": content });
    let whole = |content: &str| json!({ "operation": "replace_section", "section_id": "a", "content": content });
    let level = |id: &str, level: u8| json!({ "operation": "rename_heading", "section_id": id, "new_heading": "X", "new_heading_level": level });
    let cases = [
        (body("```\nopen"), "leaves a code fence", "end a code fence"),
        (
            body("Two.\n\n### D"),
            "holds the heading `D`, and this operation takes none",
            "`replace_section`",
        ),
        (whole("## A\n\nTwo.\n\n## D"), "`D`, which would end the section", "with `###` or more"),
        (
            level("a", 1),
            "the section `c`, which follows, would become a part",
            "beginning with the last",
        ),
        (level("c", 4), "more than one away", "one level at a time"),
        (level("c", 3), "would become a part of the one before it", "`parent_section_id`"),
        (level("a", 3), "not above that of `b` in it", "the sections in it first"),
    ];
    for (operation, message, hint) in cases {
        let request = json!({ "intent": "update_shared", "operations": [operation] });
        let answer = sandbox.propose(request).rejected("containment_violation");
        let found = [&answer["message"], &answer["hint"]].map(|it| it.as_str().unwrap());
        assert!(found[0].contains(message) && found[1].contains(hint), "{found:?}");
    }
}

#[test]
fn an_operation_without_its_kind_is_told_that_first() {
    let sandbox = Sandbox::new();
    let rest = json!({ "heading": "Tokens", "content": "They rotate." });
    let of = |intent: &str| json!({ "intent": intent, "operations": [rest] });
    let mut flat = rest.clone();
    flat["intent"] = "add_pitfall".into();
    let mut mixed = json!({ "intent": "add_pitfall", "operations": [{ "heading": "Tokens" }] });
    mixed["content"] = "They rotate.".into();
    for (request, kinds) in [
        (of("add_pitfall"), "append_section"),
        (of("archive_stale"), "archive_section or remove_section"),
        (flat, "append_section"),
        (mixed, "append_section"),
    ] {
        let intent = request["intent"].as_str().unwrap().to_owned();
        let answer = sandbox.propose(request).rejected("invalid_operation");
        let message = answer["message"].as_str().unwrap();
        assert!(
            message.starts_with("/operations/0/operation: `operation` is required"),
            "{message}"
        );
        assert!(message.contains(&intent) && message.contains(kinds), "{message}");
        assert_eq!(listed(&answer), ["/operations/0/operation invalid_operation"]);
    }
}

#[test]
fn an_intent_in_another_case_is_meant_and_a_word_for_one_is_guessed() {
    let sandbox = Sandbox::new();
    let of = |intent: &str| {
        json!({ "intent": intent, "operations": [
            { "operation": "APPEND_SECTION", "heading": "Tokens", "content": "They rotate." },
        ] })
    };
    sandbox.propose(of("SESSION_LOG")).applied();
    for (word, meant) in [
        ("decision", "record_decision"),
        ("pitfall", "add_pitfall"),
        ("log_session", "session_log"),
    ] {
        let answer = sandbox.propose(of(word)).rejected("invalid_intent");
        let hint = answer["hint"].as_str().unwrap();
        assert!(hint.starts_with(&format!("did you mean `\"intent\": \"{meant}\"`?")), "{hint}");
    }
}
