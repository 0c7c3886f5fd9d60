//! `review` of a text that is taller than the screen: nothing but a question takes a key, and nothing lands unseen.

use serde_json::Value;

use crate::requests::{TELLING, convention, new_body};
use crate::support::{Sandbox, Terminal};

/// What stands at the end of the question.
const ASK: &str = "?] ";

/// A section of 80 lines, in a window of 50.
fn tall() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.propose(rules()).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox
}

fn rules() -> Value {
    let rules: Vec<String> = (1..=80).map(|number| format!("- Rule {number} of all.")).collect();
    convention("Rules", &rules.join("\n"))
}

/// A pager that tells what it was given, and waits for Enter.
fn at_review(sandbox: &Sandbox) -> (Terminal, String) {
    let seen = sandbox.root().join("seen").display().to_string();
    let pager = format!("env > {seen}.env; cat > {seen}; echo PAGER; read line < /dev/tty");
    (Terminal::run(sandbox, "review", 80, &[("AGENT_MEMORY_PAGER", &pager)]), seen)
}

#[test]
fn what_is_not_on_the_screen_is_said_and_no_pager_opens_unasked() {
    let sandbox = tall();
    let (mut terminal, seen) = at_review(&sandbox);
    let shown = terminal.answer(ASK, "s");
    assert!(shown.contains("more lines: d shows all of it"), "{shown}");
    assert!(shown.contains("Rule 20 ") && !shown.contains("Rule 80 "), "{shown}");
    assert!(shown.lines().count() < 50, "{shown}");
    assert!(terminal.answer(ASK, "q").contains("it has only one part"));
    terminal.end();
    assert!(!std::path::Path::new(&seen).exists());
}

#[test]
fn d_shows_all_of_it_in_a_pager_that_can_neither_write_nor_run_anything() {
    let sandbox = tall();
    let (mut terminal, seen) = at_review(&sandbox);
    terminal.answer(ASK, "d");
    terminal.answer("PAGER", "\r");
    terminal.answer(ASK, "a");
    assert!(terminal.end().0.contains("1 applied"));
    assert!(std::fs::read_to_string(&seen).unwrap().contains("Rule 80 of all."));
    let variables = std::fs::read_to_string(seen + ".env").unwrap();
    assert!(variables.lines().any(|line| line == "LESSSECURE=1"), "{variables}");
    assert!(variables.lines().any(|line| line == "LESS=FRX"), "{variables}");
}

#[test]
fn what_nobody_has_seen_lands_only_with_a_key_of_its_own() {
    let unseen = "[l,d,n] ";
    let sandbox = tall();
    let before = sandbox.tree();
    let (mut terminal, _) = at_review(&sandbox);
    terminal.answer(ASK, "a");
    assert!(terminal.answer(unseen, "a").contains("lines not on the screen"));
    terminal.answer(ASK, "q");
    terminal.end();
    assert!(sandbox.tree() == before);

    let (mut terminal, _) = at_review(&sandbox);
    terminal.answer(ASK, "a");
    terminal.answer(unseen, "l");
    assert!(terminal.end().0.contains("1 applied"));
}

#[test]
fn all_the_rest_is_seen_before_it_lands_as_well() {
    let sandbox = tall();
    sandbox.propose(convention("Logs", TELLING)).staged();
    let (mut terminal, seen) = at_review(&sandbox);
    terminal.answer(ASK, "A");
    terminal.answer("[f,i,n] ", "f");
    terminal.answer("Apply these 2 proposals? [y,n,d] ", "d");
    terminal.answer("PAGER", "\r");
    terminal.answer("Apply these 2 proposals? [y,n] ", "y");
    assert!(terminal.end().0.contains("2 applied"));
    assert!(std::fs::read_to_string(seen).unwrap().contains(&TELLING[2..]));
}

#[test]
fn a_tall_part_is_shown_with_d_too() {
    let sandbox = Sandbox::given(&[(
        "conventions.md",
        "# Conventions\n\n## Names\n<!-- @id: names -->\n\nThey are long.\n",
    )]);
    let mut request = rules();
    let other = new_body("names", "They are short.")["operations"][0].clone();
    request["operations"].as_array_mut().unwrap().push(other);
    sandbox.propose(request).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let (mut terminal, _) = at_review(&sandbox);
    terminal.answer(ASK, "s");
    terminal.answer("Include operation 1 of 2? [y,n,d,q] ", "d");
    terminal.answer("PAGER", "\r");
    terminal.answer("Include operation 1 of 2? [y,n,q] ", "q");
    terminal.answer(ASK, "q");
    terminal.end();
}

#[test]
fn ctrl_c_in_the_pager_leaves_the_review_in_front() {
    let sandbox = tall();
    let (mut terminal, _) = at_review(&sandbox);
    terminal.answer(ASK, "d");
    terminal.answer("PAGER", "\x03");
    terminal.answer(ASK, "q");
    // Not the end: the shell around it has taken the key to heart.
    terminal.wait_for("0 applied, 0 rejected, 1 proposal left");
}
