//! Conflict markers in a fenced code block are an example, unless git left them there.

use serde_json::{Value, json};

use crate::merging::{merge, merge_and_hear, rename};
use crate::requests::new_body;
use crate::support::{Sandbox, Terminal};

const SET: &str = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n";

fn module(text: &str) -> String {
    format!(
        "# Merging\n\n## How\n<!-- @id: how -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\n{text}"
    )
}

fn more() -> Value {
    json!({
        "intent": "refresh_module",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "append_section", "path": "modules/merging.md",
            "heading": "More", "content": "There is more to say of it.",
        }],
    })
}

fn pitfall(content: &str) -> Value {
    json!({
        "intent": "add_pitfall",
        "operations": [{ "operation": "append_section", "heading": "Marks", "content": content }],
    })
}

/// A store with a module that shows a conflict in a fenced code block.
fn with_example() -> Sandbox {
    let sandbox = Sandbox::given(&[("modules/merging.md", &module(&format!("```\n{SET}```\n")))]);
    sandbox.commit("an example");
    sandbox
}

/// Two branches that changed the same line of a code block.
fn with_two_codes(prepare: impl Fn(&Sandbox)) -> Sandbox {
    let code = |line: &str| module(&format!("```\nfirst\n{line}\nlast\n```\n"));
    let sandbox = Sandbox::given(&[("modules/merging.md", &code("base"))]);
    sandbox.commit("both begin here");
    prepare(&sandbox);
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox.write("modules/merging.md", code("theirs"));
    sandbox.commit("theirs");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("modules/merging.md", code("ours"));
    sandbox.commit("ours");
    assert!(!merge(&sandbox, "other"));
    sandbox
}

/// The markers in the module are a conflict to every command.
#[track_caller]
fn check_conflict(sandbox: &Sandbox) {
    let found = sandbox.run(&["check", "--json"]).expect_code(1).json();
    let rules: Vec<&Value> =
        found["findings"].as_array().unwrap().iter().map(|each| &each["rule"]).collect();
    assert!(rules.contains(&&json!("conflict-marker")), "{found}");
    sandbox.run(&["check", "--staged"]).expect_code(1);
    let refused = sandbox.propose(more()).rejected("invalid_markdown");
    assert!(refused["message"].as_str().unwrap().contains("holds a git conflict"));
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert!(status["health"]["warnings"].to_string().contains("git conflict"), "{status}");
    let context = sandbox.run(&["context", "first last"]).expect_code(0);
    assert!(context.stderr.contains("git conflict"), "{}", context.stderr);
}

#[test]
fn an_example_in_a_block_of_code_is_no_conflict() {
    let sandbox = with_example();
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["check", "--staged"]).expect_code(0);
    let id = sandbox.propose(more()).staged();
    sandbox.apply(&id).applied();
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["health"]["warnings"], json!([]));
    let context = sandbox.run(&["context", "ours theirs"]).expect_code(0);
    assert!(context.stdout.contains("<<<<<<< HEAD") && !context.stderr.contains("conflict"));
    sandbox
        .write("modules/merging.md", sandbox.file("modules/merging.md") + "\n## Third\n\nText.\n");
    sandbox.run(&["fmt-ids"]).expect_code(0);
    assert!(sandbox.file("modules/merging.md").contains("<!-- @id: third -->"));
}

#[test]
fn an_example_may_be_proposed_in_a_block_of_code_alone() {
    let sandbox = Sandbox::new();
    for (fence, name) in [("```", "a"), ("~~~ diff", "b")] {
        let end = &fence[..3];
        let mut request = pitfall(&format!("- it looks so:\n\n{fence}\n{SET}{end}"));
        request["operations"][0]["heading"] = name.into();
        let id = sandbox.propose(request).staged();
        sandbox.apply(&id).applied();
    }
    for text in
        [SET.to_owned(), "```\n<<<<<<< a\n```\n".to_owned(), format!("```\n{SET}```\n\n{SET}")]
    {
        let refused = sandbox.propose(pitfall(&text)).rejected("invalid_markdown");
        assert!(refused["hint"].as_str().unwrap().contains("fenced code block"));
    }
    sandbox.run(&["check", "--warn", "provenance-missing"]).expect_code(0);
}

#[test]
fn a_file_with_an_example_merges_section_by_section() {
    for has_driver in [true, false] {
        let sandbox = with_example();
        if has_driver {
            sandbox.run(&["install", "git"]).expect_code(0);
        }
        let add = |name: &str| {
            let text = sandbox.file("modules/merging.md");
            let section = format!(
                "\n## {name}\n<!-- @id: {name} -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\nOf {name}.\n"
            );
            sandbox.write("modules/merging.md", format!("{text}{section}"));
            sandbox.commit(name);
        };
        sandbox.git(&["checkout", "--quiet", "-b", "other"]);
        add("theirs");
        sandbox.git(&["checkout", "--quiet", "main"]);
        add("ours");
        assert_eq!(merge(&sandbox, "other"), has_driver);
        if !has_driver {
            sandbox.run(&["resolve"]).expect_code(0);
        }
        let text = sandbox.file("modules/merging.md");
        assert!(text.contains("Of ours.") && text.contains("Of theirs."), "{text}");
        assert_eq!(text.matches("<<<<<<<").count(), 1, "{text}");
        sandbox.run(&["check"]).expect_code(0);
    }
}

