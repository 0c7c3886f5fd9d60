//! When a database that is found is used, and when it is rebuilt.

use super::*;
use crate::error::Result;
use crate::index::database::VERSION;

/// A system without files, and what it signs.
struct Signed(&'static str);

impl DocumentSource for Signed {
    fn digest(&self) -> Option<String> {
        Some(self.0.to_owned())
    }

    fn list(&self) -> Result<Listing> {
        Ok(Listing::default())
    }

    fn read(&self, _: &str) -> Option<Contents> {
        None
    }

    fn mode(&self, _: &str) -> u32 {
        0o777
    }

    fn kind(&self, _: &str) -> Option<&str> {
        None
    }

    fn documents(&self, _: &str, _: &str, _: &mut KnownDocuments) -> Vec<DocumentDraft> {
        Vec::new()
    }
}

fn database_in(folder: &TempDir) -> StorePath {
    let held = Folder::open(folder.path()).expect("it opens").expect("it is there");
    held.inside("state/index.sqlite")
}

/// Opens a database again that was sealed, after it was harmed.
fn reopened_after(harm: impl Fn(&Path)) -> Origin {
    let folder = new_folder();
    let path = database_in(&folder);
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens");
    assert_eq!(index.origin(), Origin::Created);
    index.record_write();
    drop(index);
    harm(&path);
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens again");
    index
        .database
        .connection
        .execute("UPDATE settings SET digest = 'x'", [])
        .expect("it is written");
    index.origin()
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
    assert_eq!(reopened_after(harm), Origin::Changed);
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
        assert_eq!(reopened_after(harm), Origin::Changed);
    }
}

#[test]
fn a_database_of_another_version_is_replaced() {
    let folder = new_folder();
    let path = database_in(&folder);
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens");
    index.database.connection.pragma_update(None, "user_version", VERSION + 1).expect("it is set");
    index.record_write();
    drop(index);
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens again");
    assert_eq!(index.origin(), Origin::Outdated);
}

#[test]
fn what_another_program_put_into_the_database_does_not_run() {
    let folder = new_folder();
    let path = database_in(&folder);
    let trap = "CREATE TRIGGER trap AFTER UPDATE ON settings BEGIN DELETE FROM settings; END";
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens");
    index.database.connection.execute_batch(trap).expect("it is written");
    index.record_write();
    drop(index);
    let index = SearchIndex::open(&path, &Signed("digest")).expect("it opens again");
    index
        .database
        .connection
        .execute("UPDATE settings SET digest = 'mine'", [])
        .expect("it is written");
    assert_eq!(index.database.digest().expect("the row is there"), "mine");
}

#[test]
fn a_process_with_the_old_database_open_does_not_harm_the_new_one() {
    let folder = new_folder();
    let path = database_in(&folder);
    let old = SearchIndex::open(&path, &Signed("digest")).expect("it opens");
    let new = SearchIndex::rebuild_at(&path, &Signed("digest")).expect("it is replaced");
    assert_eq!(new.origin(), Origin::Outdated);
    new.database
        .connection
        .execute("UPDATE settings SET digest = 'new'", [])
        .expect("it is written");
    assert!(old.hold().is_err(), "it is not used any more");
    old.database
        .connection
        .execute("UPDATE settings SET digest = 'old'", [])
        .expect_err("SQLite refuses to write beside another database");
    drop(old);
    new.record_write();
    drop(new);
    SearchIndex::open(&path, &Signed("new"))
        .map(|index| index.origin())
        .map_or_else(|error| panic!("{error}"), |origin| assert_eq!(origin, Origin::Found));
}
