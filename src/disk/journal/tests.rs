//! What the journal remembers, and what it refuses.

use std::io::BufReader;

use super::*;
use crate::disk::folder::Folder;
use crate::disk::step::FormerFile;
use crate::error::ErrorKind;

const KEY: Key = Key::Known([7; 32]);

fn step(text: &str) -> Vec<Step> {
    vec![Step::Append { path: "x".to_owned(), offset: 0, line: text.to_owned() }]
}

impl Journal {
    /// Records a change that is not carried out.
    pub(in crate::disk) fn record(&mut self, steps: Vec<Step>) -> Result<JournalRecord> {
        self.commit("apply", steps, Trace::Kept)
    }
}

fn store_in(folder: &tempfile::TempDir) -> StoreFolder {
    let folder = Folder::open(folder.path()).expect("it opens").expect("it is there");
    StoreFolder::new(folder, KEY, None)
}

fn open_numbers(store: &StoreFolder) -> Vec<u64> {
    let (_, open) = Journal::open(store, None).expect("a journal");
    open.iter().map(|each| each.record.number).collect()
}

#[test]
fn a_record_is_open_until_it_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let record = journal.record(step("a")).expect("a record");
    assert_eq!(open_numbers(&store), [1]);
    assert!(!Journal::is_settled(&store).expect("it is read"));
    journal.done(&record, 0).expect("a mark");
    assert_eq!(open_numbers(&store), [0_u64; 0]);
    assert!(Journal::is_settled(&store).expect("it is read"));
}

#[test]
fn a_journal_of_an_earlier_run_is_told_by_its_first_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    assert!(Journal::is_of_this_run(&store));
    "earlier".clone_into(&mut journal.boot);
    journal.record(step("a")).expect("a record");
    assert!(!Journal::is_of_this_run(&store));
    journal.boot = boot_id().to_owned();
    journal.record(step("b")).expect("a record");
    assert!(!Journal::is_of_this_run(&store));
    journal.clear().expect("an empty journal");
    journal.record(step("c")).expect("a record");
    assert_eq!(Journal::is_of_this_run(&store), !boot_id().is_empty());
}

/// Returns the lines, without the free space.
fn lines_of(store: &StoreFolder) -> Vec<u8> {
    let mut bytes = files::read(&store.journal()).expect("readable").expect("there");
    bytes.truncate(bytes.partition_point(|byte| *byte != 0));
    bytes
}

#[test]
fn a_torn_line_was_never_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    journal.record(step("a")).expect("a record");
    let whole = lines_of(&store);
    journal.record(step("b")).expect("a record");
    let both = lines_of(&store);
    for cut in whole.len()..both.len() {
        let lost = vec![0; both.len() - cut];
        for behind in [&[][..], &[0; 300], &[&lost, &both[cut..]].concat()] {
            files::write(&store.journal(), &[&both[..cut], behind].concat()).expect("writable");
            assert_eq!(open_numbers(&store), [1], "cut at {cut}");
            assert_eq!(files::read(&store.journal()).expect("readable").expect("there"), whole);
        }
    }
    files::write(&store.journal(), &both[..whole.len() + 5]).expect("writable");
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    journal.record(step("c")).expect("a record");
    assert_eq!(open_numbers(&store), [1, 2]);
}

#[test]
fn records_are_written_into_room_that_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let mut sizes = Vec::new();
    for number in 1..200 {
        let (mut journal, _) = Journal::open(&store, None).expect("a journal");
        assert_eq!(journal.next(), number);
        let record = journal.record(step(&"ä".repeat(500))).expect("a record");
        journal.done(&record, 0).expect("a mark");
        sizes.push(files::length(&store.journal()));
    }
    assert!(lines_of(&store).len() > 200_000);
    sizes.dedup();
    assert_eq!(sizes.len(), 5, "{sizes:?}");
}

#[test]
fn a_journal_of_room_alone_is_emptied() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    files::write(&store.journal(), &[0; 300_000]).expect("writable");
    assert!(!Journal::is_settled(&store).expect("it is read"));
    assert_eq!(open_numbers(&store), [0_u64; 0]);
    assert!(Journal::is_settled(&store).expect("it is read"));
}

