//! What git deletes without asking: the queue, the log and the notes of a worktree outlive it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::requests::{convention, shared};
use crate::support::{Reply, Sandbox, files_in};

fn note(text: &str) -> Value {
    json!({"intent": "update_current", "operations": [
        {"operation": "append_section", "heading": "Where", "content": text},
    ]})
}

fn run(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Reply {
    let mut command = sandbox.process(arguments);
    Reply::of(command.current_dir(folder).output().unwrap())
}

fn propose(sandbox: &Sandbox, folder: &Path, request: &Value) -> Value {
    let file = sandbox.root().join("request.json");
    fs::write(&file, request.to_string()).unwrap();
    run(sandbox, folder, &["propose", "--file", file.to_str().unwrap()]).expect_code(0).json()
}

/// A store that is committed, with a linked worktree on the branch `agent`.
fn with_worktree() -> (Sandbox, PathBuf) {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let other = sandbox.root().join("agent");
    sandbox.git(&["worktree", "add", "--quiet", other.to_str().unwrap(), "-b", "agent"]);
    (sandbox, other)
}

fn left_behind(sandbox: &Sandbox) -> Vec<String> {
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    let left = status["left_behind"].as_array().cloned().unwrap_or_default();
    left.iter().map(|each| each["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_was_pending_in_a_removed_worktree_is_offered_and_taken_up() {
    let (sandbox, other) = with_worktree();
    let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
    let id = staged["staging_id"].as_str().unwrap().to_owned();
    propose(&sandbox, &other, &note("- half of the refactoring is done"));
    assert_eq!(left_behind(&sandbox), [""; 0], "it is pending there");
    sandbox.git(&["worktree", "remove", other.to_str().unwrap()]);
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
    let told = sandbox.run(&["status"]).expect_code(0).stdout;
    assert!(
        told.contains("left behind in") && told.contains("branch agent: that worktree is gone"),
        "{told}"
    );
    assert!(sandbox.run(&["review"]).stderr.contains(&id));
    for command in [&["status", "--worktrees"][..], &["status", "--worktrees", "--json"]] {
        assert!(sandbox.run(command).expect_code(0).stdout.contains(&id), "{command:?}");
    }

    sandbox.git(&["checkout", "--quiet", "agent"]);
    let context = sandbox.run(&["context"]).expect_code(0);
    assert!(context.stdout.contains("half of the refactoring"), "{}", context.stdout);
    sandbox.git(&["checkout", "--quiet", "main"]);
    assert!(!sandbox.run(&["context"]).stdout.contains("half of the refactoring"));

    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(left_behind(&sandbox), [""; 0]);
    let shown = sandbox.run(&["show", &id]).expect_code(0);
    assert!(!shown.stderr.contains("does not know how it was staged"), "{}", shown.stderr);
    sandbox.apply(&id).applied();
    assert!(sandbox.file("conventions.md").contains("Name the path."));
    assert_eq!(left_behind(&sandbox), [""; 0]);
}

#[test]
fn a_queue_that_was_cleaned_away_is_offered_again() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.git(&["clean", "-fdxq"]);
    assert!(!sandbox.has(&format!("staging/{id}")));
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
    sandbox.run(&["restore", &id[..id.len() - 2], "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
}

#[test]
fn what_was_decided_is_offered_no_more() {
    for decide in [&["apply", "ID", "--approver", "Ada"][..], &["reject", "ID", "--reason", "no"]] {
        let (sandbox, other) = with_worktree();
        let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
        let id = staged["staging_id"].as_str().unwrap();
        let decide: Vec<&str> =
            decide.iter().map(|it| it.replace("ID", id).leak() as &str).collect();
        run(&sandbox, &other, &decide).expect_code(0);
        let copies = files_in(&sandbox.project().join(".git/agent-memory/copies"));
        assert!(!copies.keys().any(|path| path.contains(id)), "{:?}", copies.keys());
        sandbox.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
        assert_eq!(left_behind(&sandbox), [""; 0], "{decide:?}");
    }
}

#[test]
fn a_worktree_that_was_moved_or_locked_has_left_nothing_behind() {
    let (sandbox, other) = with_worktree();
    let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
    let id = staged["staging_id"].as_str().unwrap();
    let moved = sandbox.root().join("moved");
    sandbox.git(&["worktree", "move", other.to_str().unwrap(), moved.to_str().unwrap()]);
    assert_eq!(left_behind(&sandbox), [""; 0]);
    sandbox.git(&["worktree", "lock", moved.to_str().unwrap()]);
    assert_eq!(left_behind(&sandbox), [""; 0]);
    // Somebody deletes its folder, and git prunes what it knows of it.
    fs::remove_dir_all(&moved).unwrap();
    assert_eq!(left_behind(&sandbox), [id]);
    sandbox.git(&["worktree", "unlock", moved.to_str().unwrap()]);
    sandbox.git(&["worktree", "prune"]);
    assert_eq!(left_behind(&sandbox), [id]);
}

#[test]
fn where_nothing_can_be_copied_doctor_says_so_and_work_goes_on() {
    let sandbox = Sandbox::new();
    let copies = sandbox.project().join(".git/agent-memory/copies");
    let _ = fs::remove_dir_all(&copies);
    fs::write(&copies, "").unwrap();
    sandbox.propose(shared("A", "B.")).applied();
    let doctor = sandbox.run(&["doctor"]).stdout;
    assert!(doctor.contains("what `git worktree remove` deletes cannot be copied"), "{doctor}");
}

#[test]
fn no_secret_is_copied_and_no_copy_is_more_open_than_its_note() {
    let sandbox = Sandbox::new();
    sandbox.propose(note("- the state")).applied();
    let copies = sandbox.project().join(".git/agent-memory/copies");
    let holds = |text: &str| {
        files_in(&copies).values().any(|bytes| String::from_utf8_lossy(bytes).contains(text))
    };
    assert!(holds("the state"));
    let secret = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    sandbox.append("local/current.main.md", &format!("\n## Key\n\n{secret}\n"));
    sandbox.run(&["status"]).expect_code(0);
    assert!(!holds(&secret));
}

#[test]
fn a_log_that_lost_its_end_keeps_its_copy() {
    let sandbox = Sandbox::new();
    sandbox.propose(shared("First", "Text.")).applied();
    sandbox.propose(shared("Second", "Text.")).applied();
    let first = sandbox.file("state/log.jsonl").lines().next().unwrap().to_owned() + "\n";
    sandbox.write("state/log.jsonl", first);
    sandbox.run(&["status"]).expect_code(0);
    let copies = files_in(&sandbox.project().join(".git/agent-memory/copies"));
    let logs: Vec<_> = copies.iter().filter(|(path, _)| path.contains("/log.")).collect();
    assert_eq!(logs.len(), 2, "{:?}", copies.keys());
    assert!(logs.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("second")));
}

#[test]
fn a_log_that_git_deleted_or_wrote_over_is_put_back_by_a_person() {
    let harm = |sandbox: &Sandbox| sandbox.git(&["clean", "--quiet", "-fdx"]);
    let replace = |sandbox: &Sandbox| {
        sandbox.write("state/log.jsonl", "{\"decision\":\"applied\"}\n".repeat(99));
        String::new()
    };
    for harm in [&harm as &dyn Fn(&Sandbox) -> String, &replace] {
        let sandbox = Sandbox::new();
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.apply(&id).applied();
        sandbox.run(&["status"]).expect_code(0);
        sandbox.commit("a decision");
        harm(&sandbox);
        let log = sandbox.run(&["log"]).expect_code(0);
        assert!(!log.stdout.contains(&id) && log.stderr.contains("lacks 2 decisions"));
        sandbox.run(&["log", "--verify"]).expect_code(1);
        let told = sandbox.run(&["doctor"]).stdout;
        assert!(told.contains("the log lacks 2 decisions"), "{told}");
        sandbox.run(&["doctor", "--adopt-state", "--approver", "Ada"]).expect_code(0);
        assert!(sandbox.run(&["log"]).expect_code(0).stdout.contains(&id));
        sandbox.run(&["log", "--verify"]).expect_code(0);
        assert!(!sandbox.run(&["doctor"]).stdout.contains("the log lacks"));
        let again = sandbox.run(&["log", "--json"]).expect_code(0).json().to_string();
        assert_eq!(again.matches("\"applied\"").count(), 1, "{again}");
    }
}

#[test]
fn what_was_decided_in_another_worktree_is_not_offered_again() {
    let (sandbox, other) = with_worktree();
    let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
    let id = staged["staging_id"].as_str().unwrap().to_owned();
    let third = sandbox.root().join("third");
    sandbox.git(&["worktree", "add", "--quiet", third.to_str().unwrap(), "-b", "third"]);
    let apply = ["apply", &id, "--from-worktree", "agent", "--approver", "Ada"];
    sandbox.run(&apply).expect_code(0);
    sandbox.run(&["status"]).expect_code(0);
    sandbox.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
    assert_eq!(left_behind(&sandbox), [""; 0]);
    let status = run(&sandbox, &third, &["status"]).expect_code(0).stdout;
    assert!(!status.contains("left behind"), "{status}");
}

#[test]
fn a_note_that_a_person_deleted_stays_deleted() {
    let sandbox = Sandbox::new();
    sandbox.propose(note("- half of it is done")).applied();
    sandbox.run(&["status"]).expect_code(0);
    fs::remove_file(sandbox.store().join("local/current.main.md")).unwrap();
    let pack = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(!pack.contains("half of it"), "{pack}");
}

#[test]
fn the_words_that_a_person_gave_a_proposal_are_copied_too() {
    let (sandbox, other) = with_worktree();
    let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
    let id = staged["staging_id"].as_str().unwrap().to_owned();
    let place = other.join(format!(".agent-memory/staging/{id}/proposal.json"));
    let edited = fs::read_to_string(&place).unwrap().replace("Name the path.", "Name the file.");
    fs::write(&place, edited).unwrap();
    run(&sandbox, &other, &["status"]).expect_code(0);
    sandbox.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    let shown = sandbox.run(&["show", &id]).expect_code(0).stdout;
    assert!(shown.contains("Name the file."), "{shown}");
}

#[test]
fn what_a_commit_writes_over_ours_does_not_reach_the_copies() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    sandbox.propose(note("- half of it is done")).applied();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["status"]).expect_code(0);
    let proposal = format!("staging/{id}/proposal.json");
    let strange = sandbox.file(&proposal).replace("Name the path", "Push to production");
    sandbox.write(&proposal, strange);
    sandbox.write("local/current.main.md", "# Current\n\n## Now\n\nPush to production.\n");
    sandbox.git(&["add", "--force", ".agent-memory/staging", ".agent-memory/local"]);
    sandbox.commit("as a pulled commit would");
    sandbox.run(&["status"]).expect_code(0);
    sandbox.git(&["rm", "-r", "--quiet", ".agent-memory/staging", ".agent-memory/local"]);
    sandbox.commit("and another one");
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
    let pack = sandbox.run(&["context"]).expect_code(0).stdout;
    assert!(pack.contains("half of it is done") && !pack.contains("production"), "{pack}");
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    let shown = sandbox.run(&["show", &id]).expect_code(0).stdout;
    assert!(shown.contains("Name the path") && !shown.contains("production"), "{shown}");
}

#[test]
fn a_mark_of_a_decision_that_came_with_git_takes_no_copy_away() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.run(&["status"]).expect_code(0);
    fs::remove_dir_all(sandbox.store().join("staging")).unwrap();
    sandbox.write(&format!("decided/{id}.applied"), "");
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
    sandbox.propose(convention("Others", "Name the line.")).staged();
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
}

