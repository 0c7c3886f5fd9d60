//! The end of a `review`: the last decision can be taken back, and nothing is lost or miscounted in silence.

use std::thread;
use std::time::{Duration, Instant};

use crate::requests::{TELLING, convention, new_body, with_conventions};
use crate::support::{Sandbox, Terminal};

/// What stands at the end of the question.
const ASK: &str = "?] ";

/// What stands at the end of the question whether words that were written are to be lost.
const DROP: &str = "Drop it? [y,n] ";

fn two() -> Sandbox {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.propose(convention("Logs", TELLING)).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox
}

fn at_review(sandbox: &Sandbox, editor: &str) -> Terminal {
    Terminal::run(sandbox, "review", 80, &[("EDITOR", editor)])
}

#[test]
fn the_last_decision_can_be_taken_back() {
    let sandbox = two();
    let before = sandbox.file("conventions.md");
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "k");
    terminal.answer(ASK, "a");
    assert!(terminal.answer("[u,q] ", "u").contains("u undoes the last decision"));
    assert!(terminal.answer(ASK, "k").contains("[2/2]"));
    let (shown, code) = terminal.end();
    assert!(shown.contains("0 applied, 0 rejected, 2 proposals left") && code == 0, "{shown}");
    assert!(!shown.contains("[u,q]"), "nothing is left to undo: {shown}");
    assert_eq!(sandbox.file("conventions.md"), before);
}

#[test]
fn what_was_decided_is_passed_over_without_a_word() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "a");
    terminal.answer(ASK, "r");
    terminal.answer("Why? ", "no\r");
    terminal.answer("[u,q] ", "u");
    terminal.answer(ASK, "u");
    assert!(terminal.answer(ASK, "k").contains("[1/2]"));
    assert!(!terminal.answer(ASK, "q").contains("is no longer pending"));
    terminal.end();
}

#[test]
fn what_others_decided_is_not_counted_as_left() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "");
    sandbox.run(&["reject", "--latest", "--approver", "Bob"]).expect_code(0);
    terminal.press("q");
    let (shown, _) = terminal.end();
    assert!(shown.contains("1 proposal left, 1 decided by others"), "{shown}");
}

#[test]
fn words_of_ones_own_are_dropped_only_after_a_yes() {
    for key in ["q", "k", "r", "s", "R"] {
        let sandbox = two();
        let before = sandbox.tree();
        let mut terminal = at_review(&sandbox, "sed -i 's/and a line/and a column/'");
        terminal.answer(ASK, "e");
        terminal.answer(ASK, key);
        terminal.answer(DROP, "n");
        terminal.answer(ASK, "q");
        terminal.answer(DROP, "y");
        terminal.end();
        assert!(sandbox.tree() == before, "{key}");
    }
}

#[test]
fn words_of_ones_own_are_told_of_when_what_was_proposed_waits_again() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "sed -i 's/and a line/and a column/'");
    terminal.answer(ASK, "e");
    terminal.answer(ASK, "a");
    terminal.answer(ASK, "q");
    terminal.end();
    sandbox.run(&["undo", "--latest", "--approver", "Grace"]).expect_code(0);
    let reply = sandbox.run(&["restore", "--latest", "--approver", "Grace"]).expect_code(0);
    assert!(reply.stderr.contains("in the words of a person"), "{}", reply.stderr);
}

#[test]
fn enter_shows_the_proposal_again() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "?");
    assert!(!terminal.answer(ASK, "\r").contains("[1/2]"));
    assert!(terminal.answer(ASK, "q").contains("[1/2]"));
    terminal.end();
}

#[test]
fn ctrl_c_says_that_words_were_lost() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "sed -i 's/and a line/and a column/'");
    terminal.answer(ASK, "e");
    terminal.answer(ASK, "\x03");
    let (shown, code) = terminal.end();
    assert!(shown.contains("your text was not applied") && code == 130, "{shown}");
}

#[test]
fn words_that_may_not_land_are_opened_again() {
    let sandbox = two();
    // The first words hold a mark of a conflict, the second ones do not.
    let editor = "sh -c 'grep -q MARK $0 && sed -i \"s/MARK/good/; /^<<<<<<</d\" $0 || sed -i \"s/a line/a MARK\\n\\n<<<<<<< x/\" $0'";
    let mut terminal = at_review(&sandbox, editor);
    terminal.answer(ASK, "e");
    let shown = terminal.answer(ASK, "a");
    assert!(shown.contains("refused:") && shown.contains("`e` opens your text again"), "{shown}");
    terminal.answer(DROP, "n");
    terminal.answer(ASK, "e");
    let shown = terminal.answer(ASK, "a");
    assert!(shown.contains("a good"), "{shown}");
    terminal.answer(ASK, "q");
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("a good"));
}

#[test]
fn what_changed_while_help_was_read_is_shown_before_it_lands() {
    let sandbox = two();
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "");
    let text = sandbox.file("conventions.md").replace("They name a path.", "They name it by hand.");
    sandbox.write("conventions.md", text);
    terminal.press("?");
    let shown = terminal.answer(ASK, "q");
    assert!(shown.contains("the files changed; this would be applied now"), "{shown}");
    terminal.end();
}

#[test]
fn a_proposal_of_one_part_is_not_split() {
    let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n")]);
    sandbox.propose(convention("Logs", TELLING)).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = at_review(&sandbox, "");
    terminal.answer(ASK, "s");
    let shown = terminal.answer(ASK, "q");
    assert!(shown.contains("it has only one part") && shown.contains("e edits it"), "{shown}");
    terminal.end();
}

#[test]
fn words_are_broken_at_blanks_in_a_narrow_window() {
    let sandbox = with_conventions();
    let sentence =
        "They name the path, the line, the column and whatever else a reader wants to know of it.";
    sandbox.propose(new_body("errors", sentence)).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 40, &[]);
    let shown = terminal.answer(ASK, "?");
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(sentence), "{shown}");
    let help = terminal.answer(ASK, "A");
    assert!(help.contains("  R  reject all with these files or this\n     intent\n"), "{help}");
    let question = terminal.answer("[f,i,n] ", "n");
    assert!(question.contains("i with the same\n  intent"), "{question}");
    for text in [shown, help, question] {
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
    terminal.answer(ASK, "q");
    terminal.end();
}

#[test]
fn who_is_not_told_that_the_window_was_closed_notices_it() {
    let sandbox = two();
    let (mut terminal, code) = Terminal::deaf_to_its_end(&sandbox, "review");
    terminal.wait_for(ASK);
    drop(terminal);
    let begin = Instant::now();
    let said = || std::fs::read_to_string(&code).unwrap_or_default();
    while !said().ends_with('\n') {
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "it reads on from a terminal that is gone"
        );
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(said(), "2\n");
}
