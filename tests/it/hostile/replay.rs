//! State of this machine that comes back in another place, or at another time.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;

use crate::requests::convention;
use crate::support::{Sandbox, journal_line};

/// Writes the journal by which SQLite would put another word into a database, page by page.
/// Its format: <https://www.sqlite.org/fileformat.html#the_rollback_journal>.
fn hot_journal(database: &Path, old: &str, new: &str) -> Vec<u8> {
    const NONCE: u32 = 0x1234_5678;
    let before = fs::read(database).unwrap();
    let edited = database.with_extension("edited");
    fs::copy(database, &edited).unwrap();
    let connection = Connection::open(&edited).unwrap();
    connection.execute("UPDATE bodies SET body = replace(body, ?1, ?2)", [old, new]).unwrap();
    drop(connection);
    let after = fs::read(&edited).unwrap();
    let size = usize::from(u16::from_be_bytes([before[16], before[17]]));
    let pages = before.chunks(size).zip(after.chunks(size)).enumerate().skip(1);
    let changed: Vec<(usize, &[u8])> =
        pages.filter(|(_, (old, new))| old != new).map(|(at, (_, new))| (at + 1, new)).collect();
    assert!(!changed.is_empty());
    let number = |number: usize| u32::try_from(number).unwrap().to_be_bytes();
    let mut journal = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
    let head = [changed.len(), NONCE as usize, before.len() / size, 512, size];
    head.iter().for_each(|each| journal.extend(number(*each)));
    journal.resize(512, 0);
    for (at, page) in changed {
        let samples = (1..size).rev().filter(|place| (size - place) % 200 == 0);
        let sum = samples.fold(NONCE, |sum, place| sum.wrapping_add(page[place].into()));
        journal.extend(number(at));
        journal.extend(page);
        journal.extend(sum.to_be_bytes());
    }
    journal
}

#[test]
fn a_journal_of_sqlite_that_a_commit_brings_changes_no_answer() {
    let text =
        "# Conventions\n\n## Deploys\n<!-- @id: deploys -->\n\nDeploys go through staging.\n";
    for suffix in ["index.sqlite-journal", "index.sqlite-wal"] {
        let sandbox = Sandbox::given(&[("conventions.md", text)]);
        assert!(sandbox.run(&["search", "deploys"]).expect_code(0).stdout.contains("staging"));
        let database = sandbox.store().join("state/index.sqlite");
        let journal = hot_journal(&database, "through staging", "without review");
        sandbox.write(&format!("state/{suffix}"), journal);
        let found = sandbox.run(&["search", "deploys"]).expect_code(0).stdout;
        assert!(found.contains("staging") && !found.contains("review"), "{found}");
    }
}

#[test]
fn a_record_says_nothing_in_another_store_of_the_repository() {
    let sandbox = Sandbox::new();
    sandbox.write_project("web/keep", "");
    sandbox.call(&["init", "--root", "."]).within("web").run().expect_code(0);
    let store = sandbox.project().join("web/.agent-memory");
    let step =
        json!({"step": "write", "path": "modules/evil.md", "before": null, "after": "# Evil\n"});
    let record = json!({"version": 1, "verb": "apply", "number": 1, "boot": "0", "steps": [step]});
    let line = journal_line(&sandbox.project(), &record.to_string());
    fs::write(store.join("state/journal"), &line).unwrap();
    sandbox.call(&["status"]).within("web").run().expect_code(0);
    assert!(!store.join("modules/evil.md").exists());
    // In its own store it is carried out.
    sandbox.write("state/journal", &line);
    sandbox.run(&["status"]).expect_code(0);
    assert!(sandbox.has("modules/evil.md"));
}

#[test]
fn a_record_that_a_commit_brings_back_is_not_carried_out_again() {
    let sandbox = Sandbox::new();
    let step =
        json!({"step": "write", "path": "modules/old.md", "before": null, "after": "# Old\n"});
    let record = json!({"version": 1, "verb": "apply", "number": 1, "boot": "0", "steps": [step]});
    sandbox.write("state/journal", journal_line(&sandbox.project(), &record.to_string()));
    sandbox.git(&["add", "--force", ".agent-memory/state/journal"]);
    let told = sandbox.run(&["status"]).expect_code(0).stderr;
    assert!(told.contains("state/journal") && !sandbox.has("modules/old.md"), "{told}");
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    assert!(!sandbox.has("modules/old.md"));
}

#[test]
fn an_older_log_that_a_commit_brings_back_is_noticed_and_made_good() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let (log, end) = (sandbox.bytes("state/log.jsonl"), sandbox.bytes("state/log.end"));
    sandbox.apply(&id).applied();
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["log", "--verify"]).expect_code(0);
    sandbox.write("state/log.jsonl", log);
    sandbox.write("state/log.end", end);
    let told = sandbox.run(&["log", "--verify"]).expect_code(1).stdout;
    assert!(told.contains("2 decisions in its copy"), "{told}");
    sandbox.run(&["doctor", "--adopt-state", "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["log", "--verify"]).expect_code(0);
    assert!(sandbox.run(&["log"]).expect_code(0).stdout.contains("undone"));
}

#[cfg(unix)]
#[test]
fn no_link_leads_an_installation_to_git_or_into_the_memory() {
    for target in [".git/config", ".git/hooks/pre-commit", ".agent-memory/conventions.md"] {
        let sandbox = Sandbox::new();
        sandbox.write_project(".git/hooks/pre-commit", "#!/bin/sh\n");
        sandbox.write("conventions.md", "# Conventions\n");
        let place = sandbox.project().join(target);
        let before = fs::read(&place).unwrap();
        std::os::unix::fs::symlink(target, sandbox.project().join("AGENTS.md")).unwrap();
        let reply = sandbox.run(&["install", "agents"]);
        assert_ne!(reply.code, 0, "{target}");
        assert_eq!(fs::read(&place).unwrap(), before, "{target}");
    }
}