#[test]
fn a_queue_that_the_settings_want_in_git_and_git_ignores_is_copied() {
    let (sandbox, other) = with_worktree();
    for folder in [sandbox.project(), other.clone()] {
        let place = folder.join(".agent-memory/config.toml");
        let config = fs::read_to_string(&place).unwrap();
        fs::write(&place, config.replace("track = false", "track = true")).unwrap();
    }
    let staged = propose(&sandbox, &other, &convention("Errors", "Name the path."));
    let id = staged["staging_id"].as_str().unwrap().to_owned();
    sandbox.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
    assert_eq!(left_behind(&sandbox), [id.as_str()]);
}

#[test]
fn a_state_that_is_copied_into_another_worktree_has_copies_of_its_own() {
    let (sandbox, other) = with_worktree();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    let from = sandbox.store().join("state");
    let to = other.join(".agent-memory/state");
    let copied = Command::new("cp").arg("-r").args([&from, &to]).status().unwrap();
    assert!(copied.success());
    let folders = || fs::read_dir(sandbox.project().join(".git/agent-memory/copies")).unwrap();
    let files = || {
        let logs = folders().flat_map(|entry| fs::read_dir(entry.unwrap().path()).unwrap());
        logs.filter(|entry| {
            entry.as_ref().unwrap().path().extension().is_some_and(|it| it == "jsonl")
        })
        .count()
    };
    for round in 0..4 {
        run(&sandbox, &other, &["status"]).expect_code(0);
        propose(&sandbox, &other, &convention(&format!("Round {round}"), "Name the line."));
        sandbox.run(&["status"]).expect_code(0);
    }
    assert_eq!((folders().count(), files()), (2, 2));
    assert_eq!(left_behind(&sandbox), [""; 0]);
    let told = run(&sandbox, &other, &["status", "--json"]).stdout;
    assert!(!told.contains(&id), "it is pending where it was: {told}");
}

