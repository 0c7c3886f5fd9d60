//! What a person types: paths, times and numbers mean the same to every command.

use crate::requests::{TELLING, convention, two_files, with_conventions};
use crate::support::Sandbox;

const FROM_SRC: &str = "../.agent-memory/conventions.md";

#[test]
fn a_path_is_read_from_where_one_stands_and_from_the_store() {
    let sandbox = with_conventions();
    sandbox.apply(&sandbox.propose(convention("Logs", TELLING)).staged()).applied();
    let said = |arguments: &[&str], folder: &str| {
        let reply = sandbox.call(arguments).within(folder).run();
        (reply.code, reply.stdout + &reply.stderr)
    };
    let (errors, logs) = (format!("{FROM_SRC}#errors"), format!("{FROM_SRC}#logs"));
    for (arguments, plain) in [
        (["show", FROM_SRC], "conventions.md"),
        (["show", errors.as_str()], "conventions.md#errors"),
        (["blame", errors.as_str()], "conventions.md#errors"),
        (["fmt-ids", FROM_SRC], "conventions.md"),
        (["check", FROM_SRC], "conventions.md"),
        (["resolve", FROM_SRC], "conventions.md"),
    ] {
        let expected = said(&[arguments[0], plain], ".");
        assert_eq!(said(&arguments, "src"), expected, "{arguments:?}");
        assert_eq!(said(&[arguments[0], plain], "src"), expected, "{arguments:?}");
    }
    for (option, path) in [("--file", FROM_SRC), ("--section", logs.as_str())] {
        let (_, log) = said(&["log", option, path], "src");
        assert!(log.contains("conventions.md#logs"), "{option}: {log}");
    }
}

#[test]
fn a_folder_of_the_store_hides_no_file_above_it() {
    let sandbox = with_conventions();
    sandbox.write("modules/auth.md", "# A\n\n## Login\n<!-- @id: login -->\n\nx\n");
    for path in ["auth.md", "modules/auth.md", "conventions.md"] {
        sandbox.call(&["show", path]).within(".agent-memory/modules").run().expect_code(0);
    }
}

#[test]
fn a_slip_in_a_path_is_refused_as_a_path_of_the_store() {
    let sandbox = with_conventions();
    let call = sandbox.call(&["blame", "../.agent-memory/convention.md"]);
    let reply = call.within("src").run().expect_code(1);
    assert!(reply.stderr.contains("there is no `convention.md`"), "{}", reply.stderr);
}

#[test]
fn no_decision_at_all_is_not_asked_for() {
    let sandbox = Sandbox::new();
    for command in [&["log"][..], &["search", "word"]] {
        let reply = sandbox.run(&[command, &["-n", "0"]].concat()).expect_code(2);
        assert!(reply.stderr.contains("allowed are whole numbers from 1 on"), "{}", reply.stderr);
    }
}

#[test]
fn operations_are_chosen_by_number_and_by_range() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two_files()).staged();
    let apply =
        |numbers: &str| sandbox.run(&["apply", &id, "--only", numbers, "--approver", "Ada"]);
    for wrong in ["0", "2-1", "one"] {
        let reply = apply(wrong).expect_code(2);
        assert!(reply.stderr.contains("e.g. `1,3` or `2-4`"), "{}", reply.stderr);
    }
    assert!(
        apply("1-3")
            .expect_code(1)
            .stderr
            .contains("the proposal has 2 operations and no operation 3")
    );
    apply("1-2").expect_code(0);
    assert!(sandbox.has("modules/auth.md") && sandbox.has("modules/net.md"));
}

#[test]
fn a_refusal_names_the_proposal_only_where_it_could_be_another() {
    let sandbox = Sandbox::new();
    for verb in ["apply", "reject", "undo"] {
        let said = |ids: &[&str]| {
            let arguments = [&[verb], ids, &["--approver", "Ada"]].concat();
            sandbox.run(&arguments).expect_code(1).stderr
        };
        assert!(said(&["one"]).starts_with("refused: "), "{verb}");
        let both = said(&["one", "two"]);
        assert!(both.starts_with("one\nrefused: ") && both.contains("\ntwo\nrefused: "), "{both}");
    }
}
