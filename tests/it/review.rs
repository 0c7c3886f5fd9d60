//! `review`: one proposal after another, and nothing lands that was not shown.

use serde_json::json;

use crate::requests::{TELLING, convention, new_body, session, two_files, with_conventions};
use crate::support::{Sandbox, Terminal};

/// What stands at the end of the question.
pub(crate) const ASK: &str = "?] ";

pub(crate) fn at_review(sandbox: &Sandbox) -> Terminal {
    sandbox.git(&["config", "user.name", "Grace"]);
    Terminal::run(sandbox, "review", 100, &[])
}

fn decisions(sandbox: &Sandbox) -> serde_json::Value {
    sandbox.run(&["log", "--json"]).expect_code(0).json()["decisions"].clone()
}

fn waiting(sandbox: &Sandbox) -> usize {
    sandbox.run(&["status", "--json"]).expect_code(0).json()["pending"].as_array().unwrap().len()
}

/// Two conventions, and a decision about another file between them.
fn three() -> Sandbox {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.propose(two_files()).staged();
    sandbox.propose(convention("Logs", TELLING)).staged();
    sandbox
}

#[test]
fn a_applies_what_was_shown_in_the_name_of_git() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let mut terminal = at_review(&sandbox);
    let shown = terminal.answer(ASK, "a");
    for text in [
        "[1/1] update_conventions",
        "Conventions > Errors",
        "- They name a path.",
        "+ They name a path and a line.",
        "from user ada",
    ] {
        assert!(shown.contains(text), "{text} in {shown}");
    }
    let (shown, code) = terminal.end();
    assert!(shown.contains("1 applied, 0 rejected, 0 proposals left"), "{shown}");
    assert_eq!(code, 0);
    assert!(sandbox.file("conventions.md").contains("a path and a line"));
    assert_eq!(decisions(&sandbox)[0]["approver"], "Grace");
}

#[test]
fn proposals_come_file_by_file() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    assert!(terminal.answer(ASK, "k").contains("[1/3] update_conventions"));
    assert!(terminal.answer(ASK, "k").contains("[2/3] update_conventions"));
    assert!(terminal.answer(ASK, "k").contains("[3/3] refresh_module"));
    assert!(terminal.end().0.contains("0 applied, 0 rejected, 3 proposals left"));
}

#[test]
fn enter_and_what_was_typed_before_accept_nothing() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    // Typed before the question stands there.
    terminal.press("aaaa");
    terminal.answer(ASK, "\r");
    assert!(terminal.answer(ASK, "\x1b[A").contains("[1/3]"), "it is shown again");
    assert!(terminal.answer(ASK, "q").contains("press one of the listed keys"));
    assert_eq!(terminal.end().1, 0);
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn ctrl_c_leaves_a_whole_state_at_every_question() {
    let which = "[f,i,n] ";
    for steps in [
        vec![],
        vec![("r", "Why? ")],
        vec![("A", which)],
        vec![("A", which), ("f", "[y,n] ")],
        vec![("R", which)],
        vec![("R", which), ("f", "rejected? ")],
        vec![("s", "[y,n,q] ")],
    ] {
        let sandbox = three();
        let before = sandbox.tree();
        let mut terminal = at_review(&sandbox);
        terminal.answer(ASK, "");
        for (key, question) in &steps {
            terminal.press(key);
            terminal.answer(question, "");
        }
        terminal.press("\x03");
        // The first leaves the question, the second the review.
        if !steps.is_empty() {
            terminal.answer(ASK, "\x03");
        }
        assert_eq!(terminal.end().1, 130, "{steps:?}");
        assert!(sandbox.tree() == before, "{steps:?}");
    }
}

