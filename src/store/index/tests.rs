//! The index as its users see it, on real files.
#![expect(clippy::disallowed_methods, reason = "tests write the files that the index follows")]

mod staying;

use std::fs::{self, File, FileTimes};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;
use crate::contract::{Confidence, Moment};
use crate::markdown::SourceNote;
use crate::provenance::Freshness;
use crate::schema::{Catalog, DEFAULTS};
use crate::secrets::{PersonalKind, Scanner, Settings};

struct Sandbox {
    folder: TempDir,
    held: Folder,
    catalog: Catalog,
    scanner: Scanner,
}

impl Sandbox {
    fn new(files: &[(&str, &str)]) -> Self {
        let paths: Vec<_> = DEFAULTS.map(|(name, text)| (format!("{name}.toml"), text)).into();
        let schemas = paths.iter().map(|(path, text)| (Path::new(path.as_str()), *text));
        let folder = tempfile::tempdir().expect("a folder");
        let sandbox = Self {
            held: Folder::open(folder.path()).expect("it opens").expect("it is there"),
            folder,
            catalog: Catalog::parse(schemas).expect("the defaults are good"),
            scanner: Scanner::new(Settings::default()),
        };
        for (path, text) in files {
            sandbox.write(path, text);
        }
        sandbox
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("it stands in the folder")).expect("a folder");
        fs::write(path, text).expect("it is written");
    }

    /// Makes a file look as old as it would be in a store that nobody wrote to lately.
    fn age(&self, path: &str) {
        let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(9));
        let file = File::options().write(true).open(self.path(path)).expect("it opens");
        file.set_times(times).expect("it is set");
    }

    fn source(&self) -> Source<'_> {
        Source { root: &self.held, catalog: &self.catalog, scanner: &self.scanner }
    }

    fn database(&self) -> Spot {
        self.held.spot("state/index.sqlite")
    }

    fn open(&self) -> Index {
        Index::open(&self.database()).expect("it opens")
    }

    fn refreshed(&self) -> (Index, Refreshed) {
        let mut index = self.open();
        let refreshed = index.refresh(&self.source()).expect("it is refreshed");
        (index, refreshed)
    }

    /// Opens, refreshes, asks: as each command does.
    fn find(&self, text: &str) -> Vec<Hit> {
        ask(&self.refreshed().0, text)
    }

    fn found(&self, text: &str) -> Vec<String> {
        self.find(text).into_iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect()
    }
}

fn query(text: &str) -> Query<'_> {
    Query::new(text, Moment::from_unix(1_795_000_000))
}

fn ask(index: &Index, text: &str) -> Vec<Hit> {
    index.search(&query(text), &|_| None).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

const KEY: &str = "-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAr7v3kXq0Zb1m8s5yQJf2WcTtU9nLhPzE4oGdVxKiNwRbMyCu
5HjSgFaD6pOqX2lYvZ7eBtK0rI8mQwNcJ3uTfAhLs9PxGkVdEoRi1MzWn4bUyHqC
-----END RSA PRIVATE KEY-----";

#[test]
fn a_hit_says_all_about_its_section() {
    let sandbox = Sandbox::new(&[(
        "modules/auth.md",
        "# Auth\n\n## Token rotation\n<!-- @id: token-rotation -->\n\
         <!-- @source: file src/a.rs 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\nTokens rotate daily.\n",
    )]);
    let hits = sandbox.find("how do tokens rotate?");
    let hit = hits.first().expect("one is found");
    assert_eq!((hit.path.as_str(), hit.line), ("modules/auth.md", 3));
    assert_eq!(hit.section_id.as_deref(), Some("token-rotation"));
    assert_eq!(hit.heading, ["Auth", "Token rotation"]);
    assert_eq!(hit.category.as_deref(), Some("modules"));
    assert_eq!((hit.snippet.as_str(), hit.archived), ("Tokens rotate daily.", false));
    assert_eq!(hit.matches, [(0, 6), (7, 13)]);
    assert_eq!(hit.sources[0].reference, "src/a.rs");
    assert_eq!(hit.sources[0].blob.as_deref(), Some("9f3c2e1a4b5c"));
    assert!(hit.score > 0.0 && hit.modified > 0 && hit.hash.len() == 16);
}

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
        let mut statement =
            index.connection.prepare("SELECT id FROM sections ORDER BY line").expect("it is sound");
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
    let pieces = |index: &Index| -> i64 {
        let sql = "SELECT count(DISTINCT segid) FROM words_idx";
        index.connection.query_row(sql, [], |row| row.get(0)).expect("a count")
    };
    assert_eq!(pieces(&index), 1);
    assert_eq!(index.counts().expect("a count").sections, 150);
}

