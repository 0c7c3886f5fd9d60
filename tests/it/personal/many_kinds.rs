//! Files as people and other tools have them: three forms, many spellings, all kinds of names.
//!
//! `fixtures/personal/` has them in one text a form. A line `=== name` begins a file; behind the name `crlf` and `bom` say what it
//! is written with, and `cut` that its last line has no end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Person, warnings};
use crate::support::{files_in, folder};

/// Returns the files of all forms by name.
pub(super) fn files() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for form in ["generation-1", "generation-2", "generation-3"] {
        let text =
            std::fs::read_to_string(folder(&format!("fixtures/personal/{form}.txt"))).unwrap();
        for part in format!("\n{}", text.trim_end()).split("\n=== ").skip(1) {
            let (title, body) = part.split_once('\n').unwrap();
            let (name, manners) = title.split_once(".md").unwrap();
            let old = files.insert(format!("{name}.md"), written(body, manners));
            assert!(old.is_none(), "{name} is there twice");
        }
    }
    files
}

fn written(body: &str, manners: &str) -> Vec<u8> {
    let mut text = format!("{body}\n");
    let is = |manner: &str| manners.split(' ').any(|word| word == manner);
    if is("cut") {
        text.pop();
    }
    if is("crlf") {
        text = text.replace('\n', "\r\n");
    }
    if is("bom") {
        text.insert(0, '\u{feff}');
    }
    text.into_bytes()
}

/// Returns the index that a person wrote for them.
fn index() -> String {
    std::fs::read_to_string(folder("fixtures/personal/MEMORY.md")).unwrap()
}

fn with_files_by_hand() -> Person {
    let person = Person::new();
    for (name, bytes) in files() {
        person.write(&format!("memory/{name}"), bytes);
    }
    person.write("memory/MEMORY.md", index());
    person
}

fn is_legal(stem: &str) -> bool {
    stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[test]
fn there_are_sixty_files_of_three_forms() {
    let files = files();
    assert!(files.len() >= 60, "{}", files.len());
    let has =
        |part: &[u8]| files.values().any(|bytes| bytes.windows(part.len()).any(|at| at == part));
    for part in ["\r\n", "\u{feff}", "\nmetadata:", ">-", "\t", "🚀", "日本語"] {
        assert!(has(part.as_bytes()), "{part:?}");
    }
    assert!(files.values().any(|bytes| !bytes.ends_with(b"\n")));
}

#[test]
fn files_that_a_person_put_there_are_listed_and_read() {
    let person = with_files_by_hand();
    let before = files_in(&person.folder().join("memory"));
    let list = person.list();
    let listed: BTreeSet<String> = list["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| format!("{}.md", entry["name"].as_str().unwrap()))
        .collect();
    assert_eq!(listed, files().into_keys().collect());
    assert!(!warnings(&list).contains("cannot be read"), "{list}");
    for (name, bytes) in files() {
        let stem = name.strip_suffix(".md").unwrap();
        if is_legal(stem) {
            let read = person.read(stem);
            assert!(says(&read, &bytes), "{name}: {read}");
        }
    }
    assert!(files_in(&person.folder().join("memory")) == before, "reading wrote something");
}

/// Tells whether an answer has the last line of the file that it is about.
fn says(read: &Value, bytes: &[u8]) -> bool {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap().trim();
    last == "---" || read["body"].as_str().unwrap().contains(last)
}

#[test]
fn an_upsert_of_one_changes_no_other_file_and_no_other_line() {
    for name in ["feedback_testing", "with-modified", "debugging", "long-body", "tabs"] {
        let person = with_files_by_hand();
        let before = person.tree();
        person.done(
            &json!({
                "action": "upsert", "name": name, "type": "feedback",
                "description": "Another description", "body": "Another body.",
            }),
            "updated",
        );
        let mut after = person.tree();
        let path = format!("memory/{name}.md");
        assert_ne!(after.insert(path.clone(), before[&path].clone()), Some(before[&path].clone()));
        after.retain(|path, _| !path.starts_with("state/"));
        let index = String::from_utf8(after.remove("memory/MEMORY.md").unwrap()).unwrap();
        let mut others = before.clone();
        others.remove("memory/MEMORY.md");
        assert!(after == others, "{name}: another file changed");
        assert_eq!(without_item(&index, name), without_item(&self::index(), name), "{name}");
        assert!(index.contains(&format!("[{name}]({name}.md) — Another description")), "{index}");
    }
}

/// Takes out the lines of one entry, the wrapped ones too.
fn without_item(index: &str, name: &str) -> String {
    let mut is_own = false;
    let mut kept = String::new();
    for line in index.split_inclusive('\n') {
        let is_wrapped = line.starts_with(' ');
        is_own = if is_wrapped { is_own } else { line.contains(&format!("]({name}.md)")) };
        if !is_own {
            kept.push_str(line);
        }
    }
    kept
}

#[test]
fn an_import_of_them_into_another_memory_loses_nothing() {
    let person = Person::new();
    let source = person.sandbox.root().join("notes");
    std::fs::create_dir(&source).unwrap();
    for (name, bytes) in files() {
        std::fs::write(source.join(name), bytes).unwrap();
    }
    std::fs::write(source.join("MEMORY.md"), index()).unwrap();
    let source = source.display().to_string();
    let report = person.run(&["import", &source, "--json"]).expect_code(0).json();
    assert_eq!(report["created"], files().len(), "{report:#}");
    let entries = report["entries"].as_array().unwrap();
    let mut names = BTreeSet::new();
    for (file, bytes) in files() {
        let entry = entries.iter().find(|entry| entry["from"] == file.as_str()).unwrap();
        let name = entry["name"].as_str().unwrap();
        assert!(names.insert(name.to_owned()), "{name} is there twice");
        let stem = file.strip_suffix(".md").unwrap();
        assert_eq!(name == stem, is_legal(stem), "{entry}");
        assert_eq!(entry["renamed"], !is_legal(stem), "{entry}");
        let text = String::from_utf8(bytes.clone()).unwrap();
        let stored = person.file(&format!("memory/{name}.md"));
        match text.trim_start_matches('\u{feff}').starts_with("---") {
            true => assert_eq!(stored, text, "{file}"),
            false => {
                let body =
                    text.trim_start_matches('\u{feff}').trim_matches(['\r', '\n']).trim_end();
                assert!(stored.trim_end().ends_with(body), "{file}: {stored}");
                assert_eq!(person.read(name)["type"], "reference", "{file}");
            }
        }
        assert_eq!(person.index().matches(&format!("- [{name}]({name}.md)")).count(), 1, "{name}");
    }
    assert_eq!(person.log().len(), files().len());
    person.log_is_whole();
    let before = person.tree();
    let again = person.run(&["import", &source, "--json"]).expect_code(0).json();
    assert_eq!((&again["created"], &again["unchanged"]), (&json!(0), &json!(files().len())));
    assert!(person.tree() == before, "the second import wrote something");
}
