//! `user import`: what other folders and tools hold.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{PREFERRED_LANGUAGE, PREFERRED_LANGUAGE_LINE, Person, line, upsert, warnings};
use crate::documents::schema;
use crate::schemas::breaches;
use crate::support::{Reply, files_in};

const G3: &str = "---\nname: answers\ndescription: Short answers\nmetadata: \n  node_type: memory\n  type: feedback\n  originSessionId: 5e1f\n---\n\nThe diff says it.\n";

/// Makes a folder of another tool, with these files.
fn source(person: &Person, files: &[(&str, &str)]) -> PathBuf {
    let folder = person.sandbox.root().join("source");
    fs::create_dir_all(&folder).unwrap();
    fill(&folder, files);
    folder
}

fn fill(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn import(person: &Person, folder: &Path, more: &[&str]) -> Reply {
    let folder = folder.display().to_string();
    person.run(&[&["import", &folder, "--json"], more].concat())
}

/// Returns status, name and file of each entry.
fn told(report: &Value) -> Vec<String> {
    let entries = report["entries"].as_array().unwrap_or_else(|| panic!("{report}"));
    let word = |entry: &Value, field: &str| entry[field].as_str().unwrap_or("-").to_owned();
    let told = |entry: &Value| {
        let rest = match entry["reason"].as_str() {
            Some(reason) => reason.to_owned(),
            None => word(entry, "name"),
        };
        format!("{} {rest} < {}", word(entry, "status"), word(entry, "from"))
    };
    entries.iter().map(told).collect()
}

/// U36.
#[test]
fn files_with_front_matter_are_copied_as_they_are_and_once() {
    let person = Person::new();
    let files = [("preferred-language.md", PREFERRED_LANGUAGE), ("answers.md", G3)];
    let folder = source(&person, &files);
    let before = files_in(&folder);
    let report = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(
        told(&report),
        ["created answers < answers.md", "created preferred-language < preferred-language.md"]
    );
    assert_eq!(person.file("memory/preferred-language.md"), PREFERRED_LANGUAGE);
    assert_eq!(person.file("memory/answers.md"), G3);
    let index = "- [answers](answers.md) — Short answers\n".to_owned() + PREFERRED_LANGUAGE_LINE;
    assert_eq!(person.index(), index);
    assert_eq!(person.log(), ["created answers", "created preferred-language"]);
    let tree = person.tree();
    let again = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!((&again["created"], &again["unchanged"]), (&json!(0), &json!(2)));
    assert!(person.tree() == tree, "the second run wrote something");
    assert!(files_in(&folder) == before, "the source changed");
    person.log_is_whole();
}

#[test]
fn a_file_without_front_matter_gets_ours_and_the_description_of_its_index() {
    let person = Person::new();
    let index = "# Notes\n\n- [Second](b.md) — why we chose it\n- [First](a.md)\n";
    let folder = source(
        &person,
        &[
            ("MEMORY.md", index),
            ("a.md", "# Use tabs\n\nAlways.\n"),
            ("b.md", "Text of b.\r\n"),
            ("0.md", "Nothing links here.\n"),
        ],
    );
    let report = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(told(&report), ["created b < b.md", "created a < a.md", "created 0 < 0.md"]);
    assert_eq!(report["warnings"], json!([]));
    let expected = "- [b](b.md) — why we chose it\n- [a](a.md) — Use tabs\n- [0](0.md) — Nothing links here.\n";
    assert_eq!(person.index(), expected);
    assert_eq!(
        person.file("memory/a.md"),
        "---\nname: a\ndescription: Use tabs\ntype: reference\n---\n\n# Use tabs\n\nAlways.\n"
    );
    assert!(person.file("memory/b.md").ends_with("---\r\n\r\nText of b.\r\n"));
    // Another description, or another form of new files, makes no other entry of the same text.
    fill(&folder, &[("MEMORY.md", "- [b](b.md) — other words\n")]);
    person.write("config.toml", "dialect = \"claude\"\n");
    let again = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(again["unchanged"], 3, "{again}");
}

#[test]
fn a_name_that_no_entry_can_have_is_made_legal_and_told() {
    let person = Person::new();
    let folder = source(
        &person,
        &[
            ("two words.md", "1\n"),
            ("two-words.md", "2\n"),
            ("Zürich.md", "3\n"),
            ("v1.2.md", "4\n"),
            ("CON.md", "5\n"),
            ("日本語.md", "6\n"),
            ("sub/notes.md", "7\n"),
            ("sub/deep er/notes.MD", "8\n"),
            ("sub-notes.md", "9\n"),
            ("Case.md", "10\n"),
            ("case.md", "11\n"),
            (".hidden.md", "no\n"),
            (".obsidian/x.md", "no\n"),
            ("readme.txt", "no\n"),
        ],
    );
    let report = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(
        told(&report),
        [
            "created entry-con < CON.md",
            "created Case < Case.md",
            "created zurich < Zürich.md",
            "created case-2 < case.md",
            "created sub-notes < sub-notes.md",
            "created two-words-2 < two words.md",
            "created two-words < two-words.md",
            "created v1-2 < v1.2.md",
            "created ri-ben-yu < 日本語.md",
            "created sub-notes-2 < sub/notes.md",
            "created sub-deep-er-notes < sub/deep er/notes.MD",
        ]
    );
    for entry in report["entries"].as_array().unwrap() {
        let stays = ["Case.md", "sub-notes.md", "two-words.md"].map(Value::from);
        assert_eq!(entry["renamed"], !stays.contains(&entry["from"]), "{entry}");
    }
    let again = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(again["unchanged"], 11, "{again}");
    let shown = person.run(&["import", folder.to_str().unwrap()]).expect_code(0).stdout;
    assert!(shown.contains("unchanged zurich  from Zürich.md (renamed)\n"), "{shown}");
    assert!(shown.ends_with("0 created, 11 unchanged, 0 refused\n"), "{shown}");
}

#[cfg(unix)]
#[test]
fn what_is_refused_is_named_by_file_and_rule_and_the_rest_is_imported() {
    let person = Person::new();
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let escaped = token.replace("ghp_", "\\x67hp_");
    let folder = source(
        &person,
        &[
            ("a-secret.md", &format!("Text.\n\nThe token is {token}\n")),
            (
                "b-spelled.md",
                &format!("---\ndescription: \"{escaped}\"\ntype: user\n---\n\nText.\n"),
            ),
            (&format!("{token}.md"), "Text.\n"),
            ("d-hidden.md", "Text.\u{202e}\n"),
            ("e-large.md", &"word ".repeat(13_200)),
            ("f-unreadable.md", "---\nname: [\n---\n\nText.\n"),
            ("g-unclosed.md", "---\nname: g\n\nText.\n"),
            ("h-empty.md", " \n"),
            ("z-good.md", "Good.\n"),
        ],
    );
    fs::write(folder.join("i-latin.md"), b"caf\xe9\n").unwrap();
    fs::write(folder.join("j-larger.md"), vec![b'x'; 200_000]).unwrap();
    let outside = person.sandbox.root().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("x.md"), "Of another folder.\n").unwrap();
    std::os::unix::fs::symlink(outside.join("x.md"), folder.join("k-link.md")).unwrap();
    std::os::unix::fs::symlink(&outside, folder.join("linked-folder")).unwrap();
    let reply = import(&person, &folder, &[]).expect_code(1);
    let report = reply.json();
    let reasons = [
        ("a-secret.md", "secret_detected"),
        ("b-spelled.md", "secret_detected"),
        ("d-hidden.md", "hidden_characters"),
        ("e-large.md", "too_large"),
        ("f-unreadable.md", "invalid_request"),
        ("g-unclosed.md", "invalid_request"),
        ("h-empty.md", "invalid_request"),
        ("i-latin.md", "invalid_request"),
        ("j-larger.md", "too_large"),
        ("k-link.md", "invalid_request"),
    ];
    let told = told(&report);
    for (file, reason) in reasons {
        assert!(told.contains(&format!("rejected {reason} < {file}")), "{file}: {told:#?}");
    }
    assert_eq!((&report["created"], &report["rejected"]), (&json!(1), &json!(11)), "{report:#}");
    assert_eq!(person.index(), "- [z-good](z-good.md) — Good.\n");
    assert!(warnings(&report).contains("the link `linked-folder` is not followed"), "{report}");
    for entry in
        report["entries"].as_array().unwrap().iter().filter(|it| it["status"] == "rejected")
    {
        assert!(entry["message"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
        assert!(entry["hint"].as_str().is_some_and(|text| !text.is_empty()), "{entry}");
    }
    let shown = person.run(&["import", folder.to_str().unwrap()]).expect_code(1);
    let wanted = "refused a-secret.md: 1 found of kind `github-token`, first in /file on line 3";
    let link = "refused k-link.md: it is a symbolic link [invalid_request]\n  hint: import the files themselves\n";
    assert!(shown.stdout.contains(link), "{}", shown.stdout);
    assert!(shown.stdout.contains(wanted), "{}", shown.stdout);
    let tree = person.tree();
    let stored = tree.values().any(|bytes| String::from_utf8_lossy(bytes).contains(&token));
    let printed = [reply.stdout, reply.stderr, shown.stdout, shown.stderr].concat();
    assert!(!stored && !printed.contains(&token), "{printed}");
}

#[test]
fn an_entry_that_says_something_else_is_never_overwritten() {
    let person = Person::with(&[upsert("a"), upsert("b")]);
    let same = person.file("memory/b.md");
    let other = same.replace("The text", "Another text");
    let folder = source(
        &person,
        &[("a.md", "Mine.\n"), ("b.md", &same), ("B.md", &other), ("c.md", "New.\n")],
    );
    let before = person.file("memory/a.md");
    let report = import(&person, &folder, &[]).expect_code(1).json();
    assert_eq!(
        told(&report),
        [
            "rejected name_collision < B.md",
            "rejected name_collision < a.md",
            "created b-2 < b.md",
            "created c < c.md"
        ]
    );
    let refused = &report["entries"][1];
    assert_eq!(refused["message"], "there is an entry `a`, and it says something else");
    assert_eq!(
        refused["hint"],
        "delete it first: `agent-memory user delete a`; or rename the file"
    );
    assert_eq!(person.file("memory/a.md"), before);
    assert_eq!(person.file("memory/b.md"), same);
    person.log_is_whole();
}

#[test]
fn a_file_under_the_name_of_an_entry_that_cannot_be_read_is_refused_with_the_cause() {
    let person = Person::with(&[upsert("a")]);
    person.write("memory/a.md", b"caf\xe9");
    let folder = source(&person, &[("a.md", "Mine.\n")]);
    for more in [&["--dry-run"][..], &[]] {
        let report = import(&person, &folder, more).expect_code(1).json();
        let refused = &report["entries"][0];
        assert_eq!(refused["reason"], "name_collision");
        let message = refused["message"].as_str().unwrap();
        assert!(message.starts_with("the entry `a` cannot be read: it is not UTF-8"), "{message}");
        let hint = refused["hint"].as_str().unwrap();
        assert!(hint.starts_with("`agent-memory user delete a` moves"), "{hint}");
    }
    person.run(&["delete", "a"]).expect_code(0);
    import(&person, &folder, &[]).expect_code(0);
    assert_eq!(person.body("a"), "Mine.\n");
}

#[test]
fn of_two_indexes_in_a_folder_one_is_read_and_the_other_named() {
    let person = Person::new();
    let folder = source(
        &person,
        &[
            ("sub/MEMORY.md", "- [a](a.md) — by the first\n"),
            ("sub/memory.md", "- [a](a.md) — by the second\n"),
            ("sub/a.md", "A.\n"),
        ],
    );
    let report = import(&person, &folder, &[]).expect_code(0).json();
    let warning = "`sub/memory.md` is not read: its folder has another index";
    assert_eq!(report["warnings"], json!([warning]));
    assert_eq!(person.index(), "- [sub-a](sub-a.md) — by the first\n");
}

#[test]
fn what_an_index_says_beside_its_files_is_told_to_be_left_out() {
    let person = Person::new();
    let index = "# Notes\n\n- [a](a.md) — wrapped\n  onto two lines\n- [gone](gone.md) — no file\n\nAll notes of\nan older version.\n";
    let folder = source(
        &person,
        &[
            ("MEMORY.md", index),
            ("a.md", "A.\n"),
            ("sub/MEMORY.md", "- [b](b.md) — of b\n"),
            ("sub/b.md", "B.\n"),
        ],
    );
    let report = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(
        report["warnings"],
        json!(["what `MEMORY.md` says beside its list of files is not imported: 3 lines"])
    );
    assert_eq!(
        person.index(),
        "- [a](a.md) — wrapped onto two lines\n- [sub-b](sub-b.md) — of b\n"
    );
}

#[test]
fn a_dry_run_says_the_same_and_writes_nothing() {
    let token = ["ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let files: [(&str, &str); 5] = [
        ("MEMORY.md", "- [c](c.md) — first\n\nProse.\n"),
        ("a.md", &token),
        ("two words.md", "---\nname: x\ndescription: y\ntype: user\n---\n\nText.\n"),
        ("c.md", "Text of c.\n"),
        ("d.md", "Text of d.\n"),
    ];
    for entries in [&[][..], &[upsert("d")]] {
        let person = Person::with(entries);
        if !entries.is_empty() {
            // As many as fit are one more.
            person.write("config.toml", "[limits]\nentries = 2\n");
        }
        let folder = source(&person, &files);
        let before = files_in(&person.data());
        let mut dry = import(&person, &folder, &["--dry-run"]).expect_code(1).json();
        assert!(files_in(&person.data()) == before, "something was written");
        let wet = import(&person, &folder, &[]).expect_code(1).json();
        assert_eq!((&dry["dry_run"], &wet["dry_run"]), (&json!(true), &json!(false)));
        dry["dry_run"] = json!(false);
        assert_eq!(dry, wet);
        let limits = told(&wet).iter().filter(|it| it.contains("limit_exceeded")).count();
        assert_eq!(limits, entries.len(), "{wet:#}");
        assert!(warnings(&wet).contains("1 line"), "{wet:#}");
    }
}

#[test]
fn a_dry_run_tells_a_person_what_would_be_created() {
    let person = Person::with(&[upsert("b")]);
    let same = person.file("memory/b.md");
    let files = [("a.md", "A.\n"), ("b.md", same.as_str()), ("two words.md", "C.\n")];
    let folder = source(&person, &files);
    let shown = person.run(&["import", folder.to_str().unwrap(), "--dry-run"]).expect_code(0);
    assert_eq!(
        shown.stdout,
        "would create a  from a.md\nunchanged b  from b.md\nwould create two-words  from two words.md (renamed)\n2 would be created, 1 unchanged, 0 refused; nothing was written\n"
    );
}

#[test]
fn an_import_that_was_cut_short_is_finished_by_the_next() {
    let person = Person::new();
    let folder = source(&person, &[("a.md", "A.\n"), ("b.md", "B.\n")]);
    import(&person, &folder, &[]).expect_code(0);
    fill(&folder, &[("c.md", "C.\n")]);
    let report = import(&person, &folder, &[]).expect_code(0).json();
    assert_eq!(told(&report), ["unchanged a < a.md", "unchanged b < b.md", "created c < c.md"]);
    assert_eq!(person.log().len(), 3);
}

#[test]
fn an_imported_entry_can_be_undone_and_restored() {
    let person = Person::new();
    let folder = source(&person, &[("answers.md", G3)]);
    import(&person, &folder, &[]).expect_code(0);
    person.run(&["undo"]).expect_code(0);
    assert!(!person.has("memory/answers.md"));
    person.run(&["restore", "answers"]).expect_code(0);
    assert_eq!(person.file("memory/answers.md"), G3);
    person.log_is_whole();
}

#[test]
fn a_full_claude_folder_takes_no_further_entry() {
    let person = Person::with(&[upsert("a")]);
    person.write("config.toml", "dialect = \"claude\"\n[limits]\nindex_lines = 2\n");
    let folder = source(&person, &[("b.md", "B.\n"), ("c.md", "C.\n")]);
    let report = import(&person, &folder, &[]).expect_code(1).json();
    assert_eq!(told(&report), ["created b < b.md", "rejected limit_exceeded < c.md"]);
    assert!(
        person
            .file("memory/b.md")
            .contains("\nmetadata:\n  node_type: memory\n  type: reference\n")
    );
    assert_eq!(person.index(), line("a") + "- [b](b.md) — B.\n");
}

#[test]
fn the_documents_keep_the_schema_of_the_command() {
    let person = Person::new();
    let schema = schema(&person.sandbox, "user");
    person.sandbox.write_project("notes/two words.md", "Text.\n");
    person.sandbox.write_project("notes/empty.md", "");
    for line in [
        "import notes --dry-run",
        "import notes",
        "import notes",
        "import --from claude",
        "import --from gemini",
        "import absent",
        "export notes",
        "export out",
    ] {
        let words: Vec<&str> = line.split(' ').chain(["--json"]).collect();
        let document = person.run(&words).json();
        assert_eq!(breaches(&schema, &document), Vec::<String>::new(), "{line}: {document:#}");
        assert_eq!(document["schema_version"], 1, "{line}");
    }
}

#[test]
fn a_source_that_is_none_is_an_error_and_one_without_a_person_is_refused() {
    let person = Person::new();
    let absent = person.sandbox.root().join("absent");
    import(&person, &absent, &[]).expect_code(2);
    person.run(&["import"]).expect_code(2);
    person.run(&["import", "--from", "other"]).expect_code(2);
    person.run(&["import", "x", "--from", "gemini"]).expect_code(2);
    person.run(&["import", "--from", "gemini", "--project", "."]).expect_code(2);
    let folder = source(&person, &[("a.md", "A.\n")]);
    let arguments = ["import", folder.to_str().unwrap(), "--json"];
    let answer =
        person.prepare(&arguments).env("AGENT_MEMORY_USER", "").run().expect_code(1).json();
    assert_eq!(answer["reason"], "user_required");
    assert!(!person.data().exists());
}
