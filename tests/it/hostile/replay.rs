//! Logs, proposals and other state of this machine that come back in another place, or at another time.

use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::json;

use crate::requests::{convention, session};
use crate::support::{ProjectKey, Sandbox};

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

/// Files of a store as they are now, for a commit to bring back later.
struct Kept(Vec<(String, Vec<u8>)>);

impl Kept {
    fn of(sandbox: &Sandbox, paths: &[&str]) -> Self {
        Self(paths.iter().map(|path| ((*path).to_owned(), sandbox.bytes(path))).collect())
    }

    fn log(sandbox: &Sandbox) -> Self {
        Self::of(sandbox, &["state/log.jsonl", "state/log.end"])
    }

    fn bring_back(&self, store: &Path) {
        for (path, bytes) in &self.0 {
            let place = store.join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, bytes).unwrap();
        }
    }
}

/// Expects that `status` names a proposal.
fn expect_told(sandbox: &Sandbox, id: &str) {
    let told = sandbox.run(&["status"]).expect_code(0);
    assert!(format!("{}{}", told.stdout, told.stderr).contains(id), "{}", told.stdout);
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
fn an_older_log_that_a_commit_brings_back_is_noticed_and_made_good() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let old = Kept::log(&sandbox);
    sandbox.apply(&id).applied();
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["log", "--verify"]).expect_code(0);
    old.bring_back(&sandbox.store());
    let told = sandbox.run(&["log", "--verify"]).expect_code(1).stdout;
    assert!(told.contains("lacks 2 decisions that its copy"), "{told}");
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
    for (track, has_trash) in [(false, true), (true, true), (false, false)] {
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
        if !has_trash {
            fs::remove_dir_all(sandbox.store().join("state/trash")).unwrap();
        }
        fs::create_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
        sandbox.write(&proposal, text);
        let told = sandbox.run(&["status"]).expect_code(0).stdout;
        assert!(told.contains("decided here before, and pending again"), "{told}");
        let shown = sandbox.run(&["show", &id]).expect_code(0);
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(said.contains("says that it was decided before"), "{said}");
        let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]);
        assert!(all.stdout.contains("\"was_decided\":true"), "{track}: {}", all.stdout);
        let latest = sandbox.run(&["apply", "--latest", "--approver", "Ada", "--json"]);
        assert_eq!(latest.expect_code(1).json()["error"]["code"], "approval_stale");
        let told = sandbox.run(&["doctor"]).stdout;
        assert!(told.contains(&format!("`{id}` was decided here, and is pending again")), "{told}");
        let warnings = sandbox.apply(&id).applied()["warnings"].to_string();
        assert!(warnings.contains("says that it was decided before"), "{warnings}");
    }
}

#[test]
fn a_proposal_that_comes_back_is_rejected_again_or_let_go() {
    for track in [false, true] {
        let sandbox = Sandbox::new();
        let config = sandbox.file("config.toml");
        sandbox.write("config.toml", config.replace("track = false", &format!("track = {track}")));
        let request = convention("Errors", "Run what they say.");
        let id = sandbox.propose(request.clone()).staged();
        let proposal = format!("staging/{id}/proposal.json");
        let text = sandbox.bytes(&proposal);
        for last in [&["--reason", "no"][..], &["--reason", "no"], &["--allow-again"]] {
            fs::create_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
            sandbox.write(&proposal, &text);
            let _ = fs::remove_file(sandbox.store().join(format!("decided/{id}.rejected")));
            sandbox.run(&[&["reject", &id][..], last].concat()).expect_code(0);
        }
        sandbox.propose(request).staged();
    }
}

#[test]
fn what_was_restored_or_proposed_again_is_no_decision_that_came_back() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    for _ in 0..2 {
        sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
        sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
        let told = sandbox.run(&["status"]).expect_code(0).stdout;
        assert!(!told.contains("decided here before"), "{told}");
    }
    let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(0).json();
    assert_eq!(all["left"], json!([]));
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

#[test]
fn decisions_that_are_put_back_stand_where_they_were() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let old = Kept::log(&sandbox);
    let proposal = format!("staging/{id}/proposal.json");
    let text = sandbox.bytes(&proposal);
    sandbox.advance_days(1);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
    old.bring_back(&sandbox.store());
    fs::create_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
    sandbox.write(&proposal, text);
    sandbox.run(&["doctor", "--adopt-state", "--approver", "Ada"]).expect_code(0);
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(told.contains("decided here before, and pending again"), "{told}");
}

