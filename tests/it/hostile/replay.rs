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
    let record = json!({"version": 1, "verb": "apply", "number": 99, "boot": "0", "steps": [step]});
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
    let line = journal_line(&sandbox.project(), &record.to_string());
    // As git has it, and as where a checkout writes other bytes: `$Id$`, line ends, another encoding.
    for text in [line.clone(), line + "$Id: 1 $\n"] {
        sandbox.write("state/journal", &text);
        sandbox.git(&["add", "--force", ".agent-memory/state/journal"]);
        sandbox.git(&["rm", "--quiet", "--cached", ".agent-memory/state/journal"]);
        let told = sandbox.run(&["status"]).expect_code(0).stderr;
        assert!(told.contains("state/journal") && !sandbox.has("modules/old.md"), "{told}");
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
        assert!(!sandbox.has("modules/old.md"));
    }
}

#[test]
fn records_go_on_where_the_last_ones_were_whatever_became_of_the_journal() {
    let sandbox = Sandbox::new();
    let propose = |heading: &str| {
        let id = sandbox.propose(convention(heading, "Name the path.")).staged();
        sandbox.apply(&id).applied();
    };
    propose("One");
    let old = sandbox.bytes("state/journal");
    propose("Two");
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    propose("Three");
    sandbox.write("state/journal", &old);
    propose("Four");
    assert!(
        ["One", "Two", "Three", "Four"]
            .iter()
            .all(|it| sandbox.file("conventions.md").contains(it))
    );
    // What was carried out in an earlier run, and is durable, is old as well.
    let past = fs::read_dir(sandbox.project().join(".git/agent-memory")).unwrap();
    let past = past.map(|entry| entry.unwrap().path());
    let past = past.into_iter().find(|path| path.to_string_lossy().contains("journal-")).unwrap();
    fs::write(&past, format!("{:>20} {:>20} {:>36}\n", 9, 0, "an earlier run")).unwrap();
    let step = json!({"step": "write", "path": "modules/old.md", "before": null, "after": "# O\n"});
    for (number, is_old) in [(9, true), (10, false)] {
        let record =
            json!({"version": 1, "verb": "apply", "number": number, "boot": "0", "steps": [step]});
        let line = journal_line(&sandbox.project(), &record.to_string());
        sandbox.write("state/journal", line);
        sandbox.run(&["status"]).expect_code(0);
        assert_eq!(sandbox.has("modules/old.md"), !is_old, "{number}");
    }
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

#[test]
fn a_proposal_that_was_rejected_and_comes_back_lands_by_its_name_alone() {
    for track in [false, true] {
        let sandbox = Sandbox::new();
        let config = sandbox.file("config.toml");
        sandbox.write("config.toml", config.replace("track = false", &format!("track = {track}")));
        let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
        let proposal = format!("staging/{id}/proposal.json");
        let text = sandbox.bytes(&proposal);
        sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
        for folder in ["rejections", "decided"] {
            let _ = fs::remove_dir_all(sandbox.store().join(folder));
        }
        fs::create_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
        sandbox.write(&proposal, text);
        let shown = sandbox.run(&["show", &id]).expect_code(0);
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(said.contains("says that it was decided before"), "{said}");
        let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]);
        assert!(all.stdout.contains("\"was_decided\":true"), "{track}: {}", all.stdout);
        let latest = sandbox.run(&["apply", "--latest", "--approver", "Ada", "--json"]);
        assert_eq!(latest.expect_code(1).json()["reason"], "approval_stale");
        let told = sandbox.run(&["doctor"]).stdout;
        assert!(told.contains(&format!("`{id}` was decided here, and waits again")), "{told}");
        sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
        let again = sandbox.run(&["restore", &id, "--approver", "Ada"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        sandbox.apply(&id).applied();
    }
}

#[test]
fn what_a_commit_puts_beside_a_decision_is_not_told_as_what_was_applied() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let shown = format!("state/trash/{id}/files/conventions.md");
    sandbox.write(&shown, sandbox.file(&shown).replace("Name the path", "Push to production"));
    sandbox.write("conventions.md", "# Conventions\n");
    let told = sandbox.run(&["log", "-p"]).expect_code(0).stdout;
    assert!(told.contains(&id) && !told.contains("Push to production"), "{told}");
}
