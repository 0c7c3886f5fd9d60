//! `init --from` again: a note is known by its whole original path, and nothing comes twice.

use serde_json::{Value, json};

use crate::support::Sandbox;

fn note(sandbox: &Sandbox, path: &str, word: &str) {
    sandbox.write_project(path, format!("# T\n\n## {word}\n\n{word}\n").as_bytes());
}

fn adopt(sandbox: &Sandbox, from: &str, more: &[&str]) -> Value {
    let arguments = ["init", "--from", from, "--approver", "Ada", "--json"];
    sandbox.run(&[&arguments[..], more].concat()).expect_code(0).json()
}

/// The modules with what stands in them.
fn modules(sandbox: &Sandbox) -> Vec<(String, String)> {
    let folder = std::fs::read_dir(sandbox.store().join("modules")).expect("modules");
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut modules: Vec<_> = names
        .map(|name| {
            let text = sandbox.file(&format!("modules/{name}"));
            (name, text.lines().last().unwrap_or_default().to_owned())
        })
        .collect();
    modules.sort();
    modules
}

fn check(sandbox: &Sandbox, expected: &[(&str, &str)]) {
    let expected: Vec<_> =
        expected.iter().map(|(name, word)| ((*name).to_owned(), (*word).to_owned())).collect();
    assert_eq!(modules(sandbox), expected);
}

#[test]
fn a_third_note_comes_in_and_no_other_comes_twice() {
    for names in [["要件", "設計", "あ"], ["→", "★", "☆"], ["a b", "a_b", "A.B"], ["ü", "u", "U"]]
    {
        let sandbox = Sandbox::without_store();
        note(&sandbox, &format!("notes/{}.md", names[0]), "first");
        note(&sandbox, &format!("notes/{}.md", names[1]), "second");
        adopt(&sandbox, "notes", &[]);
        let before = modules(&sandbox);
        assert_eq!(before.len(), 2, "{names:?}");
        note(&sandbox, &format!("notes/{}.md", names[2]), "third");
        let answer = adopt(&sandbox, "notes", &[]);
        assert_eq!(answer["from"]["adopted"].as_array().unwrap().len(), 1, "{names:?}");
        assert_eq!(answer["from"]["kept"], json!([]), "{names:?}");
        let after = modules(&sandbox);
        assert!(before.iter().all(|module| after.contains(module)), "{after:?}");
        let words: Vec<&str> = after.iter().map(|(_, word)| word.as_str()).collect();
        assert_eq!(words.iter().filter(|word| **word == "third").count(), 1, "{after:?}");
        assert_eq!(words.len(), 3, "{after:?}");
        let tree = sandbox.tree();
        adopt(&sandbox, "notes", &[]);
        assert!(sandbox.tree() == tree, "a third run changes nothing: {names:?}");
    }
}

#[test]
fn notes_of_two_folders_that_are_called_alike_are_two() {
    let sandbox = Sandbox::without_store();
    for (path, word) in [("a/plan.md", "first"), ("b/plan.md", "second"), ("../c/plan.md", "third")]
    {
        note(&sandbox, path, word);
    }
    for _ in 0..2 {
        for folder in ["a", "b", "../c"] {
            adopt(&sandbox, folder, &[]);
        }
        check(&sandbox, &[("plan-2.md", "second"), ("plan-3.md", "third"), ("plan.md", "first")]);
    }
}

#[test]
fn a_link_to_a_note_that_comes_later_follows_unless_a_person_wrote_there() {
    let sandbox = Sandbox::without_store();
    let text = "# T\n\n## A\n\n[x](Later_On.md#b)\n";
    sandbox.write_project("notes/a.md", text);
    sandbox.write_project("notes/b.md", text);
    adopt(&sandbox, "notes", &[]);
    sandbox.append("modules/b.md", "By hand.\n");
    sandbox.write_project("notes/Later_On.md", "# T\n\n## B\n\nlater\n");
    let answer = adopt(&sandbox, "notes", &[]);
    assert!(sandbox.file("modules/a.md").ends_with("[x](later-on.md#b)\n"));
    assert!(sandbox.file("modules/b.md").ends_with("[x](Later_On.md#b)\nBy hand.\n"));
    assert_eq!(answer["renewed"], json!(["adopted.jsonl", "modules/a.md"]));
    assert_eq!(answer["from"]["kept"], json!(["modules/b.md"]));
}