#[test]
fn some_files_can_be_refreshed_alone() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n"), ("b.md", "# dog\n")]);
    let (mut index, _) = sandbox.refreshed();
    sandbox.write("a.md", "# cow\n");
    sandbox.write("b.md", "# pig\n");
    let refreshed = index.refresh_files(&sandbox.source(), &["a.md".to_owned()]).expect("it works");
    assert_eq!(refreshed.files_changed, 1);
    assert_eq!((ask(&index, "cow").len(), ask(&index, "pig").len()), (1, 0));
    fs::remove_file(sandbox.path("a.md")).expect("it is removed");
    let refreshed = index.refresh_files(&sandbox.source(), &["a.md".to_owned()]).expect("it works");
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
fn a_section_with_a_secret_is_never_found_and_not_in_the_database() {
    let text = format!(
        "# Safe\n\ncat\n\n## deploy {KEY}\n\ncat\n\n### inner\n\ncat\n\n## Key\n\n{KEY}\ncat\n"
    );
    let sandbox = Sandbox::new(&[("a.md", &text)]);
    let (index, _) = sandbox.refreshed();
    assert_eq!(ask(&index, "cat").iter().map(|hit| hit.line).collect::<Vec<_>>()[..1], [1]);
    let counts = index.counts().expect("it counts");
    assert!(counts.withheld >= 2, "{counts:?}");
    assert_eq!(ask(&index, "MIIEpAIBAAKCAQEAr7v3kXq0Zb1m8s5yQJf2WcTtU9nLhPzE4oGdVxKiNwRbMyCu"), []);
    for entry in fs::read_dir(sandbox.path("state")).expect("it is listed") {
        let bytes = fs::read(entry.expect("it is listed").path()).expect("it is read");
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        assert!(!text.contains("miiepaibaak"), "the key stands in the database");
    }
}

#[test]
fn a_stricter_scanner_makes_the_index_anew() {
    let mut sandbox = Sandbox::new(&[("a.md", "# cat\n\nada@lovelace.io\n")]);
    assert_eq!(sandbox.found("lovelace"), ["a.md:1"]);
    let personal = [PersonalKind::Email].into();
    sandbox.scanner = Scanner::new(Settings { personal, ..Settings::default() });
    let (index, _) = sandbox.refreshed();
    assert_eq!((index.origin(), ask(&index, "cat").len()), (Origin::Outdated, 0));
}

