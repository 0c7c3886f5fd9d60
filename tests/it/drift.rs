//! Which later change conflicts with a pending operation, and what a person's yes covers.

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body};
use crate::review::{ASK, at_review};
use crate::support::Sandbox;

pub(crate) const THEN: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- They name a path\n\n### Details\n<!-- @id: details -->\n\nIn full.\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n";

/// A request of these operations about conventions; it waits for a person.
pub(crate) fn request(operations: &[Value]) -> Value {
    json!({
        "intent": "update_conventions",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": operations,
    })
}

/// An operation on a section.
pub(crate) fn at(operation: &str, section: &str, rest: &Value) -> Value {
    let mut made = json!({ "operation": operation, "section_id": section });
    made.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    made
}

/// One more text for a section.
pub(crate) fn add(section: &str, text: &str) -> Value {
    request(&[at("append_to_section", section, &json!({ "content": text }))])
}

fn sandbox() -> Sandbox {
    Sandbox::given(&[("conventions.md", THEN)])
}

fn digest(sandbox: &Sandbox, id: &str) -> String {
    sandbox.run(&["show", id, "--json"]).expect_code(0).json()["digest"]
        .to_string()
        .replace('"', "")
}

/// Applies what a person saw under a digest.
fn apply_seen(sandbox: &Sandbox, id: &str, digest: &str) -> crate::support::Answer {
    let words = ["apply", id, "--approver", "Ada", "--digest", digest, "--json"];
    sandbox.run(&words).answer()
}

/// Tells in which order these texts stand in a file.
#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let places: Vec<Option<usize>> = parts.iter().map(|part| text.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?} {text}");
}

#[test]
fn additions_to_one_section_are_all_applied_in_any_order() {
    let texts = ["- one", "- two", "A paragraph."];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let sandbox = sandbox();
        let ids = texts.map(|text| sandbox.propose(add("errors", text)).staged());
        let seen = ids.clone().map(|id| digest(&sandbox, &id));
        for number in order {
            apply_seen(&sandbox, &ids[number], &seen[number]).applied();
        }
        let text = sandbox.file("conventions.md");
        let added = order.map(|number| texts[number]);
        in_order(&text, &[&["- They name a path"], &added[..], &["### Details"]].concat());
    }
}

#[test]
fn two_bullets_make_one_list() {
    let numbered = THEN.replace("- They name a path", "1. one\n2. two");
    for (then, texts) in [(THEN, ["- a", "- b"]), (&numbered, ["3. a", "3. b"])] {
        let sandbox = Sandbox::given(&[("conventions.md", then)]);
        let ids = texts.map(|text| sandbox.propose(add("errors", text)).staged());
        ids.iter().for_each(|id| drop(sandbox.apply(id).applied()));
        let text = sandbox.file("conventions.md");
        assert!(text.contains(&format!("{}\n{}\n\n### Details", texts[0], texts[1])), "{text}");
    }
}

#[test]
fn two_new_sections_of_one_new_file_are_both_applied() {
    let module = |heading: &str| {
        json!({
            "intent": "refresh_module", "sources": [{ "type": "user", "ref": "ada" }],
            "operations": [{
                "operation": "append_section", "path": "modules/auth.md", "heading": heading,
                "content": format!("What {heading} do."),
            }],
        })
    };
    for order in [[0, 1], [1, 0]] {
        let sandbox = Sandbox::new();
        let ids = ["Tokens", "Keys"].map(|heading| sandbox.propose(module(heading)).staged());
        let seen = ids.clone().map(|id| digest(&sandbox, &id));
        order.iter().for_each(|it| drop(apply_seen(&sandbox, &ids[*it], &seen[*it]).applied()));
        let text = sandbox.file("modules/auth.md");
        assert!(text.contains("What Tokens do.") && text.contains("What Keys do."), "{text}");
        assert_eq!(text.matches("# Auth\n").count(), 1, "{text}");
    }
}