#[test]
fn what_stands_behind_the_room_was_torn() {
    // Only a power cut keeps bytes after others that it lost.
    for (boot, room) in [(boot_id(), 500), ("earlier", 20_000)] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store_in(&folder);
        let (mut journal, _) = Journal::open(&store, None).expect("a journal");
        boot.clone_into(&mut journal.boot);
        let record = journal.record(step("a")).expect("a record");
        journal.done(&record, 0).expect("a mark");
        let whole = lines_of(&store);
        let torn = [&whole, &vec![0; room][..], b"half of a line"].concat();
        files::write(&store.journal(), &torn).expect("writable");
        assert!(!Journal::is_settled(&store).expect("it is read"), "{boot}");
        Journal::open(&store, None).expect("a journal");
        assert_eq!(
            files::read(&store.journal()).expect("readable").expect("there"),
            whole,
            "{boot}"
        );
    }
}

#[test]
fn the_last_mark_is_found_wherever_the_room_begins() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    for bytes in [1, 3_000, 4_096, 9_000, 70_000, 140_000] {
        let (mut journal, _) = Journal::open(&store, None).expect("a journal");
        let record = journal.record(step(&"x".repeat(bytes))).expect("a record");
        journal.done(&record, 0).expect("a mark");
        let length = lines_of(&store).len() as u64;
        let (journal, open) = Journal::open(&store, None).expect("a journal");
        assert_eq!((journal.length, journal.next, open.len()), (length, record.number + 1, 0));
        assert_eq!(Journal::is_settled(&store).expect("it is read"), !boot_id().is_empty());
    }
}

#[test]
fn a_journal_of_another_version_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let strange =
        line(&serde_json::json!({"version": 9, "steps": [{"step": "of the future"}]}), &KEY);
    files::write(&store.journal(), strange.as_bytes()).expect("writable");
    let error = Journal::open(&store, None).expect_err("it is strange");
    assert_eq!(error.kind(), ErrorKind::StoreDamaged);
    assert!(error.to_string().contains("it is of form 9, known is 1"), "{error}");
}

#[test]
fn a_mark_is_about_the_record_of_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    let records: Vec<JournalRecord> =
        ["a", "b", "c"].iter().map(|text| journal.record(step(text)).expect("a record")).collect();
    journal.done(&records[1], 0).expect("a mark");
    journal.record(step("d")).expect("a record");
    assert_eq!(open_numbers(&store), [1, 3, 4]);
    journal
        .append(&line(&DoneMark { done: 1, boot: "another".to_owned(), at: 5 }, &KEY))
        .expect("a mark");
    let (_, open) = Journal::open(&store, None).expect("a journal");
    let marks: Vec<Option<i64>> =
        open.iter().map(|each| each.done.as_ref().map(|done| done.at)).collect();
    assert_eq!(marks, [Some(5), None, None]);
}

#[test]
fn the_highest_number_is_no_bug() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let last = DoneMark { done: u64::MAX, boot: boot_id().to_owned(), at: 0 };
    files::write(&store.journal(), (line(&last, &KEY) + "torn").as_bytes()).expect("writable");
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    journal.record(step("a")).expect("a record");
    assert_eq!(open_numbers(&store), [u64::MAX]);
}

#[test]
fn a_record_that_leads_out_of_the_store_is_refused() {
    let text = String::new;
    let write = |path: &str| Step::Write { path: path.to_owned(), before: None, after: text() };
    let planted = [
        write("../x"),
        write("/x"),
        write("local/../../x"),
        write(""),
        Step::Append { path: "../x".to_owned(), offset: 0, line: text() },
        Step::Folder { path: "../x".to_owned(), files: Vec::new() },
        Step::Folder { path: "x".to_owned(), files: vec![("../../y".to_owned(), text())] },
        Step::Move { from: "../x".to_owned(), to: "x".to_owned(), before: None },
        Step::Move { from: "x".to_owned(), to: "../x".to_owned(), before: None },
        Step::Remove { path: "../x".to_owned(), before: FormerFile::of("") },
    ];
    for step in planted {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store_in(&folder);
        let (mut journal, _) = Journal::open(&store, None).expect("a journal");
        journal.record(vec![step.clone()]).expect("a record");
        let error = Journal::open(&store, None).expect_err("it leads out");
        assert_eq!(error.kind(), ErrorKind::StoreDamaged, "{step:?}");
    }
}

