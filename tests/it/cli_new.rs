//! `new` and `edit`: a person writes in the editor, and it is applied in their name.

use serde_json::{Value, json};

use crate::requests::with_founded_conventions;
use crate::support::{Reply, Sandbox, Terminal, replace_placeholders};

/// Runs a command with an editor that is a command of the shell, in the name of Ada.
fn written(sandbox: &Sandbox, arguments: &[&str], editor: &str) -> Reply {
    let tmp = sandbox.root().join("tmp").display().to_string();
    let arguments = [arguments, &["--approver", "Ada"]].concat();
    sandbox.call(&arguments).env("GIT_EDITOR", editor).env("TMPDIR", &tmp).run()
}

fn last_decision(sandbox: &Sandbox) -> Value {
    sandbox.run(&["log", "--json"]).expect_code(0).json()["decisions"][0].clone()
}

/// Returns what was kept of a text that was not taken.
fn kept(reply: &Reply) -> String {
    let (_, path) = reply.stderr.split_once("what you wrote is kept in ").expect(&reply.stderr);
    std::fs::read_to_string(path.lines().next().unwrap()).unwrap()
}

#[test]
fn a_decision_is_written_with_its_fields_and_no_word_of_the_template() {
    let sandbox = Sandbox::new();
    let reply =
        written(&sandbox, &["new", "decision", "Token rotation"], "printf 'We rotate.\\n' >>");
    let told = reply.expect_code(0).stdout;
    assert!(
        told.starts_with("applied: added decisions/token-rotation.md#token-rotation\n"),
        "{told}"
    );
    insta::assert_snapshot!(sandbox.file("decisions/token-rotation.md"), @r"
    # Token rotation
    <!-- @id: token-rotation -->
    <!-- @source: user Ada - user-provided 2026-11-20 -->

    - **Date:** 2026-11-20
    - **Status:** active

    We rotate.
    ");
    let decision = last_decision(&sandbox);
    assert_eq!((&decision["decision"], &decision["approver"]), (&json!("applied"), &json!("Ada")));
    let blamed = sandbox.run(&["blame", "decisions/token-rotation.md", "--json"]).expect_code(0);
    assert_eq!(blamed.json()["sections"][0]["approver"], "Ada");
    written(&sandbox, &["undo", "--latest"], "false").expect_code(0);
    assert!(!sandbox.has("decisions/token-rotation.md"));
}

#[test]
fn the_editor_shows_each_field_and_what_it_allows() {
    let sandbox = Sandbox::new();
    let copy = sandbox.root().join("seen");
    let editor = format!("sh -c 'cp \"$1\" {}' -", copy.display());
    let reply = written(&sandbox, &["new", "decision"], &editor).expect_code(1);
    assert!(reply.stderr.contains("cancelled"), "{}", reply.stderr);
    let seen = std::fs::read_to_string(copy).unwrap();
    for line in [
        "<!-- agent-memory: a new decision: ",
        "- **Date:** 2026-11-20 <!-- required: a day such as 2026-11-20 -->",
        "- **Status:** active <!-- required: proposed, active, superseded, deprecated -->",
        "- **Supersedes:**  <!-- optional: ",
    ] {
        assert!(seen.contains(line), "{line}: {seen}");
    }
}

#[test]
fn each_kind_goes_where_it_belongs() {
    for (kind, file, id) in [
        ("pitfall", "pitfalls/clock-skew.md", "clock-skew"),
        ("convention", "conventions.md", "clock-skew"),
        ("module", "modules/clock-skew.md", "clock-skew"),
        ("note", "sessions/2026-11-20.md", "clock-skew"),
    ] {
        let sandbox = Sandbox::new();
        let cited = ["new", kind, "Clock skew", "--source", "src/auth/refresh.rs:1-2"];
        let reply = written(&sandbox, &cited, "printf 'Ten seconds.\\n' >>").expect_code(0);
        assert!(reply.stdout.contains(&format!("{file}#{id}")), "{kind}: {}", reply.stdout);
        let text = sandbox.file(file);
        assert!(text.contains("Ten seconds.") && !text.contains("agent-memory:"), "{text}");
        assert!(text.contains("<!-- @source: file src/auth/refresh.rs:1-2 "), "{text}");
        assert!(sandbox.run(&["check", "--deny", "schema"]).code == 0, "{kind}");
    }
}

#[test]
fn what_is_wrong_comes_back_into_the_editor_as_often_as_needed() {
    let sandbox = Sandbox::new();
    // First a wrong word, then the same again beside other text, then the right one.
    let script = sandbox.root().join("editor");
    let seen = sandbox.root().join("seen");
    let text = format!(
        "cat \"$1\" >> {seen}; echo === >> {seen}\nif grep -q done \"$1\"; then sed -i 's/done/active/; s/sooon/soon/' \"$1\"\nelse sed -i 's/:\\*\\* active/:** done/' \"$1\"; echo sooon >> \"$1\"; fi\n",
        seen = seen.display()
    );
    std::fs::write(&script, text).unwrap();
    let editor = format!("sh {}", script.display());
    written(&sandbox, &["new", "decision", "Retries"], &editor).expect_code(0);
    let seen = std::fs::read_to_string(seen).unwrap();
    let second = seen.split("===").nth(1).unwrap();
    assert!(
        second.contains("<!-- agent-memory: ") && second.contains("[validation_failed]"),
        "{second}"
    );
    assert!(second.contains("proposed") && second.contains("sooon"), "{second}");
    assert_eq!(second.matches("<!-- agent-memory:").count(), 1, "{second}");
    let text = sandbox.file("decisions/retries.md");
    assert!(
        text.contains("active") && text.contains("soon") && !text.contains("validation"),
        "{text}"
    );
}

#[test]
fn a_text_that_is_not_taken_is_kept() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let editor = "sed -i 's/:\\*\\* active/:** done/'";
    let reply = written(&sandbox, &["new", "decision", "Retries"], editor).expect_code(1);
    assert!(reply.stderr.contains("validation_failed"), "{}", reply.stderr);
    let text = kept(&reply);
    assert!(text.starts_with("# Retries\n") && text.contains("**Status:** done"), "{text}");
    assert_eq!(
        sandbox.tree().keys().filter(|it| it.ends_with(".md")).count(),
        before.keys().filter(|it| it.ends_with(".md")).count()
    );
    let held = sandbox.hold_lock();
    let arguments = ["--wait", "0", "new", "decision", "Retries"];
    let reply = written(&sandbox, &arguments, "printf 'Why.\\n' >>").expect_code(2);
    assert!(kept(&reply).contains("Why."));
    drop(held);
}