#[test]
fn what_is_replaced_after_git_forgot_a_file_is_kept_beside_its_copy() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.propose(note("- half of it is done")).applied();
    sandbox.run(&["status"]).expect_code(0);
    let proposal = format!("staging/{id}/proposal.json");
    let strange = sandbox.file(&proposal).replace("Name the path", "Push to production");
    sandbox.write(&proposal, strange);
    sandbox.write("local/current.main.md", "# Current\n\n## Now\n\nPush to production.\n");
    sandbox.run(&["status"]).expect_code(0);
    let copies = sandbox.project().join(".git/agent-memory/copies");
    let found =
        Command::new("grep").args(["-rlE", "Name the path|half of it"]).arg(copies).output();
    let found = String::from_utf8(found.unwrap().stdout).unwrap();
    assert!(found.contains("former/") && found.lines().count() >= 2, "{found}");
}

fn run_note(sandbox: &Sandbox, text: &str) {
    sandbox.propose(shared("Where", text)).applied();
}

/// Returns the path of each note that `status` offers, and the text of its copy.
fn lost_notes(sandbox: &Sandbox) -> Vec<(String, String)> {
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    let told = status["health"]["warnings"].as_array().cloned().unwrap_or_default();
    let told = told.iter().map(|each| each.as_str().unwrap());
    let between =
        |said: &str, before: &str| Some(said.split_once(before)?.1.split_once('`')?.0.to_owned());
    let told = told.filter(|said| said.contains("left behind"));
    let lost = told.map(|said| (between(said, "`"), between(said, "its copy is `")));
    lost.map(|(path, copy)| (path.unwrap(), fs::read_to_string(copy.unwrap()).unwrap())).collect()
}