#[test]
fn r_asks_for_a_reason_and_u_takes_the_decision_back() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "r");
    terminal.answer("Why? ", "too vaX\x7fgue\r");
    assert!(terminal.answer(ASK, "u").contains("[2/3]"));
    assert!(terminal.answer(ASK, "q").contains("[1/3]"));
    terminal.end();
    let log = decisions(&sandbox);
    assert_eq!(
        (&log[0]["decision"], &log[1]["decision"]),
        (&json!("restored"), &json!("rejected"))
    );
    assert_eq!(log[1]["reason"], "too vague");
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn an_applied_change_is_taken_back_to_the_byte_and_waits_again() {
    let sandbox = three();
    let before = sandbox.file("conventions.md");
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "a");
    terminal.answer(ASK, "u");
    assert!(terminal.answer(ASK, "q").contains("[1/3]"));
    terminal.end();
    assert_eq!(sandbox.file("conventions.md"), before);
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn s_takes_single_operations_and_the_others_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.propose(two_files()).staged();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "s");
    assert!(terminal.answer("Include operation 1 of 2? [y,n,q] ", "n").contains("modules/auth.md"));
    terminal.answer("Include operation 2 of 2? [y,n,q] ", "y");
    let shown = terminal.answer(ASK, "a");
    assert!(
        shown.contains("(left out)") && !shown.contains("meant for modules/auth.md"),
        "{shown}"
    );
    terminal.answer("Why are the others rejected? ", "auth moves\r");
    terminal.end();
    assert!(sandbox.has("modules/net.md") && !sandbox.has("modules/auth.md"));
    assert_eq!(decisions(&sandbox)[0]["operations"], json!([1]));
    // What was left out does not come back, what was taken may be built upon.
    let mut again = two_files();
    again["operations"].as_array_mut().unwrap().truncate(1);
    let refused = sandbox.propose(again);
    assert_eq!(refused["reason"], "previously_rejected", "{}", refused.value);
    assert!(refused["message"].as_str().unwrap().contains("auth moves"));
}

#[test]
fn s_takes_single_pieces_of_one_operation() {
    let sandbox = Sandbox::given(&[(
        "conventions.md",
        "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- one\n- two\n- three\n- four\n",
    )]);
    sandbox.propose(new_body("errors", "- ONE\n- two\n- three\n- FOUR")).staged();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "s");
    // The first piece is the source that the section cites.
    terminal.answer("Include part 1 of 3? [y,n,q] ", "y");
    terminal.answer("Include part 2 of 3? [y,n,q] ", "n");
    terminal.answer("Include part 3 of 3? [y,n,q] ", "y");
    let shown = terminal.answer(ASK, "a");
    assert!(shown.contains("in your words") && !shown.contains("+ - ONE"), "{shown}");
    terminal.end();
    assert!(sandbox.file("conventions.md").ends_with("- one\n- two\n- three\n- FOUR\n"));
    assert_eq!(decisions(&sandbox)[0]["amended"], true);
    let blamed = sandbox.run(&["blame", "conventions.md#errors"]).expect_code(0).stdout;
    assert!(blamed.contains("the approver changed a part of it"), "{blamed}");
}

#[test]
fn e_lands_what_the_person_wrote_after_every_check() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let script = "sed -i 's/a path and a line/a path, a line, a column/'";
    let mut terminal = Terminal::run(&sandbox, "review", 100, &[("EDITOR", script)]);
    terminal.answer(ASK, "e");
    assert!(terminal.answer(ASK, "a").contains("+ They name a path, a line, a column."));
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("They name a path, a line, a column.\n"));
}

#[test]
fn a_text_that_was_emptied_is_no_edit() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let before = sandbox.tree();
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 100, &[("EDITOR", "truncate -s 0")]);
    terminal.answer(ASK, "e");
    assert!(terminal.answer(ASK, "q").contains("the edited text is empty"));
    terminal.end();
    assert!(sandbox.tree() == before);
}

