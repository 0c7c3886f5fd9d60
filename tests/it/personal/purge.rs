//! `purge` removes an entry for good: no byte of any of its texts is left below the person's folder.

use serde_json::{Value, json};

use super::{Person, delete, line, upsert, with};
use crate::support::{Reply, Sandbox, Terminal, files_in};

/// Words that stand in no other text.
const TEXTS: [&str; 3] = ["First forgotten", "Second forgotten", "Third forgotten"];

impl Person {
    fn purge(&self, name: &str) -> Reply {
        self.run(&["purge", name, "--yes", "--json"])
    }

    /// Looks whether a text is in any file below the folder of all data.
    #[track_caller]
    fn has_forgotten(&self, text: &str) {
        for (path, bytes) in files_in(&self.data()) {
            let found = bytes.windows(text.len()).any(|part| part == text.as_bytes());
            assert!(!found, "`{text}` is in {path}");
        }
    }
}

/// A person with an entry `x` of which there is everything: two copies in the trash, old texts, an edit that was set apart.
fn used() -> Person {
    let person = Person::with(&[upsert("a"), with(&upsert("x"), "body", TEXTS[0])]);
    person.done(&delete("x"), "deleted");
    person.done(&with(&upsert("x"), "body", TEXTS[1]), "created");
    person.done(&delete("x"), "deleted");
    person.done(&with(&upsert("x"), "body", TEXTS[0]), "created");
    person.done(&with(&upsert("x"), "body", TEXTS[2]), "updated");
    person.write("state/trash/edited-0123456789ab/memory/x.md", TEXTS[1]);
    person.write("state/trash/edited-0123456789ab/memory/x.md.2", TEXTS[1]);
    person.write("state/trash/edited-0123456789ab/trash/20261120-100000-x.md", TEXTS[1]);
    person.done(&upsert("b"), "created");
    person
}

#[test]
fn nothing_of_a_purged_entry_is_left_and_all_of_the_others() {
    let person = used();
    let before = person.tree();
    for text in TEXTS {
        let is_in = |bytes: &Vec<u8>| bytes.windows(text.len()).any(|it| it == text.as_bytes());
        assert!(before.values().filter(|bytes| is_in(bytes)).count() > 1, "{text}");
    }
    let answer = person.purge("x").expect_code(0).json();
    assert_eq!((&answer["status"], &answer["name"]), (&json!("purged"), &json!("x")));
    let message = answer["message"].as_str().unwrap();
    let all = "the entry, 2 copies in the trash, 3 edits set apart, 6 changes in the undo list";
    assert!(message.ends_with(all), "{message}");
    TEXTS.iter().for_each(|text| person.has_forgotten(text));
    person.has_forgotten("What x is about");
    assert_eq!(person.index(), line("a") + &line("b"));
    let after = person.tree();
    for path in ["memory/a.md", "memory/b.md"] {
        assert_eq!(before.get(path), after.get(path));
    }
    let left = after.keys().filter(|path| path.starts_with("trash/") || path.contains("edited-"));
    assert_eq!(left.count(), 0);
    assert_eq!(person.log().last().unwrap(), "purged x");
    person.log_is_whole();
    let log = person.file("state/log.jsonl");
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert!(last.get("before").is_none() && last.get("after").is_none(), "{last}");
}

#[test]
fn the_line_of_a_purged_entry_stands_in_no_old_index() {
    let person = Person::with(&[upsert("a"), upsert("x"), upsert("b")]);
    let others = format!("# Of Ada\n{}", line("a"));
    person.write("state/trash/edited-0123456789ab/memory/MEMORY.md", others.clone() + &line("x"));
    person.write("state/trash/edited-fedcba987654/memory/MEMORY.md", &others);
    // The lines of `b` are removed around that of `x`.
    person.write("memory/MEMORY.md", line("a") + &line("b") + &line("x") + &line("b"));
    person.done(&delete("b"), "deleted");
    person.purge("x").expect_code(0);
    person.has_forgotten("What x is about");
    assert_eq!(person.index(), line("a"));
    for folder in ["edited-0123456789ab", "edited-fedcba987654"] {
        assert_eq!(person.file(&format!("state/trash/{folder}/memory/MEMORY.md")), others);
    }
    // The change of `b` can be undone all the same.
    person.run(&["undo", "b"]).expect_code(0);
    assert_eq!(
        (person.body("b"), person.index()),
        ("The text of b.\n".to_owned(), line("a") + &line("b"))
    );
}