#[test]
fn a_conflict_that_git_left_in_a_block_of_code_is_one_until_it_is_resolved() {
    for has_driver in [true, false] {
        let sandbox = with_two_codes(|sandbox| {
            if has_driver {
                sandbox.run(&["install", "git"]).expect_code(0);
            }
        });
        check_conflict(&sandbox);
        let reply = sandbox.run(&["resolve"]).expect_code(1);
        assert!(reply.stdout.contains("conflict modules/merging.md#how"), "{}", reply.stdout);
        check_conflict(&sandbox);
        // It may be added and even committed with the markers.
        sandbox.git(&["add", ".agent-memory"]);
        check_conflict(&sandbox);
        sandbox.git(&["commit", "--quiet", "--no-edit"]);
        check_conflict(&sandbox);
        let example = SET.replace("ours", "mine");
        sandbox.write(
            "modules/merging.md",
            module(&format!("```\nfirst\nboth\nlast\n```\n\n~~~\n{example}~~~\n")),
        );
        sandbox.run(&["check"]).expect_code(0);
        sandbox.propose(more()).staged();
    }
}

/// Git merges the renamed file first, and then what that left with the other file of the same name.
#[test]
fn a_conflict_in_a_block_of_code_that_git_merges_again_is_one() {
    let code = |line: &str| {
        module(&format!(
            "```\nfirst\n{line}\nlast\n```\n\nA text that is long enough to be found again.\n"
        ))
    };
    let sandbox = Sandbox::given(&[("modules/web.md", &code("base"))]);
    sandbox.commit("both begin here");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    rename(&sandbox, "pages");
    sandbox.write("modules/pages.md", code("theirs"));
    sandbox.commit("changed");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("modules/web.md", code("ours"));
    sandbox
        .write("modules/pages.md", "# Pages\n\n## Some\n<!-- @id: some -->\n\nThere are some.\n");
    sandbox.commit("another of that name");
    sandbox.run(&["install", "git"]).expect_code(0);
    let said = merge_and_hear(&sandbox, "other");
    let talk = String::from_utf8(said.stderr).unwrap();
    assert!(!said.status.success() && talk.contains("git left markers"), "{talk}");
    sandbox.run(&["check"]).expect_code(1);
    let resolved = sandbox.run(&["resolve"]).expect_code(1);
    assert!(resolved.stderr.contains("git left markers"), "{}", resolved.stderr);
}

#[test]
fn what_a_person_resolved_may_have_an_example() {
    let sandbox = with_example();
    let text = sandbox.file("modules/merging.md");
    let edited = |line: &str| format!("{text}\nThe line of {line}.\n");
    sandbox.git(&["checkout", "--quiet", "-b", "other"]);
    sandbox.write("modules/merging.md", edited("theirs"));
    sandbox.commit("theirs");
    sandbox.git(&["checkout", "--quiet", "main"]);
    sandbox.write("modules/merging.md", edited("ours"));
    sandbox.commit("ours");
    assert!(!merge(&sandbox, "other"));
    sandbox.run(&["resolve"]).expect_code(1);
    sandbox.write("modules/merging.md", edited("both"));
    let reply = sandbox.run(&["resolve"]).expect_code(0);
    assert_eq!(reply.stdout, "resolved modules/merging.md\n");
    assert_eq!(sandbox.file("modules/merging.md"), edited("both"));
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn markers_of_a_rebase_in_a_code_block_are_not_applied() {
    let body = |line: &str| format!("One.\n\n```\nfirst\n{line}\nlast\n```");
    let file = |line: &str| {
        format!("# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n{}\n", body(line))
    };
    let sandbox = Sandbox::given(&[("conventions.md", &file("base"))]);
    sandbox.git(&["config", "user.name", "Grace"]);
    let id = sandbox.propose(new_body("errors", &body("theirs"))).staged();
    sandbox.write("conventions.md", file("ours"));
    let before = sandbox.file("conventions.md");
    let edit = [("EDITOR", "sed -i s/One/Two/")];
    let (shown, code) = Terminal::run(&sandbox, &format!("rebase {id}"), 100, &edit).end();
    assert!(shown.contains("conflict marker") && code == 1, "{shown}");
    assert_eq!(sandbox.file("conventions.md"), before);
}
