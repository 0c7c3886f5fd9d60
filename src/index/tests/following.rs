//! The index follows the files, whatever is done to them.

use super::*;
use crate::index::database::JOURNAL_ROOM;

#[test]
fn a_hand_edit_is_noticed() {
    let sandbox = Sandbox::new(&[("a.md", "# one\n\n# two\n")]);
    assert_eq!(sandbox.found("two"), ["a.md:3"]);
    sandbox.write("a.md", "new line\n\n# one\n\n# two\n");
    assert_eq!(sandbox.found("two"), ["a.md:5"]);
    assert_eq!(sandbox.found("line"), ["a.md:1"]);
}

#[test]
fn an_edit_that_leaves_size_and_time_is_noticed() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    sandbox.age("a.md");
    assert_eq!(sandbox.found("cat"), ["a.md:1"]);
    sandbox.write("a.md", "# dog\n");
    sandbox.age("a.md");
    assert_eq!(sandbox.found("dog"), ["a.md:1"]);
    assert_eq!(sandbox.found("cat"), [""; 0]);
}

#[test]
fn a_deleted_file_is_not_found_and_a_renamed_one_is() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n"), ("b.md", "# dog\n")]);
    assert_eq!(sandbox.refreshed().1.files_changed, 2);
    fs::rename(sandbox.path("a.md"), sandbox.path("c.md")).expect("it is renamed");
    fs::remove_file(sandbox.path("b.md")).expect("it is removed");
    let refreshed = sandbox.refreshed().1;
    assert_eq!((refreshed.files_changed, refreshed.files_removed), (1, 2));
    assert_eq!(sandbox.found("cat dog"), ["c.md:1"]);
}

#[test]
fn nothing_is_done_if_nothing_changed() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    sandbox.refreshed();
    assert_eq!(sandbox.refreshed().1, Refreshed::default());
}

#[test]
fn only_changed_sections_are_written() {
    let sandbox = Sandbox::new(&[("a.md", "# one\n## two\n## three\n")]);
    let ids = || -> Vec<i64> {
        let index = sandbox.refreshed().0;
        let mut statement = index
            .database
            .connection
            .prepare("SELECT id FROM documents ORDER BY line")
            .expect("it is sound");
        let rows = statement.query_map([], |row| row.get(0)).expect("it answers");
        rows.collect::<rusqlite::Result<_>>().expect("numbers")
    };
    let before = ids();
    sandbox.write("a.md", "# one\n## new\n## two\n## other\n");
    let after = ids();
    assert_eq!((after[0], after[2]), (before[0], before[1]));
    assert!(!before.contains(&after[1]));
}

#[test]
fn files_that_come_together_are_sorted_once() {
    let sandbox = Sandbox::new(&[]);
    for number in 0..150 {
        sandbox.write(&format!("modules/m{number}.md"), &format!("# M{number}\n\nneedle\n"));
    }
    let (index, _) = sandbox.refreshed();
    let pieces = |index: &SearchIndex| -> i64 {
        let sql = "SELECT count(DISTINCT segid) FROM words_idx";
        index.database.connection.query_row(sql, [], |row| row.get(0)).expect("a count")
    };
    assert_eq!(pieces(&index), 1);
    assert_eq!(index.counts().expect("a count").documents, 150);
}

#[test]
fn some_files_can_be_refreshed_alone() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n"), ("b.md", "# dog\n")]);
    let (mut index, _) = sandbox.refreshed();
    sandbox.write("a.md", "# cow\n");
    sandbox.write("b.md", "# pig\n");
    let refreshed = index.refresh(&sandbox.source(), Some(&["a.md".to_owned()])).expect("it works");
    assert_eq!(refreshed.files_changed, 1);
    assert_eq!((ask(&index, "cow").len(), ask(&index, "pig").len()), (1, 0));
    fs::remove_file(sandbox.path("a.md")).expect("it is removed");
    let refreshed = index.refresh(&sandbox.source(), Some(&["a.md".to_owned()])).expect("it works");
    assert_eq!((refreshed.files_removed, ask(&index, "cow").len()), (1, 0));
}

