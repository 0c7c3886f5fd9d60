//! `read add`, `read list`, `read remove`: what a person reads, in `config.toml`.

use serde_json::json;

use super::stage::{record, results, write_beside};
use crate::support::Sandbox;

const ADA: [&str; 2] = ["--approver", "Ada"];

fn handbook() -> Sandbox {
    let sandbox = Sandbox::new();
    let text = record("ledger", "Postgres holds the ledger.");
    write_beside(&sandbox, "handbook", &[("decisions/ledger.md", text.as_str())]);
    sandbox
}

#[test]
fn a_person_adds_lists_and_removes_a_store_and_all_else_stays() {
    let sandbox = handbook();
    sandbox.append("config.toml", "# mine");
    let before = sandbox.file("config.toml");
    let add = [&["read", "add", "handbook", "../handbook"][..], &ADA].concat();
    assert_eq!(sandbox.run(&add).expect_code(0).stdout, "added handbook\n");
    assert!(sandbox.file("config.toml").starts_with(&before));
    assert_eq!(results(&sandbox, &["ledger"]).len(), 1);
    let listed = sandbox.run(&["read", "list"]).expect_code(0).stdout;
    assert_eq!(listed, "handbook  ../handbook  1 file\n");
    let listed = sandbox.run(&["read", "list", "--json"]).expect_code(0).json();
    assert_eq!(listed["stores"][0]["label"], "handbook", "{listed}");
    let said = sandbox.run(&add).expect_code(1).stderr;
    assert!(said.contains("a store `handbook` is read already"), "{said}");
    let remove = [&["read", "remove", "handbook"][..], &ADA].concat();
    assert_eq!(sandbox.run(&remove).expect_code(0).stdout, "removed handbook\n");
    assert_eq!(sandbox.file("config.toml"), before + "\n");
    assert_eq!(results(&sandbox, &["ledger"]), Vec::<serde_json::Value>::new());
    let said = sandbox.run(&remove).expect_code(1).stderr;
    assert!(said.contains("no store `handbook` is read"), "{said}");
    let log = sandbox.run(&["log"]).expect_code(0).stdout;
    assert!(log.contains("store handbook read") && log.contains("not read any more"), "{log}");
}

#[test]
fn only_a_person_says_what_is_read() {
    let mut sandbox = handbook();
    let before = sandbox.tree();
    sandbox.set_env("CLAUDECODE", "1");
    for words in [
        &["read", "add", "handbook", "../handbook"][..],
        &["read", "remove", "handbook"],
        &["read", "sync", "--yes"],
    ] {
        let said = sandbox.run(&[words, &ADA].concat()).expect_code(1).stderr;
        assert!(said.contains("needs a person"), "{words:?}: {said}");
    }
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn what_is_no_store_is_refused_and_no_password_is_repeated() {
    let sandbox = handbook();
    let before = sandbox.tree();
    for (name, place, expected) in [
        ("Handbook", "../handbook", "is no name for a store"),
        ("hb", "/etc", "is no path from the folder"),
        ("hb", "ext::sh -c id", "it is no address of git"),
        ("hb", "http://host.example/hb.git", "it is no address of git"),
        ("hb", "https://ada:hunter2@host.example/hb.git", "looks like a secret (url-password)"),
        ("hb", "ssh://-oProxyCommand=id/x", "it is no address of git"),
    ] {
        let reply = sandbox.run(&[&["read", "add", name, place][..], &ADA].concat()).expect_code(1);
        assert!(reply.stderr.contains(expected), "{place}: {}", reply.stderr);
        assert!(!reply.stderr.contains("hunter2"), "{}", reply.stderr);
    }
    let add = ["read", "add", "hb", "https://host.example/x", "--revision=--upload-pack=id"];
    let said = sandbox.run(&[&add[..], &ADA].concat()).expect_code(1).stderr;
    assert!(said.contains("it is no branch, tag or commit"), "{said}");
    let add = ["read", "add", "hb", "../handbook", "--revision", "main"];
    let said = sandbox.run(&[&add[..], &ADA].concat()).expect_code(1).stderr;
    assert!(said.contains("a folder has no revision"), "{said}");
    assert_eq!(sandbox.tree(), before);
    // What was written by hand does not get further.
    let table = "\n[[read]]\nname = \"hb\"\ngit = \"https://ada:hunter2@host.example/hb.git\"\n";
    sandbox.append("config.toml", table);
    let said = sandbox.run(&["search", "x", "--json"]).expect_code(2).json();
    let said = json!(said).to_string();
    assert!(said.contains("no password") && !said.contains("hunter2"), "{said}");
}
