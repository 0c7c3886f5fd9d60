//! What another process writes between a look at a file and the writing of what was seen.
#![expect(clippy::disallowed_methods, reason = "a person writes files as they like")]

use std::fs;
use std::path::Path;

use super::*;
use crate::schema::{Catalog, DEFAULTS};
use crate::secrets::Scanner;
use crate::store::index::Query;
use crate::store::{Folder, Key};

fn stage() -> (tempfile::TempDir, Folder, Catalog) {
    let folder = tempfile::tempdir().expect("a folder");
    let held = Folder::open(folder.path()).expect("it opens").expect("it is there");
    let schemas = DEFAULTS.map(|(name, text)| (format!("{name}.toml"), text));
    let schemas = schemas.iter().map(|(name, text)| (Path::new(name), *text));
    (folder, held, Catalog::parse(schemas).expect("they are good"))
}

/// Lets two processes look at a file and write what they saw in the other order, with a change in between.
#[test]
fn a_younger_text_is_not_written_over() {
    let (folder, held, catalog) = stage();
    let scanner = Scanner::default();
    let key = &Key::Known([7; 32]);
    let source = Source { root: &held, catalog: &catalog, scanner: &scanner, key };
    let write = |text: &str| fs::write(folder.path().join("a.md"), text).expect("it is written");
    let open = || Index::open(&held.spot("state/index.sqlite"), &source).expect("it opens");

    let mut slow = open();
    slow.refresh(&source).expect("it is made");
    let mut quick = open();
    for (before, after) in [("cat", "dog"), ("dog", "hen")] {
        write(&format!("# {before}\n"));
        let run = Run { source: &source, now: 0 };
        let (files, mut told) = (["a.md".to_owned()], Refreshed::default());
        let (looks, _) = run.look_at_some(&slow.connection, &files, &mut told).expect("a look");
        let steps = run.understand(looks);
        write(&format!("# {after}\n"));
        quick.refresh(&source).expect("it is refreshed");
        let mut writing = Writing::new(&run, &slow);
        writing.write(&steps).expect("it is written");
        told.files_postponed = 1;
        writing.commit(&mut told).expect("it is kept");
        let found = |word| {
            quick.search(&Query::new(word, crate::contract::Moment::from_unix(0)), &|_| None)
        };
        assert_eq!(found(after).expect("an answer").len(), 1, "{after}");
        assert_eq!(found(before).expect("an answer").len(), 0, "{before}");
    }
}

#[test]
fn what_became_a_secret_since_the_look_is_not_kept_either() {
    let (folder, held, catalog) = stage();
    let scanner = Scanner::default();
    let key = &Key::Known([7; 32]);
    let source = Source { root: &held, catalog: &catalog, scanner: &scanner, key };
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(name), text).expect("it is written");
    };
    let mut index = Index::open(&held.spot("state/index.sqlite"), &source).expect("it opens");
    let secret = "# Key\n\nAKIAQ3EGRT7XJW2MZ5PL\n";
    let allowed = secret.replace("AKIA", "<!-- secret-allow: an example -->\nAKIA");
    write("a.md", &format!("{allowed}<!-- /secret-allow -->\n"));
    index.refresh(&source).expect("it is refreshed");

    let run = Run { source: &source, now: 0 };
    write("a.md", "# Key\n");
    let (files, mut told) = (["a.md".to_owned()], Refreshed::default());
    let (looks, _) = run.look_at_some(&index.connection, &files, &mut told).expect("a look");
    let steps = run.understand(looks);
    write("a.md", secret);
    write("b.md", "# Hen\n");
    let mut other = Index::open(&held.spot("state/index.sqlite"), &source).expect("it opens");
    other.refresh_files(&source, &["b.md".to_owned()]).expect("it is refreshed");
    let mut writing = Writing::new(&run, &index);
    writing.write(&steps).expect("it is written");
    told.files_postponed = 1;
    writing.commit(&mut told).expect("it is kept");
    assert!(index.is_outdated.get());
}
