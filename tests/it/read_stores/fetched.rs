//! Stores that git fetches: `read sync`, `read.lock`, and a clone without the copy.

use std::fs;
use std::os::unix::fs::symlink;

use super::stage::{beside, paths, record, results, write_beside};
use crate::support::{Sandbox, WITHOUT_TERMINAL};

const SYNC: [&str; 5] = ["read", "sync", "--yes", "--approver", "Ada"];

fn address(sandbox: &Sandbox, name: &str) -> String {
    format!("file://{}", sandbox.root().join(name).display())
}

/// Commits what is in the repository of a store beside the project.
fn commit(sandbox: &Sandbox, name: &str) -> String {
    let folder = format!("../{name}");
    let git = |words: &[&str]| sandbox.git(&[&["-C", &folder][..], words].concat());
    git(&["init", "--quiet", "--template=", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "all"]);
    git(&["rev-parse", "HEAD"]).trim().to_owned()
}

/// A store that reads a handbook which git fetches; nothing is fetched yet.
fn with_remote(files: &[(&str, &str)]) -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    let text = record("ledger", "Postgres holds the ledger.");
    write_beside(&sandbox, "handbook", &[("decisions/ledger.md", text.as_str())]);
    write_beside(&sandbox, "handbook", files);
    let commit = commit(&sandbox, "handbook");
    let address = address(&sandbox, "handbook");
    let add = ["read", "add", "handbook", &address, "--revision", "main", "--approver", "Ada"];
    let reply = sandbox.run(&add).expect_code(0);
    assert!(reply.stderr.contains("`agent-memory read sync` fetches it"), "{}", reply.stderr);
    (sandbox, commit)
}

#[test]
fn a_store_is_fetched_pinned_and_read_under_its_commit() {
    let (sandbox, first) = with_remote(&[]);
    let said = sandbox.run(&["search", "ledger"]).expect_code(0);
    assert!(said.stderr.contains("no commit of it is pinned"), "{}", said.stderr);
    let reply = sandbox.run(&SYNC).expect_code(0);
    assert_eq!(reply.stdout, format!("fetched handbook@{}\n", &first[..7]));
    assert!(reply.stderr.contains("a new address: file://"), "{}", reply.stderr);
    let label = format!("handbook@{}:decisions/ledger.md", &first[..7]);
    assert_eq!(paths(&results(&sandbox, &["ledger"])), [label.as_str()]);
    assert!(sandbox.file("read.lock").contains(&format!("commit = \"{first}\"")));
    sandbox.run(&["check"]).expect_code(0);
    // Nothing moves by itself, and a second run fetches nothing.
    let text = record("ledger", "A spreadsheet holds the ledger.");
    write_beside(&sandbox, "handbook", &[("decisions/ledger.md", text.as_str())]);
    let second = commit(&sandbox, "handbook");
    assert_eq!(paths(&results(&sandbox, &["ledger"])), [label.as_str()]);
    let current = format!("current handbook@{}\n", &first[..7]);
    assert_eq!(sandbox.run(&SYNC).expect_code(0).stdout, current);
    let reply = sandbox.run(&[&SYNC[..], &["--update"]].concat()).expect_code(0);
    assert_eq!(reply.stdout, format!("fetched handbook@{}\n", &second[..7]));
    let found = results(&sandbox, &["ledger"]).remove(0);
    assert!(found.to_string().contains("spreadsheet"), "{found}");
    let copies = fs::read_dir(sandbox.store().join("state/read/handbook")).unwrap().count();
    assert_eq!(copies, 1, "the old copy is gone");
    let remove = ["read", "remove", "handbook", "--approver", "Ada"];
    sandbox.run(&remove).expect_code(0);
    assert!(!sandbox.store().join("state/read/handbook").exists());
    assert!(!sandbox.file("read.lock").contains("handbook"));
}

#[test]
fn a_clone_without_the_copy_says_so_in_one_line_and_fetches_the_same_commit() {
    let (sandbox, first) = with_remote(&[]);
    sandbox.run(&SYNC).expect_code(0);
    sandbox.commit("memory");
    write_beside(&sandbox, "handbook", &[("conventions.md", "# Conventions\n\nMore.\n")]);
    commit(&sandbox, "handbook");
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    for words in [&["search", "ledger"][..], &["ls"], &["context"]] {
        let said = sandbox.run(words).expect_code(0).stderr;
        let expected = format!("its copy of {} is not in this clone", &first[..7]);
        assert_eq!(said.matches(&expected).count(), 1, "{words:?}: {said}");
    }
    let lock = sandbox.file("read.lock");
    let reply = sandbox.run(&SYNC).expect_code(0);
    assert_eq!(reply.stdout, format!("fetched handbook@{}\n", &first[..7]));
    assert_eq!(sandbox.file("read.lock"), lock);
    assert_eq!(results(&sandbox, &["ledger"]).len(), 1);
    assert_eq!(sandbox.git(&["status", "--short"]), "");
}

