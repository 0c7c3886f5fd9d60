//! `doctor --user` says what is wrong with a person's memory, and `--fix` repairs what needs no decision.

use std::fs::{self, File};

use serde_json::{Value, json};

use super::{Person, delete, line, preferred_language, upsert, warnings, with};
use crate::support::Reply;

impl Person {
    fn doctor(&self, options: &[&str]) -> Reply {
        let data = self.data().display().to_string();
        let call = self.sandbox.call(&[&["doctor", "--user"], options].concat());
        call.env("AGENT_MEMORY_DATA", &data).env("AGENT_MEMORY_USER", &self.id).run()
    }

    /// Returns what is found, while nothing is written.
    #[track_caller]
    fn findings(&self) -> Vec<Value> {
        let before = self.tree();
        let reply = self.doctor(&["--json"]);
        let diagnosis = reply.json();
        let findings = diagnosis["findings"].as_array().unwrap().clone();
        let healthy = findings.is_empty();
        assert_eq!((reply.code, &diagnosis["healthy"]), (i32::from(!healthy), &json!(healthy)));
        for finding in &findings {
            for field in ["check", "message", "hint"] {
                assert!(finding[field].as_str().is_some_and(|text| !text.is_empty()), "{finding}");
            }
        }
        assert!(self.tree() == before, "something was written");
        findings
    }

    /// Returns the only finding.
    #[track_caller]
    fn finding(&self) -> Value {
        let findings = self.findings();
        assert_eq!(findings.len(), 1, "{findings:#?}");
        findings[0].clone()
    }

    /// Repairs what it can; returns what was done. Nothing may be left to find.
    #[track_caller]
    fn fixed(&self) -> Vec<String> {
        let diagnosis = self.doctor(&["--fix", "--json"]).expect_code(0).json();
        let fixed = diagnosis["fixed"].as_array().unwrap();
        self.log_is_whole();
        fixed.iter().map(|each| each.as_str().unwrap().to_owned()).collect()
    }

    /// Writes a file that only the person can read.
    fn write_closed(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write(path, text);
        close(&self.folder().join(path));
    }
}