#[test]
fn an_edit_that_may_not_land_is_refused_and_asked_again() {
    let secret = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    for (script, code) in [
        (format!("sed -i 's/a line/{secret}/'"), "secret_detected"),
        ("sed -i 's/@id: names/@id: errors/'".to_owned(), "duplicate_section_id"),
        ("printf '\\342\\200\\256' >>".to_owned(), "hidden_characters"),
        ("sed -i '1s/$/\\n\\n```/'".to_owned(), "invalid_markdown"),
    ] {
        let sandbox = with_conventions();
        sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
        let before = sandbox.tree();
        sandbox.git(&["config", "user.name", "Grace"]);
        let mut terminal = Terminal::run(&sandbox, "review", 100, &[("VISUAL", &script)]);
        terminal.answer(ASK, "e");
        let shown = terminal.answer(ASK, "q");
        assert!(shown.contains(code) && !shown.contains(&secret), "{shown}");
        terminal.answer("Drop it? [y,n] ", "y");
        terminal.end();
        assert!(sandbox.tree() == before);
    }
}

#[test]
fn t_w_and_help_change_nothing() {
    let sandbox = with_conventions();
    let mut request = new_body("errors", "They name a path and a line.");
    request["sources"] = json!([{ "type": "file", "ref": "src/auth/refresh.rs:2-3" }]);
    sandbox.propose(request).staged();
    sandbox.write_project("src/auth/refresh.rs", "one\ntwo\n\u{1b}[31mthree\n");
    let before = sandbox.tree();
    let mut terminal = at_review(&sandbox);
    assert!(terminal.answer(ASK, "t").contains("src/auth/refresh.rs:2-3 (stale)"));
    assert!(terminal.answer(ASK, "w").contains("They are long."));
    let cited = terminal.answer(ASK, "?");
    assert!(cited.contains("    2 two\n    3 <U+001B>[31mthree"), "{cited}");
    assert!(terminal.answer(ASK, "q").contains("apply all with these files or this intent"));
    terminal.end();
    assert!(sandbox.tree() == before);
}

#[test]
fn capital_letters_decide_about_a_whole_file() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "A");
    terminal.answer("[f,i,n] ", "f");
    assert!(terminal.answer("Apply these 2 proposals? [y,n] ", "y").contains(&TELLING[2..]));
    terminal.answer(ASK, "R");
    terminal.answer("[f,i,n] ", "i");
    terminal.answer("rejected? ", "not now\r");
    let (shown, _) = terminal.end();
    assert!(shown.contains("2 applied, 1 rejected, 0 proposals left"), "{shown}");
    let text = sandbox.file("conventions.md");
    assert!(text.contains("a path and a line") && text.contains(TELLING));
}

#[test]
fn u_takes_one_decision_about_many_back_as_a_whole() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "R");
    terminal.answer("[f,i,n] ", "f");
    terminal.answer("rejected? ", "not now\r");
    let shown = terminal.answer(ASK, "u");
    assert!(shown.contains("[3/3]"), "{shown}");
    let shown = terminal.answer(ASK, "q");
    assert_eq!(shown.matches("is pending again").count(), 2, "{shown}");
    terminal.end();
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn what_changed_meanwhile_is_shown_before_it_lands() {
    let sandbox = with_conventions();
    sandbox.propose(crate::drift::add("errors", "- one\n- two")).staged();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "");
    let by_hand = sandbox.file("conventions.md").replace("a path.", "a path.\n\n- one");
    sandbox.write("conventions.md", by_hand);
    terminal.press("a");
    let shown = terminal.answer(ASK, "a");
    let said = "the files changed; this would be applied now";
    assert!(shown.contains(said) && shown.contains("skipped a bullet"), "{shown}");
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("a path.\n\n- one\n- two\n"));
}

