//! `s` in `review`: a part of a proposal, by operations and by the pieces of each.

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, two_files};
use crate::support::{Sandbox, Terminal};

/// What stands at the end of the question.
const ASK: &str = "?] ";

/// What every section says of its source is what the proposals say: no piece is about that.
const THEN: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\n- one\n- two\n- three\n\n## Names\n<!-- @id: names -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\nThey are long.\n";

/// Two places of one section, another section, and a new one behind both.
fn three_operations() -> Sandbox {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let mut request = new_body("errors", "- 1\n- two\n- 3");
    let mut add = |other: &Value| {
        request["operations"].as_array_mut().unwrap().push(other["operations"][0].clone());
    };
    add(&new_body("names", "They are short."));
    add(&convention("Logs", TELLING));
    sandbox.propose(request).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox
}

fn last(sandbox: &Sandbox) -> Value {
    sandbox.run(&["log", "--json"]).expect_code(0).json()["decisions"][0].clone()
}

fn fits(shown: &str, columns: u16) {
    assert!(shown.lines().all(|line| line.chars().count() <= columns.into()), "{shown}");
}

#[test]
fn pieces_are_taken_across_operations_and_the_rest_is_refused() {
    for columns in [80, 40] {
        let sandbox = three_operations();
        let mut terminal = Terminal::run(&sandbox, "review", columns, &[]);
        terminal.answer(ASK, "s");
        fits(&terminal.answer("Include operation 1 of 3? [y,n,p,q] ", "?"), columns);
        let help = terminal.answer("Include operation 1 of 3? [y,n,p,q] ", "p");
        assert!(help.contains("p asks"), "{help}");
        terminal.answer("Include part 1 of 2? [y,n,q] ", "n");
        let part = terminal.answer("Include part 2 of 2? [y,n,q] ", "y");
        assert!(part.contains("+ - 3") && !part.contains("+ - 1"), "{part}");
        terminal.answer("Include operation 2 of 3? [y,n,q] ", "n");
        terminal.answer("Include operation 3 of 3? [y,n,q] ", "y");
        let shown = terminal.answer(ASK, "a");
        fits(&shown, columns);
        assert!(shown.contains("only the parts that you took"), "{shown}");
        let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("names (left out)") && !shown.contains("They are short"), "{shown}");
        terminal.answer("Why are the others rejected? ", "long names stay\r");
        assert!(terminal.end().0.contains("1 applied, 0 rejected, 0 proposals left"));
        let text = sandbox.file("conventions.md");
        for line in ["- one\n- two\n- 3\n", "They are long.", TELLING] {
            assert!(text.contains(line), "{line} in {text}");
        }
        let last = last(&sandbox);
        assert_eq!((&last["operations"], &last["amended"]), (&json!([0, 2]), &json!(true)));
        sandbox.propose(new_body("names", "They are short.")).rejected("previously_rejected");
        sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
        assert_eq!(sandbox.file("conventions.md"), THEN);
    }
}

#[test]
fn words_over_a_part_are_dropped_only_after_a_yes_and_the_rest_stays_refused() {
    let sandbox = three_operations();
    let editor = "sed -i 's/^They are long/They may be long/; s/in every single/in any/'";
    let mut terminal = Terminal::run(&sandbox, "review", 80, &[("EDITOR", editor)]);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 1 of 3? [y,n,p,q] ", "n");
    terminal.answer("Include operation 2 of 3? [y,n,q] ", "n");
    terminal.answer("Include operation 3 of 3? [y,n,q] ", "y");
    terminal.answer(ASK, "e");
    terminal.answer(ASK, "k");
    terminal.answer("Drop it? [y,n] ", "n");
    terminal.answer(ASK, "a");
    terminal.answer("Why are the others rejected? ", "\r");
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("in any error message"));
    assert_eq!(last(&sandbox)["operations"], json!([2]));
}

#[test]
fn a_piece_of_each_operation_refuses_none() {
    let sandbox = three_operations();
    let mut terminal = Terminal::run(&sandbox, "review", 80, &[]);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 1 of 3? [y,n,p,q] ", "p");
    terminal.answer("Include part 1 of 2? [y,n,q] ", "y");
    terminal.answer("Include part 2 of 2? [y,n,q] ", "n");
    terminal.answer("Include operation 2 of 3? [y,n,q] ", "y");
    terminal.answer("Include operation 3 of 3? [y,n,q] ", "y");
    assert!(terminal.answer(ASK, "a").contains("in your words"));
    terminal.end();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("- 1\n- two\n- three\n") && text.contains("They are short."), "{text}");
}

