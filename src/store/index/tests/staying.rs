//! An index that stays open, and one that is ahead of the files.

use super::*;

fn arrive(sandbox: &Sandbox, ahead: Ahead<'_>) {
    let refreshed = ahead.arrive(&sandbox.source(), &["a.md".to_owned()]).expect("it arrives");
    assert_eq!((refreshed.files_postponed, refreshed.warnings), (0, Vec::<String>::new()));
}

fn counts(index: &Index) -> [usize; 3] {
    ["cat", "dog", "hen"].map(|word| ask(index, word).len())
}

#[test]
fn what_is_ahead_is_found_once_the_file_holds_it() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n\n## dog\n")]);
    let index = sandbox.refreshed().0;
    let ahead = get_ahead(&sandbox, &index, "# cat\n\n## hen\n").expect("nobody else writes");
    assert_eq!(counts(&sandbox.open()), [2, 1, 0], "nobody sees it yet");
    sandbox.write("a.md", "# cat\n\n## hen\n");
    arrive(&sandbox, ahead);
    assert_eq!([counts(&index), counts(&sandbox.open())], [[2, 0, 1]; 2]);
    assert_eq!(sandbox.refreshed().1.files_changed, 0);
}

#[test]
fn what_the_file_holds_counts_whatever_was_expected() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    let found = |after: Option<&str>| {
        let ahead = get_ahead(&sandbox, &index, "# hen\n").expect("nobody else writes");
        match after {
            Some(text) => sandbox.write("a.md", text),
            None => fs::remove_file(sandbox.path("a.md")).expect("it is there"),
        }
        arrive(&sandbox, ahead);
        counts(&index)
    };
    assert_eq!(found(Some("# dog\n")), [0, 1, 0]);
    assert_eq!(found(Some("# dog\n")), [0, 1, 0]);
    assert_eq!(found(None), [0, 0, 0]);
    assert_eq!(found(Some("# hen\n")), [0, 0, 1]);
}

#[test]
fn what_does_not_come_is_not_found() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    drop(get_ahead(&sandbox, &index, "# hen\n").expect("nobody else writes"));
    assert_eq!(counts(&index), [1, 0, 0]);
    assert!(index.is_what_opens(&sandbox.database()), "it is as it was");
    assert_eq!(sandbox.refreshed().1.files_changed, 0);
}

#[test]
fn nobody_is_waited_for_to_get_ahead() {
    let mut sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    let writer = sandbox.open().connection;
    writer.execute_batch("BEGIN IMMEDIATE").expect("nobody else writes");
    assert!(get_ahead(&sandbox, &index, "# hen\n").is_none());
    drop(writer);
    assert!(get_ahead(&sandbox, &index, "# hen\n").is_some());
    let personal = [PersonalKind::Email].into();
    sandbox.scanner = Scanner::new(Settings { personal, ..Settings::default() });
    assert!(get_ahead(&sandbox, &index, "# hen\n").is_none(), "it is made anew first");
    assert_eq!(counts(&index), [1, 0, 0]);
}

#[test]
fn an_index_that_stays_open_is_used_while_it_is_what_opens() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let index = sandbox.refreshed().0;
    let is_used = || index.is_what_opens(&sandbox.database());
    assert!(is_used());
    sandbox.write("a.md", "# dog\n");
    drop(sandbox.refreshed());
    assert!(is_used(), "another process of ours has written to it");
    assert!(!index.is_what_opens(&Sandbox::new(&[]).database()));

    let gate = sandbox.path("state/index.sqlite.lock");
    let aside = sandbox.path("state/aside");
    fs::rename(&gate, &aside).expect("it is there");
    assert!(!is_used(), "who comes next holds another lock");
    drop(sandbox.refreshed());
    assert!(!is_used());
    fs::rename(&aside, &gate).expect("it is there");

    let journal = sandbox.path("state/index.sqlite-journal");
    fs::remove_file(&journal).expect("it is there");
    fs::hard_link(sandbox.path("a.md"), &journal).expect("it is made");
    assert!(!is_used(), "SQLite would cut a file that is not only its own");
    fs::remove_file(&journal).expect("it is there");
    assert!(is_used());

    let stranger = sandbox.open().connection;
    stranger.execute_batch("UPDATE files SET hash = ''").expect("nobody else writes");
    assert!(!is_used(), "somebody else wrote to it");
}

#[test]
fn who_opened_it_while_another_was_at_work_may_seal_it_once_it_is_sealed() {
    let sandbox = Sandbox::new(&[("a.md", "# cat\n")]);
    let worker = sandbox.refreshed().0;
    let ahead = get_ahead(&sandbox, &worker, "# dog\n").expect("nobody else writes");
    let index = sandbox.open();
    assert!(!index.is_what_opens(&sandbox.database()), "nobody has sealed it");
    drop(ahead);
    assert!(index.is_what_opens(&sandbox.database()));
    let mut index = index;
    sandbox.write("a.md", "# hen\n");
    index.refresh(&sandbox.source()).expect("it is refreshed");
    assert!(worker.is_what_opens(&sandbox.database()), "it is sealed again");
}