#[test]
fn a_set_apart_index_that_is_not_utf_8_is_read_too() {
    let person = Person::with(&[upsert("a"), upsert("x")]);
    let path = |hash: &str| format!("state/trash/edited-{hash}/memory/MEMORY.md");
    let others = [b"caf\xe9\n", line("a").as_bytes()].concat();
    person.write(&path("0123456789ab"), [&others, line("x").as_bytes()].concat());
    person.write(&path("fedcba987654"), others);
    person.purge("x").expect_code(0);
    person.has_forgotten("What x is about");
    assert!(person.has(&path("fedcba987654")));
}

#[test]
fn a_part_of_the_line_of_a_purged_entry_stands_in_no_list_of_undos() {
    for (index, changed) in [
        ("- [x](x.md) — first line\n  Forgotten words", "b"),
        (
            "- Head\n    - [a](a.md) — old\n    - [x](x.md) — Forgotten words\n    - [a](a.md) — old\n",
            "a",
        ),
    ] {
        let person = Person::with(&[upsert("a"), upsert("x")]);
        person.write("memory/MEMORY.md", index);
        person.call(&upsert(changed));
        person.purge("x").expect_code(0);
        person.has_forgotten("Forgotten words");
    }
}

#[test]
fn a_name_that_looks_like_a_secret_is_in_no_output_and_no_log() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let person = Person::with(&[upsert("a")]);
    person.write(&format!("memory/{token}.md"), "Text.\n");
    let copy = format!("trash/20260101-000000-{token}.md");
    person.write(&copy, "Text.\n");
    let data = person.data().display().to_string();
    let doctor = ["doctor", "--user", "--fix", "--as", "ada", "--data", &data];
    let fixed = person.sandbox.run(&doctor).expect_code(1);
    assert!(!person.index().contains(&token));
    assert!(
        fixed.stdout.contains("the name of a file in `memory/` looks like a secret"),
        "{fixed:?}"
    );
    assert!(!fixed.stdout.contains("adds it") && !fixed.stdout.contains(&token), "{fixed:?}");
    let refused = person.run(&["restore", &token]).expect_code(1);
    let purged = person.purge(&token).expect_code(0);
    for said in [refused.stdout + &refused.stderr, purged.stdout + &purged.stderr] {
        assert!(!said.contains(&token), "{said}");
    }
    assert!(!person.has(&copy) && !person.has(&format!("memory/{token}.md")));
    person.has_forgotten(&token);
}

#[test]
fn the_changes_of_other_entries_can_still_be_taken_back() {
    let person = used();
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.done(&with(&upsert("x"), "body", TEXTS[1]), "updated");
    person.purge("x").expect_code(0);
    let undone = |name: &str| {
        let answer = person.run(&["undo", "--json"]).expect_code(0).json();
        assert_eq!(answer["name"], name, "{answer}");
    };
    undone("a");
    assert_eq!(person.body("a"), "The text of a.\n");
    undone("b");
    undone("a");
    let nothing = person.run(&["undo", "--json"]).expect_code(1).json();
    assert_eq!(nothing["reason"], "entry_not_found");
    person.run(&["restore", "x"]).expect_code(1);
    person.done(&upsert("x"), "created");
}

#[test]
fn what_is_left_of_an_entry_that_is_gone_is_purged_too() {
    let trash = used();
    trash.done(&delete("x"), "deleted");
    trash.purge("x").expect_code(0);
    TEXTS.iter().for_each(|text| trash.has_forgotten(text));

    let undo = Person::with(&[with(&upsert("x"), "body", TEXTS[0])]);
    undo.done(&with(&upsert("x"), "body", TEXTS[1]), "updated");
    std::fs::remove_file(undo.folder().join("memory/x.md")).unwrap();
    undo.purge("x").expect_code(0);
    TEXTS.iter().for_each(|text| undo.has_forgotten(text));
    assert_eq!(undo.index(), "");
    let again = undo.purge("x").expect_code(1).json();
    assert_eq!(again["reason"], "entry_not_found");
}

#[test]
fn texts_of_entries_with_a_longer_name_stay() {
    let person = Person::with(&[upsert("x"), upsert("x-y"), upsert("y-x")]);
    person.done(&delete("x-y"), "deleted");
    person.done(&delete("y-x"), "deleted");
    person.write("state/trash/edited-0123456789ab/memory/x-y.md", "An edit.\n");
    person.purge("x").expect_code(0);
    for name in ["x-y", "y-x"] {
        person.run(&["restore", name]).expect_code(0);
        assert_eq!(person.body(name), format!("The text of {name}.\n"));
    }
    assert!(person.has("state/trash/edited-0123456789ab/memory/x-y.md"));
}

#[test]
fn an_entry_that_is_no_text_and_a_torn_line_go_as_well() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/x.md", b"caf\xe9 First forgotten\n");
    let list = person.file("state/undo.jsonl");
    person.write("state/undo.jsonl", format!("{list}{{\"before\":\"Second forgotten"));
    person.purge("x").expect_code(0);
    TEXTS.iter().for_each(|text| person.has_forgotten(text));
    assert_eq!(person.file("state/undo.jsonl"), list);
}