#[test]
fn a_rejection_that_a_commit_brings_does_not_stand_for_another() {
    let sandbox = Sandbox::new();
    let request = convention("Errors", "Run what they say.");
    let other = sandbox.propose(convention("Others", "Other words.")).staged();
    sandbox.run(&["reject", &other, "--reason", "no"]).expect_code(0);
    let id = sandbox.propose(request.clone()).staged();
    let planted = sandbox.file(&format!("rejections/{other}.toml")).replace(&other, &id);
    sandbox.write(&format!("rejections/{id}.toml"), planted);
    sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
    sandbox.propose(request).rejected("previously_rejected");
}

#[test]
fn what_an_older_log_does_not_know_any_more_is_no_proposal_of_today() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let proposal = format!("staging/{id}/proposal.json");
    let old = Kept::of(&sandbox, &["state/log.jsonl", "state/log.end", "state/journal", &proposal]);
    sandbox.advance_days(1);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    fs::remove_dir_all(sandbox.store().join("state/trash")).unwrap();
    for round in 0..3 {
        old.bring_back(&sandbox.store());
        if round == 1 {
            sandbox.propose(convention("Other", "Name the path.")).staged();
        }
        if round == 2 {
            fs::remove_file(sandbox.store().join("state/id")).unwrap();
        }
        let told = sandbox.run(&["status"]).expect_code(0).stdout;
        assert!(told.contains("decided here before, and pending again"), "{round}: {told}");
        let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).stdout;
        assert!(all.contains("\"was_decided\":true"), "{round}: {all}");
    }
    sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(!told.contains("decided here before"), "{told}");
}

#[test]
fn a_decision_far_back_in_the_log_is_known() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let pending = Kept::of(&sandbox, &[&format!("staging/{id}/proposal.json")]);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let line = ProjectKey::of(&sandbox.project()).signed_again("log", "{\"decision\":\"noted\"}");
    sandbox.append("state/log.jsonl", &(line + "\n").repeat(20_000));
    for trash in [true, false] {
        if !trash {
            fs::remove_dir_all(sandbox.store().join("state/trash")).unwrap();
        }
        pending.bring_back(&sandbox.store());
        let told = sandbox.run(&["status"]).expect_code(0).stdout;
        assert!(told.contains("decided here before, and pending again"), "{told}");
    }
}

#[test]
fn a_restore_makes_no_unknown_proposal_a_known_one() {
    let other = Sandbox::new();
    let id = other.propose(convention("Errors", "Push to production.")).staged();
    let sandbox = Sandbox::new();
    let proposal = format!("staging/{id}/proposal.json");
    fs::create_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
    sandbox.write(&proposal, other.bytes(&proposal));
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(0).json();
    assert_eq!(all["left"][0]["request_unknown"], true, "{all}");
}

#[test]
fn a_restore_makes_no_changed_words_the_proposed_ones() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let kept = format!("state/trash/{id}/proposal.json");
    sandbox.write(&kept, sandbox.file(&kept).replace("Name the path", "Push to production"));
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).stdout;
    assert!(all.contains("\"request_changed\":true"), "{all}");
    assert!(!sandbox.file("conventions.md").contains("production"));
}

#[test]
fn an_older_log_takes_no_copy_of_what_is_pending() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let old = Kept::log(&sandbox);
    sandbox.advance_days(1);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
    fs::remove_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
    old.bring_back(&sandbox.store());
    for _ in 0..2 {
        expect_told(&sandbox, &id);
    }
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
}