#[test]
fn f_lands_what_drifted_after_it_was_shown() {
    let sandbox = with_conventions();
    sandbox.propose(new_body("errors", "They name a path and a line.")).staged();
    let text = sandbox.file("conventions.md").replace("They name a path.", "By hand.");
    sandbox.write("conventions.md", text);
    let mut terminal = at_review(&sandbox);
    assert!(terminal.answer(ASK, "a").contains("stop target_drift"));
    let shown = terminal.answer(ASK, "f");
    assert!(shown.contains("refused:"), "{shown}");
    terminal.end();
    assert!(sandbox.file("conventions.md").contains("a path and a line"));
}

#[test]
fn a_key_that_the_question_does_not_name_applies_nothing() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    for key in ["f", "b", "x"] {
        assert!(!terminal.answer("[a,r,s,e,d,t,w,A,R,u,k,q,Enter,?] ", key).contains("applied"));
    }
    assert!(terminal.answer(ASK, "q").contains("press one of the listed keys"));
    terminal.end();
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn the_question_names_the_key_that_merges_where_another_section_has_the_name() {
    let sandbox = with_conventions();
    sandbox.propose(convention("Paths", "They are relative.")).staged();
    sandbox.append("conventions.md", "\n## Paths\n<!-- @id: paths -->\n\nBy hand.\n");
    let mut terminal = at_review(&sandbox);
    terminal.answer("b merges, r rejects, k skips [b,r,s,e,d,t,w,A,R,u,k,q,Enter,?] ", "b");
    terminal.answer(ASK, "a");
    terminal.end();
    let text = sandbox.file("conventions.md");
    assert!(text.contains("By hand.\n") && text.contains("They are relative."), "{text}");
}

#[test]
fn what_somebody_else_decided_is_passed_over() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "");
    sandbox.run(&["reject", "--latest", "--approver", "Bob"]).expect_code(0);
    terminal.press("k");
    let shown = terminal.answer(ASK, "q");
    assert!(shown.contains("is no longer pending") && shown.contains("[3/3]"), "{shown}");
    terminal.end();
}

#[test]
fn no_line_is_wider_than_the_window() {
    let sandbox = with_conventions();
    let long = "予算".repeat(60) + &" and then some words of the usual kind".repeat(4);
    sandbox.propose(new_body("errors", &long)).staged();
    sandbox.git(&["config", "user.name", "Grace"]);
    let mut terminal = Terminal::run(&sandbox, "review", 40, &[]);
    let shown = terminal.answer(ASK, "q");
    let width =
        |line: &str| line.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>();
    let wide: Vec<&str> = shown.lines().filter(|line| width(line) > 40).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    assert_eq!(shown.matches("予").count(), 60);
}

#[test]
fn a_window_that_changes_its_size_changes_nothing_else() {
    let sandbox = three();
    let mut terminal = at_review(&sandbox);
    terminal.answer(ASK, "");
    let tty = std::fs::read_to_string(sandbox.root().join("tty")).unwrap();
    let resize = ["-F", tty.trim(), "rows", "20", "cols", "44"];
    assert!(std::process::Command::new("stty").args(resize).status().unwrap().success());
    terminal.press("k");
    let shown = terminal.answer("[a,r,s,e,d,t,w,A,R,u,k,q,Enter,?] ", "q");
    assert!(
        shown.contains("[2/3]") && shown.lines().all(|line| line.chars().count() <= 44),
        "{shown}"
    );
    terminal.end();
    assert_eq!(waiting(&sandbox), 3);
}

#[test]
fn an_agent_decides_nothing() {
    let sandbox = three();
    sandbox.git(&["config", "user.name", "Grace"]);
    let terminal = Terminal::run(&sandbox, "review", 100, &[("CLAUDECODE", "1")]);
    let (shown, code) = terminal.end();
    assert!(shown.contains("approval_refused") && code == 1, "{shown}");
}