fn close(path: &std::path::Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if path.is_dir() { 0o700 } else { 0o600 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

#[track_caller]
fn says(finding: &Value, path: &str, words: &str) {
    assert_eq!(finding["path"], path, "{finding}");
    assert!(finding["message"].as_str().unwrap().contains(words), "{finding}");
}

#[track_caller]
fn advises(finding: &Value, words: &str) {
    assert!(finding["hint"].as_str().unwrap().contains(words), "{finding}");
}

fn token() -> String {
    ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat()
}

#[test]
fn where_nothing_is_stored_all_is_well_and_nothing_is_made() {
    let person = Person::new();
    for options in [&[] as &[&str], &["--fix"]] {
        let reply = person.doctor(options).expect_code(0);
        assert!(reply.stdout.contains("nothing is stored"), "{}", reply.stdout);
    }
    assert_eq!(person.findings(), [json!(null); 0]);
    assert!(!person.data().exists());
}

#[test]
fn a_memory_in_use_is_healthy() {
    let person = Person::with(&[preferred_language(), upsert("a"), upsert("b")]);
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.done(&delete("b"), "deleted");
    person.run(&["restore", "b"]).expect_code(0);
    person.run(&["undo"]).expect_code(0);
    assert_eq!(person.findings(), [json!(null); 0]);
    let shown = person.doctor(&[]).expect_code(0).stdout;
    assert_eq!(shown, "healthy; looked at settings, state, entries, index, trash, folder\n");
    let before = person.tree();
    assert_eq!(person.fixed(), [""; 0]);
    assert!(person.tree() == before, "there is nothing to repair");
}

#[test]
fn whose_memory_it_is_must_be_clear() {
    let mut person = Person::with(&[upsert("a")]);
    person.sandbox.run(&["doctor", "--as", "ada"]).expect_code(2);
    person.sandbox.run(&["doctor", "--user", "--adopt-state"]).expect_code(2);
    person.doctor(&["--as", "bob"]).expect_code(2);
    person.id = String::new();
    let reply = person.doctor(&["--json"]).expect_code(1);
    assert_eq!(reply.json()["reason"], "user_required");
}

/// U29.
#[test]
fn a_file_without_a_line_gets_one() {
    let person = Person::with(&[upsert("a")]);
    let text = "---\nname: by-hand\ndescription: Of Ada\ntype: user\n---\n\nText.\n";
    person.write_closed("memory/by-hand.md", text);
    let finding = person.finding();
    says(&finding, "memory/by-hand.md", "`by-hand` has no line");
    advises(&finding, "--fix` adds it, if the index has room");
    assert_eq!(person.fixed(), ["added a line for `by-hand` to the index"]);
    assert_eq!(person.index(), line("a") + "- [by-hand](by-hand.md) — Of Ada\n");
    assert_eq!(person.file("memory/by-hand.md"), text);
    assert_eq!(person.log(), ["created a", "fixed MEMORY"]);
    assert_eq!(person.findings(), [json!(null); 0]);
}

/// U30.
#[test]
fn a_line_without_a_file_goes_and_all_other_bytes_stay() {
    let person = Person::with(&[upsert("a")]);
    let prose = "# Mine\n\nSome prose, and [a link](docs/x.md).\n\n";
    person.write_closed("memory/MEMORY.md", format!("{prose}{}{}", line("gone"), line("a")));
    says(&person.finding(), "memory/gone.md", "a line for `gone`");
    assert_eq!(person.fixed(), ["removed the line of `gone` from the index"]);
    assert_eq!(person.index(), format!("{prose}{}", line("a")));
}

#[test]
fn a_link_to_what_no_entry_can_be_is_no_gap() {
    let person = Person::with(&[upsert("a")]);
    let index = line("a") + "- [Notes](my%20notes.md) — of Ada\n";
    person.write_closed("memory/MEMORY.md", &index);
    assert_eq!(warnings(&person.list()), "");
    assert_eq!(person.findings(), [json!(null); 0]);
    assert_eq!(person.fixed(), [""; 0]);
    assert_eq!(person.index(), index);
}

#[test]
fn no_line_is_promised_to_a_file_that_cannot_be_read() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("memory/x.md", b"caf\xe9\n");
    says(&person.finding(), "memory/x.md", "it is not UTF-8");
    let warned = warnings(&person.list());
    assert!(warned.contains("`x` is not read") && !warned.contains("no line"), "{warned}");
    person.doctor(&["--fix"]).expect_code(1);
    assert_eq!(person.index(), line("a"));
}

#[test]
fn many_gaps_are_one_change_which_leaves_undo_as_it_was() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    person.write_closed("memory/MEMORY.md", line("x") + &line("y"));
    assert_eq!(person.findings().len(), 4);
    assert_eq!(person.fixed().len(), 4);
    assert_eq!(person.index(), line("a") + &line("b"));
    assert_eq!(person.log().len(), 4);
    person.run(&["undo"]).expect_code(0);
    assert_eq!(person.body("a"), "The text of a.\n");
}

#[test]
fn in_a_folder_of_claude_code_no_line_is_added_that_it_would_not_read() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("config.toml", "dialect = \"claude\"\n[limits]\nindex_lines = 2\n");
    for name in ["b", "c"] {
        person.write_closed(&format!("memory/{name}.md"), format!("What {name} is about\n"));
    }
    let diagnosis = person.doctor(&["--fix", "--json"]).expect_code(1).json();
    assert_eq!(diagnosis["fixed"], json!(["added a line for `b` to the index"]));
    assert_eq!(person.index(), line("a") + &line("b"));
}

#[test]
fn a_secret_is_told_by_file_and_rule_and_never_by_its_text() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    let kind = token();
    let escaped = kind.replacen("gh", "gh\\x", 1).replacen("\\xp", "\\x70", 1);
    let files = [
        ("memory/a.md", format!("---\nname: a\ndescription: d\ntype: user\n---\n\n{kind}\n")),
        ("memory/b.md", format!("---\nname: b\ndescription: \"{escaped}\"\ntype: user\n---\n")),
        ("memory/MEMORY.md", format!("{}{}\n{kind}\n", line("a"), line("b"))),
        ("trash/20261120-100000-x.md", format!("{kind}\n")),
    ];
    for (path, text) in &files {
        person.write_closed(path, text);
    }
    close(&person.folder().join("trash"));
    let findings = person.findings();
    let found: Vec<&str> = findings.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(found, files.each_ref().map(|(path, _)| *path));
    assert!(findings.iter().all(|it| it["rule"] == findings[0]["rule"]), "{findings:#?}");
    assert!(findings[0]["rule"].as_str().unwrap().contains("github"), "{findings:#?}");
    advises(&findings[0], "user purge NAME");
    // No purge takes a line of the index that belongs to no entry.
    advises(&findings[2], "; edit the line in `memory/MEMORY.md`");
    for options in [&[] as &[&str], &["--json"], &["--fix"]] {
        let reply = person.doctor(options).expect_code(1);
        let said = reply.stdout + &reply.stderr;
        assert!(!said.contains(&kind) && !said.contains(&escaped), "{said}");
    }
}

