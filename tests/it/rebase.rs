//! `rebase`: a proposal on top of what came since.

use serde_json::json;

use crate::requests::new_body;
use crate::support::{Sandbox, Terminal};

pub(crate) const THEN: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- one\n- two\n- three\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n";

/// A proposal about three bullets of a section that a person changed since.
pub(crate) fn drifted(by_hand: impl Fn(&str) -> String) -> (Sandbox, String) {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let id = sandbox.propose(new_body("errors", "- one\n- two\n- 3\n- four")).staged();
    sandbox.write("conventions.md", by_hand(THEN));
    sandbox.apply(&id).rejected("target_drift");
    (sandbox, id)
}

#[test]
fn both_sides_of_a_section_land() {
    let (sandbox, id) = drifted(|text| text.replace("- one", "- 1").replace("long", "short"));
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(0).json();
    let digest = json["proposal"]["digest"].as_str().unwrap();
    let words = ["rebase", &id, "--digest", digest, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().applied();
    let text = sandbox.file("conventions.md");
    assert!(
        text.contains("- 1\n- two\n- 3\n- four\n") && text.contains("They are short."),
        "{text}"
    );
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["amended"], true);
}

/// Beside a proposal secrets are masked, so that the text there has not the hash of what it builds on.
#[test]
fn what_a_proposal_takes_a_secret_out_of_is_still_what_it_builds_on() {
    let token = ["- ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let then = THEN.replace("- three", &token);
    let sandbox = Sandbox::given(&[("conventions.md", &then)]);
    let id = sandbox.propose(new_body("errors", "- one\n- two\n- none")).staged();
    sandbox.write("conventions.md", then.replace("- one", "- 1"));
    let reply = sandbox.run(&["rebase", &id]).expect_code(1);
    assert!(reply.stderr.contains("in different ways"), "{}", reply.stderr);
}

#[test]
fn nothing_lands_without_a_person_who_saw_it() {
    let (sandbox, id) = drifted(|text| text.replace("- one", "- 1"));
    let before = sandbox.tree();
    let reply = sandbox.run(&["rebase", &id]).expect_code(0);
    assert!(
        reply.stdout.contains("+ - four") && reply.stderr.contains("--digest"),
        "{}",
        reply.stderr
    );
    let other = "0".repeat(64);
    let words = ["rebase", &id, "--digest", &other, "--approver", "Ada", "--json"];
    sandbox.run(&words).answer().rejected("approval_stale");
    let digest = sandbox.run(&["rebase", &id, "--json"]).json()["proposal"]["digest"].clone();
    let words = ["rebase", &id, "--digest", digest.as_str().unwrap(), "--json"];
    sandbox.run(&words).answer().rejected("approval_refused");
    assert!(sandbox.tree() == before);
}

#[test]
fn a_contradiction_needs_a_terminal() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    let reply = sandbox.run(&["rebase", &id]).expect_code(1);
    assert!(reply.stdout.contains("conflict conventions.md#errors"), "{}", reply.stdout);
    let json = sandbox.run(&["rebase", &id, "--json"]).expect_code(1).json();
    assert_eq!(json["error"]["code"], "target_drift");
    assert_eq!(json["conflicts"], json!(["conventions.md#errors"]));
    let latest = sandbox.run(&["rebase", "--latest", "--json"]).expect_code(1).json();
    let hint = latest["error"]["hint"].as_str().unwrap();
    assert!(hint.contains(&format!("agent-memory rebase {id}")), "{hint}");
}

#[test]
fn a_contradiction_is_settled_in_the_editor() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let seen = sandbox.root().join("seen");
    let take = format!(
        "sh -c 'cp \"$1\" {}; sed -i -e \"/^[<=>]\\{{7\\}}/d\" -e /III/d \"$1\"' sh",
        seen.display()
    );
    let mut terminal = Terminal::run(&sandbox, &format!("rebase {id}"), 100, &[("EDITOR", &take)]);
    let shown = terminal.answer("Apply this? [y,n] ", "y");
    assert!(shown.contains("+ - 3") && !shown.contains("<<<<"), "{shown}");
    assert_eq!(terminal.end().1, 0);
    let marked = std::fs::read_to_string(seen).unwrap();
    assert!(
        marked.contains("<<<<<<< today\n- III\n=======\n- 3\n- four\n>>>>>>> proposed\n"),
        "{marked}"
    );
    assert!(sandbox.file("conventions.md").contains("- two\n- 3\n- four\n"));
}

#[test]
fn markers_that_nobody_took_out_do_not_land() {
    let (sandbox, id) = drifted(|text| text.replace("- three", "- III"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let before = sandbox.tree();
    let terminal = Terminal::run(&sandbox, &format!("rebase {id}"), 100, &[("EDITOR", "true")]);
    let (shown, code) = terminal.end();
    assert!(shown.contains("a file was left unedited") && code == 1, "{shown}");
    assert!(sandbox.tree() == before);
}

#[test]
fn b_does_it_in_the_review() {
    let (sandbox, _) = drifted(|text| text.replace("- one", "- 1"));
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 100, &[]);
    assert!(terminal.answer("?] ", "b").contains("stop target_drift"));
    assert!(terminal.answer("?] ", "a").contains("in your words"));
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("- 1\n- two\n- 3\n- four\n"));
}

const GONE: &str = "## Errors\n<!-- @id: errors -->\n\n- one\n- two\n- three\n\n";

/// An editor that keeps what it was given beside, and then does something to it.
fn editor(sandbox: &Sandbox, then: &str) -> (std::path::PathBuf, String) {
    let seen = sandbox.root().join("seen");
    let script = format!("sh -c 'cp \"$1\" {}; {then} \"$1\"' sh", seen.display());
    (seen, script)
}