#[test]
fn who_opened_a_new_index_goes_by_what_another_process_settled() {
    let mut sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let (mut same, mut stricter) = (sandbox.open(), sandbox.open());
    drop(sandbox.refreshed());
    let writer = sandbox.open().connection;
    writer.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
    let refreshed = same.refresh(&sandbox.source()).expect("it waits for no writer");
    assert_eq!((refreshed.files_postponed, same.origin()), (0, Origin::Created));
    drop(writer);
    sandbox.scanner =
        Scanner::new(Settings { personal: [PersonalKind::Email].into(), ..Settings::default() });
    stricter.refresh(&sandbox.source()).expect("it is made anew");
    assert_eq!(stricter.origin(), Origin::Outdated);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table has a row for each question")]
fn any_text_is_a_question() {
    let sandbox = Sandbox::new(&[("a.md", "# don't C++ foo::bar 認証方式 café\n")]);
    let index = sandbox.refreshed().0;
    let long = "word\" OR ".repeat(1 << 17);
    let questions = [
        "",
        " ",
        "\"",
        "'",
        "*",
        "-x",
        "AND",
        "OR NOT",
        "NEAR(a b)",
        "a AND",
        "don't",
        "C++",
        "foo::bar",
        "foo:",
        "^a",
        "(",
        ")",
        "{a b} : c",
        "a\0b",
        "\u{0}",
        "👩‍💻",
        "認証",
        "鍵",
        "%",
        "_",
        "--",
        ";",
        "\\",
        "SELECT * FROM files",
        "é",
        "e\u{301}",
        "\u{202e}x",
        "ไทย",
        "한국어",
        "x*",
        "\"\"\"",
        "\u{fffd}",
        "١٢٣",
        "ﬁ",
        "İ",
        "ß",
        "²",
        "Ⅷ",
        "नमस्ते",
        &long,
    ];
    for question in questions {
        ask(&index, question);
    }
    for question in ["don't", "C++", "foo::bar", "認証", "方式", "cafe", "CAFÉ", "bar"] {
        assert_eq!(ask(&index, question).len(), 1, "{question}");
    }
}

#[test]
fn identifiers_are_found_however_they_are_written() {
    let sandbox =
        Sandbox::new(&[("a.md", "# x\n\nrefreshToken\n"), ("b.md", "# y\n\nrefresh_token\n")]);
    for question in ["refreshToken", "refresh_token", "refresh-token", "refresh", "tokens"] {
        assert_eq!(sandbox.found(question).len(), 2, "{question}");
    }
}

#[test]
fn equals_stand_in_the_order_of_path_and_line() {
    let files: Vec<(String, &str)> =
        (0..20).rev().map(|n| (format!("{n:02}.md"), "# cat\n\n# cat\n")).collect();
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let sandbox = Sandbox::new(&files[..10]);
    sandbox.refreshed();
    files.iter().for_each(|(path, text)| sandbox.write(path, text));
    let index = sandbox.refreshed().0;
    let page = |offset| {
        let hits = index.search(&Query { offset, limit: 3, ..query("heading cat") }, &|_| None);
        hits.expect("it answers").into_iter().map(|hit| (hit.path, hit.line)).collect::<Vec<_>>()
    };
    let all: Vec<_> = (0..14).flat_map(|number| page(number * 3)).collect();
    assert_eq!(all.len(), 40);
    assert!(all.is_sorted(), "{all:?}");
}

#[test]
fn filters_keep_what_they_name() {
    let sandbox = Sandbox::new(&[
        ("decisions.md", "# cat\n"),
        (
            "modules/a.md",
            "# cat\n## gone\n<!-- @id: gone -->\n<!-- @archived: archive/b.md -->\ncat\n",
        ),
        ("archive/b.md", "# cat\n"),
    ]);
    let index = sandbox.refreshed().0;
    let paths = |query: Query<'_>| -> Vec<String> {
        let mut hits = index.search(&query, &|_| None).expect("it answers");
        hits.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
        hits.into_iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect()
    };
    let cat = query("cat");
    assert_eq!(paths(cat), ["decisions.md:1", "modules/a.md:1"]);
    assert_eq!(paths(Query { category: Some("decisions"), ..cat }), ["decisions.md:1"]);
    assert_eq!(paths(Query { file: Some("modules/*"), ..cat }), ["modules/a.md:1"]);
    assert_eq!(paths(Query { file: Some("decisions.md"), ..cat }), ["decisions.md:1"]);
    let all = Query { include_archived: true, ..cat };
    assert_eq!(paths(all).len(), 4);
    let last = index.search(&all, &|_| None).expect("it answers").pop().expect("one is last");
    assert!(last.archived);
}

#[test]
fn a_damaged_page_is_found_before_any_question_is_answered() {
    let sandbox = Sandbox::new(&[("a.md", &"# cat\n\nmouse\n\n".repeat(2000))]);
    drop(sandbox.refreshed());
    let path = sandbox.path("state/index.sqlite");
    let pages = fs::read(&path).expect("it is read").len() / 4096;
    let mut harmed = File::options().write(true).open(&path).expect("it opens");
    let last = u64::try_from(pages - 1).expect("there are some") * 4096;
    harmed.seek(SeekFrom::Start(last)).expect("it is as long");
    harmed.write_all(&[0x5a; 4096]).expect("it is written");
    let mut index = sandbox.open();
    assert_eq!(index.origin(), Origin::Damaged, "opening alone does not touch it");
    index.refresh(&sandbox.source()).expect("it is refreshed");
    index.check().expect("it is sound");
    assert_eq!(ask(&index, "mouse").len(), 10);
    assert_eq!(sandbox.open().origin(), Origin::Found);
}

