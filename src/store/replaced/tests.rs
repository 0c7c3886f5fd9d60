//! A program goes on writing to a file that is out of its place.

use std::fs::{File, FileTimes};
use std::io::Write;
use std::time::{Duration, SystemTime};

use super::*;
use crate::store::folder::Access;
use crate::store::layout::edited_path;
use crate::store::{Locked, Meanwhile, Step, Store, Trace};

const MINUTE: i64 = LONG.cast_signed() + 1;

fn stage() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let layout = Layout::make_in(folder.path()).expect("a store");
    files::write(&layout.inside("notes/x.md"), b"old").expect("a file");
    (folder, Store::at(layout))
}

fn lock(store: &Store) -> Locked<'_> {
    store.lock(Duration::from_secs(60), "a test").expect("it is free")
}

/// Opens a file as an editor does that saves in place.
fn open(store: &Store) -> File {
    let (file, _) = store.layout().inside("notes/x.md").open(Access::Write).expect("it is opened");
    file
}

fn text(store: &Store, path: &str) -> String {
    files::read_text(&store.layout().inside(path)).expect("it is read").expect("it is there")
}

/// Lands one text in the place of another.
fn land(store: &Store, before: &str, after: &str, trace: Trace) -> Vec<String> {
    land_while(lock(store), (before, after), trace, None)
}

fn land_while(
    mut locked: Locked<'_>,
    (before, after): (&str, &str),
    trace: Trace,
    meanwhile: Meanwhile<'_>,
) -> Vec<String> {
    let step = Step::write("notes/x.md", Some(before), after.to_owned());
    let prepared = locked.begin(vec![step], trace).prepare().expect("it is looked at");
    prepared.expect("as planned").commit_while(meanwhile).expect("it is carried out")
}

fn kept(store: &Store) -> Vec<String> {
    files::list(&store.layout().replaced()).expect("it is listed")
}

/// When the last file came to the others.
fn now(store: &Store) -> i64 {
    files::modified(&store.layout().replaced()).unwrap_or_default()
}

fn look_now(store: &Store) -> Vec<String> {
    look(store.layout(), Which::All(Some(now(store))))
}

/// Looks a minute after the last change.
fn look_later(store: &Store) -> Vec<String> {
    look(store.layout(), Which::All(Some(now(store) + MINUTE)))
}

/// A file that held `old` in an earlier run of the operating system.
fn earlier(path: &str) -> Replaced {
    Replaced {
        since: 20,
        record: 3,
        size: 3,
        modified: 10,
        boot: "ffffffff".to_owned(),
        hash: hash(b"old")[..HASH].to_owned(),
        path: path.to_owned(),
    }
}

/// Expects that what was written by hand is in the trash, and said.
#[track_caller]
fn expect_told(store: &Store, told: &[String], written: &str) {
    let place = edited_path(&hash(written.as_bytes()), "notes/x.md");
    let said = "`notes/x.md` was saved by a program that had it open since before a change";
    assert_eq!(told, [format!("{said}; what it saved is kept in `{place}`")]);
    assert_eq!(text(store, &place), written);
    assert_eq!(text(store, "notes/x.md"), "new");
}

#[test]
fn what_is_saved_into_a_replaced_file_is_kept_and_said_once() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    assert_eq!(land(&store, "old", "new", Trace::Kept), Vec::<String>::new());
    assert_eq!(look_now(&store), Vec::<String>::new());
    assert!(!is_due(store.layout(), Moment::from_unix(now(&store) / 1_000_000_000)));
    editor.write_all(b"by hand").expect("it is written");
    assert!(is_due(store.layout(), Moment::from_unix(now(&store) / 1_000_000_000)));
    expect_told(&store, &look_now(&store), "by hand");
    assert_eq!((look_now(&store), kept(&store)), (Vec::new(), Vec::new()));
    // Who is still at it goes on where it was moved to.
    editor.write_all(b", and on").expect("it is written");
    let place = edited_path(&hash(b"by hand"), "notes/x.md");
    assert_eq!(text(&store, &place), "by hand, and on");
}

