//! What says almost the same as a proposal is told when it is proposed, and shown beside it.

use serde_json::{Value, json};

use crate::requests::{convention, new_body};
use crate::support::{Answer, Sandbox};

const RULE: &str =
    "Wrap each error with the full path of the file that it reports, before logging.";
const AGAIN: &str =
    "Before logging, an **error** that reports a file is always wrapped with the full path.";

fn told(answer: &Value) -> Vec<String> {
    let all = answer["warnings"].as_array().into_iter().flatten();
    let all = all.map(|it| it.as_str().unwrap().to_owned());
    all.filter(|it| it.contains("almost the same")).collect()
}

fn told_of(answer: &Answer) -> Vec<String> {
    told(&json!({"warnings": answer["warnings"]}))
}

fn with_rule() -> Sandbox {
    let text = format!("# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n{RULE}\n");
    Sandbox::given(&[("conventions.md", &text)])
}

const SECTION: &str =
    "`conventions.md#errors` says almost the same; replace that section, or say what is new";

#[test]
fn a_proposal_that_says_almost_what_a_section_says_is_told_and_both_are_shown() {
    let sandbox = with_rule();
    let answer = sandbox.propose(convention("Paths", AGAIN));
    assert_eq!(told_of(&answer), [SECTION]);
    let id = answer.staged();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    assert_eq!(told(&shown), [SECTION]);
    let near = json!([{
        "kind": "section", "place": "conventions.md#errors", "operation": 0, "text": RULE,
    }]);
    assert_eq!(shown["near_duplicates"], near);
    for command in [vec!["show", &id], vec!["review"]] {
        let shown = sandbox.run(&command).expect_code(0).stdout;
        let (before, beside) = shown.split_once("almost the same: conventions.md#errors").unwrap();
        assert!(
            before.contains("says almost the same") && beside.contains("| Wrap each error"),
            "{shown}"
        );
    }
}

#[test]
fn the_section_that_is_replaced_or_removed_is_not_told() {
    let sandbox = with_rule();
    assert_eq!(told_of(&sandbox.propose(new_body("errors", AGAIN))), [""; 0]);
    let mut moved = convention("Paths", AGAIN);
    let remove = json!({"operation": "remove_section", "section_id": "errors", "reason": "moved"});
    moved["operations"].as_array_mut().unwrap().push(remove);
    assert_eq!(told_of(&with_rule().propose(moved)), [""; 0]);
}

#[test]
fn another_number_name_or_negation_is_not_told() {
    let sandbox = with_rule();
    for other in [
        RULE.replace("Wrap", "Never wrap"),
        RULE.replace("full", "short"),
        RULE.replace("error", "`io::Error`"),
    ] {
        assert_eq!(told_of(&sandbox.propose(convention("Paths", &other))), [""; 0], "{other}");
    }
}

#[test]
fn an_exact_copy_is_told_whatever_its_length() {
    for (text, copy, is_told) in [
        ("Use tabs here.", "- use  **tabs** here.", true),
        ("Use tabs here.", "Use tabs there.", false),
        ("Do it as we do it.", "Do it as we do it.", true),
        ("TBD", "TBD", false),
        ("None.", "None.", false),
    ] {
        let text = format!("# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n{text}\n");
        let sandbox = Sandbox::given(&[("conventions.md", &text)]);
        let expected = if is_told { vec![SECTION] } else { vec![] };
        assert_eq!(told_of(&sandbox.propose(convention("Paths", copy))), expected, "{copy:.40}");
    }
}

#[test]
fn a_part_that_all_records_have_and_the_same_fields_are_not_told() {
    let review = "### Review\n\nThis decision is reviewed by the whole team after six months in production.\n";
    let record = |title: &str, body: &str| {
        format!(
            "# {title}\n\n- **Status:** active\n- **Date:** 2026-11-20\n- **Deciders:** Ada, Bob, Carol, Dora, Eve, Fritz\n\n## Context\n\n{body}\n\n{review}"
        )
    };
    let one = record("Use queues", "Mail was lost when the process ended before it was sent.")
        .replace("queues\n", "queues\n<!-- @id: use-queues -->\n");
    let sandbox = Sandbox::given(&[("decisions/use-queues.md", &one)]);
    let other = |body: &str| {
        json!({
            "intent": "record_decision", "sources": [{ "type": "user", "ref": "ada" }],
            "operations": [{
                "operation": "create_file", "path": "decisions/use-sqlite.md",
                "content": record("Use SQLite", body),
            }],
        })
    };
    let answer = sandbox.propose(other("A file is enough for what one machine has to keep."));
    assert_eq!(told_of(&answer), [""; 0]);
}

