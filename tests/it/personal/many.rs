//! U34: many processes write at once.
//!
//! `CRASH=full cargo test --test it personal::many` lets sixteen processes write fifty entries each.

use std::thread;

use serde_json::json;

use super::{Person, delete, line, upsert, with};
use crate::crash::is_full;

/// Returns how many write, and how many entries each of them writes.
fn crowd() -> (usize, usize) {
    if is_full() { (16, 50) } else { (8, 6) }
}

fn name(writer: usize, number: usize) -> String {
    format!("entry-{writer}-{number}")
}

#[test]
fn entries_of_many_processes_are_all_there_with_one_line_each() {
    let (writers, entries) = crowd();
    let person = &Person::new();
    thread::scope(|scope| {
        for writer in 0..writers {
            scope.spawn(move || {
                for number in 0..entries {
                    person.done(&upsert(&name(writer, number)), "created");
                }
            });
        }
    });
    let index = person.index();
    for (writer, number) in (0..writers).flat_map(|w| (0..entries).map(move |n| (w, n))) {
        let name = name(writer, number);
        assert_eq!(index.matches(&line(&name)).count(), 1, "{name}");
        assert!(
            person.file(&format!("memory/{name}.md")).contains(&format!("The text of {name}."))
        );
    }
    assert_eq!(index.lines().count(), writers * entries);
    assert_eq!(person.log().len(), writers * entries);
    person.log_is_whole();
    let list = person.list();
    let about_size =
        |warning: &&serde_json::Value| warning.as_str().unwrap().contains(" lines and ");
    assert_eq!(list["entries"].as_array().unwrap().len(), writers * entries);
    assert!(list["warnings"].as_array().unwrap().iter().all(|each| about_size(&each)), "{list}");
}

#[test]
fn one_entry_that_many_processes_replace_is_one_of_their_texts() {
    let (writers, rounds) = crowd();
    let person = &Person::with(&[upsert("x")]);
    thread::scope(|scope| {
        for writer in 0..writers {
            scope.spawn(move || {
                for round in 0..rounds {
                    let body = format!("Of {writer} in round {round}.");
                    person.done(&with(&upsert("x"), "body", body), "updated");
                }
            });
        }
    });
    assert_eq!(person.index(), line("x"));
    assert_eq!(person.log().len(), 1 + writers * rounds);
    assert!(person.read("x")["body"].as_str().unwrap().starts_with("Of "));
    person.log_is_whole();
}

#[test]
fn of_many_processes_with_one_hash_one_writes() {
    let person = &Person::with(&[upsert("x")]);
    let hash = person.read("x")["hash"].clone();
    let codes = thread::scope(|scope| {
        let all: Vec<_> = (0..6)
            .map(|writer| {
                let request = with(&upsert("x"), "body", format!("Of {writer}."));
                let request = with(&request, "if_hash", hash.clone());
                scope.spawn(move || person.call(&request).code)
            })
            .collect();
        all.into_iter().map(|each| each.join().unwrap()).collect::<Vec<_>>()
    });
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 1).count(), 5, "{codes:?}");
    person.log_is_whole();
}

#[test]
fn a_reader_beside_writers_never_finds_half_a_change() {
    let person = &Person::with(&[upsert("a")]);
    thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for _ in 0..5 {
                person.done(&upsert("x"), "created");
                person.done(&delete("x"), "deleted");
            }
        });
        let mut looks = 0;
        while !writer.is_finished() || looks == 0 {
            let list = person.list();
            assert_eq!(list["warnings"], json!([]), "{list}");
            looks += 1;
        }
    });
    assert_eq!(person.trash().len(), 5);
    person.log_is_whole();
}