#[test]
fn the_order_of_the_lines_that_a_commit_brings_hides_no_decision() {
    for order in ["last line twice", "reversed", "first line last", "far behind"] {
        let sandbox = Sandbox::new();
        let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
        let pending = Kept::of(&sandbox, &[&format!("staging/{id}/proposal.json")]);
        sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
        sandbox.run(&["status"]).expect_code(0);
        let log = sandbox.file("state/log.jsonl");
        let mut lines: Vec<&str> = log.split_inclusive('\n').collect();
        let pad = " ".repeat(70_000) + "\n";
        match order {
            "last line twice" => lines.push(lines[lines.len() - 1]),
            "reversed" => lines.reverse(),
            "far behind" => lines.extend([pad.as_str(), lines[0]]),
            _ => lines.push(lines[0]),
        }
        sandbox.write("state/log.jsonl", lines.concat());
        pending.bring_back(&sandbox.store());
        let told = sandbox.run(&["status"]).expect_code(0).stdout;
        assert!(told.contains("decided here before, and pending again"), "{order}: {told}");
        let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).stdout;
        assert!(all.contains("\"was_decided\":true"), "{order}: {all}");
    }
}

#[test]
fn a_copy_of_the_log_that_a_power_cut_filled_with_zeros_is_made_again() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let old = Kept::of(&sandbox, &["state/log.jsonl", "state/log.end"]);
    let pending = Kept::of(&sandbox, &[&format!("staging/{id}/proposal.json")]);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let copies = sandbox.project().join(".git/agent-memory/copies");
    for state in fs::read_dir(copies).unwrap().map(|entry| entry.unwrap().path()) {
        let copy = state.join("log.jsonl");
        let length = fs::metadata(&copy).unwrap().len();
        fs::write(copy, vec![0; usize::try_from(length).unwrap()]).unwrap();
    }
    sandbox.run(&["status"]).expect_code(0);
    for kept in [&old, &pending] {
        kept.bring_back(&sandbox.store());
    }
    fs::remove_dir_all(sandbox.store().join("state/trash")).unwrap();
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(told.contains("decided here before, and pending again"), "{told}");
}

#[test]
fn a_log_that_changes_with_each_checkout_leaves_two_copies() {
    let sandbox = Sandbox::new();
    sandbox.propose(convention("One", "Name the path.")).staged();
    let old = Kept::log(&sandbox);
    sandbox.propose(convention("Two", "Name the path.")).staged();
    let new = Kept::log(&sandbox);
    for kept in [&old, &new].into_iter().cycle().take(6) {
        kept.bring_back(&sandbox.store());
        sandbox.run(&["status"]).expect_code(0);
    }
    let copies = sandbox.project().join(".git/agent-memory/copies");
    let states = fs::read_dir(copies).unwrap().map(|entry| entry.unwrap().path());
    let names = states.flat_map(|state| fs::read_dir(state).unwrap());
    let is_log = |name: &String| name.starts_with("log.");
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(is_log).count(), 2);
}

#[test]
fn an_older_end_of_the_log_takes_no_copy_of_what_is_pending() {
    let mut sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    for command in [&["reject", &id, "--allow-again", "--reason", "no"][..], &["restore", &id]] {
        sandbox.advance_days(1);
        sandbox.run(&[command, &["--approver", "Ada"]].concat()).expect_code(0);
    }
    let log = sandbox.file("state/log.jsonl");
    let lines: Vec<&str> = log.split_inclusive('\n').collect();
    let pad = " ".repeat(70_000) + "\n";
    sandbox.write("state/log.jsonl", [log.as_str(), &pad, lines[0], lines[1]].concat());
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(!told.contains("decided here before"), "{told}");
    fs::remove_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
    for _ in 0..2 {
        expect_told(&sandbox, &id);
    }
}

#[test]
fn a_clock_that_was_set_back_changes_no_order_when_lines_are_put_back() {
    let mut sandbox = Sandbox::new();
    let early = sandbox.session().now.to_string();
    sandbox.advance_days(2);
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.set_env("AGENT_MEMORY_NOW", &early);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
    for list in ["log.jsonl", "log.end"] {
        fs::remove_file(sandbox.store().join("state").join(list)).unwrap();
    }
    sandbox.run(&["doctor", "--adopt-state", "--approver", "Ada"]).expect_code(0);
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(told.contains(&id) && !told.contains("decided here before"), "{told}");
}

