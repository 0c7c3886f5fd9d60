//! `undo`: an applied change is taken back to the byte, or not at all.

use serde_json::{Value, json};

use crate::requests::{
    new_body, session, shared, two_files, with_conventions, with_founded_conventions,
};
use crate::support::{ProjectKey, Sandbox};

fn undo(sandbox: &Sandbox, id: &str) -> crate::support::Answer {
    sandbox.run(&["undo", id, "--approver", "Ada", "--json"]).answer()
}

/// Applies a request and takes it back; the memory must be as it was.
fn is_taken_back(sandbox: &Sandbox, request: Value) -> Value {
    let memory = |sandbox: &Sandbox| {
        let mut tree = sandbox.tree();
        tree.retain(|path, _| path.ends_with(".md") && !path.starts_with("staging/"));
        tree
    };
    let before = memory(sandbox);
    let answer = sandbox.propose(request);
    let id = match answer["status"].as_str() {
        Some("staged") => {
            let id = answer.staged();
            sandbox.apply(&id).applied();
            id
        }
        _ => answer.applied()["proposal_id"].as_str().unwrap().to_owned(),
    };
    assert_ne!(memory(sandbox), before);
    let undone = undo(sandbox, &id);
    assert_eq!((&undone["status"], undone.code), (&json!("undone"), 0), "{}", undone.value);
    assert_eq!(memory(sandbox), before);
    undone.value
}

#[test]
fn a_change_taken_back_leaves_every_byte_as_it_was() {
    let sandbox = with_founded_conventions();
    sandbox.run(&["reindex"]).expect_code(0);
    is_taken_back(&sandbox, new_body("errors", "They name a path and a line."));
    is_taken_back(&sandbox, two_files());
    is_taken_back(&sandbox, session("Today", "Done."));
    let removal = json!({
        "intent": "archive_stale",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "remove_section", "path": "conventions.md", "section_id": "errors",
            "reason": "nobody keeps it",
        }],
    });
    let undone = is_taken_back(&sandbox, removal);
    assert_eq!(undone["affected_sections"][1]["change"], "added", "{undone}");
    let doctor = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(doctor["findings"], json!([]));
}

#[test]
fn a_file_without_a_last_newline_is_as_it_was() {
    let sandbox =
        Sandbox::given(&[("local/shared.md", "# Shared\r\n\r\n## A\r\n<!-- @id: a -->\r\n\r\nx")]);
    is_taken_back(&sandbox, shared("Beta", "The second text of all."));
}

#[test]
fn what_came_later_stays() {
    let sandbox = Sandbox::new();
    let first = sandbox.propose(shared("Alpha", "The first text.")).applied();
    sandbox.propose(shared("Beta", "The second text.")).applied();
    undo(&sandbox, first["proposal_id"].as_str().unwrap());
    let text = sandbox.file("local/shared.md");
    assert!(!text.contains("Alpha") && text.contains("The second text."), "{text}");
}

#[test]
fn changes_are_taken_back_in_any_order() {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    for order in orders {
        let sandbox = Sandbox::new();
        sandbox.propose(shared("Base", "What stays.")).applied();
        let ids = ["Alpha", "Beta", "Gamma"].map(|heading| {
            let applied = sandbox.propose(shared(heading, &format!("The text of {heading}.")));
            applied.applied()["proposal_id"].as_str().unwrap().to_owned()
        });
        for number in order {
            assert_eq!(undo(&sandbox, &ids[number])["status"], "undone", "{order:?}");
        }
        let text = sandbox.file("local/shared.md");
        let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(headings, ["# Shared", "## Base"], "{order:?}: {text}");
    }
}

#[test]
fn a_section_that_changed_since_is_not_taken_back() {
    let sandbox = with_conventions();
    let id = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.apply(&id).applied();
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("a line", "a byte"));
    let before = sandbox.tree();
    let refused = undo(&sandbox, &id).rejected("target_drift");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("`errors` of `conventions.md`"), "{message}");
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn a_change_is_taken_back_once_and_the_log_says_by_whom() {
    let sandbox = Sandbox::new();
    sandbox.propose(shared("Alpha", "The first text.")).applied();
    let reply = sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert!(reply.stdout.contains("removed  local/shared.md#alpha"), "{}", reply.stdout);
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["decision"], "undone");
    assert_eq!(log["decisions"][0]["approver"], "Ada");
    let id = log["decisions"][0]["id"].as_str().unwrap();
    let refused = undo(&sandbox, id).rejected("staging_not_found");
    assert!(refused["message"].as_str().unwrap().contains("was undone at"), "{}", refused.value);
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(1);
}

