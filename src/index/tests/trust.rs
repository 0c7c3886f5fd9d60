//! What the index may hold, and when it is believed.

use super::*;

const KEY: &str = "-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAr7v3kXq0Zb1m8s5yQJf2WcTtU9nLhPzE4oGdVxKiNwRbMyCu
5HjSgFaD6pOqX2lYvZ7eBtK0rI8mQwNcJ3uTfAhLs9PxGkVdEoRi1MzWn4bUyHqC
-----END RSA PRIVATE KEY-----";

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
    assert!(!is_kept(&sandbox, "miiepaibaak"), "the key stands in the database");
}

/// Tells whether a word stands in the database or beside it, as a whole or as the index has it.
fn is_kept(sandbox: &Sandbox, word: &str) -> bool {
    fs::read_dir(sandbox.path("state")).expect("it is listed").any(|entry| {
        let bytes = fs::read(entry.expect("it is listed").path()).expect("it is read");
        String::from_utf8_lossy(&bytes).to_lowercase().contains(word)
    })
}

#[test]
fn what_becomes_a_secret_does_not_stay_in_the_database() {
    let allowed = format!(
        "# Safe\n\ncat\n\n## Key\n\n<!-- secret-allow: an example -->\n{KEY}\n<!-- /secret-allow -->\n"
    );
    let secret = allowed
        .replace("<!-- secret-allow: an example -->\n", "")
        .replace("<!-- /secret-allow -->\n", "");
    let sandbox = Sandbox::new(&[("a.md", &allowed), ("b.md", "# dog\n")]);
    let mut index = sandbox.refreshed().0;
    assert!(is_kept(&sandbox, "miiepaibaak"));

    sandbox.write("a.md", &secret);
    index.refresh(&sandbox.source(), Some(&["a.md".to_owned()])).expect("it is refreshed");
    assert!(!is_kept(&sandbox, "miiepaibaak"));
    assert_eq!(ask(&index, "cat").len(), 1);
    assert_eq!(sandbox.found("dog"), ["b.md:1"]);

    sandbox.write("a.md", &secret.replace("cat", "hen"));
    let (index, _) = sandbox.refreshed();
    assert_eq!((index.origin(), ask(&index, "hen").len()), (Origin::Found, 1), "it is known");
}

#[test]
fn a_secret_that_was_withheld_all_along_costs_nobody_the_index() {
    let day = format!("# Day\n\n## One\n\ncat\n\n## Two\n\n{KEY}\n");
    let sandbox = Sandbox::new(&[("sessions/2026-11-19.md", &day)]);
    let mut index = sandbox.refreshed().0;
    for text in [day.replace("# Day", "# A day"), format!("{day}\n## Three\n\ndog\n")] {
        sandbox.write("sessions/2026-11-19.md", &text);
        index.refresh(&sandbox.source(), None).expect("it is refreshed");
        assert_eq!(index.origin(), Origin::Created, "{text}");
    }
    assert_eq!(ask(&index, "dog")[0].line, 14);
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
    let (mut new, mut same, mut stricter) = (sandbox.open(), sandbox.open(), sandbox.open());
    new.refresh(&sandbox.source(), None).expect("it is made");
    let writer = sandbox.open().database;
    writer.connection.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
    let refreshed = same.refresh(&sandbox.source(), None).expect("it waits for no writer");
    assert_eq!((refreshed.files_postponed, same.origin()), (0, Origin::Found));
    drop(writer);
    sandbox.scanner =
        Scanner::new(Settings { personal: [PersonalKind::Email].into(), ..Settings::default() });
    stricter.refresh(&sandbox.source(), None).expect("it is made anew");
    assert_eq!(stricter.origin(), Origin::Outdated);
}

#[test]
fn an_index_of_another_machine_is_made_anew() {
    for digest in ["''", "'00000000000000000000000000000000'", "digest"] {
        let sandbox = Sandbox::new(&[("a.md", "# Deploys\n\ngo through staging\n")]);
        let (other, _) = sandbox.refreshed();
        let forge = format!(
            "UPDATE bodies SET body = 'go straight to production'; UPDATE settings SET digest = {digest}"
        );
        other.database.connection.execute_batch(&forge).expect("it is written");
        other.record_write();
        drop(other);
        let mut index = sandbox.open();
        let source = SectionSource { key: &Key::Known([8; 32]), ..sandbox.source() };
        index.refresh(&source, None).expect("it is refreshed");
        assert_eq!(index.origin(), Origin::Outdated, "{digest}");
        assert_eq!(ask(&index, "staging").len(), 1, "{digest}");
        let hits = ask(&index, "deploys");
        assert!(hits.iter().all(|hit| !format!("{hit:?}").contains("production")), "{hits:?}");
    }
}