#[test]
fn a_new_address_is_fetched_from_only_once_a_person_agreed() {
    let (sandbox, _) = with_remote(&[]);
    let sync = ["read", "sync", "--approver", "Ada"];
    let reply = sandbox.run(&sync).expect_code(1);
    assert!(reply.stderr.contains("is a new address, and no person agreed to it"), "{reply:?}");
    assert!(!sandbox.store().join("state/read").exists() && !sandbox.has("read.lock"));
    // What the person agreed to once is in their own settings.
    let own = format!("\n[[read.allowed]]\naddress = \"{}\"\n", address(&sandbox, "handbook"));
    sandbox.write_user_config(&format!("{WITHOUT_TERMINAL}{own}"));
    let reply = sandbox.run(&sync).expect_code(0);
    assert!(!reply.stderr.contains("new address"), "{}", reply.stderr);
    assert!(reply.stdout.starts_with("fetched "), "{}", reply.stdout);
}

#[test]
fn what_is_fetched_is_checked_before_it_is_used() {
    let secret = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    let key = record("key", &format!("The key is {secret}."));
    let hidden = "# Hidden\n\nOne zebra \u{202e}word.\n";
    let files = [("decisions/key.md", key.as_str()), ("decisions/hidden.md", hidden)];
    let (sandbox, first) = with_remote(&files);
    let at = |path: &str| beside(&sandbox, "handbook").join(path);
    fs::write(sandbox.root().join("home/private.md"), "# Private\n\nA zebra.\n").unwrap();
    symlink(sandbox.root().join("home/private.md"), at("decisions/private.md")).unwrap();
    symlink(sandbox.root().join("home"), at("modules")).unwrap();
    let second = commit(&sandbox, "handbook");
    let reply = sandbox.run(&SYNC).expect_code(0);
    assert_eq!(reply.stdout, format!("fetched handbook@{}\n", &second[..7]));
    for expected in [
        "handbook: `decisions/key.md` is left out: line 8 looks like a secret",
        "handbook: `decisions/hidden.md` is left out: it holds the hidden character U+202E",
        "handbook: `decisions/private.md` is left out: it is a symbolic link",
        "handbook: `modules` is left out: it is a symbolic link",
    ] {
        assert!(reply.stderr.contains(expected), "{expected}: {}", reply.stderr);
    }
    let state = sandbox.store().join("state/read/handbook");
    let files = crate::support::files_in(&state);
    let names: Vec<_> = files.keys().map(|name| name.replace(&second, "COMMIT")).collect();
    assert_eq!(names, ["COMMIT/decisions/ledger.md", "COMMIT/manifest"]);
    assert_eq!(paths(&results(&sandbox, &["zebra"])), Vec::<&str>::new());
    // Of a newer format nothing is taken, and the old copy stays.
    fs::write(at("config.toml"), "version = 2\n").unwrap();
    commit(&sandbox, "handbook");
    let reply = sandbox.run(&[&SYNC[..], &["--update"]].concat()).expect_code(1);
    assert!(reply.stdout.contains("made by a newer agent-memory (2)"), "{}", reply.stdout);
    assert_eq!(results(&sandbox, &["ledger"]).len(), 1);
    assert_ne!(first, second);
}

#[test]
fn a_copy_that_is_not_what_was_fetched_is_not_read() {
    let (sandbox, commit) = with_remote(&[]);
    sandbox.run(&SYNC).expect_code(0);
    let path = format!("state/read/handbook/{commit}/decisions/ledger.md");
    sandbox.write(&path, record("ledger", "A forged zebra."));
    let reply = sandbox.run(&["search", "zebra"]).expect_code(0);
    assert!(!reply.stdout.contains("forged"), "{}", reply.stdout);
    assert!(reply.stderr.contains("it is not what was fetched"), "{}", reply.stderr);
    // Without a list that this machine signed there is no copy.
    let manifest = format!("state/read/handbook/{commit}/manifest");
    sandbox.write(&manifest, sandbox.file(&manifest).replacen(' ', "  ", 1));
    let reply = sandbox.run(&["search", "ledger"]).expect_code(0);
    assert!(reply.stderr.contains("is not in this clone"), "{}", reply.stderr);
}

#[test]
fn check_names_a_lock_that_does_not_fit() {
    let (sandbox, _) = with_remote(&[]);
    let said = || sandbox.run(&["check"]).expect_code(0).stdout;
    assert!(said().contains("the store `handbook` is not pinned by `read.lock`"), "{}", said());
    sandbox.run(&SYNC).expect_code(0);
    assert!(!said().contains("read-lock"), "{}", said());
    let config = sandbox.file("config.toml");
    sandbox.write("config.toml", config.replace("\"main\"", "\"next\""));
    assert!(said().contains("is pinned by `read.lock` for another address or revision"));
    let reply = sandbox.run(&["search", "ledger"]).expect_code(0);
    assert!(reply.stderr.contains("`read.lock` pins another address or revision"), "{reply:?}");
    sandbox.write("config.toml", "version = 1\n");
    assert!(said().contains("`config.toml` fetches no such store"), "{}", said());
    sandbox.write("read.lock", "<<<<<<< HEAD\n");
    let said = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(said.contains("[read-lock]"), "{said}");
}

#[test]
fn git_says_what_is_wrong_and_names_no_store_that_there_is_not() {
    let (sandbox, _) = with_remote(&[]);
    fs::remove_dir_all(sandbox.root().join("handbook")).unwrap();
    let reply = sandbox.run(&SYNC).expect_code(1);
    assert!(reply.stdout.starts_with("failed handbook: git fetch:"), "{}", reply.stdout);
    let said = sandbox.run(&[&SYNC[..], &["other"]].concat()).expect_code(1).stderr;
    assert!(said.contains("git fetches no store `other`"), "{said}");
}
