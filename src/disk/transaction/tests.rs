//! A person edits a file at each moment of a change.

use std::time::Duration;

use super::*;
use crate::disk::lock::Turn;
use crate::disk::owner::tests::PlainStore;
use crate::disk::replace::hash;
use crate::disk::step::FormerFile;

/// Makes a store with a file.
fn stage(path: &str) -> (tempfile::TempDir, PlainStore) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = PlainStore::of(folder.path());
    files::write(&store.inside(path), b"old").expect("a file");
    (folder, store)
}

fn lock(store: &PlainStore) -> Locked<'_, PlainStore> {
    let wait = Duration::from_secs(60);
    Locked::acquire(store, Turn::Awaited, wait, "apply", "a test").expect("it is free")
}

/// Prepares one step.
fn prepare<'l, 'a>(
    locked: &'l mut Locked<'a, PlainStore>,
    step: Step,
) -> std::result::Result<Prepared<'l, 'a, PlainStore>, EditedMeanwhile> {
    locked.prepare(vec![step], Trace::Kept).expect("it is looked at")
}

fn text(store: &PlainStore, path: &str) -> Option<String> {
    files::read_text(&store.inside(path)).expect("it is read")
}

/// Lists the temp files.
fn temp_files(store: &PlainStore) -> Vec<String> {
    files::list(&store.temporary()).expect("it is listed")
}

/// A step that moves a file away, planned on the text `old`.
fn put_away() -> Step {
    let before = Some(FormerFile::of("old"));
    Step::Move { from: "x.md".to_owned(), to: AWAY.to_owned(), before }
}

const AWAY: &str = "state/trash/x.md";

/// A step that removes a file, planned on the text `old`.
fn forget() -> Step {
    Step::Remove { path: "x.md".to_owned(), before: FormerFile::of("old") }
}

#[test]
fn an_edit_before_the_last_look_stops_every_step() {
    let (_folder, store) = stage("x.md");
    let write = Step::write("x.md", Some("old"), "new".to_owned());
    for step in [write, put_away(), forget()] {
        for edit in [Some("by hand"), None] {
            let path = store.inside("x.md");
            files::discard(&path).expect("it goes");
            edit.map(|text| files::write(&path, text.as_bytes()).expect("it is written"));
            let mut locked = lock(&store);
            let edited = prepare(&mut locked, step.clone()).map(drop).expect_err("it was edited");
            assert_eq!(edited, EditedMeanwhile { path: "x.md".to_owned() });
            assert_eq!(text(&store, "x.md").as_deref(), edit);
            assert_eq!(temp_files(&store), [""; 0]);
            assert_eq!(text(&store, AWAY), None);
        }
    }
}

#[test]
fn a_change_that_is_given_up_leaves_no_temp_file() {
    let (_folder, store) = stage("x.md");
    let mut locked = lock(&store);
    let step = Step::write("x.md", Some("old"), "new".to_owned());
    let prepared = prepare(&mut locked, step).expect("as planned");
    assert_eq!(temp_files(&store).len(), 1);
    drop(prepared);
    assert_eq!(temp_files(&store), [""; 0]);
    assert_eq!(text(&store, "x.md").as_deref(), Some("old"));
}

#[test]
fn what_cannot_be_carried_out_is_refused_before_anything_is_written() {
    let (_folder, store) = stage("x.md");
    files::write(&store.inside("taken/y.md"), b"there").expect("it is written");
    let write = Step::write("x.md", Some("old"), "new".to_owned());
    let files = vec![("z.md".to_owned(), "new".to_owned())];
    let taken = Step::Folder { path: "taken".to_owned(), files };
    let mut locked = lock(&store);
    let prepared = locked.prepare(vec![write, taken], Trace::Kept);
    let error = prepared.map(drop).expect_err("something stands there");
    assert!(error.to_string().contains("something stands there already"), "{error}");
    assert_eq!(temp_files(&store), [""; 0]);
}

#[test]
fn a_line_comes_behind_what_somebody_left_of_a_log() {
    let (_folder, store) = stage("x.md");
    for (left, expected) in
        [("one\ntwo", "one\ntwo\nthree\n"), ("one\n", "one\nthree\n"), ("", "three\n")]
    {
        let path = store.inside("lines");
        files::write(&path, b"one\ntwo\n").expect("it is written");
        let line = "three\n".to_owned();
        let step = Step::Append { path: "lines".to_owned(), offset: 8, line };
        let mut locked = lock(&store);
        let prepared = prepare(&mut locked, step).expect("as planned");
        files::write(&path, left.as_bytes()).expect("somebody cuts it");
        prepared.commit().expect("it is carried out");
        assert_eq!(text(&store, "lines").as_deref(), Some(expected));
    }
}

#[test]
fn who_loses_the_lock_writes_nothing() {
    let (_folder, store) = stage("x.md");
    let mut locked = lock(&store);
    files::discard(&store.lock()).expect("somebody takes it away");
    let step = Step::write("x.md", Some("old"), "new".to_owned());
    let error = locked.prepare(vec![step], Trace::Kept).expect_err("another process may write");
    assert!(error.to_string().contains("the lock was taken away"), "{error}");
    assert_eq!(text(&store, "x.md").as_deref(), Some("old"));
    assert_eq!(temp_files(&store), [""; 0]);
}

