//! When a database that is found is used, and when it is made anew.
#![expect(clippy::disallowed_methods, reason = "tests harm the file")]

use std::fs;
use std::path::Path;

use super::*;
use crate::disk::Folder;

fn database_in(folder: &tempfile::TempDir) -> Spot {
    let held = Folder::open(folder.path()).expect("it opens").expect("it is there");
    held.spot("state/index.sqlite")
}

/// Opens a database again that was sealed, after somebody harmed it.
fn reopened_after(harm: impl Fn(&Path)) -> Origin {
    let folder = tempfile::tempdir().expect("a folder");
    let path = database_in(&folder);
    let index = open(&path, Some("digest")).expect("it opens");
    assert_eq!(index.origin, Origin::Created);
    index.seal_again();
    drop(index);
    harm(&path);
    let index = open(&path, Some("digest")).expect("it opens again");
    index.connection.execute("UPDATE settings SET digest = 'x'", []).expect("it is written");
    index.origin
}

#[test]
fn a_database_that_was_left_so_is_kept() {
    assert_eq!(reopened_after(|_| {}), Origin::Found);
}

#[test]
fn one_that_is_sound_but_not_as_it_was_left_is_made_anew() {
    let harm = |path: &Path| {
        let other = Connection::open(path).expect("it opens for others");
        other.execute("INSERT INTO bodies VALUES (1, 'planted')", []).expect("it is written");
    };
    assert_eq!(reopened_after(harm), Origin::Unsealed);
}

#[test]
fn what_is_no_database_any_more_is_not_even_opened() {
    let harms: [&dyn Fn(&Path); 3] = [
        &|path| fs::write(path, [b'x'; 9000]).expect("it is written"),
        &|path| {
            let bytes = fs::read(path).expect("it is read");
            fs::write(path, &bytes[..bytes.len() / 2]).expect("it is written");
        },
        &|path| fs::write(path, "").expect("it is written"),
    ];
    for harm in harms {
        assert_eq!(reopened_after(harm), Origin::Unsealed);
    }
}

#[test]
fn a_database_of_another_version_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = database_in(&folder);
    let index = open(&path, Some("digest")).expect("it opens");
    index.connection.pragma_update(None, "user_version", VERSION + 1).expect("it is set");
    index.seal_again();
    drop(index);
    let index = open(&path, Some("digest")).expect("it opens again");
    assert_eq!(index.origin, Origin::Outdated);
}

#[test]
fn what_somebody_put_into_the_database_does_not_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = database_in(&folder);
    let trap = "CREATE TRIGGER trap AFTER UPDATE ON settings BEGIN DELETE FROM settings; END";
    let index = open(&path, Some("digest")).expect("it opens");
    index.connection.execute_batch(trap).expect("it is written");
    index.seal_again();
    drop(index);
    let index = open(&path, Some("digest")).expect("it opens again");
    index.connection.execute("UPDATE settings SET digest = 'mine'", []).expect("it is written");
    assert_eq!(digest_in(&index.connection).expect("the row is there"), "mine");
}

#[test]
fn who_has_the_old_database_open_does_not_harm_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = database_in(&folder);
    let old = open(&path, Some("digest")).expect("it opens");
    let new = make(&path, Some("digest")).expect("it is replaced");
    assert_eq!(new.origin, Origin::Outdated);
    new.connection.execute("UPDATE settings SET digest = 'new'", []).expect("it is written");
    assert!(old.hold().is_err(), "it is not used any more");
    old.connection
        .execute("UPDATE settings SET digest = 'old'", [])
        .expect_err("SQLite refuses to write beside another database");
    drop(old);
    new.seal_again();
    drop(new);
    open(&path, Some("new"))
        .map(|index| index.origin)
        .map_or_else(|error| panic!("{error}"), |origin| assert_eq!(origin, Origin::Found));
}