#[test]
fn a_note_is_the_same_from_a_folder_above_and_without_git() {
    for sandbox in [Sandbox::without_store(), Sandbox::without_git()] {
        note(&sandbox, "docs/notes/★.md", "first");
        note(&sandbox, "docs/→.md", "second");
        adopt(&sandbox, "docs/notes", &[]);
        adopt(&sandbox, "docs", &[]);
        check(&sandbox, &[("note-2.md", "second"), ("note.md", "first")]);
    }
}

#[test]
fn a_clone_knows_the_notes_by_the_same_paths() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "docs/notes/★.md", "first");
    note(&sandbox, "docs/notes/→.md", "second");
    adopt(&sandbox, "docs/notes", &[]);
    sandbox.append("modules/note.md", "\nBy hand.\n");
    sandbox.commit("notes");
    sandbox.git(&["clone", "--quiet", ".", "../elsewhere/deep/clone"]);
    let arguments = ["init", "--from", "notes", "--approver", "Bob", "--json"];
    let call = sandbox.call(&arguments).within("../elsewhere/deep/clone/docs");
    let answer = call.run().expect_code(0).json();
    assert_eq!((&answer["created"], &answer["renewed"]), (&json!([]), &Value::Null), "{answer}");
    assert_eq!(answer["from"]["kept"], json!(["modules/note.md"]));
}

#[test]
fn what_a_person_wrote_is_not_taken_for_a_note_of_the_same_name() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write("modules/auth.md", "# Auth\n\n## Own\n<!-- @id: own -->\n\nmine\n");
    note(&sandbox, "notes/auth.md", "other");
    for _ in 0..2 {
        adopt(&sandbox, "notes", &[]);
        check(&sandbox, &[("auth-2.md", "other"), ("auth.md", "mine")]);
    }
}

#[test]
fn a_note_that_lies_in_the_store_already_is_known() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    note(&sandbox, "notes/auth.md", "same");
    sandbox.write("modules/auth.md", "# T\n\n## same\n<!-- @id: same -->\n\nsame\n");
    adopt(&sandbox, "notes", &[]);
    check(&sandbox, &[("auth.md", "same")]);
    sandbox.append("modules/auth.md", "more\n");
    assert_eq!(adopt(&sandbox, "notes", &[])["from"]["kept"], json!(["modules/auth.md"]));
}

#[test]
fn a_note_that_was_taken_back_can_come_again() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    note(&sandbox, "notes/→.md", "first");
    let id = adopt(&sandbox, "notes", &[])["proposal_id"].as_str().unwrap().to_owned();
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert!(!sandbox.has("modules/note.md"));
    adopt(&sandbox, "notes", &[]);
    check(&sandbox, &[("note.md", "first")]);
}

#[test]
fn a_name_is_the_same_in_either_unicode_form() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "notes/\u{fc}.md", "first");
    adopt(&sandbox, "notes", &[]);
    let notes = sandbox.project().join("notes");
    std::fs::remove_file(notes.join("\u{fc}.md")).unwrap();
    note(&sandbox, "notes/u\u{308}.md", "first");
    let tree = sandbox.tree();
    adopt(&sandbox, "notes", &[]);
    assert!(sandbox.tree() == tree);
}