#[test]
fn the_time_of_a_file_at_the_last_look_is_recorded() {
    let (_folder, store) = stage("x.md");
    let time = files::modified(&store.inside("x.md")).expect("it is there");
    for step in [Step::write("x.md", Some("old"), "new".to_owned()), put_away()] {
        let mut locked = lock(&store);
        let prepared = prepare(&mut locked, step).expect("as planned");
        let (Step::Write { before, .. } | Step::Move { before, .. }) = &prepared.steps[0] else {
            panic!("{:?}", prepared.steps)
        };
        assert_eq!(before.as_ref().and_then(|former| former.modified), Some(time));
    }
}

#[test]
fn an_edit_behind_the_last_look_is_kept_and_told() {
    let (_folder, store) = stage("x.md");
    let cases = [(Step::write("x.md", Some("old"), "new".to_owned()), Some("new"))]
        .into_iter()
        .chain([(put_away(), None)]);
    for (step, after) in cases {
        let path = store.inside("x.md");
        files::write(&path, b"old").expect("it is written");
        let mut locked = lock(&store);
        let prepared = prepare(&mut locked, step).expect("as planned");
        files::write(&path, b"by hand").expect("it is written");
        let told = prepared.commit().expect("it is carried out");
        assert_eq!(text(&store, "x.md").as_deref(), after);
        let kept = told[0].trim_end_matches('`').rsplit('`').next().expect("a path");
        assert_eq!(text(&store, kept).as_deref(), Some("by hand"), "{told:?}");
    }
}

#[test]
fn a_file_that_is_as_it_was_goes_without_a_word() {
    let (_folder, store) = stage("x.md");
    let step = put_away();
    let mut locked = lock(&store);
    let prepared = prepare(&mut locked, step).expect("as planned");
    assert_eq!(prepared.commit().expect("it is carried out"), Vec::<String>::new());
    assert_eq!((text(&store, "x.md"), text(&store, AWAY).as_deref()), (None, Some("old")));
}

#[test]
fn what_recovery_moves_is_looked_at_too() {
    let (_folder, store) = stage("x.md");
    let step = put_away();
    let mut locked = lock(&store);
    // The process dies right after the commit point.
    locked.journal.record(vec![step]).expect("it is recorded");
    drop(locked);
    files::write(&store.inside("x.md"), b"by hand").expect("it is written");
    let told = lock(&store).take_warnings();
    assert!(told.len() == 1 && told[0].contains(AWAY), "{told:?}");
    assert_eq!((text(&store, "x.md"), text(&store, AWAY).as_deref()), (None, Some("by hand")));
}

#[test]
fn what_was_taken_out_of_its_place_is_looked_at_by_recovery() {
    for (left, is_kept) in [("old", false), ("new", false), ("ne", false), ("by hand", true)] {
        let (_folder, store) = stage("x.md");
        let step = Step::write("x.md", Some("old"), "new".to_owned());
        let mut locked = lock(&store);
        let record = locked.journal.record(vec![step]).expect("it is recorded");
        drop(locked);
        // The process dies between the exchange and the check of the old file.
        files::write(&store.inside("x.md"), b"new").expect("it is written");
        files::write(&store.temp_file(record.number, 0), left.as_bytes()).expect("a file");
        let told = lock(&store).take_warnings();
        assert_eq!(told.len(), usize::from(is_kept), "{left}: {told:?}");
        let kept = format!("state/trash/edited-{}/x.md", &hash(left.as_bytes())[..12]);
        assert_eq!(text(&store, &kept).as_deref(), is_kept.then_some(left));
        assert_eq!(text(&store, "x.md").as_deref(), Some("new"));
        assert_eq!(files::list(&store.temporary()).expect("a list"), Vec::<String>::new());
    }
}

#[test]
fn a_removed_file_and_the_records_with_its_text_leave_no_byte() {
    let (_folder, store) = stage("x.md");
    let mut locked = lock(&store);
    let earlier = prepare(&mut locked, Step::write("x.md", Some("old"), "forget me".to_owned()));
    earlier.expect("as planned").commit().expect("it is carried out");
    let step = Step::Remove { path: "x.md".to_owned(), before: FormerFile::of("forget me") };
    let prepared = locked.prepare(vec![step], Trace::Wiped).expect("it is looked at");
    let told = prepared.expect("as planned").commit().expect("it is carried out");
    assert_eq!(told, Vec::<String>::new());
    for path in files::all_below(&store.inside("")).into_iter().filter(files::is_plain) {
        let bytes = files::read(&path).expect("it is read").expect("it is there");
        assert!(!String::from_utf8_lossy(&bytes).contains("forget me"), "{}", path.display());
    }
}

#[test]
fn a_removal_that_a_kill_interrupted_is_finished_and_spares_an_edit() {
    for (now, stays) in [(Some("old"), None), (Some("by hand"), Some("by hand")), (None, None)] {
        let (_folder, store) = stage("x.md");
        let mut locked = lock(&store);
        locked.journal.record(vec![forget()]).expect("it is recorded");
        drop(locked);
        files::discard(&store.inside("x.md")).expect("it goes");
        now.map(|text| files::write(&store.inside("x.md"), text.as_bytes()).expect("a file"));
        let told = lock(&store).take_warnings();
        assert_eq!(told.len(), usize::from(stays.is_some()), "{told:?}");
        assert_eq!(text(&store, "x.md").as_deref(), stays);
    }
}