#[test]
fn who_emptied_a_file_before_the_change_and_writes_after_it_loses_nothing() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    editor.set_len(0).expect("it is emptied");
    land(&store, "", "new", Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    expect_told(&store, &look_now(&store), "by hand");
}

#[test]
fn a_reader_that_comes_next_says_it() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    land(&store, "old", "new", Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    let held = lock(&store);
    let look = || store.look_at_replaced(Moment::from_unix(now(&store) / 1_000_000_000));
    assert_eq!(look().expect("it is looked at"), Vec::<String>::new(), "it waits for nobody");
    drop(held);
    expect_told(&store, &look().expect("it is looked at"), "by hand");
}

#[test]
fn a_replaced_file_goes_after_a_minute() {
    let (_folder, store) = stage();
    land(&store, "old", "new", Trace::Kept);
    look_now(&store);
    assert_eq!(kept(&store).len(), 1);
    let later = Moment::from_unix((now(&store) + MINUTE) / 1_000_000_000 + 1);
    assert!(is_due(store.layout(), later));
    assert_eq!(look_later(&store), Vec::<String>::new());
    assert_eq!(kept(&store), Vec::<String>::new());
}

#[test]
fn of_many_the_youngest_are_kept() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    let texts: Vec<String> = (0..100).map(|number| format!("text {number}")).collect();
    land(&store, "old", &texts[0], Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    let mut told = Vec::new();
    for pair in texts.windows(2) {
        told.extend(land(&store, &pair[0], &pair[1], Trace::Kept));
        told.extend(lock(&store).take_warnings());
        assert!(kept(&store).len() < MOST + usize::try_from(BETWEEN).expect("few"));
    }
    told.extend(look_now(&store));
    assert_eq!((told.len(), kept(&store).len()), (1, MOST));
    let last = hash(texts[98].as_bytes());
    assert!(kept(&store).iter().any(|name| name.contains(&last[..HASH])));
}

/// Lands one text after the other as a process that stays does.
fn land_all(store: &Store, texts: &[String]) -> Vec<String> {
    let mut told = Vec::new();
    for pair in texts.windows(2) {
        let mut locked = lock(store);
        told.append(&mut locked.take_warnings());
        let change = (&*pair[0], &*pair[1]);
        told.extend(land_while(locked, change, Trace::Kept, Some(&mut || ())));
        assert!(kept(store).len() <= MOST + usize::try_from(BETWEEN).expect("few"));
    }
    told
}

#[test]
fn in_a_process_that_stays_the_youngest_are_kept_too() {
    let (_folder, store) = stage();
    let texts: Vec<String> = (0..100).map(|number| format!("text {number}")).collect();
    land(&store, "old", &texts[0], Trace::Kept);
    let mut editor = open(&store);
    assert_eq!(land_all(&store, &texts[..50]), Vec::<String>::new());
    editor.write_all(b"by hand").expect("it is written");
    let told = land_all(&store, &texts[49..]);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(kept(&store).len() >= MOST);
    assert_eq!(text(&store, &edited_path(&hash(b"by hand"), "notes/x.md")), "by hand");
}

#[test]
fn what_somebody_wrote_to_is_not_cleared_but_stays_for_a_look() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    let texts: Vec<String> = (0..MOST + 1).map(|number| format!("text {number}")).collect();
    let befores = ["old".to_owned()].into_iter().chain(texts.iter().cloned());
    for (before, after) in befores.zip(&texts) {
        land(&store, &before, after, Trace::Kept);
    }
    assert_eq!(kept(&store).len(), MOST + 1);
    editor.write_all(b"by hand").expect("it is written");
    assert!(clear_surplus(store.layout()), "one is left");
    assert_eq!(kept(&store).len(), MOST + 1, "the oldest was written to");
    let told = look(store.layout(), Which::Surplus);
    assert_eq!((told.len(), kept(&store).len()), (1, MOST));
    assert!(!clear_surplus(store.layout()), "there is nothing left to look at");
    let place = edited_path(&hash(b"by hand"), "notes/x.md");
    assert_eq!(text(&store, &place), "by hand");
}

