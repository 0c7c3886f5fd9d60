//! Saves a file at the moment of a change.
#![expect(clippy::disallowed_methods, reason = "tests set their own stage")]

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use super::*;
use crate::project::store::elsewhere::other_file::Elsewhere;

const OLD: [(&str, &str); 3] = [("a", "old a"), ("b", "old b"), ("c", "old c")];

fn stage() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    OLD.iter().for_each(|(name, text)| save(&folder, name, text));
    folder
}

fn save(folder: &TempDir, name: &str, text: &str) {
    fs::write(folder.path().join(name), text).expect("a file");
}

fn remove(folder: &TempDir, name: &str) {
    fs::remove_file(folder.path().join(name)).expect("it was there");
}

fn texts(folder: &TempDir) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("one"));
    let text = |path| fs::read_to_string(path).unwrap_or_else(|_| "a folder".to_owned());
    entries.map(|e| (e.file_name().to_string_lossy().into_owned(), text(e.path()))).collect()
}

fn with(changes: &[(&str, Option<&str>)]) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<_, _> =
        OLD.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    for (name, text) in changes {
        match text {
            Some(text) => texts.insert((*name).to_owned(), (*text).to_owned()),
            None => texts.remove(*name),
        };
    }
    texts
}

/// `a` changes, `b` goes, `c` changes, `d/e` comes.
fn changes(folder: &TempDir) -> Vec<Change> {
    let root = Elsewhere::open(folder.path()).expect("a folder");
    let change = |(path, after): (&str, Option<&str>)| {
        let file = root.find(path).expect("it is inside");
        let before = file.read().expect("it can be read");
        Change { file, before, after: after.map(|text| text.as_bytes().to_vec()) }
    };
    [("a", Some("new a")), ("b", None), ("c", Some("new c")), ("d/e", Some("new e"))]
        .map(change)
        .into()
}

/// Saves a file when all temp files are written, and expects the change to stop there.
fn stops(act: impl FnOnce(&TempDir), hint: &str, expected: &[(&str, Option<&str>)]) {
    let folder = stage();
    let changes = changes(&folder);
    let laid = lay_aside(&changes).expect("all can be laid aside");
    act(&folder);
    let error = laid.carry_out().expect_err("somebody saved it");
    assert!(error.next_step().is_some_and(|step| step.contains(hint)), "{:?}", error.next_step());
    assert_eq!(texts(&folder), with(expected));
}

#[test]
fn all_land_and_nothing_lies_beside_them() {
    let folder = stage();
    lay_aside(&changes(&folder)).expect("aside").carry_out().expect("nobody saves");
    let landed = [("a", Some("new a")), ("b", None), ("c", Some("new c")), ("d", Some("a folder"))];
    assert_eq!(texts(&folder), with(&landed));
}

#[test]
fn none_lands_if_one_is_not_as_it_was() {
    let folder = stage();
    let changes = changes(&folder);
    save(&folder, "c", "mine");
    lay_aside(&changes).expect_err("it was saved");
    assert_eq!(texts(&folder), with(&[("c", Some("mine"))]));
}

#[test]
fn a_save_of_the_same_moment_is_in_its_place_again() {
    stops(|folder| save(folder, "a", "mine"), "nothing was written", &[("a", Some("mine"))]);
    let first = ("a", Some("new a"));
    stops(|folder| save(folder, "b", "mine"), "`a`;", &[first, ("b", Some("mine"))]);
    stops(
        |folder| save(folder, "c", "mine"),
        "`a`, `b`;",
        &[first, ("b", None), ("c", Some("mine"))],
    );
    stops(|folder| remove(folder, "c"), "`a`, `b`;", &[first, ("b", None), ("c", None)]);
}

#[test]
fn what_is_kept_takes_the_place_of_nothing() {
    let folder = stage();
    let file = Elsewhere::open(folder.path()).expect("a folder").find("a").expect("inside");
    for (text, name) in [("first", "a.agent-memory-kept"), ("second", "a.agent-memory-kept-2")] {
        save(&folder, "a.agent-memory-new", text);
        assert_eq!(file.keep_aside().expect("it can be renamed"), Path::new(name));
        assert_eq!(texts(&folder)[name], text);
    }
}