#[test]
fn an_empty_or_unchanged_text_cancels() {
    let sandbox = with_founded_conventions();
    let before = sandbox.tree();
    for editor in ["true", "truncate -s 0"] {
        for command in [&["new", "pitfall", "X"][..], &["edit", "errors"]] {
            let reply = written(&sandbox, command, editor).expect_code(1);
            assert!(reply.stderr.contains("cancelled"), "{}", reply.stderr);
        }
    }
    assert_eq!(sandbox.file("conventions.md").as_bytes(), before["conventions.md"]);
    let failed = written(&sandbox, &["edit", "errors"], "false").expect_code(2);
    assert!(failed.stderr.contains("did not end well"), "{}", failed.stderr);
}

#[test]
fn a_section_is_edited_without_its_comments_and_keeps_them() {
    let sandbox = with_founded_conventions();
    let seen = sandbox.root().join("seen");
    let editor = format!("sh -c 'cp \"$1\" {}; sed -i s/path/file/ \"$1\"' -", seen.display());
    let before = sandbox.file("conventions.md");
    written(&sandbox, &["edit", "conventions.md#errors"], &editor).expect_code(0);
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(
        seen.contains("it rests on ada") && seen.ends_with("## Errors\n\nThey name a path.\n"),
        "{seen}"
    );
    assert_eq!(sandbox.file("conventions.md"), before.replace("a path", "a file"));
    assert_eq!(last_decision(&sandbox)["approver"], "Ada");
}

#[test]
fn what_changed_while_the_editor_was_open_is_not_overwritten() {
    let sandbox = with_founded_conventions();
    let file = sandbox.store().join("conventions.md");
    let editor =
        format!("sh -c 'sed -i s/name/NAME/ {}; sed -i s/path/file/ \"$1\"' -", file.display());
    let reply = written(&sandbox, &["edit", "errors"], &editor).expect_code(1);
    assert!(reply.stderr.contains("target_drift"), "{}", reply.stderr);
    assert!(kept(&reply).contains("They name a file."));
    assert!(sandbox.file("conventions.md").contains("They NAME a path."));
}

#[test]
fn an_agent_may_only_stage_and_speaks_for_no_person() {
    let mut sandbox = Sandbox::new();
    sandbox.write_user_config("");
    sandbox.set_env("CLAUDECODE", "1");
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox.set_env("GIT_EDITOR", "printf 'Why.\\n' >>");
    let refused = sandbox.run(&["new", "pitfall", "X"]).expect_code(1).stderr;
    assert!(refused.contains("approval_refused") && refused.contains("--stage"), "{refused}");
    let id = sandbox.run(&["new", "pitfall", "X", "--stage", "--json"]).answer().staged();
    let shown = sandbox.run(&["show", &id, "--json"]).expect_code(0).json();
    assert_eq!(shown["sources"], json!([]));
    assert!(!sandbox.has("pitfalls/x.md"));
}

