//! What a rewrite takes out is told: in the answer, and to the person who decides.

use serde_json::{Value, json};

use crate::requests::new_body;
use crate::support::Sandbox;

const FULL: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nName the path.\n\nSay what to do next.\n\n- one rule\n- another rule\n\n```sh\nmake check\n```\n\n| code | what |\n|---|---|\n| 1 | no |\n\nSee [the list](modules/codes.md).\n\n### Codes\n<!-- @id: codes -->\n\nThey never change.\n";

const ALL: &str = "drops 2 of 2 bullets (`one rule`, `another rule`), 2 of 3 paragraphs (`Say what to do next.`, `See the list.`), 1 of 1 code block (`make check`), 1 of 1 table (`code what 1 no`), 1 of 1 link (`modules/codes.md`)";

fn full() -> Sandbox {
    Sandbox::given(&[("conventions.md", FULL)])
}

/// A request of one operation on the section `errors`, or its file.
fn request(operation: &Value) -> Value {
    let mut request = new_body("errors", "");
    request["operations"] = json!([operation]);
    request
}

fn told(sandbox: &Sandbox, request: Value) -> (String, Vec<String>) {
    let answer = sandbox.propose(request);
    let all = answer["warnings"].as_array().unwrap().iter();
    let all: Vec<String> = all.map(|it| it.as_str().unwrap().to_owned()).collect();
    (answer.staged(), all.into_iter().filter(|it| it.contains(" drops ")).collect())
}

#[test]
fn a_new_text_of_a_section_says_what_is_gone_and_so_does_the_review() {
    let sandbox = full();
    let (id, said) = told(&sandbox, new_body("errors", "Name the path."));
    assert_eq!(said, [format!("the rewrite of `conventions.md#errors` {ALL}")]);
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    assert!(shown["warnings"].to_string().contains("drops 2 of 2 bullets"), "{shown}");
}

#[test]
fn a_section_and_a_file_that_are_replaced_say_what_is_gone_below_them_too() {
    let codes =
        "the rewrite of `conventions.md#codes` drops 1 of 1 paragraph (`They never change.`)";
    let section = "## Errors\n\nName the path.\n";
    for operation in [
        json!({"operation": "replace_section", "section_id": "errors", "content": section}),
        json!({"operation": "create_file", "path": "conventions.md", "if_exists": "replace",
            "content": format!("# Conventions\n\n{}", section.replace("rs\n", "rs\n<!-- @id: errors -->\n"))}),
    ] {
        let (_, said) = told(&full(), request(&operation));
        let errors = format!("the rewrite of `conventions.md#errors` {ALL}");
        assert_eq!(said, [errors, codes.to_owned()], "{operation}");
    }
}

#[test]
fn what_is_removed_or_said_in_other_words_or_elsewhere_is_not_told() {
    let remove = json!({"operation": "remove_section", "section_id": "errors", "reason": "old"});
    assert_eq!(told(&full(), request(&remove)).1, [""; 0]);
    let moved = FULL.split_once("Name the path.").unwrap().1.split_once("### Codes").unwrap().0;
    let mut request = new_body("errors", "Name each path.");
    let more = json!({"operation": "append_section", "heading": "More", "content": moved});
    request["operations"].as_array_mut().unwrap().push(more);
    assert_eq!(told(&full(), request).1, [""; 0]);
}

#[test]
fn sources_rows_and_ticks_that_go_are_told_too() {
    let text = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n<!-- @source: file src/errors.rs:1-4 9f3c2e1a4b5c confirmed 2026-11-20 -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n| code | what |\n|---|---|\n| 1 | no such way |\n| 2 | unable to say |\n\n- [x] Ship it\n- [ ] Tell it\n";
    let sandbox = Sandbox::given(&[("conventions.md", text)]);
    let new = "| code | what |\n|---|---|\n| 1 | no such way |\n\n- [ ] Ship it\n- [ ] Tell it\n";
    let said = "the rewrite of `conventions.md#errors` drops 1 of 2 table rows (`2 unable to say`), 1 of 1 tick (`Ship it`), 1 of 2 sources (`file src/errors.rs:1-4`)";
    let (id, told) = told(&sandbox, new_body("errors", new));
    assert_eq!(told, [said]);
    let shown = sandbox.run(&["show", &id]).expect_code(0).stdout;
    assert!(shown.contains("1 of 2 sources"), "{shown}");
}

#[test]
fn a_secret_that_goes_is_not_repeated() {
    let key = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    let text = FULL.replace("- one rule", &format!("- use {key}"));
    let sandbox = Sandbox::given(&[("conventions.md", &text)]);
    let reply = sandbox.call(&["propose"]).stdin(new_body("errors", "New.").to_string()).run();
    assert!(!reply.stdout.contains(&key[..12]), "{}", reply.stdout);
}