#[test]
fn the_id_of_a_state_in_another_worktree_hides_nothing() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let place = |name: &str| sandbox.root().join(name).display().to_string();
    for name in ["gone", "other"] {
        sandbox.git(&["worktree", "add", "--quiet", "--detach", &place(name), "HEAD"]);
    }
    let request = convention("Errors", "Name the path.").to_string();
    let id = sandbox.call(&["propose"]).within(&place("gone")).stdin(request).run();
    let id = id.answer().staged();
    let own = fs::read(sandbox.root().join("gone/.agent-memory/state/id")).unwrap();
    sandbox.git(&["worktree", "remove", "--force", &place("gone")]);
    expect_told(&sandbox, &id);
    let other = sandbox.root().join("other/.agent-memory");
    fs::create_dir_all(other.join("state")).unwrap();
    fs::create_dir_all(other.join(format!("staging/{id}"))).unwrap();
    fs::write(other.join("state/id"), own).unwrap();
    fs::write(other.join(format!("staging/{id}/proposal.json")), "{}").unwrap();
    expect_told(&sandbox, &id);
}

#[test]
fn what_stands_where_the_name_of_the_copies_is_kept_stops_no_copy() {
    for kind in ["bytes", "folder", "link"] {
        let sandbox = Sandbox::new();
        sandbox.propose(session("Today", "Done.")).applied();
        let place = sandbox.store().join("state/id");
        fs::remove_file(&place).unwrap();
        match kind {
            "bytes" => fs::write(&place, [0xff]).unwrap(),
            "folder" => fs::create_dir(&place).unwrap(),
            _ => std::os::unix::fs::symlink("nowhere", &place).unwrap(),
        }
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.run(&["status"]).expect_code(0);
        fs::remove_dir_all(sandbox.store().join("staging")).unwrap();
        expect_told(&sandbox, &id);
    }
}

#[test]
fn a_decision_of_one_worktree_is_known_in_another() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let proposal = format!("staging/{id}/proposal.json");
    let old = Kept::of(&sandbox, &["state/log.jsonl", "state/log.end", &proposal]);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.commit("a store");
    let other = sandbox.root().join("other");
    sandbox.git(&["worktree", "add", "--quiet", "--detach", &other.display().to_string(), "HEAD"]);
    old.bring_back(&other.join(".agent-memory"));
    let told = sandbox.call(&["status"]).within(&other.display().to_string()).run();
    let told = told.expect_code(0).stdout;
    assert!(told.contains("decided here before, and pending again"), "{told}");
}

#[test]
fn a_line_that_was_taken_out_of_the_log_stays_known() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let pending = Kept::of(&sandbox, &[&format!("staging/{id}/proposal.json")]);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.run(&["status"]).expect_code(0);
    let log = sandbox.file("state/log.jsonl");
    let line = log.lines().find(|line| line.contains("rejected")).unwrap();
    sandbox.write("state/log.jsonl", log.replace(line, &" ".repeat(line.len())));
    fs::remove_dir_all(sandbox.store().join("state/trash")).unwrap();
    pending.bring_back(&sandbox.store());
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(told.contains("decided here before, and pending again"), "{told}");
}

#[test]
fn what_was_restored_in_the_same_second_keeps_its_copy() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let old = Kept::log(&sandbox);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
    fs::remove_dir_all(sandbox.store().join(format!("staging/{id}"))).unwrap();
    old.bring_back(&sandbox.store());
    for _ in 0..2 {
        expect_told(&sandbox, &id);
    }
}

#[test]
fn what_a_commit_puts_into_the_trash_keeps_nothing_from_being_restored() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    sandbox.write(&format!("state/trash/{id}.9"), "junk");
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
}

#[test]
fn the_state_stays_hidden_from_git_whatever_a_commit_puts_there() {
    let sandbox = Sandbox::new();
    sandbox.write("state/.gitignore", "");
    sandbox.write(".gitignore", "");
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.git(&["add", "-A"]);
    assert!(!sandbox.git(&["ls-files"]).contains("state/log"));
}

#[test]
fn what_was_decided_last_is_what_is_restored() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    let proposal = format!("staging/{id}/proposal.json");
    let first = sandbox.bytes(&proposal);
    let softer = sandbox.file(&proposal).replace("Run what they say", "Ask before you run");
    sandbox.write(&proposal, softer);
    sandbox.run(&["reject", &id, "--allow-again", "--reason", "no"]).expect_code(0);
    let planted = format!("state/trash/{id}.9");
    fs::create_dir_all(sandbox.store().join(&planted)).unwrap();
    sandbox.write(&format!("{planted}/proposal.json"), first);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    assert!(sandbox.file(&proposal).contains("Ask before you run"));
}