#[test]
fn what_was_refreshed_is_not_read_through_again() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n")]);
    drop(sandbox.refreshed());
    let sealed = || {
        let gate = Gate::of(&sandbox.database()).expect("it opens").expect("it is ours");
        let seen = sandbox.database().look().expect("it is there");
        gate.read_seal().vouches_for(Stamp::of(seen))
    };
    assert_eq!(sealed(), Some(true));
    let touched = File::options().write(true).open(sandbox.path("state/index.sqlite"));
    touched.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("it is touched");
    assert_eq!(sealed(), Some(false));
    assert_eq!(sandbox.open().origin(), Origin::Found, "it is sound");
    assert_eq!(sealed(), Some(true));
}

#[test]
fn who_came_while_it_could_not_be_told_seals_nothing() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n")]);
    drop(sandbox.refreshed());
    let gate = Gate::of(&sandbox.database()).expect("it opens").expect("it is ours");
    gate.unseal().expect("it is written");
    let reader = gate.share().expect("it is open");
    sandbox.write("a.md", "# Dog\n");
    let (index, refreshed) = sandbox.refreshed();
    assert_eq!((index.origin(), refreshed.files_changed), (Origin::Found, 1));
    drop((index, reader));
    let seen = sandbox.database().look().expect("it is there");
    assert_eq!(gate.read_seal().vouches_for(Stamp::of(seen)), Some(false));
}

#[test]
fn a_file_that_is_named_twice_is_indexed_once() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n")]);
    let names = ["a.md".to_owned(), "a.md".to_owned()];
    let refreshed = sandbox.open().refresh_files(&sandbox.source(), &names);
    assert_eq!(refreshed.expect("it is refreshed").files_changed, 1);
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let sandbox = Sandbox::new(&[]);
    std::thread::scope(|scope| {
        for writer in 0..6 {
            let sandbox = &sandbox;
            scope.spawn(move || {
                for round in 0..10 {
                    sandbox.write(&format!("{writer}.md"), &format!("# cat {round}\n"));
                    let (index, refreshed) = sandbox.refreshed();
                    assert_eq!(refreshed.files_postponed, 0);
                    ask(&index, "cat");
                }
            });
        }
    });
    assert_eq!(sandbox.found("cat").len(), 6);
    sandbox.open().check().expect("it is sound");
}

fn lines(index: &Index, query: &Query<'_>) -> Vec<String> {
    let hits = index.search(query, &|_| None).expect("it answers");
    hits.into_iter().map(|hit| format!("{}:{}", hit.path, hit.line)).collect()
}

const TALK: &str = "# Session on 2026-11-19\n\n## Ada\n\nWhich colour shall the button have?\n\n\
    ## Bob\n\nGreen.\n\n## Ada\n\nDone.\n";

#[test]
fn in_a_log_neighbours_explain_each_other_and_in_a_document_they_do_not() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK), ("modules/a.md", TALK)]);
    let found = sandbox.found("colour of the button");
    assert!(found.contains(&"sessions/a.md:7".to_owned()), "{found:?}");
    assert!(!found.contains(&"modules/a.md:7".to_owned()), "{found:?}");
}

#[test]
fn a_change_of_a_neighbour_is_noticed_in_a_log() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK)]);
    assert_eq!(sandbox.found("colour").len(), 3);
    sandbox.write("sessions/a.md", &TALK.replace("colour", "shape"));
    assert_eq!((sandbox.found("colour").len(), sandbox.found("shape").len()), (0, 3));
}