#[test]
fn at_a_terminal_it_is_the_person_that_git_knows() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "user.name", "Grace"]);
    let variables = [("GIT_EDITOR", "printf 'We rotate.\\n' >>")];
    let (shown, code) =
        Terminal::run(&sandbox, "new decision 'Token rotation'", 100, &variables).end();
    assert!(shown.contains("applied: added") && code == 0, "{shown}");
    assert!(sandbox.file("decisions/token-rotation.md").contains("user Grace - user-provided"));
}

/// Counts how many times an editor ran that writes the same wrong text, or another one each time.
fn rounds(sandbox: &Sandbox, line: &str) -> (String, std::path::PathBuf) {
    let (script, seen) = (sandbox.root().join("editor"), sandbox.root().join("seen"));
    let text = format!(
        "echo x >> {seen}\ncount=$(wc -l < {seen})\nprintf '# Retries\\n\\n- **Date:** 2026-11-20\\n- **Status:** %s\\n' \"{line}\" > \"$1\"\n",
        seen = seen.display()
    );
    std::fs::write(&script, text).unwrap();
    (format!("sh {}", script.display()), seen)
}

fn count(seen: &std::path::Path) -> usize {
    std::fs::read_to_string(seen).unwrap().lines().count()
}

#[test]
fn an_editor_that_gives_the_same_text_back_is_not_opened_for_ever() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "user.name", "Grace"]);
    let (editor, seen) = rounds(&sandbox, "done");
    let variables = [("GIT_EDITOR", editor.as_str())];
    let (shown, code) = Terminal::run(&sandbox, "new decision Retries", 100, &variables).end();
    assert!(code == 1 && shown.contains("what you wrote is kept in "), "{shown}");
    assert_eq!(count(&seen), 2);
}

#[test]
fn after_three_rounds_the_person_is_asked() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "user.name", "Grace"]);
    let (editor, seen) = rounds(&sandbox, "done$count");
    let variables = [("GIT_EDITOR", editor.as_str())];
    let mut terminal = Terminal::run(&sandbox, "new decision Retries", 200, &variables);
    terminal.answer("Edit again? [y,n] ", "y");
    terminal.answer("Edit again? [y,n] ", "n");
    let (shown, code) = terminal.end();
    assert!(code == 1 && shown.contains("what you wrote is kept in "), "{shown}");
    assert_eq!(count(&seen), 4);
    std::fs::remove_file(&seen).unwrap();
    written(&sandbox, &["new", "decision", "Retries"], &editor).expect_code(1);
    assert_eq!(count(&seen), 3, "no person can be asked");
}

#[test]
fn a_text_with_a_secret_is_kept_with_the_command_that_removes_it() {
    let sandbox = Sandbox::new();
    let secret = replace_placeholders("{{GITHUB_TOKEN}}");
    let editor = format!("sh -c 'grep -q {secret} \"$1\" || echo {secret} >> \"$1\"' -");
    let reply = written(&sandbox, &["new", "decision", "Retries"], &editor).expect_code(1);
    assert!(kept(&reply).contains(&secret), "no word of the person is lost");
    let (_, remove) = reply.stderr.split_once("then `rm '").expect(&reply.stderr);
    let path = remove.split('\'').next().unwrap();
    assert!(std::fs::read_to_string(path).unwrap().contains(&secret));
    assert!(!reply.stderr.contains(&secret), "{}", reply.stderr);
}

#[test]
fn a_refused_text_is_kept_where_the_editor_fails_the_second_time() {
    let sandbox = Sandbox::new();
    let editor =
        "sh -c 'grep -q done \"$1\" && exit 1; sed -i \"s/:\\*\\* active/:** done/\" \"$1\"' -";
    let reply = written(&sandbox, &["new", "decision", "Retries"], editor).expect_code(2);
    assert!(kept(&reply).contains("**Status:** done"), "{}", reply.stderr);
}

#[test]
fn a_text_with_a_secret_names_its_rm_line_where_the_editor_fails_too() {
    let sandbox = Sandbox::new();
    let secret = replace_placeholders("{{GITHUB_TOKEN}}");
    let editor = format!("sh -c 'grep -q {secret} \"$1\" && exit 1; echo {secret} >> \"$1\"' -");
    let reply = written(&sandbox, &["new", "decision", "Retries"], &editor).expect_code(2);
    assert!(kept(&reply).contains(&secret), "no word of the person is lost");
    assert!(reply.stderr.contains("then `rm '"), "{}", reply.stderr);
    assert!(!reply.stderr.contains(&secret), "{}", reply.stderr);
}