#[test]
fn a_note_that_was_renamed_is_named_and_comes_in_no_second_time() {
    let sandbox = Sandbox::without_store();
    let linked = "# B\n\n## One\n\n[x](Old%20Plan.md) [[Old Plan]]\n";
    sandbox.write_project("notes/b.md", linked);
    note(&sandbox, "notes/Old Plan.md", "first");
    adopt(&sandbox, "notes", &[]);
    let project = sandbox.project();
    for (from, to, folder) in [
        ("notes/Old Plan.md", "notes/New Plan.md", "notes"),
        ("notes/New Plan.md", "notes/deep/Plan.md", "notes"),
        ("notes", "wiki", "wiki"),
    ] {
        std::fs::create_dir_all(project.join("notes/deep")).unwrap();
        std::fs::rename(project.join(from), project.join(to)).unwrap();
        let tree = sandbox.tree();
        let answer = adopt(&sandbox, folder, &[]);
        let told = answer["from"]["not_understood"].to_string();
        assert!(told.contains("`notes/Old Plan.md`, which is gone"), "{told}");
        assert!(told.contains("adopted as `modules/old-plan.md`"), "{told}");
        assert_eq!((&answer["from"]["adopted"], &answer["from"]["kept"]), (&json!([]), &json!([])));
        assert!(sandbox.tree() == tree, "{to}");
    }
    let record = sandbox.file("adopted.jsonl");
    let record = record.replace("notes/Old Plan.md", "wiki/deep/Plan.md");
    sandbox.write("adopted.jsonl", record.replace("notes/b.md", "wiki/b.md"));
    sandbox.write_project(
        "wiki/b.md",
        linked.replace("Old%20Plan", "deep/Plan").replace("Old Plan", "Plan"),
    );
    let answer = adopt(&sandbox, "wiki", &[]);
    assert_eq!(answer["from"]["not_understood"], json!([]));
    assert_eq!(answer["from"]["adopted"], json!([]));
}

#[test]
fn a_copy_of_a_note_that_is_there_still_and_another_text_come_in() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "notes/a.md", "first");
    adopt(&sandbox, "notes", &[]);
    note(&sandbox, "notes/copy.md", "first");
    adopt(&sandbox, "notes", &[]);
    std::fs::remove_file(sandbox.project().join("notes/a.md")).unwrap();
    note(&sandbox, "notes/other.md", "second");
    adopt(&sandbox, "notes", &[]);
    check(&sandbox, &[("a.md", "first"), ("copy.md", "first"), ("other.md", "second")]);
}

#[test]
fn a_note_of_the_same_template_with_other_facts_comes_in() {
    let sandbox = Sandbox::without_store();
    let meeting = |day: &str| format!("# Meeting\n\n- **Day:** {day}\n- **Who:** Ada\n");
    sandbox.write_project("notes/m1.md", meeting("Monday"));
    adopt(&sandbox, "notes", &[]);
    std::fs::remove_file(sandbox.project().join("notes/m1.md")).unwrap();
    sandbox.write_project("notes/m2.md", meeting("Tuesday"));
    assert_eq!(adopt(&sandbox, "notes", &[])["created"], json!(["modules/m2.md"]));
    // The same text once more: a person says that it is another note.
    sandbox.write_project("notes/m3.md", meeting("Monday"));
    let told = adopt(&sandbox, "notes", &[])["from"]["not_understood"].to_string();
    assert!(told.contains("another note, remove the line of `notes/m1.md` there"), "{told}");
    let record = sandbox.file("adopted.jsonl");
    let lines: String = record.split_inclusive('\n').filter(|it| !it.contains("m1.md")).collect();
    sandbox.write("adopted.jsonl", lines);
    assert_eq!(adopt(&sandbox, "notes", &[])["created"], json!(["modules/m3.md"]));
}

#[test]
fn two_branches_may_adopt_and_merge() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "a/one.md", "first");
    note(&sandbox, "b/two.md", "second");
    sandbox.run(&["init"]).expect_code(0);
    sandbox.commit("store");
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    adopt(&sandbox, "b", &[]);
    sandbox.commit("two");
    sandbox.git(&["checkout", "--quiet", "-"]);
    adopt(&sandbox, "a", &[]);
    sandbox.commit("one");
    sandbox.git(&["merge", "--quiet", "-m", "both", "topic"]);
    assert_eq!(sandbox.file("adopted.jsonl").lines().count(), 2);
    let tree = sandbox.tree();
    adopt(&sandbox, "a", &[]);
    adopt(&sandbox, "b", &[]);
    assert!(sandbox.tree() == tree);
}