#[test]
fn a_neighbour_with_a_secret_stays_out_of_the_database() {
    let text = format!("## a\n\ncat\n\n## b\n\n{KEY}\ncat\n\n## c\n\ncat\n");
    let sandbox = Sandbox::new(&[("sessions/a.md", &text)]);
    let (index, _) = sandbox.refreshed();
    assert_eq!(ask(&index, "cat").len(), 2);
    assert_eq!(ask(&index, "MIIEpAIBAAKCAQEAr7v3kXq0Zb1m8s5yQJf2WcTtU9nLhPzE4oGdVxKiNwRbMyCu"), []);
    let mut database = Vec::new();
    for entry in fs::read_dir(sandbox.path("state")).expect("it is listed") {
        database.extend(fs::read(entry.expect("it is listed").path()).expect("it is read"));
    }
    assert!(!String::from_utf8_lossy(&database).to_lowercase().contains("miiepaibaak"));
}

#[test]
fn a_question_may_name_days() {
    let session = |day: &str| format!("# {day}\n\n## Work\n\nThe build was green on that day.\n");
    let sandbox = Sandbox::new(&[
        ("sessions/2026-11-17.md", &session("2026-11-17")),
        ("sessions/2026-11-18.md", &session("2026-11-18")),
        ("sessions/2026-10-01.md", &session("2026-10-01")),
    ]);
    let index = sandbox.refreshed().0;
    let now = Moment::parse("2026-11-18T10:00:00Z").expect("a moment");
    let first =
        |text| index.search(&Query::new(text, now), &|_| None).expect("it answers").remove(0);
    assert_eq!(first("what did we do yesterday").path, "sessions/2026-11-17.md");
    assert_eq!(first("build in October 2026").path, "sessions/2026-10-01.md");
    assert_eq!(first("2026-10").path, "sessions/2026-10-01.md");
    let green = Query::new("green", now);
    let since = Query { since: Some("2026-11"), order: Order::Time, ..green };
    assert_eq!(lines(&index, &since), ["sessions/2026-11-18.md:3", "sessions/2026-11-17.md:3"]);
    assert_eq!(
        lines(&index, &Query { until: Some("2026-10"), ..green }),
        ["sessions/2026-10-01.md:3"]
    );
    assert_eq!(lines(&index, &Query { since: Some("1d"), until: Some("1d"), ..green }).len(), 1);
    let error = index.search(&Query { since: Some("soon"), ..green }, &|_| None);
    assert_eq!(error.expect_err("it is no time").kind(), crate::error::ErrorKind::Usage);
}

#[test]
fn words_that_say_when_are_not_looked_for_where_there_is_something_of_that_time() {
    let cron =
        ("modules/cron.md", "# Cron\n\nThe job of last week runs every week, also this week.\n");
    let session = ("sessions/2026-11-17.md", "# 2026-11-17\n\n## Work\n\nThe build was green.\n");
    let now = Moment::parse("2026-11-18T10:00:00Z").expect("a moment");
    let found = |sandbox: &Sandbox| lines(&sandbox.refreshed().0, &Query::new("last week", now));
    assert_eq!(found(&Sandbox::new(&[cron])), ["modules/cron.md:1"]);
    let of_that_time = ["sessions/2026-11-17.md:1", "sessions/2026-11-17.md:3"];
    assert_eq!(found(&Sandbox::new(&[cron, session])), of_that_time);
}