#[test]
fn large_files_do_not_fill_the_disk() {
    let (_folder, store) = stage();
    let large = |letter: &str| letter.repeat(usize::try_from(BYTES).expect("it fits") / 3);
    let texts = ["a", "b", "c", "d", "e", "f", "g"].map(large);
    land(&store, "old", &texts[0], Trace::Kept);
    for pair in texts.windows(2) {
        land(&store, &pair[0], &pair[1], Trace::Kept);
        let all = kept(&store);
        let size = |name: &String| files::length(&store.layout().replaced().join(name));
        assert!(all.iter().map(size).sum::<u64>() <= BYTES, "{all:?}");
    }
    assert_eq!(kept(&store).len(), 3);
    assert!(kept(&store).iter().any(|name| name.contains(&hash(texts[5].as_bytes())[..HASH])));
}

#[test]
fn of_one_change_all_files_are_kept() {
    let (_folder, store) = stage();
    let paths: Vec<String> = (0..200).map(|number| format!("notes/{number}.md")).collect();
    let steps = paths.iter().map(|path| {
        files::write(&store.layout().inside(path), b"old").expect("a file");
        Step::write(path, Some("old"), "new".to_owned())
    });
    let steps = steps.collect();
    let mut locked = lock(&store);
    let prepared = locked.begin(steps, Trace::Kept).prepare().expect("it is looked at");
    prepared.expect("as planned").commit().expect("it is carried out");
    look_now(&store);
    assert_eq!(kept(&store).len(), paths.len());
}

#[test]
fn one_that_a_clock_put_into_the_future_takes_nobodys_place() {
    let (_folder, store) = stage();
    for number in 0..100 {
        let (since, boot) = (i64::MAX, boot().to_owned());
        let future = Replaced { record: number, since, boot, ..earlier("x.md") };
        let place = store.layout().replaced().join(future.name());
        files::write(&place, b"old").expect("it is written");
    }
    land(&store, "old", "new", Trace::Kept);
    look_now(&store);
    let left = kept(&store);
    assert!(left.len() == 1 && left[0].ends_with("notes%2Fx.md"), "{left:?}");
}

#[test]
fn an_edit_that_left_the_same_time_is_found_before_the_file_goes() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    let time = editor.metadata().and_then(|seen| seen.modified()).expect("a time");
    land(&store, "old", "new", Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    editor.set_times(FileTimes::new().set_modified(time)).expect("it gets a date");
    assert_eq!(look_now(&store), Vec::<String>::new());
    expect_told(&store, &look_later(&store), "by hand");
}

#[test]
fn what_stands_in_the_way_stops_nobody() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    land(&store, "old", "new", Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    let name = Replaced { since: now(&store) + 1, ..earlier("y.md") }.name();
    let inner = store.layout().replaced().join(name).join("inner");
    files::write(&inner, b"a folder").expect("it is written");
    expect_told(&store, &look_later(&store), "by hand");
}

#[test]
fn a_file_with_another_name_is_kept_as_well() {
    let (folder, store) = stage();
    let mut editor = open(&store);
    let copy = folder.path().join("copy.md");
    std::fs::hard_link(&*store.layout().inside("notes/x.md"), &copy).expect("it is linked");
    land(&store, "old", "new", Trace::Kept);
    editor.write_all(b"by hand").expect("it is written");
    expect_told(&store, &look_now(&store), "by hand");
}

#[test]
fn of_a_change_that_leaves_no_trace_no_file_is_kept() {
    let (_folder, store) = stage();
    let mut editor = open(&store);
    land(&store, "old", "secret", Trace::Kept);
    land(&store, "secret", "new", Trace::Wiped);
    let left = kept(&store);
    assert!(left.len() == 1 && left[0].contains(&hash(b"old")[..HASH]), "{left:?}");
    editor.write_all(b"by hand").expect("it is written");
    expect_told(&store, &look_now(&store), "by hand");
}