#[test]
fn a_secret_in_an_old_text_that_undo_keeps_is_found() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("memory/a.md", format!("---\nname: a\n---\n\n{}\n", token()));
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    let told = "an old text of `a` in `state/undo.jsonl` holds what looks like a secret";
    says(&person.finding(), "state/undo.jsonl", told);
    // A line of the index is such a text too.
    let person = Person::with(&[upsert("a")]);
    person.write_closed("memory/MEMORY.md", format!("- [a](a.md) — {}\n", token()));
    person.done(&with(&upsert("a"), "body", "Another."), "updated");
    says(&person.finding(), "state/undo.jsonl", told);
}

#[test]
fn personal_data_is_called_so_in_an_escape_too() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("config.toml", "[secrets]\npii = [\"email\"]\n");
    let name = "ada.lovelace";
    for (address, place) in [("@", "on line 3, column "), ("\\x40", "written as an escape")] {
        let text = format!("---\nname: a\ndescription: \"{name}{address}engines.org\"\n---\n");
        person.write_closed("memory/a.md", text);
        let finding = person.finding();
        says(&finding, "memory/a.md", "holds personal data that the settings refuse: `");
        says(&finding, "memory/a.md", place);
    }
}

#[test]
fn a_hidden_character_is_told_by_its_place() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed(
        "memory/a.md",
        "---\nname: a\ndescription: \"x\\u202e\"\ntype: user\n---\n\none\ntwo\u{202e}\n",
    );
    let findings = person.findings();
    says(&findings[0], "memory/a.md", "U+202E on line 8, column 4");
    assert_eq!(findings.len(), 1, "{findings:#?}");
    person.write_closed("memory/a.md", "\u{feff}---\nname: a\ndescription: \"x\\u202e\"\n---\n");
    says(&person.finding(), "memory/a.md", "a hidden character, written as an escape");
}

#[test]
fn what_is_no_good_entry_is_named_with_what_to_do() {
    let long = "d".repeat(301);
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("a", b"---\nname: [\n---\n\nText.\n".to_vec(), "front matter that cannot be read"),
        ("a", b"---\nname: other\n---\n\nText.\n".to_vec(), "calls itself `other`"),
        ("a", format!("---\ndescription: {long}\n---\n").into(), "301 characters"),
        ("a", format!("---\nname: a\n---\n{}", "b".repeat(65_537)).into(), "a body of 65538"),
        ("a", b"caf\xe9\n".to_vec(), "it is not UTF-8"),
        ("two words", b"Text.\n".to_vec(), "a name that no command takes"),
    ];
    for (name, bytes, words) in cases {
        let person = Person::with(&[upsert("a")]);
        person.write_closed(&format!("memory/{name}.md"), &bytes);
        says(&person.finding(), &format!("memory/{name}.md"), words);
        person.doctor(&["--fix"]).expect_code(1);
        let kept = fs::read(person.folder().join(format!("memory/{name}.md"))).unwrap();
        assert_eq!(kept, bytes, "an entry is a person's text");
    }
}

#[test]
fn limits_that_are_reached_are_told() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    person.write_closed("config.toml", "[limits]\nentries = 1\nindex_lines = 2\n");
    let findings = person.findings();
    says(&findings[0], "memory", "there are 2 entries, allowed are 1");
    let said = format!("the index has 2 of 2 lines and {} of 25000 bytes", person.index().len());
    assert_eq!(findings[1]["message"], said);
    advises(&findings[1], "Claude Code loads nothing beyond these limits");
    assert_eq!(findings.len(), 2);
}

#[test]
fn a_slip_in_the_settings_hides_no_other_finding() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("config.toml", "dialekt = \"claude\"\n");
    person.write_closed("memory/MEMORY.md", "");
    let findings = person.findings();
    says(&findings[0], "config.toml", "`dialekt`");
    advises(&findings[0], "run `agent-memory doctor --user`");
    says(&findings[1], "memory/a.md", "has no line");
    // How the index is to be written is not known.
    person.doctor(&["--fix"]).expect_code(1);
    assert_eq!(person.index(), "");
}

#[test]
fn an_index_that_is_no_text_is_named_and_left_alone() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("memory/MEMORY.md", b"- caf\xe9\n");
    let finding = person.finding();
    says(&finding, "memory/MEMORY.md", "not UTF-8");
    advises(&finding, "a text has to be UTF-8");
    person.doctor(&["--fix"]).expect_code(1);
    assert_eq!(fs::read(person.folder().join("memory/MEMORY.md")).unwrap(), b"- caf\xe9\n");
}