#[test]
fn files_that_cannot_be_indexed_are_told_each_time_and_the_rest_is_found() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    fs::write(sandbox.path("b.md"), b"# cat \xff\n").expect("it is written");
    let large = File::create(sandbox.path("c.md")).expect("it is made");
    large.set_len(17 * 1024 * 1024).expect("it grows");
    for _ in 0..2 {
        let (index, refreshed) = sandbox.refreshed();
        assert_eq!(
            refreshed.warnings,
            [
                "`b.md` is not indexed: it is not UTF-8",
                "`c.md` is not indexed: it is larger than 16 MiB"
            ]
        );
        assert_eq!(ask(&index, "cat").len(), 1);
    }
}

#[test]
fn a_file_that_is_named_twice_is_indexed_once() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n")]);
    let names = ["a.md".to_owned(), "a.md".to_owned()];
    let refreshed = sandbox.open().refresh(&sandbox.source(), Some(&names));
    assert_eq!(refreshed.expect("it is refreshed").files_changed, 1);
}

#[test]
fn many_files_are_read_at_once_and_all_are_found() {
    let sandbox = Sandbox::new(&[]);
    for number in 0..200 {
        let text = format!("# file{number}x\n\n{}\n", "some words in it, ".repeat(200));
        sandbox.write(&format!("modules/{number}.md"), &text);
    }
    let (index, refreshed) = sandbox.refreshed();
    assert_eq!((refreshed.files_changed, refreshed.files_postponed), (200, 0));
    for number in [0, 63, 64, 128, 199] {
        let found = lines(&index, &query(&format!("file{number}x")));
        assert_eq!(found[0], format!("modules/{number}.md:1"));
    }
}

#[test]
fn the_same_files_give_the_same_answers_whatever_was_edited_before() {
    let mut files: Vec<(String, String)> = Vec::new();
    for number in 0..40 {
        let words = ["token", "rotation", "daily", "service"];
        let text: String =
            words.iter().take(1 + number % 4).map(|it| format!("{it} {it}. ")).collect();
        files.push((format!("modules/m{number}.md"), format!("# M{number}\n\nA {text}here.\n")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let sandbox = Sandbox::new(&files);
    let answers = || {
        let hits = sandbox.find("daily token rotation of the service");
        hits.into_iter().map(|hit| (hit.file, hit.score.to_bits())).collect::<Vec<_>>()
    };
    for number in 0..60 {
        sandbox.write("modules/new.md", &format!("# N{number}\n\n## A{number}\n\n## B{number}\n"));
        sandbox.refreshed();
    }
    fs::remove_file(sandbox.path("modules/new.md")).expect("it is removed");
    let after = answers();
    let count = finder::count_documents(&sandbox.open().database.connection).expect("a count");
    assert_eq!(count, 40);
    SearchIndex::rebuild_at(&sandbox.database(), &sandbox.source()).expect("it is made anew");
    assert_eq!(after, answers());
}

#[test]
fn warnings_stand_in_the_order_of_their_paths() {
    let sandbox = Sandbox::new(&[]);
    let names: Vec<String> = (0..9).map(|number| format!("modules/{number}.md")).collect();
    for (number, name) in names.iter().enumerate() {
        match number % 2 {
            0 => fs::create_dir_all(sandbox.path(name)).expect("a folder"),
            _ => fs::write(sandbox.path(name), [0xff]).expect("it is written"),
        }
    }
    for _ in 0..2 {
        let warnings = sandbox.refreshed().1.warnings;
        let told: Vec<&str> = warnings.iter().filter_map(|told| told.split('`').nth(1)).collect();
        assert_eq!(told, names);
    }
}

#[test]
fn what_is_kept_beside_the_database_does_not_grow_with_the_store() {
    let sandbox = Sandbox::new(&[]);
    let text = |file: u32, word: &str| -> String {
        (0..400).map(|line| format!("{word}{file} {word}{line} {file}of{line}\n")).collect()
    };
    let write = |word: &str| {
        (0..120).for_each(|file| sandbox.write(&format!("modules/{file}.md"), &text(file, word)));
        sandbox.refreshed().1.files_changed
    };
    assert_eq!((write("cat"), write("dog")), (120, 120));
    let journal = sandbox.path("state/index.sqlite-journal");
    let length = fs::metadata(journal).expect("it is there").len();
    assert!((1..=JOURNAL_ROOM).contains(&length), "{length}");
}