#[test]
fn a_note_for_all_branches_of_a_removed_worktree_is_offered_and_put_over_nothing() {
    let (sandbox, other) = with_worktree();
    run_note(&sandbox, "- here: the port is 80");
    propose(&sandbox, &other, &shared("There", "- there: the port is 81"));
    assert_eq!(lost_notes(&sandbox), [], "it is still there");
    let here = sandbox.file("local/shared.md");
    sandbox.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);
    let lost = lost_notes(&sandbox);
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].0 == "local/shared.md" && lost[0].1.contains("port is 81"), "{lost:?}");
    let told = sandbox.run(&["status"]).expect_code(0).stderr;
    let said = "`local/shared.md` was left behind in";
    assert!(told.contains(said) && told.contains("remove the copy"), "{told}");
    assert_eq!(sandbox.file("local/shared.md"), here);
    // Once its lines stand here, it is offered no more.
    sandbox.append("local/shared.md", &lost[0].1);
    assert_eq!(lost_notes(&sandbox), []);
}

#[test]
fn every_note_that_git_cleaned_away_is_offered_again() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    for path in ["local/shared.md", "local/plan.md", "local/deep/ideas.md"] {
        sandbox.write(path, format!("# Notes\n\n## A\n\nwords of {path}\n"));
    }
    sandbox.propose(note("- of the branch")).applied();
    sandbox.run(&["status"]).expect_code(0);
    sandbox.git(&["clean", "-fdxq"]);
    let mut lost: Vec<String> = lost_notes(&sandbox).into_iter().map(|(path, _)| path).collect();
    lost.sort();
    assert_eq!(lost, ["local/deep/ideas.md", "local/plan.md", "local/shared.md"]);
    // A new text does not hide what the old one had.
    run_note(&sandbox, "- a new beginning");
    assert_eq!(lost_notes(&sandbox).len(), 3);
}

#[test]
fn a_note_for_all_branches_that_a_person_deleted_is_not_offered() {
    let sandbox = Sandbox::new();
    run_note(&sandbox, "- done");
    sandbox.run(&["status"]).expect_code(0);
    fs::remove_file(sandbox.store().join("local/shared.md")).unwrap();
    assert_eq!(lost_notes(&sandbox), []);
}

#[test]
fn a_note_of_another_worktree_that_is_there_is_not_offered() {
    let (sandbox, other) = with_worktree();
    propose(&sandbox, &other, &shared("There", "- there: the port is 81"));
    assert_eq!(lost_notes(&sandbox), []);
    assert!(!sandbox.has("local/shared.md"), "shared means all branches of one worktree");
}

#[test]
fn a_secret_in_a_note_for_all_branches_is_not_copied() {
    let sandbox = Sandbox::new();
    let secret = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    sandbox.write("local/shared.md", format!("# Shared\n\n## Key\n\n{secret}\n"));
    sandbox.run(&["status"]).expect_code(0);
    let copies = files_in(&sandbox.project().join(".git/agent-memory/copies"));
    assert!(!copies.values().any(|bytes| String::from_utf8_lossy(bytes).contains(&secret)));
}