/// Takes two parts of a first operation and a second operation, or not; returns what is said of the choice,
/// which must not have changed anything.
fn refused(first: &str, second: (&str, &str), [one, two, other]: [&str; 3]) -> String {
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let mut request = new_body("errors", first);
    let second = new_body(second.0, second.1)["operations"][0].clone();
    request["operations"].as_array_mut().unwrap().push(second);
    sandbox.propose(request).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let before = sandbox.tree();
    let mut terminal = Terminal::run(&sandbox, "review", 80, &[]);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 1 of 2? [y,n,p,q] ", "p");
    terminal.answer("Include part 1 of 2? [y,n,q] ", one);
    terminal.answer("Include part 2 of 2? [y,n,q] ", two);
    terminal.answer("Include operation 2 of 2? [y,n,q] ", other);
    let shown = terminal.answer(ASK, "\x03");
    terminal.end();
    assert!(sandbox.tree() == before);
    shown
}

#[test]
fn what_builds_on_a_part_that_was_left_out_is_not_taken_alone() {
    let second = ("errors", "- 1 and more\n- two\n- 3");
    let shown = refused("- 1\n- two\n- 3", second, ["n", "y", "y"]);
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("operation 2 depends on an earlier part"), "{shown}");
}

#[test]
fn what_was_taken_is_checked_as_a_whole() {
    // The fence is opened and never closed.
    let fenced = "```\n- one\n- two\n- three\n```";
    let shown = refused(fenced, ("names", "They are short."), ["y", "n", "n"]);
    assert!(shown.contains("leave a code fence"), "{shown}");
}

#[test]
fn an_operation_whose_section_is_gone_leaves_the_others_to_be_taken() {
    let sandbox = three_operations();
    let gone = "## Errors\n<!-- @id: errors -->\n<!-- @source: user ada - inferred 2026-11-20 -->\n\n- one\n- two\n- three\n\n";
    sandbox.write("conventions.md", THEN.replace(gone, ""));
    let mut terminal = Terminal::run(&sandbox, "review", 80, &[]);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 2 of 3? [y,n,q] ", "y");
    terminal.answer("Include operation 3 of 3? [y,n,q] ", "y");
    terminal.answer("Include operation 1 of 3? [y,n,q] ", "n");
    terminal.answer(ASK, "a");
    terminal.answer("Why are the others rejected? ", "gone\r");
    terminal.end();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("They are short.") && text.contains(TELLING), "{text}");
}

#[test]
fn a_file_with_a_secret_is_taken_whole_and_stays_as_it_is() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let sandbox = Sandbox::given(&[("conventions.md", THEN)]);
    let mut request = two_files();
    request["operations"][1]["content"] = json!("- 1\n- two\n- 3");
    sandbox.propose(request).staged();
    sandbox.run(&["apply", "--latest", "--approver", "Ada"]).expect_code(0);
    sandbox.write("modules/auth.md", sandbox.file("modules/auth.md") + &token + "\n");
    let operation = |module: &str, content: &str| {
        json!({
            "operation": "replace_section_content", "path": format!("modules/{module}.md"),
            "section_id": "tokens", "content": content,
        })
    };
    let mut request = two_files();
    request["operations"] =
        json!([operation("auth", "- a\n- b"), operation("net", "- one\n- two\n- three")]);
    request["rationale"] = json!("Other words");
    sandbox.propose(request).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 80, &[]);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 1 of 2? [y,n,q] ", "n");
    terminal.answer("Include operation 2 of 2? [y,n,p,q] ", "p");
    terminal.answer("Include part 1 of 2? [y,n,q] ", "y");
    terminal.answer("Include part 2 of 2? [y,n,q] ", "n");
    terminal.answer(ASK, "a");
    terminal.answer("Why are the others rejected? ", "no\r");
    assert!(terminal.end().0.contains("1 applied"));
    assert!(sandbox.file("modules/auth.md").contains(&token));
    assert!(sandbox.file("modules/net.md").contains("- one\n- two\n- 3\n"));
}
