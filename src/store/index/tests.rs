//! The index as its users see it, on real files.
#![expect(clippy::disallowed_methods, reason = "tests write the files that the index follows")]

use std::fs::{self, File, FileTimes};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use super::*;
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
    Query { text, limit: 10, offset: 0, category: None, file: None, include_archived: false }
}

fn ask(index: &Index, text: &str) -> Vec<Hit> {
    index.search(&query(text)).unwrap_or_else(|error| panic!("{text:?}: {error}"))
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
        let hits = index.search(&Query { offset, limit: 3, ..query("heading cat") });
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
        let mut hits = index.search(&query).expect("it answers");
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
    let last = index.search(&all).expect("it answers").pop().expect("one is last");
    assert!(last.archived);
}

#[test]
fn a_damaged_page_is_an_error_and_a_new_index_is_good() {
    let sandbox = Sandbox::new(&[("a.md", &"# cat\n\nmouse\n\n".repeat(2000))]);
    drop(sandbox.refreshed());
    let path = sandbox.path("state/index.sqlite");
    let mut bytes = fs::read(&path).expect("it is read");
    let length = bytes.len();
    bytes[8192..length].fill(0x5a);
    fs::write(&path, &bytes).expect("it is written");
    let outcome = Index::open(&sandbox.database()).and_then(|index| index.check());
    assert_eq!(outcome.expect_err("it is damaged").kind(), crate::error::ErrorKind::IndexFailed);
    let mut index = Index::rebuild_at(&sandbox.database()).expect("it is made anew");
    index.refresh(&sandbox.source()).expect("it is refreshed");
    index.check().expect("it is sound");
    assert_eq!(ask(&index, "mouse").len(), 10);
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