#[test]
fn a_record_that_cannot_be_read_is_said_and_nothing_comes_twice() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "notes/a.md", "first");
    adopt(&sandbox, "notes", &[]);
    sandbox.write("adopted.jsonl", b"\xff\n");
    let tree = sandbox.tree();
    let arguments = ["init", "--from", "notes", "--approver", "Ada"];
    let said = sandbox.run(&arguments).expect_code(2).stderr;
    assert!(said.contains("adopted.jsonl") && said.contains("git restore"), "{said}");
    assert!(sandbox.tree() == tree);
}

/// Checks that a line of the record is refused with its number and an example of what is allowed; nothing is written.
fn check_refused_line(line: &str, problem: &str) {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    note(&sandbox, "notes/team.md", "first");
    note(&sandbox, "notes/good.md", "second");
    let good = "{\"from\":\"notes/good.md\",\"to\":\"modules/good.md\"}";
    sandbox.write("adopted.jsonl", format!("{good}\n{line}\n"));
    let tree = sandbox.tree();
    let arguments = ["init", "--from", "notes", "--approver", "Ada", "--json"];
    for more in [&["--dry-run"][..], &[]] {
        let error = sandbox.run(&[&arguments[..], more].concat()).expect_code(2).json();
        let error = &error["error"];
        assert_eq!(error["code"], "config_invalid", "{line}");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(&format!("line 2 {problem}")), "{message}");
        assert!(error["hint"].as_str().unwrap().contains("such as `modules/team.md`"), "{error}");
    }
    assert!(sandbox.tree() == tree, "{line}");
    sandbox.write("adopted.jsonl", format!("{good}\n"));
    adopt(&sandbox, "notes", &[]);
    check(&sandbox, &[("good.md", "second"), ("team.md", "first")]);
}

#[test]
fn a_line_of_the_record_that_leads_where_no_note_may_be_is_refused() {
    let forged = |to: &str| format!("{{\"from\":\"notes/team.md\",\"to\":\"{to}\"}}");
    let gives = "gives `notes/team.md` the path";
    check_refused_line(&forged("state/x.md"), &format!("{gives} `state/x.md`"));
    check_refused_line(&forged("local/current.main.md"), &format!("{gives} `local/current.main"));
    check_refused_line(&forged("index.md"), &format!("{gives} `index.md`, which no category has"));
    check_refused_line(&forged("../x.md"), "says that `../x.md` is not a memory path");
    check_refused_line(&forged("State/x.md"), "says that `State/x.md` is not a memory path");
    check_refused_line("<<<<<<< ours", "is no object with `from` and `to`");
}

#[test]
fn a_line_of_the_record_changes_no_file_that_is_there_with_another_text() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write("decisions.md", "# Decisions\n\n## Old\n<!-- @id: old -->\n\nreviewed\n");
    note(&sandbox, "notes/team.md", "first");
    note(&sandbox, "notes/other.md", "second");
    let line = |from: &str| format!("{{\"from\":\"notes/{from}\",\"to\":\"decisions.md\"}}\n");
    sandbox.write("adopted.jsonl", line("team.md") + &line("other.md"));
    let before = sandbox.file("decisions.md");
    let answer = adopt(&sandbox, "notes", &[]);
    assert_eq!(answer["from"]["kept"], json!(["decisions.md"]));
    assert_eq!(sandbox.file("decisions.md"), before);
    check(&sandbox, &[("other.md", "second")]);
}

#[test]
fn the_record_is_no_finding_and_names_no_folder_of_the_person() {
    let sandbox = Sandbox::without_store();
    note(&sandbox, "../private/x/notes/a.md", "first");
    adopt(&sandbox, "../private/x/notes", &[]);
    let record = sandbox.file("adopted.jsonl");
    assert_eq!(record, "{\"from\":\"../notes/a.md\",\"to\":\"modules/a.md\"}\n");
    sandbox.git(&["add", "--all"]);
    let arguments = ["check", "--warn", "provenance-missing", "--json"];
    let checked = sandbox.run(&arguments).expect_code(0).json();
    let findings = checked["findings"].as_array().unwrap();
    assert!(findings.iter().all(|each| each["rule"] == "provenance-missing"), "{checked}");
}