#[test]
fn without_a_terminal_each_proposal_comes_with_its_commands() {
    let sandbox = three();
    let reply = sandbox.run(&["review", "--file", "conventions.md"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout);
    let json = sandbox.run(&["review", "--json"]).expect_code(0).json();
    assert_eq!(json["proposals"].as_array().unwrap().len(), 3);
    let first = &json["proposals"][0];
    let id = first["proposal"]["id"].as_str().unwrap();
    let command = first["commands"][0].as_str().unwrap().to_owned();
    assert!(command.starts_with(&format!("agent-memory apply {id} --digest ")), "{command}");
    let command = command.replace("NAME", "Ada");
    sandbox.run(&command.split(' ').skip(1).collect::<Vec<_>>()).expect_code(0);
}

#[test]
fn a_command_names_an_approver_only_where_a_name_counts() {
    let mut sandbox = three();
    let commands = |sandbox: &Sandbox| {
        let json = sandbox.run(&["review", "--json"]).expect_code(0).json();
        json["proposals"][0]["commands"].clone()
    };
    assert!(commands(&sandbox)[0].to_string().ends_with(" --approver NAME\""));
    sandbox.write_user_config("");
    assert!(!commands(&sandbox).to_string().contains("--approver"));
    // No key can be pressed, so none is named; the command that helps is.
    sandbox.advance_days(8);
    let told = sandbox.run(&["review"]).expect_code(0).stdout;
    assert!(told.contains("staging_expired") && told.contains(" --expired\n"), "{told}");
    assert!(!told.contains("f applies it"), "{told}");
}

#[test]
fn a_slip_in_a_filter_is_no_empty_queue() {
    let sandbox = three();
    let refused =
        |arguments: &[&str]| sandbox.run(&[&["review"], arguments].concat()).expect_code(2).stderr;
    assert!(refused(&["--intent", "add_pitfal"]).contains("did you mean `add_pitfall`?"));
    assert!(refused(&["--file", "convention.md"]).contains("did you mean `conventions.md`?"));
    sandbox.write("pitfalls.md", "# Pitfalls\n");
    for filter in [["--intent", "add_pitfall"], ["--file", "pitfalls.md"]] {
        let reply = sandbox.run(&[&["review"][..], &filter].concat()).expect_code(0);
        assert_eq!(reply.stderr, "nothing of it is pending; 3 proposals are pending\n");
    }
    // A file that only a proposal knows of.
    let reply = sandbox.run(&["review", "--file", "modules/auth.md"]).expect_code(0);
    assert!(reply.stdout.contains("[1/1] refresh_module"), "{}", reply.stdout);
}

#[test]
fn the_youngest_can_be_reviewed_alone() {
    let sandbox = three();
    let json = sandbox.run(&["review", "--latest", "--json"]).expect_code(0).json();
    let youngest = sandbox.run(&["show", "--latest", "--json"]).expect_code(0).json();
    assert_eq!(json["proposals"].as_array().unwrap().len(), 1);
    assert_eq!(json["proposals"][0]["proposal"]["id"], youngest["id"]);
}

#[test]
fn review_takes_ids_intents_and_times() {
    let sandbox = three();
    let ids = |arguments: &[&str]| {
        let arguments = [&["review", "--json"], arguments].concat();
        let json = sandbox.run(&arguments).expect_code(0).json();
        json["proposals"].as_array().unwrap().len()
    };
    assert_eq!(ids(&["--intent", "refresh_module"]), 1);
    assert_eq!(ids(&["--since", "2026-11-21"]), 0);
    assert_eq!(ids(&["--since", "1h"]), 3);
    assert_eq!(ids(&["tokens", "--since", "2026-11-20T11:00:00Z"]), 0);
    assert_eq!(ids(&["--since", "2w"]), 3);
    assert_eq!(ids(&["--since", "yesterday"]), 3);
    sandbox.run(&["review", "--since", "soon"]).expect_code(2);
    sandbox.run(&["review", "nothing"]).expect_code(1);
}

#[test]
fn nothing_to_review_is_said() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let reply = sandbox.run(&["review"]).expect_code(0);
    assert!(reply.stderr.contains("nothing is pending"));
}