/// What a person does to the file by hand, and for each kind of operation on `errors` whether it is still applied.
#[test]
fn an_operation_conflicts_by_what_it_means() {
    let kinds = [
        ("append_to_section", json!({ "content": "- added" })),
        ("append_section", Value::Null),
        ("rename_heading", json!({ "new_heading": "Faults" })),
        ("replace_section_content", json!({ "content": "- new" })),
        ("replace_section", json!({ "content": "## Errors\n\n- new" })),
        ("archive_section", json!({})),
        ("remove_section", json!({ "reason": "old", "archive_path": "archive/old.md" })),
    ];
    let gone = &THEN[THEN.find("## Errors").unwrap()..THEN.find("## Names").unwrap()];
    let archived = "## Errors\n<!-- @id: errors -->\n<!-- @archived: archive/x.md -->\n\nGone.\n\n";
    let changes = [
        ("another section", THEN.replace("long", "short"), "1111111"),
        (
            "its evidence",
            THEN.replace(
                "errors -->\n",
                "errors -->\n<!-- @source: user bob - confirmed 2026-11-20 -->\n",
            ),
            "1111000",
        ),
        ("its text", THEN.replace("a path", "a line"), "1110000"),
        ("its heading", THEN.replace("## Errors", "## Failures"), "1101000"),
        ("a section in it", THEN.replace("In full", "In part"), "1111000"),
        ("its line ends", THEN.replace('\n', "\r\n"), "1111111"),
        ("gone", THEN.replace(gone, ""), "0100000"),
        ("archived", THEN.replace(gone, archived), "0110000"),
    ];
    for (what, now, expected) in changes {
        let sandbox = sandbox();
        let staged = kinds.iter().map(|(kind, rest)| match *kind {
            "append_section" => sandbox.propose(convention("Logs", TELLING)).staged(),
            kind => sandbox.propose(request(&[at(kind, "errors", rest)])).staged(),
        });
        let staged: Vec<String> = staged.collect();
        let mut found = String::new();
        for id in &staged {
            sandbox.write("conventions.md", &now);
            let answer = sandbox.run(&["apply", id, "--approver", "Ada", "--json"]).json();
            let is_applied = answer["status"] == "applied";
            assert!(is_applied || answer["error"]["code"] == "target_drift", "{what} {answer}");
            found.push(if is_applied { '1' } else { '0' });
        }
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn an_addition_and_a_new_name_stand_beside_each_other() {
    let renamed =
        || request(&[at("rename_heading", "errors", &json!({ "new_heading": "Faults" }))]);
    for order in [[0, 1], [1, 0]] {
        let sandbox = sandbox();
        let ids = [add("errors", "- added"), renamed()].map(|it| sandbox.propose(it).staged());
        order.iter().for_each(|it| drop(sandbox.apply(&ids[*it]).applied()));
        in_order(&sandbox.file("conventions.md"), &["## Faults", "- added", "### Details"]);
    }
    let sandbox = sandbox();
    let other = request(&[at("rename_heading", "errors", &json!({ "new_heading": "Mistakes" }))]);
    let ids = [renamed(), other].map(|it| sandbox.propose(it).staged());
    sandbox.apply(&ids[0]).applied();
    sandbox.apply(&ids[1]).rejected("target_drift");
}

#[test]
fn a_replaced_text_conflicts_with_an_addition_to_it() {
    let sandbox = sandbox();
    let ids = [add("errors", "- added"), new_body("errors", "- new")];
    let ids = ids.map(|it| sandbox.propose(it).staged());
    sandbox.apply(&ids[0]).applied();
    sandbox.apply(&ids[1]).rejected("target_drift");
    let other = sandbox.propose(new_body("names", "They are short.")).staged();
    sandbox.apply(&sandbox.propose(add("errors", "- more")).staged()).applied();
    sandbox.apply(&other).applied();
}

#[test]
fn an_addition_by_heading_finds_the_section_that_got_an_id_since() {
    let sandbox =
        Sandbox::given(&[("conventions.md", &THEN.replace("<!-- @id: errors -->\n", ""))]);
    let by_heading = |text: &str| {
        request(&[
            json!({ "operation": "append_to_section", "heading": "Errors", "content": text }),
        ])
    };
    let ids = ["- one", "- two"].map(|text| sandbox.propose(by_heading(text)).staged());
    ids.iter().for_each(|id| drop(sandbox.apply(id).applied()));
    in_order(&sandbox.file("conventions.md"), &["<!-- @id: errors -->", "- one\n- two"]);
}

/// A namesake below another heading, with an id or without, is another section.
#[test]
fn a_section_that_is_named_by_its_heading_is_not_sought_elsewhere() {
    let then = "# Conventions\n\n## Tokens\n\n- one\n";
    let by_heading = |operation: &str, rest: Value| {
        let mut made = json!({ "operation": operation, "heading": "Tokens" });
        made.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        request(&[made])
    };
    for [own, id] in [["Tokens of tests", "<!-- @id: tokens -->\n"], ["Tokens of tests", ""]] {
        let now = format!(
            "# Conventions\n\n## {own}\n<!-- @id: old -->\n\n- one\n\n## Production\n<!-- @id: production -->\n\n### Tokens\n{id}\n- one\n"
        );
        for pending in [
            by_heading("append_to_section", json!({ "content": "- Log them in full." })),
            by_heading("replace_section_content", json!({ "content": "- Log them in full." })),
            by_heading("append_to_section", json!({ "content": "" })),
        ] {
            let sandbox = Sandbox::given(&[("conventions.md", then)]);
            let staged = sandbox.propose(pending).staged();
            sandbox.write("conventions.md", &now);
            sandbox.apply(&staged).rejected("target_drift");
            assert_eq!(sandbox.file("conventions.md"), now);
        }
    }
}

#[test]
fn of_several_nameless_sections_an_addition_goes_to_the_one_that_was_meant() {
    let then = "# Conventions\n\n## Errors\n\nFirst.\n\n## Errors\n\nSecond.\n";
    let sandbox = Sandbox::given(&[("conventions.md", then)]);
    let operation = json!({
        "operation": "append_to_section", "heading": "Errors", "occurrence": 2, "content": "- added",
    });
    let id = sandbox.propose(request(&[operation])).staged();
    sandbox.write(
        "conventions.md",
        then.replace("## Errors\n\nFirst", "## Errors\n\nNew.\n\n## Errors\n\nFirst"),
    );
    sandbox.apply(&id).rejected("target_drift");
    sandbox.write("conventions.md", then.replace("First", "Other"));
    sandbox.apply(&id).applied();
    in_order(&sandbox.file("conventions.md"), &["Second.", "- added"]);
}

#[test]
fn a_hash_makes_an_addition_drift_too() {
    let sandbox = sandbox();
    let shown = sandbox.run(&["show", "conventions.md#errors", "--json"]).expect_code(0).json();
    let hash = shown["sections"][0]["hash"].clone();
    let rest = json!({ "content": "- added", "if_hash": hash });
    let id = sandbox.propose(request(&[at("append_to_section", "errors", &rest)])).staged();
    sandbox.write("conventions.md", THEN.replace("a path", "a line"));
    sandbox.apply(&id).rejected("target_drift");
}

#[test]
fn what_is_there_already_is_another_result_and_is_not_added_twice() {
    for (text, rest) in [("- one\n- two", "- two"), ("A long paragraph.", "")] {
        let sandbox = sandbox();
        let id = sandbox.propose(add("errors", text)).staged();
        let seen = digest(&sandbox, &id);
        let first = text.lines().next().unwrap();
        let by_hand = format!("- They name a path\n\n{first}");
        sandbox.write("conventions.md", THEN.replace("- They name a path", &by_hand));
        apply_seen(&sandbox, &id, &seen).rejected("approval_stale");
        let answer = sandbox.apply(&id).applied();
        assert!(answer["warnings"].to_string().contains("that is there already"), "{answer:?}");
        let after = sandbox.file("conventions.md");
        assert_eq!(after.matches(first).count(), 1, "{after}");
        // Of the text only the rest is added; the evidence is that of the proposal.
        assert_eq!(after.matches("- two").count(), usize::from(!rest.is_empty()), "{after}");
    }
}

#[test]
fn a_part_is_compared_with_what_the_operations_before_it_left() {
    let operations = [
        at("append_to_section", "errors", &json!({ "content": "- added" })),
        at("replace_section_content", "errors", &json!({ "content": "- new" })),
        at("append_to_section", "names", &json!({ "content": "- more" })),
    ];
    for (only, now, is_applied) in [
        ("2", THEN.to_owned(), true),
        ("2,3", THEN.replace("long", "short"), true),
        ("2", THEN.replace("a path", "a line"), false),
        ("1,3", THEN.replace("a path", "a line"), true),
    ] {
        let sandbox = sandbox();
        let id = sandbox.propose(request(&operations)).staged();
        sandbox.write("conventions.md", now);
        let answer =
            sandbox.run(&["apply", &id, "--only", only, "--approver", "Ada", "--json"]).answer();
        match is_applied {
            true => drop(answer.applied()),
            false => drop(answer.rejected("target_drift")),
        }
    }
}

#[test]
fn a_yes_covers_what_is_written_and_not_what_stands_around() {
    let renamed = request(&[at("rename_heading", "names", &json!({ "new_heading": "Words" }))]);
    let proposals = [
        add("errors", "- added"),
        new_body("errors", "- new"),
        convention("Logs", TELLING),
        renamed,
    ];
    let around = THEN
        .replace("# Conventions\n", "# Conventions\n\nA word before.\n")
        .replace("In full", "In part");
    for proposal in proposals {
        for now in [around.clone(), THEN.replace("long", "short"), THEN.replace('\n', "\r\n")] {
            let sandbox = sandbox();
            let id = sandbox.propose(proposal.clone()).staged();
            let seen = digest(&sandbox, &id);
            sandbox.write("conventions.md", now);
            apply_seen(&sandbox, &id, &seen).applied();
        }
    }
}

#[test]
fn a_yes_to_the_words_of_a_person_covers_the_whole_file() {
    let sandbox = sandbox();
    let id = sandbox.propose(new_body("errors", "- new")).staged();
    sandbox.write("conventions.md", THEN.replace("a path", "a path\n\nBy hand."));
    let json = sandbox.run(&["rebase", &id, "--json"]).json();
    let Some(seen) = json["proposal"]["digest"].as_str() else { return };
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("long", "short"));
    let words = ["rebase", &id, "--digest", seen, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().rejected("approval_stale");
}

#[test]
fn an_addition_that_was_shown_is_applied_beside_another_without_a_second_question() {
    let sandbox = sandbox();
    sandbox.propose(add("errors", "- one")).staged();
    let other = sandbox.propose(add("errors", "- two")).staged();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "");
    sandbox.apply(&other).applied();
    terminal.press("a");
    let (shown, _) = terminal.end();
    assert!(!shown.contains("the files changed"), "{shown}");
    in_order(&sandbox.file("conventions.md"), &["- two", "- one"]);
}

#[test]
fn all_that_is_pending_for_one_section_is_applied_at_once() {
    let sandbox = sandbox();
    for text in ["- one", "- two", "- three"] {
        sandbox.propose(add("errors", text)).staged();
    }
    sandbox.propose(convention("Logs", TELLING)).staged();
    sandbox.run(&["apply", "--all", "--approver", "Ada"]).expect_code(0);
    in_order(&sandbox.file("conventions.md"), &["- one\n- two\n- three\n", "## Logs"]);
}

#[test]
fn the_rebase_of_an_addition_contradicts_nothing() {
    let sandbox = sandbox();
    let ids = ["- one", "- two"].map(|text| sandbox.propose(add("errors", text)).staged());
    sandbox.apply(&ids[1]).applied();
    let json = sandbox.run(&["rebase", &ids[0], "--json"]).expect_code(0).json();
    let seen = json["proposal"]["digest"].as_str().unwrap();
    let words = ["rebase", &ids[0], "--digest", seen, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().applied();
    in_order(&sandbox.file("conventions.md"), &["- two\n- one\n"]);
}