#[test]
fn pages_by_time_are_parts_of_one_list() {
    let day = |number: usize| format!("2025-{:02}-{:02}", 1 + number / 28, 1 + number % 28);
    let days: Vec<String> = (0..130).map(day).collect();
    let files: Vec<(String, String)> = days
        .iter()
        .map(|day| {
            (
                format!("sessions/{day}.md"),
                format!(
                    "# {day}\n\nbob{day} deploys {}a{day}\n",
                    "and more ".repeat(day.len() * 3 + usize::from(day.as_bytes()[9]) % 7)
                ),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    let page = |offset: usize| {
        let deploys = Query::new("deploys", Moment::from_unix(1_795_000_000));
        lines(&index, &Query { order: Order::Time, limit: 10, offset, ..deploys })
    };
    let mut all: Vec<String> = (0..20).flat_map(|number| page(number * 10)).collect();
    assert_eq!(all.len(), 100);
    assert!(all.is_sorted_by(|one, next| one > next), "{all:?}");
    all.dedup();
    assert_eq!(all.len(), 100);
}

#[test]
fn a_word_is_found_without_its_accents_in_any_script() {
    for (text, question) in [
        ("Άλφα", "αλφα"),
        ("Ο ΔΡΟΜΟΣ", "δρόμος"),
        ("Ёлка", "елка"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("Straße", "STRASSE"),
        ("Łódź", "lodz"),
        ("Øresund", "oresund"),
        ("Æsir", "aesir"),
        ("cœur", "coeur"),
        ("ﬁne", "fine"),
        ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글"),
    ] {
        let sandbox = Sandbox::new(&[("a.md", &format!("# a\n\n{text}\n"))]);
        assert_eq!(sandbox.found(question), ["a.md:1"], "{question}");
        assert_eq!(sandbox.found(text), ["a.md:1"], "{text}");
    }
}

#[test]
fn a_version_is_found_with_its_v_and_without() {
    let plums = ("a.md", "# Plums\n\n1 apple, 2 pears, 3 plums\n");
    let sandbox = Sandbox::new(&[plums, ("b.md", "# Version\n\nOnly v1.2.3 does.\n")]);
    assert_eq!(sandbox.found("1.2.3")[0], "b.md:1");
    assert_eq!(sandbox.found("v1.2.3")[0], "b.md:1");
}

#[test]
fn forms_of_a_word_and_unfinished_words_are_found() {
    let sandbox = Sandbox::new(&[("a.md", "# a\n\nShe went away; encryption stays.\n")]);
    for question in ["go", "going", "encrypt", "encrypted", "encry"] {
        assert_eq!(sandbox.found(question), ["a.md:1"], "{question}");
    }
    assert_eq!(sandbox.found("encry stays?"), ["a.md:1"]);
    assert_eq!(sandbox.found("encry?"), [""; 0]);
}

#[test]
fn what_says_the_same_is_shown_once() {
    let text = "# Rotation\n\nTokens rotate every day and the old ones stay valid for an hour.\n";
    let sandbox =
        Sandbox::new(&[("a.md", text), ("b.md", text), ("c.md", &text.replace('R', "C"))]);
    let hits = sandbox.find("token rotation");
    assert_eq!(hits.len(), 2, "{hits:?}");
    assert_eq!(hits[0].duplicates, [("b.md".to_owned(), 1)]);
}

#[test]
fn evidence_narrows_and_ranks() {
    let cited = |file: &str, confidence: &str| {
        format!(
            "# cat\n<!-- @id: cat -->\n<!-- @source: file {file} 9f3c2e1a4b5c {confidence} 2026-11-20 -->\n\ncat\n"
        )
    };
    let sandbox = Sandbox::new(&[
        ("a.md", &cited("old", "confirmed")),
        ("b.md", &cited("new", "inferred")),
        ("c.md", "# cat\n<!-- @id: cat -->\n\ncat\n"),
    ]);
    let index = sandbox.refreshed().0;
    let judge = |sources: &[SourceNote]| match sources.first()?.reference.as_str() {
        "old" => Some(Freshness::Stale),
        _ => Some(Freshness::Fresh),
    };
    let found = |query: Query<'_>| -> Vec<String> {
        let hits = index.search(&query, &judge).expect("it answers");
        hits.into_iter().map(|hit| hit.path).collect()
    };
    let cat = query("cat");
    assert_eq!(found(cat), ["b.md", "c.md", "a.md"]);
    assert_eq!(found(Query { freshness: Some(Freshness::Stale), ..cat }), ["a.md"]);
    assert_eq!(found(Query { freshness: Some(Freshness::Missing), ..cat }), [""; 0]);
    assert_eq!(found(Query { confidence: Some(Confidence::Inferred), ..cat }), ["b.md"]);
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    let sandbox = Sandbox::new(&[("sessions/a.md", TALK), ("modules/a.md", TALK)]);
    for hit in sandbox.find("When did Ada choose the colour of the button?") {
        let sum: f64 = hit.parts.iter().map(|(_, value)| value).sum();
        assert!((sum - hit.score).abs() < 1e-9, "{hit:?}");
    }
}

#[test]
fn a_raw_question_is_an_expression() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n\ndog\n"), ("b.md", "# cat\n\nwent\n")]);
    let index = sandbox.refreshed().0;
    let raw = |text| Query { raw: true, ..query(text) };
    assert_eq!(lines(&index, &raw("cat AND dog")), ["a.md:1"]);
    assert_eq!(lines(&index, &raw("cat NOT dog")), ["b.md:1"]);
    assert_eq!(lines(&index, &raw("heading : cat AND body : went")), ["b.md:1"]);
    for text in ["\"", "cat AND", "(", "nowhere : cat", "*", "", "NEAR("] {
        let error = index.search(&raw(text), &|_| None).expect_err("it is no expression");
        assert_eq!(error.kind(), crate::error::ErrorKind::Usage, "{text:?} {error}");
    }
}

#[test]
fn the_best_is_found_among_very_many_that_answer_a_little() {
    let mut text = String::new();
    for number in 0..3_000 {
        let word = ["token", "rotation", "service", "daily"][number % 4];
        text += &format!("## Note {number}\n\nA {word} of number {number}.\n\n");
    }
    text += "## Last\n\nDaily rotation of every token in the service.\n";
    let sandbox = Sandbox::new(&[("modules/a.md", &text)]);
    let hits = sandbox.find("daily token rotation of the service");
    assert_eq!((hits[0].heading.join(" "), hits.len()), ("Last".to_owned(), 10));
    let index = sandbox.refreshed().0;
    let all = Query { limit: 5_000, ..query("token") };
    assert_eq!(lines(&index, &all).len(), 751);
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
fn what_stands_in_a_text_without_blanks_is_found_by_any_of_its_characters() {
    let texts = [
        ("ja", "新しい認証方式を使う"),
        ("zh", "我们使用轮换令牌来登录系统"),
        ("th", "ระบบใช้รหัสผ่านใหม่ทุกวันที่นี่"),
        ("lo", "ລະບົບໃຊ້ລະຫັດຜ່ານໃໝ່ທຸກມື້"),
        ("km", "ប្រព័ន្ធប្រើពាក្យសម្ងាត់ថ្មីរាល់ថ្ងៃ"),
        ("my", "စနစ်သည်စကားဝှက်အသစ်ကိုသုံးသည်"),
        ("ko", "시스템은새로운비밀번호를사용한다"),
    ];
    let files = texts.map(|(name, text)| (format!("{name}.md"), format!("# x\n\n{text}\n")));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sandbox = Sandbox::new(&files);
    let index = sandbox.refreshed().0;
    for (name, text) in texts {
        let characters: Vec<char> = text.chars().collect();
        for width in 1..=6 {
            for part in characters.windows(width) {
                let question: String = part.iter().collect();
                if !question.contains(char::is_alphanumeric) {
                    continue;
                }
                let hits = ask(&index, &question);
                let found: Vec<&str> = hits.iter().map(|hit| hit.path.as_str()).collect();
                let own = format!("{name}.md");
                assert!(found.contains(&own.as_str()), "{question}: {found:?}");
                assert!(width < 3 || found == [own], "{question}: {found:?}");
            }
        }
    }
}

#[test]
fn a_run_of_a_script_without_blanks_stands_above_its_scattered_pairs() {
    for (question, other) in [
        ("認証方式", "の"),
        ("轮换令牌", "的"),
        ("รหัสผ่าน", "ก"),
        ("ລະຫັດຜ່ານ", "ກ"),
        ("ពាក្យសម្ងាត់", "ក"),
        ("비밀번호", "가"),
    ] {
        let characters: Vec<char> = question.chars().collect();
        let pairs: Vec<String> = characters.windows(2).map(|pair| pair.iter().collect()).collect();
        let scattered = format!("# x\n\n{other}{}{other}\n", pairs.join(other));
        let exact = format!("# x\n\n{other}{question}{other}\n");
        let mut files = vec![("a.md", scattered.as_str()), ("b.md", exact.as_str())];
        files.extend(["c.md", "d.md", "e.md", "f.md", "g.md"].map(|path| (path, "# x\n\nother\n")));
        let sandbox = Sandbox::new(&files);
        assert_eq!(sandbox.found(question), ["b.md:1", "a.md:1"], "{question}");
    }
}
