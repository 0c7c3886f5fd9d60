//! What recovery takes for lost, and what for a person's edit.

use super::redo::FileVerdict;
use super::*;
use crate::disk::owner::tests::PlainStore;
use crate::disk::step::FormerFile;

/// Makes a store with one file, classifies a change of it, and returns the verdict.
fn check(before: Option<&str>, now: Option<&str>, done_at: Option<i64>, expected: FileVerdict) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    let target = store.inside("x.md");
    if let Some(text) = now {
        files::write(&target, text.as_bytes()).expect("a file");
    }
    let Step::Write { before, .. } = Step::write("x.md", before, "new text".to_owned()) else {
        unreachable!("`write` makes a write");
    };
    let done = done_at.map(|at| DoneMark { done: 1, boot: "earlier".to_owned(), at });
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let said = &mut Vec::new();
    let mut redo = Redo::new(&store, &mut journal, &[], said);
    redo.done = done;
    let now = now.map(str::as_bytes);
    let verdict = redo.classify("x.md", "new text", before.as_ref(), now);
    assert_eq!(verdict, expected, "{before:?} {now:?} {done_at:?}");
}

#[test]
fn what_a_dead_process_had_not_written_is_lost() {
    check(None, None, None, FileVerdict::Lost);
    check(Some("old"), Some("old"), None, FileVerdict::Lost);
    check(Some("old"), Some("\0\0\0"), None, FileVerdict::Lost);
    check(Some("old"), Some(""), None, FileVerdict::Lost);
    check(Some("old"), Some("new t"), None, FileVerdict::Lost);
    check(None, Some("new\0text"), None, FileVerdict::Lost);
}

#[test]
fn what_a_person_wrote_in_the_meantime_is_an_edit() {
    check(Some("old"), Some("other"), None, FileVerdict::Edited);
    check(None, Some("other"), None, FileVerdict::Edited);
    check(Some("old"), None, None, FileVerdict::Edited);
}

#[test]
fn a_file_that_went_with_its_folder_is_judged_by_the_one_above() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    // Removing the folder `sessions` made the store's folder newer than the mark.
    for (at, expected) in [(0, FileVerdict::Edited), (i64::MAX - 1, FileVerdict::Lost)] {
        let done = Some(DoneMark { done: 1, boot: "earlier".to_owned(), at });
        let said = &mut Vec::new();
        let mut redo = Redo::new(&store, &mut journal, &[], said);
        redo.done = done;
        assert_eq!(redo.classify("sessions/x.md", "new text", None, None), expected, "{at}");
    }
}

#[test]
fn no_step_takes_away_what_came_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let (from, to) = ("x.md".to_owned(), "state/trash/x.md".to_owned());
    let forget = Step::Remove { path: from.clone(), before: FormerFile::of("new") };
    for step in [Step::Move { from, to, before: None }, forget] {
        files::write(&store.inside("x.md"), b"new").expect("a file");
        for (at, stays) in [(0, true), (i64::MAX, false)] {
            let done = Some(DoneMark { done: 1, boot: "earlier".to_owned(), at });
            let said = &mut Vec::new();
            let mut redo = Redo::new(&store, &mut journal, &[], said);
            redo.done = done;
            redo.step(&step).expect("it is carried out");
            assert_eq!(files::exists(&store.inside("x.md")), stays, "{at}: {step:?}");
        }
    }
}

/// A record that was carried out in an earlier boot.
fn done_record(number: u64, at: i64, step: &Step) -> OpenRecord {
    let record = serde_json::json!({
        "version": 1, "verb": "test", "number": number, "boot": "earlier", "steps": [step],
    });
    let record = serde_json::from_value(record).expect("a record");
    let boot = "earlier".to_owned();
    OpenRecord { record, done: Some(DoneMark { done: number, boot, at }) }
}