#[test]
fn of_an_entry_that_never_was_nothing_is_purged() {
    let nothing = Person::new();
    assert_eq!(nothing.purge("x").expect_code(1).json()["reason"], "entry_not_found");
    assert!(!nothing.data().exists());
    let person = Person::with(&[upsert("a")]);
    let cases =
        [("absent", "entry_not_found"), ("../a", "invalid_name"), ("MEMORY", "invalid_name")];
    for (name, reason) in cases {
        let before = person.tree();
        assert_eq!(person.purge(name).expect_code(1).json()["reason"], reason);
        assert!(person.tree() == before, "{name}");
    }
    person.write("memory/MEMORY.md", line("a") + &line("gone"));
    let answer = person.purge("gone").expect_code(1).json();
    assert_eq!(answer["reason"], "entry_not_found");
    assert_eq!(answer["message"], "only the index has a line for `gone`");
    assert!(answer["hint"].as_str().unwrap().contains("doctor --user --fix"), "{answer}");
}

#[test]
fn only_a_person_purges() {
    let person = Person::with(&[upsert("a")]);
    let before = person.tree();
    let refused = |reply: Reply, words: &str| {
        let answer = reply.expect_code(1).json();
        assert_eq!((&answer["status"], &answer["name"]), (&json!("rejected"), &json!("a")));
        assert_eq!(answer["reason"], "approval_refused");
        assert!(answer["message"].as_str().unwrap().contains(words), "{answer}");
    };
    let words = ["purge", "a", "--yes", "--json"];
    let agent = person.prepare(&words).env("AGENT_MEMORY_USER", "ada").env("CLAUDECODE", "1");
    refused(agent.run(), "Claude Code runs this");
    person.sandbox.write_user_config("");
    refused(person.purge("a"), "a person at a terminal");
    person.sandbox.write_user_config("[approval]\nwithout_terminal = true\n");
    let asked = person.run(&["purge", "a", "--json"]).expect_code(2).json();
    assert_eq!(asked["error"]["code"], "usage");
    assert!(person.tree() == before, "nothing was removed");
    person.sandbox.write_user_config("[approval]\nallow_agents = true\n");
    let agent = person.prepare(&words).env("AGENT_MEMORY_USER", "ada").env("CLAUDECODE", "1");
    agent.run().expect_code(0);
    assert!(!person.has("memory/a.md"));
}

#[test]
fn settings_that_a_repository_can_write_do_not_count() {
    let person = Person { sandbox: Sandbox::new(), id: "ada".to_owned() };
    person.done(&upsert("x"), "created");
    let own = person.sandbox.project().join("own");
    let text = "[approval]\nallow_agents = true\nwithout_terminal = true\n";
    person.sandbox.write_project("own/agent-memory/config.toml", text);
    let own = own.display().to_string();
    for agent in ["", "1"] {
        let call = person.prepare(&["purge", "x", "--yes", "--json"]);
        let call = call.env("AGENT_MEMORY_USER", "ada").env("XDG_CONFIG_HOME", &own);
        let answer = call.env("CLAUDECODE", agent).run().expect_code(1).json();
        assert_eq!(answer["reason"], "approval_refused", "{answer}");
        assert!(answer["hint"].as_str().unwrap().contains("where a repository can write files"));
    }
    assert!(person.has("memory/x.md"));
}

#[test]
fn at_a_terminal_it_asks_first() {
    if std::process::Command::new("script").arg("--version").output().is_err() {
        return;
    }
    let person = Person::with(&[upsert("a"), upsert("b")]);
    let data = person.data().display().to_string();
    let variables = [("AGENT_MEMORY_USER", "ada"), ("AGENT_MEMORY_DATA", data.as_str())];
    for (key, code, is_left) in [("n", 1, true), ("y", 0, false)] {
        let mut terminal = Terminal::run(&person.sandbox, "user purge a", 80, &variables);
        let shown = terminal.answer("Remove all of it? [y,n]", key);
        assert!(shown.contains("a: the entry, 1 change in the undo list"), "{shown}");
        let (shown, ended) = terminal.end();
        assert_eq!((ended, person.has("memory/a.md")), (code, is_left), "{shown}");
    }
    let terminal = Terminal::run(&person.sandbox, "user purge absent", 80, &variables);
    let (shown, code) = terminal.end();
    assert!(code == 1 && shown.contains("entry_not_found"), "{shown}");
    let terminal = Terminal::run(&person.sandbox, "user purge b --yes", 80, &variables);
    assert_eq!(terminal.end().1, 0);
    assert!(!person.has("memory/b.md"));
}