#[test]
fn a_changed_log_is_found() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    let log = person.file("state/log.jsonl").replacen("\"a\"", "\"c\"", 1);
    person.write("state/log.jsonl", log);
    let findings = person.findings();
    says(&findings[0], "state/log.jsonl", "line 1");
    person.doctor(&["--fix"]).expect_code(1);
}

#[test]
fn torn_ends_and_leftovers_are_found_and_go() {
    let person = Person::with(&[upsert("a")]);
    for list in ["state/log.jsonl", "state/undo.jsonl"] {
        person.write(list, person.file(list) + "{\"torn\":");
    }
    person.write_closed("state/tmp/9.0", "half a text");
    let found = person.findings();
    let found: Vec<&str> = found.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(found, ["state/log.jsonl", "state/undo.jsonl", "state/tmp"]);
    let fixed = person.fixed().join("\n");
    for words in ["removed leftovers", "off `state/log.jsonl`", "off `state/undo.jsonl`"] {
        assert!(fixed.contains(words), "{fixed}");
    }
    assert!(!person.has("state/tmp/9.0"));
    person.run(&["undo"]).expect_code(0);
}

#[test]
fn temp_files_of_a_process_that_writes_are_no_finding() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("state/tmp/9.0", "half a text");
    let lock = File::open(person.folder().join("state/lock")).unwrap();
    lock.lock().unwrap();
    assert_eq!(person.findings(), [json!(null); 0]);
    person.doctor(&["--fix", "--wait", "0"]).expect_code(2);
}

#[test]
fn an_edit_that_was_set_apart_is_named() {
    let person = Person::with(&[upsert("a")]);
    let path = "state/trash/edited-0123456789ab/memory/a.md";
    person.write_closed(path, "An edit.\n");
    for folder in ["state/trash", "state/trash/edited-0123456789ab"] {
        close(&person.folder().join(folder));
    }
    close(&person.folder().join("state/trash/edited-0123456789ab/memory"));
    says(&person.finding(), path, "was set apart");
    person.doctor(&["--fix"]).expect_code(1);
    assert!(person.has(path));
}

#[cfg(unix)]
#[test]
fn what_is_open_to_other_accounts_is_found_and_closed() {
    use std::os::unix::fs::PermissionsExt;

    let person = Person::with(&[upsert("a"), upsert("b")]);
    person.done(&delete("b"), "deleted");
    let places = ["", "memory", "memory/a.md", "trash", "trash/20261120-100000-b.md"];
    for place in places {
        let path = person.folder().join(place);
        let mode = if path.is_dir() { 0o755 } else { 0o622 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }
    let mut found = person.findings();
    found.sort_by_key(|it| it["path"].as_str().unwrap().to_owned());
    let found: Vec<&str> = found.iter().map(|it| it["path"].as_str().unwrap()).collect();
    assert_eq!(found, places);
    assert_eq!(person.fixed().len(), places.len());
    for place in places {
        let mode = fs::metadata(person.folder().join(place)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{place}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_is_named_and_not_followed() {
    let person = Person::with(&[upsert("a")]);
    let outside = person.sandbox.root().join("elsewhere.md");
    fs::write(&outside, token()).unwrap();
    std::os::unix::fs::symlink(&outside, person.folder().join("memory/x.md")).unwrap();
    let findings = person.findings();
    assert!(findings.iter().all(|it| it["path"] == "memory/x.md"), "{findings:#?}");
    says(findings.last().unwrap(), "memory/x.md", "a symbolic link, which is never followed");
    person.doctor(&["--fix"]).expect_code(1);
    assert!(!person.index().contains("[x]"));
    fs::remove_file(person.folder().join("memory/x.md")).unwrap();
    fs::rename(person.folder().join("memory"), person.folder().join("real")).unwrap();
    std::os::unix::fs::symlink("real", person.folder().join("memory")).unwrap();
    let findings = person.findings();
    assert!(findings.iter().any(|it| it["path"] == "memory"), "{findings:#?}");
}

#[test]
fn while_others_write_a_healthy_memory_is_healthy() {
    let person = Person::with(&[upsert("a")]);
    person.write_closed("config.toml", "[limits]\nindex_lines = 10000\n");
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let person = &person;
                scope.spawn(move || {
                    for number in 0..30 {
                        person.done(&upsert(&format!("{writer}-{number}")), "created");
                    }
                })
            })
            .collect();
        while writers.iter().any(|writer| !writer.is_finished()) {
            let reply = person.doctor(&[]);
            assert_eq!(reply.code, 0, "{}", reply.stdout);
        }
    });
}