#[test]
fn an_agent_takes_nothing_back() {
    let sandbox = Sandbox::new();
    let applied = sandbox.propose(shared("Alpha", "The first text.")).applied();
    let id = applied["proposal_id"].as_str().unwrap();
    let call = sandbox.call(&["undo", id, "--approver", "Ada", "--json"]).env("CLAUDECODE", "1");
    call.run().answer().rejected("approval_refused");
    assert!(sandbox.file("local/shared.md").contains("Alpha"));
}

#[test]
fn a_former_text_with_a_secret_is_kept_nowhere() {
    let key = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    let sandbox = Sandbox::given(&[(
        "conventions.md",
        &format!("# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nThe key is {key}.\n"),
    )]);
    let id = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.apply(&id).applied();
    undo(&sandbox, &id).rejected("secret_detected");
    for (path, bytes) in crate::support::files_in(&sandbox.store()) {
        assert!(!String::from_utf8_lossy(&bytes).contains(&key), "{path}");
    }
}

#[test]
fn a_file_that_is_taken_back_twice_goes_twice() {
    let sandbox = Sandbox::new();
    for _ in 0..2 {
        let applied = sandbox.propose(session("Today", "Done.")).applied();
        undo(&sandbox, applied["proposal_id"].as_str().unwrap());
        assert!(!sandbox.has("sessions/2026-11-20.md"));
    }
    let id = sandbox.propose(two_files()).staged();
    for _ in 0..2 {
        sandbox.apply(&id).applied();
        assert_eq!(undo(&sandbox, &id)["status"], "undone");
        assert!(!sandbox.has("modules/auth.md"));
        sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    }
}

#[test]
fn a_way_back_that_was_forged_lands_nothing() {
    let sandbox = Sandbox::new();
    let secret = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    sandbox.propose(shared("Alpha", "The first text.")).applied();
    let change = json!({
        "intent": "update_shared",
        "operations": [{
            "operation": "replace_section_content", "section_id": "alpha", "content": "Another.",
        }],
    });
    let applied = sandbox.propose(change).applied();
    let id = applied["proposal_id"].as_str().unwrap().to_owned();
    let honest = sandbox.file("state/undo.jsonl");
    for (forged, refused) in [(secret.as_str(), true), ("\u{202e}evil", true), ("curl evil", false)]
    {
        let key = ProjectKey::of(&sandbox.project());
        let forged = honest.replace("The first text.", forged);
        let lines = forged.lines().map(|line| key.signed_again("undo", line) + "\n");
        sandbox.write("state/undo.jsonl", lines.collect::<String>());
        let before = sandbox.tree();
        let reply = sandbox.run(&["undo", &id, "--approver", "Ada", "--json"]);
        assert_eq!(reply.code, if refused { 1 } else { 2 }, "{}", reply.stdout);
        assert!(!reply.stdout.contains(&secret), "{}", reply.stdout);
        assert_eq!(sandbox.tree(), before);
    }
}

#[test]
fn a_proposal_applied_twice_is_named_by_a_part_of_its_id() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two_files()).staged();
    sandbox.apply(&id).applied();
    undo(&sandbox, &id);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
    assert_eq!(undo(&sandbox, &id[..id.len() - 1])["status"], "undone");
}

#[test]
fn the_latest_change_is_never_an_older_one_than_the_log_says() {
    const WAY_BACK: &str = "state/undo.jsonl";
    let latest = ["undo", "--latest", "--approver", "Ada", "--json"];
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "Done.")).applied();
    sandbox.propose(session("Two", "Done.")).applied();
    let torn = sandbox.file(WAY_BACK);
    sandbox.write(WAY_BACK, &torn[..torn.len() - 20]);
    let before = sandbox.tree();
    let reply = sandbox.run(&latest).expect_code(2).json();
    assert_eq!(reply["error"]["code"], "store_damaged", "{reply}");
    assert_eq!(sandbox.tree(), before);
    let doctor = sandbox.run(&["doctor"]).stdout;
    assert!(doctor.contains("log: `state/undo.jsonl` ends in a line"), "{doctor}");
    // The next one can be taken back, but not the one before by the same words.
    sandbox.propose(session("Three", "Done.")).applied();
    sandbox.run(&latest).expect_code(0);
    sandbox.run(&latest).expect_code(2);
}

#[test]
fn what_is_printed_ends_without_a_blank() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let reply = sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert!(reply.stdout.contains("  removed  sessions/2026-11-20.md#today\n"), "{}", reply.stdout);
}

#[test]
fn what_a_person_wrote_by_hand_comes_back_as_it_was() {
    let text = "# Shared\n\n## A\n<!-- @id: a -->\n\nx\u{c}y\n";
    let sandbox = Sandbox::given(&[("local/shared.md", text)]);
    let request = json!({
        "intent": "update_shared",
        "operations": [{
            "operation": "replace_section_content", "section_id": "a", "content": "clean",
        }],
    });
    is_taken_back(&sandbox, request);
    assert_eq!(sandbox.file("local/shared.md"), text);
}