/// Lets a store find records after a power cut.
fn redo_all(store: &PlainStore, open: &[OpenRecord]) {
    let (mut journal, _) = Journal::open(store, None).expect("a journal");
    let said = &mut Vec::new();
    let mut redo = Redo::new(store, &mut journal, open, said);
    for OpenRecord { record, done } in open {
        redo.done.clone_from(done);
        record.steps.iter().for_each(|step| redo.step(step).expect("it is carried out"));
    }
    assert!(said.is_empty(), "{said:?}");
}

fn moved(from: &str, to: &str, text: &str) -> Step {
    let (from, to) = (from.to_owned(), to.to_owned());
    Step::Move { from, to, before: Some(FormerFile::of(text)) }
}

#[test]
fn a_moved_file_that_lost_its_bytes_has_them_again_unless_a_person_wrote_to_it() {
    for (at, left, expected) in [(i64::MAX - 1, "", "text"), (0, "", ""), (i64::MAX - 1, "x", "x")]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let store = PlainStore::of(folder.path());
        files::write(&store.inside("trash/x.md"), left.as_bytes()).expect("a file");
        let write = Step::write("x.md", None, "text".to_owned());
        // Taking it away made the folder newer.
        redo_all(
            &store,
            &[done_record(1, 0, &write), done_record(2, at, &moved("x.md", "trash/x.md", "text"))],
        );
        let now = files::read_text(&store.inside("trash/x.md")).expect("readable");
        assert_eq!(now.as_deref(), Some(expected), "{at} {left:?}");
        assert!(!files::exists(&store.inside("x.md")));
    }
}

#[test]
fn a_line_that_was_lost_before_a_later_one_comes_back_in_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let said = &mut Vec::new();
    let redo = Redo::new(&store, &mut journal, &[], said);
    let torn =
        ["first\n\0\0\0\0\0\0\0third\n", "first\nseco\0\0\0third\n", "first\nsec", "first\n"];
    for torn in torn {
        files::write(&store.inside("state/log.jsonl"), torn.as_bytes()).expect("a log");
        redo.append("state/log.jsonl", 6, "second\n").expect("a line");
        redo.append("state/log.jsonl", 13, "third\n").expect("a line");
        let log =
            files::read_text(&store.inside("state/log.jsonl")).expect("readable").expect("there");
        assert_eq!(log, "first\nsecond\nthird\n", "{torn:?}");
    }
}

#[test]
fn a_line_that_is_there_is_not_written_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let said = &mut Vec::new();
    let redo = Redo::new(&store, &mut journal, &[], said);
    let logs = [
        ("first\nsecond\nthird\n", 6, "first\nsecond\nthird\n"),
        ("second\n", 0, "second\n"),
        ("second\n", 6, "second\n"),
        ("first\nsecond", 6, "first\nsecond\n"),
    ];
    for (before, offset, after) in logs {
        files::write(&store.inside("state/log.jsonl"), before.as_bytes()).expect("a log");
        redo.append("state/log.jsonl", offset, "second\n").expect("a line");
        let log =
            files::read_text(&store.inside("state/log.jsonl")).expect("readable").expect("there");
        assert_eq!(log, after, "{before:?}");
    }
}

#[test]
fn after_a_reboot_only_what_is_as_old_as_the_power_cut_is_lost() {
    check(None, None, Some(i64::MAX), FileVerdict::Lost);
    check(None, None, Some(0), FileVerdict::Edited);
    check(None, Some("new t"), Some(i64::MAX), FileVerdict::Lost);
    check(None, Some("new t"), Some(0), FileVerdict::Edited);
    check(Some("old"), Some(""), Some(0), FileVerdict::Edited);
    // `former.modified` is unknown here, so the file counts as restored by a person.
    check(Some("old"), Some("old"), Some(i64::MAX - 1), FileVerdict::Edited);
    // A restore had begun when the power failed once more.
    check(Some("old"), Some("old"), Some(i64::MAX), FileVerdict::Lost);
}