/// Gives an example of each step, and what has to be durable before it may be forgotten.
fn named_paths(step: &Step) -> (&'static [&'static str], &'static [&'static str]) {
    // Without a `_`, so that a new kind of step must be added here.
    match step {
        Step::Write { .. } => (&["w"], &[]),
        Step::Folder { .. } => (&["f", "f/inner"], &[]),
        Step::Move { .. } => (&["from"], &["to"]),
        Step::Append { .. } => (&["a"], &[]),
        Step::Cut { .. } => (&["cut"], &[]),
        Step::Remove { .. } => (&["gone"], &[]),
    }
}

#[test]
fn the_end_of_a_journal_is_told_of_every_place_in_it() {
    let name = |text: &str| text.to_owned();
    let steps = [
        Step::write("w", Some("path"), name("after")),
        Step::Folder { path: name("f"), files: vec![(name("inner"), name("text"))] },
        Step::Move { from: name("from"), to: name("to"), before: None },
        Step::Append { path: name("a"), offset: 7, line: name("line\n") },
        Step::Cut { path: name("cut") },
        Step::Remove { path: name("gone"), before: FormerFile::of("old") },
    ];
    for step in steps {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut journal, _) = Journal::open(&store_in(&folder), None).expect("a journal");
        let (paths, moved) = named_paths(&step);
        for _ in 0..2 {
            let record = journal.record(vec![step.clone()]).expect("a record");
            journal.done(&record, 0).expect("a mark");
        }
        let named = journal.named().expect("it is understood");
        assert!(named.paths.iter().map(String::as_str).eq(paths.iter().copied()), "{named:?}");
        assert!(named.moved.iter().map(String::as_str).eq(moved.iter().copied()), "{named:?}");
    }
}

#[test]
fn lines_are_read_in_pieces_of_any_size() {
    for (text, expected) in [
        ("one\n\ntwo\n", &["one\n", "\n", "two\n"][..]),
        ("one\ntw", &["one\n", "tw"]),
        ("one\n\0\0\0\0\nthree\n", &["one\n"]),
        ("one\ntw\0\0\0", &["one\n", "tw"]),
        ("\0\0", &[]),
        ("", &[]),
    ] {
        for capacity in 1..=text.len() + 1 {
            let mut reader = BufReader::with_capacity(capacity, text.as_bytes());
            let (mut line, mut found) = (Vec::new(), Vec::new());
            while lines::next_line(&mut reader, &mut line).expect("it is read") {
                found.push(String::from_utf8(line.clone()).expect("text"));
            }
            assert_eq!(found, expected, "{text:?}, {capacity} bytes at once");
        }
    }
}

#[test]
fn a_record_that_is_not_understood_is_not_forgotten() {
    let step = |step: serde_json::Value| serde_json::json!({ "version": 1, "verb": "apply", "number": 1, "boot": "", "steps": [step] });
    let strange = [
        serde_json::json!({ "version": 2, "steps": {} }),
        step(serde_json::json!({ "step": "link", "target": "x" })),
        step(serde_json::json!({ "step": "cut", "path": "../x" })),
        step(serde_json::json!({ "step": "cut", "path": "" })),
    ];
    for record in strange {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store_in(&folder);
        let mark = DoneMark { done: 1, boot: boot_id().to_owned(), at: 1 };
        let text = format!("{}{}", line(&record, &KEY), line(&mark, &KEY));
        files::write(&store.journal(), text.as_bytes()).expect("writable");
        if boot_id().is_empty() {
            return;
        }
        let (mut journal, open) = Journal::open(&store, Some(i64::MAX)).expect("it seems settled");
        assert!(open.is_empty() && journal.is_ripe());
        let error = journal.named().expect_err("nobody knows what it did");
        assert_eq!(error.kind(), ErrorKind::StoreDamaged, "{record}");
    }
}

#[test]
fn room_without_an_end_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store_in(&folder);
    let (mut journal, _) = Journal::open(&store, None).expect("a journal");
    journal.record(step("a")).expect("a record");
    let (length, large) = (journal.length, 1 << 40);
    journal.file.set_len(large).expect("holes take no room");
    assert_eq!(journal.named().expect("it is understood").paths.len(), 1);
    assert!(!Journal::is_settled(&store).expect("it is read"));
    assert_eq!(open_numbers(&store), [1]);
    assert_eq!(files::length(&store.journal()), length, "what was no room of ours is gone");
}