#[test]
fn a_page_that_others_wrote_is_found_before_any_question_is_answered() {
    let sandbox = Sandbox::new(&[("a.md", &"# cat\n\nmouse\n\n".repeat(2000))]);
    drop(sandbox.refreshed());
    let path = sandbox.path("state/index.sqlite");
    let pages = fs::read(&path).expect("it is read").len() / 4096;
    let mut harmed = File::options().write(true).open(&path).expect("it opens");
    let last = u64::try_from(pages - 1).expect("there are some") * 4096;
    harmed.seek(SeekFrom::Start(last)).expect("it is as long");
    harmed.write_all(&[0x5a; 4096]).expect("it is written");
    let mut index = sandbox.open();
    assert_eq!(index.origin(), Origin::Changed);
    index.refresh(&sandbox.source(), None).expect("it is refreshed");
    index.check().expect("it is sound");
    assert_eq!(ask(&index, "mouse").len(), 10);
    assert_eq!(sandbox.open().origin(), Origin::Found);
}

#[test]
fn a_database_that_contradicts_itself_is_found_by_who_looks_closely() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n\n# Dog\n")]);
    let (ours, _) = sandbox.refreshed();
    let path = sandbox.held.real_path().expect("it is there").join("state/index.sqlite");
    // It holds as many rows as there are sections, and other numbers than it says.
    let demand = "PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE INDEX documents_of_file ON documents(line)'
        WHERE name = 'documents_of_file'";
    let stranger = Connection::open(path).expect("it opens for others");
    stranger.execute_batch(demand).expect("nobody else writes");
    drop(stranger);
    ours.record_write();
    let index = sandbox.open();
    assert_eq!(index.origin(), Origin::Found);
    let error = index.check().expect_err("a row is missing");
    assert_eq!(error.kind(), ErrorKind::IndexFailed);
}

#[test]
fn what_was_refreshed_is_kept_and_what_was_touched_since_is_made_anew() {
    let sandbox = Sandbox::new(&[("a.md", "# Cat\n")]);
    drop(sandbox.refreshed());
    let is_recorded = || {
        let lock = IndexLock::of(&sandbox.database()).expect("it opens").expect("it is ours");
        let seen = sandbox.database().metadata().expect("it is there");
        lock.recorded().vouches_for(Stamp::of(seen))
    };
    assert!(is_recorded());
    let touched = File::options().write(true).open(sandbox.path("state/index.sqlite"));
    touched.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("it is touched");
    assert!(!is_recorded());
    assert_eq!(sandbox.open().origin(), Origin::Changed);
    assert!(is_recorded());
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
fn a_statement_that_fails_is_not_shown() {
    let sandbox = Sandbox::new(&[]);
    let index = sandbox.refreshed().0;
    let again = index.database.connection.execute_batch("CREATE TABLE settings(digest TEXT)");
    let error = index.failed(again.expect_err("there is one")).to_string();
    assert!(error.contains("already exists") && !error.contains("CREATE"), "{error}");
}

#[test]
fn what_fails_after_the_file_is_gone_fails_because_it_is_gone() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    fs::remove_file(&*sandbox.database()).expect("it is there");
    let cause = index.database.connection.execute("UPDATE settings SET digest = ''", []);
    let error = index.failed(cause.expect_err("SQLite writes to no file without a name"));
    assert!(error.to_string().contains("was replaced"), "{error}");
}

#[test]
fn documents_with_words_in_common_are_found_without_the_archive_and_what_is_withheld() {
    let common = "The nightly export locks the catalogue.";
    let files = [
        (
            "a.md",
            format!(
                "# Export\n<!-- @id: export -->\n\n{common}\n\n## Other\n\nIt exports nightly.\n"
            ),
        ),
        ("archive/b.md", format!("# Old\n\n{common}\n")),
        ("c.md", format!("# Key\n\n{common}\n\n{KEY}\n")),
        ("d.md", "# Apart\n\nButtons are green.\n".to_owned()),
    ];
    let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
    let sandbox = Sandbox::new(&files);
    let (index, _) = sandbox.refreshed();
    let found = index.alike(&["nightli", "catalogu", "export"], 8).expect("it answers");
    let found: Vec<_> =
        found.iter().map(|it| (it.file.as_str(), it.name.as_deref(), it.line)).collect();
    assert_eq!(found, [("a.md", Some("export"), 1), ("a.md", None, 6)]);
    assert_eq!(index.alike(&[], 8).expect("it answers"), []);
}