#[test]
fn pending_and_rejected_proposals_are_told_by_their_ids() {
    let sandbox = Sandbox::new();
    let pending = sandbox.propose(convention("Errors", RULE)).staged();
    let answer = sandbox.propose(convention("Paths", AGAIN));
    assert_eq!(told_of(&answer), [format!("pending `{pending}` says almost the same")]);
    // The same request is not told of itself.
    assert_eq!(told_of(&sandbox.propose(convention("Paths", AGAIN))), told_of(&answer));
    sandbox.run(&["reject", &answer.staged(), "--allow-again", "--reason", "twice"]).expect_code(0);
    sandbox.run(&["reject", &pending, "--reason", "the caller logs"]).expect_code(0);
    let answer = sandbox.propose(convention("Paths", AGAIN));
    let said = told_of(&answer);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with(&format!("rejected `{pending}` (")), "{said:?}");
    assert!(said[0].ends_with(": the caller logs) says almost the same"), "{said:?}");
    let shown = sandbox.run(&["show", &answer.staged(), "--json"]).expect_code(0).json();
    assert_eq!(shown["near_duplicates"][0]["kind"], "rejected");
    assert!(shown["near_duplicates"][0]["rejected"].to_string().contains("the caller logs"));
    let refused = sandbox.call(&["propose"]).stdin(convention("Errors", RULE).to_string()).run();
    assert!(refused.stdout.contains("previously_rejected"), "{}", refused.stdout);
}

#[test]
fn a_newer_proposal_of_the_same_owner_is_not_told_of_the_one_that_it_replaces() {
    let sandbox = with_rule();
    let of_owner = |text: &str| {
        let mut request = new_body("errors", text);
        request["owner"] = json!({"id": "agent-a"});
        request
    };
    let longer = format!("{RULE} The hint follows.");
    sandbox.propose(of_owner(&longer)).staged();
    assert_eq!(told_of(&sandbox.propose(of_owner(&format!("{AGAIN} The hint follows.")))), [""; 0]);
}

#[test]
fn with_several_operations_its_number_is_told() {
    let sandbox = with_rule();
    let mut request =
        convention("Tests", "Each module has its tests beside the code, in one file.");
    let more = convention("Paths", AGAIN)["operations"][0].clone();
    request["operations"].as_array_mut().unwrap().push(more);
    let said = told_of(&sandbox.propose(request));
    assert_eq!(said, [SECTION.replace("same;", "same as operation 2;")]);
}

#[test]
fn texts_of_any_size_and_script_are_answered() {
    let sandbox = with_rule();
    let pages = "one two three four\n\n".repeat(10_000);
    for text in
        [pages, "same ".repeat(10_000), "設定は起動時に読み込む。".repeat(50), "- \n".into()]
    {
        let reply = sandbox.call(&["propose"]).stdin(convention("Long", &text).to_string()).run();
        assert!(reply.code < 2, "{}", reply.stdout.chars().take(400).collect::<String>());
    }
}

#[test]
fn an_index_that_cannot_be_read_is_told_and_refuses_nothing() {
    let sandbox = with_rule();
    sandbox.write("state/index.sqlite.lock/x", "");
    let answer = sandbox.propose(convention("Paths", AGAIN));
    let said = told_of(&answer);
    answer.staged();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("not all that says almost the same is known: "), "{said:?}");
}

#[test]
fn a_check_of_the_queue_writes_no_index() {
    let sandbox = with_rule();
    sandbox.propose(convention("Paths", AGAIN)).staged();
    let index = sandbox.store().join("state/index.sqlite");
    std::fs::remove_file(&index).unwrap();
    sandbox.run(&["check"]);
    assert!(!index.exists());
}