const KEEP: &str = "sed -i \"/^[<=>]\\{7\\}/d\"";
const LEAVE_OUT: &str = "sed -i \"/^<<<<<<</,/^>>>>>>>/d\"";

#[test]
fn a_section_that_is_gone_is_kept_as_a_new_one() {
    let commands = ["rebase --latest", "review"];
    for (command, columns) in commands.into_iter().flat_map(|each| [(each, 80), (each, 40)]) {
        let (sandbox, _) = drifted(|text| text.replace(GONE, ""));
        sandbox.git(&["config", "user.name", "Grace"]);
        let (seen, script) = editor(&sandbox, KEEP);
        let mut terminal = Terminal::run(&sandbox, command, columns, &[("EDITOR", &script)]);
        if command == "review" {
            let shown = terminal.answer("?] ", "b");
            let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(words.contains("b opens what was wanted"), "{shown}");
        }
        let shown = match command {
            "review" => terminal.answer("?] ", "a"),
            _ => terminal.answer("Apply this? [y,n] ", "y"),
        };
        assert!(shown.contains("+ ## Errors") && shown.contains("+ - four"), "{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= columns.into()), "{shown}");
        let (shown, code) = terminal.end();
        assert!(code == 0 && shown.contains("added"), "{shown}");
        let marked = std::fs::read_to_string(seen).unwrap();
        let sides = ["<<<<<<< today: deleted\n=======\n## Errors\n", ">>>>>>> proposed: changed\n"];
        assert!(sides.iter().all(|side| marked.contains(side)), "{marked}");
        let text = sandbox.file("conventions.md");
        assert!(text.contains("- two\n- 3\n- four\n") && text.contains("They are long."), "{text}");
        sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
        assert_eq!(sandbox.file("conventions.md"), THEN.replace(GONE, ""));
    }
}

#[test]
fn a_section_that_is_gone_and_left_out_takes_its_operation_along() {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let mut request = new_body("errors", "- one\n- two\n- 3");
    let names = new_body("names", "They are short.")["operations"][0].clone();
    request["operations"].as_array_mut().unwrap().push(names);
    sandbox.propose(request).staged();
    sandbox.write("conventions.md", THEN.replace(GONE, ""));
    sandbox.git(&["config", "user.name", "Grace"]);
    let (_, script) = editor(&sandbox, LEAVE_OUT);
    let run = |keys: &str| {
        let mut terminal = Terminal::run(&sandbox, "rebase --latest", 80, &[("EDITOR", &script)]);
        let shown = terminal.answer("Apply this? [y,n] ", keys);
        (shown, terminal.end().1)
    };
    let (shown, code) = run("y");
    assert!(shown.contains("+ They are short.") && !shown.contains("+ - 3"), "{shown}");
    assert_eq!(code, 0);
    let text = sandbox.file("conventions.md");
    assert!(text.contains("They are short.") && !text.contains("Errors"), "{text}");
}

#[test]
fn nothing_is_left_of_a_proposal_whose_only_section_is_left_out() {
    let (sandbox, _) = drifted(|text| text.replace(GONE, ""));
    sandbox.git(&["config", "user.name", "Grace"]);
    let before = sandbox.tree();
    let (_, script) = editor(&sandbox, LEAVE_OUT);
    let terminal = Terminal::run(&sandbox, "rebase --latest", 80, &[("EDITOR", &script)]);
    let (shown, code) = terminal.end();
    assert!(shown.contains("nothing of the proposal is left") && code == 1, "{shown}");
    assert!(sandbox.tree() == before);
}

#[test]
fn without_a_terminal_a_section_that_is_gone_is_refused_with_the_commands() {
    let (sandbox, id) = drifted(|text| text.replace(GONE, ""));
    let before = sandbox.tree();
    let reply = sandbox.run(&["rebase", &id]).expect_code(1);
    let said = "conflict conventions.md#errors: deleted here, changed by the proposal\n";
    assert!(reply.stdout.contains(said), "{}", reply.stdout);
    for command in [format!("`agent-memory rebase {id}`"), format!("`agent-memory reject {id} ")] {
        assert!(reply.stderr.contains(&command), "{}", reply.stderr);
    }
    let refused = sandbox.run(&["apply", &id, "--force", "--approver", "Ada", "--json"]).answer();
    assert!(refused.rejected("target_drift")["hint"].as_str().unwrap().contains("rebase"));
    assert!(sandbox.tree() == before);
}

/// Two agents propose the same new heading: the text of the second is added to the section of the first.
#[test]
fn a_new_section_that_another_proposal_brought_becomes_an_addition() {
    for content in ["They are retried once.", "## Retries\n\nThey are retried once."] {
        let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
        let ids = ["Never retry.", content]
            .map(|text| sandbox.propose(crate::requests::convention("Retries", text)).staged());
        sandbox.apply(&ids[0]).applied();
        let answer = sandbox.apply(&ids[1]).rejected("duplicate_section_id");
        let hint = answer["hint"].as_str().unwrap();
        assert!(
            hint.contains("rebase")
                && hint.contains("another heading")
                && hint.contains("`append_to_section`"),
            "{hint}"
        );
        let json = sandbox.run(&["rebase", &ids[1], "--json"]).expect_code(0).json();
        let digest = json["proposal"]["digest"].as_str().unwrap();
        let words = ["rebase", &ids[1], "--digest", digest, "--approver", "Ada", "--json"];
        sandbox.run(&words).answer().applied();
        let text = sandbox.file("conventions.md");
        assert!(text.contains("Never retry.\n\nThey are retried once.\n"), "{text}");
        assert_eq!(text.matches("Retries").count(), 1, "{text}");
    }
}