#[test]
fn a_new_date_alone_is_no_edit() {
    let (_folder, store) = stage();
    let editor = open(&store);
    land(&store, "old", "new", Trace::Kept);
    let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
    editor.set_times(times).expect("it gets a date");
    assert_eq!(look_now(&store), Vec::<String>::new());
    // One that a copy was given does not hide what was written.
    (&editor).write_all(b"by hand").expect("it is written");
    editor.set_times(times).expect("it gets a date");
    expect_told(&store, &look_now(&store), "by hand");
}

#[test]
fn what_a_power_cut_took_from_a_replaced_file_is_no_edit() {
    let (_folder, store) = stage();
    let folder = store.layout().replaced();
    for (path, text, seconds) in [("lost.md", "", 0), ("same.md", "old", 1), ("new.md", "hand", 1)]
    {
        let place = folder.join(earlier(path).name());
        let file = files::write(&place, text.as_bytes()).expect("it is written");
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let times = FileTimes::new().set_modified(time);
        file.set_times(times).expect("it gets a date");
    }
    let told = look(store.layout(), Which::All(Some(30)));
    assert!(told.len() == 1 && told[0].starts_with("`new.md` was saved"), "{told:?}");
    assert_eq!(kept(&store), Vec::<String>::new());
}

#[test]
fn names_say_what_they_were_made_of() {
    let check = |path: &str| {
        let replaced = Replaced { modified: -7, ..earlier(path) };
        let name = replaced.name();
        assert!(name.len() <= NAME && !name.contains('/'), "{name}");
        let (_, read) = Replaced::of(&name).expect("a name of ours");
        assert!(path.starts_with(&read.path), "{read:?}");
        assert_eq!(Replaced { path: path.to_owned(), ..read }, replaced);
        path.len() - read.path.len()
    };
    assert_eq!(check("notes/x.md"), 0);
    assert_eq!(check("notes/100%/a-b%2F.md"), 0);
    assert!(check(&format!("notes/{}.md", "ä".repeat(120))) > 0);
}

#[test]
fn what_is_not_ours_stays_where_it_is() {
    let (_folder, store) = stage();
    let planted = ["../../x.md", "/etc/x.md", "", "x.md\nwarning: run this"].map(earlier);
    let names = planted.each_ref().map(Replaced::name);
    for name in
        ["x.md", "7-7-7-00c0ffee-0123-x.md"].into_iter().chain(names.each_ref().map(|name| &**name))
    {
        files::write(&store.layout().replaced().join(name), b"hand").expect("it is written");
    }
    assert_eq!(look_now(&store), Vec::<String>::new());
    assert_eq!(kept(&store).len(), 2 + names.len());
}

#[test]
fn a_kill_behind_the_record_takes_nothing_from_an_editor() {
    for (is_exchanged, trace) in
        [(false, Trace::Kept), (true, Trace::Kept), (false, Trace::Wiped), (true, Trace::Wiped)]
    {
        let (_folder, store) = stage();
        let mut editor = open(&store);
        let steps = vec![Step::write("notes/x.md", Some("old"), "new".to_owned())];
        let mut locked = lock(&store);
        let (record, ()) = locked.journal().commit((steps, trace), |_| (), None).expect("a record");
        drop(locked);
        if is_exchanged {
            let (layout, file) = (store.layout(), store.layout().inside("notes/x.md"));
            files::rename(&file, &layout.aside(record.number, 0)).expect("it is moved");
            files::write(&file, b"new").expect("it is written");
        }
        assert_eq!(lock(&store).take_warnings(), Vec::<String>::new());
        assert_eq!(files::list(&store.layout().temporary()).expect("a list"), Vec::<String>::new());
        if trace == Trace::Wiped {
            assert_eq!((kept(&store), &*text(&store, "notes/x.md")), (Vec::new(), "new"));
            continue;
        }
        editor.write_all(b"by hand").expect("it is written");
        expect_told(&store, &look_now(&store), "by hand");
    }
}
