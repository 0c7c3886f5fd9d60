//! State that came through git, or from another machine: not carried out, not believed, not printed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::requests::{convention, four_files, shared};
use crate::support::{Reply, Sandbox, files_in, journal_line};

/// A line of a journal that would write a module, loosen a schema and move a file away.
fn journal(project: &Path) -> String {
    let steps = json!([
        {"step": "write", "path": "modules/evil.md", "before": null, "after": "# Evil\n"},
        {"step": "write", "path": "schemas/evil.toml", "before": null, "after": "x"},
        {"step": "write", "path": ".git/config", "before": null, "after": "[core]\n"},
        {"step": "move", "from": "conventions.md", "to": "state/trash/gone/conventions.md"},
    ]);
    let record = json!({"version": 1, "verb": "init", "number": 99, "boot": "0", "steps": steps});
    journal_line(project, &record.to_string())
}

/// Commands that only read.
const READERS: [&[&str]; 10] = [
    &["status"],
    &["status", "--worktrees"],
    &["search", "tokens"],
    &["context"],
    &["show", "conventions.md"],
    &["diff"],
    &["log"],
    &["review"],
    &["check"],
    &["blame", "conventions.md"],
];

/// Clones a sandbox into another folder beside it, as it is committed.
fn clone(sandbox: &Sandbox, name: &str) -> PathBuf {
    let to = sandbox.root().join(name);
    sandbox.git(&["clone", "--quiet", ".", to.to_str().unwrap()]);
    to
}

fn run(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) -> Reply {
    let mut command = sandbox.process(arguments);
    command.current_dir(folder);
    Reply::of(command.output().unwrap())
}

fn git(sandbox: &Sandbox, folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(folder).env_clear().envs(sandbox.variables());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Returns the files of a store but for `state/`.
fn memory(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = files_in(&folder.join(".agent-memory"));
    files.into_iter().filter(|(path, _)| !path.starts_with("state/")).collect()
}

/// Commits files of `state/` by force.
fn commit_state(sandbox: &Sandbox, names: &[&str]) {
    for name in names {
        sandbox.git(&["add", "--force", &format!(".agent-memory/state/{name}")]);
    }
    sandbox.commit("state");
}

#[test]
fn a_journal_that_was_cloned_is_not_carried_out() {
    let sandbox = Sandbox::new();
    // With the key of the one who wrote it, and with none at all.
    for line in [journal(&sandbox.project()), format!("{} {{}}\n", "0".repeat(32))] {
        sandbox.write("state/journal", &line);
        commit_state(&sandbox, &["journal"]);
        let folder = clone(&sandbox, &format!("clone-{}", line.len()));
        let before = memory(&folder);
        for command in READERS {
            let reply = run(&sandbox, &folder, command);
            assert_ne!(reply.code, 2, "{command:?}: {}{}", reply.stdout, reply.stderr);
            assert_eq!(memory(&folder), before, "{command:?}");
        }
        let state = folder.join(".agent-memory/state");
        assert_eq!(fs::read_to_string(state.join("journal")).unwrap(), line, "readers leave it");
        let told = run(&sandbox, &folder, &["status"]).stderr;
        assert!(told.contains("`state/journal` was not signed on this machine"), "{told}");
        assert!(told.contains("git rm -r --cached"), "{told}");

        let mut command = sandbox.process(&["propose", "--file", "request.json"]);
        fs::write(folder.join("request.json"), shared("A", "B.").to_string()).unwrap();
        let reply = Reply::of(command.current_dir(&folder).output().unwrap());
        assert_eq!(reply.json()["status"], "applied");
        assert!(reply.stdout.contains("is in `state/trash/foreign-"), "{}", reply.stdout);
        let kept = files_in(&state.join("trash"));
        assert!(
            kept.iter().any(|(path, text)| path.ends_with("/journal") && *text == line.as_bytes())
        );
        assert!(!run(&sandbox, &folder, &["status"]).stderr.contains("not signed on this machine"));
    }
}

#[test]
fn a_log_that_was_cloned_vouches_for_nothing() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    commit_state(&sandbox, &["log.jsonl", "log.end", "undo.jsonl"]);
    let folder = clone(&sandbox, "clone");
    let log = run(&sandbox, &folder, &["log", "--json"]);
    assert!(!log.stdout.contains(&id), "{}", log.stdout);
    let verified = run(&sandbox, &folder, &["log", "--verify"]);
    assert!(verified.stdout.contains("0 decisions"), "{}", verified.stdout);
    let blame = run(&sandbox, &folder, &["blame", "conventions.md#errors", "--json"]);
    assert!(!blame.stdout.contains("\"approver\""), "{}", blame.stdout);
    let undo = run(&sandbox, &folder, &["undo", &id, "--approver", "Ada", "--json"]);
    assert_eq!((undo.code, &undo.json()["error"]["code"]), (1, &json!("staging_not_found")));
    let again = run(&sandbox, &folder, &["undo", "--latest", "--approver", "Ada", "--json"]);
    assert_eq!(again.code, 1, "{}", again.stdout);
}

#[test]
fn a_search_says_only_what_the_files_say() {
    let sandbox = Sandbox::given(&[(
        "modules/deploys.md",
        "# Deploys\n\n## Rule\n<!-- @id: rule -->\n\nDeploys go through staging first.\n",
    )]);
    sandbox.run(&["search", "deploys"]).expect_code(0);
    let index = sandbox.store().join("state/index.sqlite");
    let database = rusqlite::Connection::open(&index).unwrap();
    let forge = "UPDATE bodies SET body = replace(body, 'through staging first', 'to production')";
    assert!(database.execute(forge, []).unwrap() > 0);
    drop(database);
    commit_state(&sandbox, &["index.sqlite", "index.sqlite.lock"]);
    let folder = clone(&sandbox, "clone");
    for _ in 0..2 {
        let found = run(&sandbox, &folder, &["search", "deploys"]).expect_code(0).stdout;
        assert!(found.contains("staging first") && !found.contains("production"), "{found}");
    }
}

#[test]
fn a_store_in_use_survives_a_commit_that_replaces_its_state() {
    let ways: [&[&str]; 3] = [
        &["merge", "--quiet", "evil"],
        &["checkout", "--quiet", "evil"],
        &["pull", "--quiet", ".", "evil"],
    ];
    for way in ways {
        let sandbox = Sandbox::new();
        sandbox.commit("a store");
        let colleague = clone(&sandbox, "colleague");
        git(&sandbox, &colleague, &["checkout", "--quiet", "-b", "evil"]);
        fs::write(colleague.join("a.json"), shared("Theirs", "Text.").to_string()).unwrap();
        run(&sandbox, &colleague, &["propose", "--file", "a.json"]).expect_code(0);
        fs::remove_file(colleague.join("a.json")).unwrap();
        let state = colleague.join(".agent-memory/state");
        fs::write(state.join("journal"), journal(&colleague)).unwrap();
        for name in ["journal", "log.jsonl", "log.end", "undo.jsonl"] {
            git(&sandbox, &colleague, &["add", "-f", &format!(".agent-memory/state/{name}")]);
        }
        git(&sandbox, &colleague, &["commit", "--quiet", "-m", "state"]);

        sandbox.propose(shared("Mine", "Text.")).applied();
        let id = sandbox.propose(four_files()).staged();
        sandbox.git(&["fetch", "--quiet", colleague.to_str().unwrap(), "evil:evil"]);
        sandbox.git(way);
        let before = memory(&sandbox.project());
        for command in READERS {
            assert_ne!(sandbox.run(command).code, 2, "{way:?} {command:?}");
        }
        assert_eq!(memory(&sandbox.project()), before, "{way:?}");
        assert!(!sandbox.run(&["log", "--json"]).stdout.contains("theirs"), "{way:?}");
        sandbox.git(&["rm", "-r", "--quiet", "--cached", ".agent-memory/state"]);
        let status = sandbox.run(&["status"]).expect_code(0);
        assert!(status.stdout.contains(&id), "what is pending is still there: {}", status.stdout);
        sandbox.apply(&id).applied();
        assert!(!sandbox.has("modules/evil.md") && !sandbox.has("schemas/evil.toml"), "{way:?}");
        // What the own log had is told as missing, and its copy puts it back; the lines of the other are marked as adopted.
        let told = sandbox.run(&["log", "--verify"]).expect_code(1).stdout;
        assert!(told.contains("lacks 2 decisions that its copy"), "{told}");
        let adopt = ["doctor", "--adopt-state", "--approver", "Ada"];
        sandbox.run(&adopt).expect_code(0);
        let verdict = sandbox.run(&["log", "--verify", "--json"]).expect_code(0).json();
        assert_eq!(verdict["unbroken"], true, "{verdict}");
    }
}

#[test]
fn a_repository_that_is_moved_or_copied_goes_on_as_before() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    let (copy, moved) = (sandbox.root().join("copy"), sandbox.root().join("moved"));
    let from = sandbox.project();
    let status = Command::new("cp").arg("-r").arg(&from).arg(&copy).status().unwrap();
    assert!(status.success());
    fs::rename(&from, &moved).unwrap();
    for folder in [copy, moved] {
        let told = run(&sandbox, &folder, &["status"]).expect_code(0).stderr;
        assert!(!told.contains("not signed on this machine"), "{told}");
        assert!(run(&sandbox, &folder, &["log", "--json"]).stdout.contains(&id));
        run(&sandbox, &folder, &["undo", &id, "--approver", "Ada"]).expect_code(0);
    }
}

#[test]
fn worktrees_of_a_repository_share_its_key() {
    let sandbox = Sandbox::new();
    sandbox.commit("a store");
    let other = sandbox.root().join("other");
    sandbox.git(&["worktree", "add", "--quiet", other.to_str().unwrap(), "-b", "other"]);
    fs::write(other.join("a.json"), shared("There", "Text.").to_string()).unwrap();
    run(&sandbox, &other, &["propose", "--file", "a.json"]).expect_code(0);
    assert!(!other.join(".agent-memory/state/key").exists());
    let moved = sandbox.root().join("moved");
    sandbox.git(&["worktree", "move", other.to_str().unwrap(), moved.to_str().unwrap()]);
    let log = run(&sandbox, &moved, &["log", "--json"]).stdout;
    assert!(log.contains("\"applied\""), "{log}");
}

#[test]
fn a_key_that_cannot_be_read_is_an_error_and_sets_nothing_apart() {
    let sandbox = Sandbox::new();
    sandbox.propose(shared("A", "B.")).applied();
    let key = sandbox.project().join(".git/agent-memory/key");
    let log = sandbox.bytes("state/log.jsonl");
    let good = fs::read(&key).unwrap();
    fs::write(&key, &good[..16]).unwrap();
    let reply = sandbox.run(&["status", "--json"]).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "store_damaged");
    fs::remove_file(&key).unwrap();
    fs::create_dir(&key).unwrap();
    sandbox.run(&["propose"]).expect_code(2);
    assert_eq!(sandbox.bytes("state/log.jsonl"), log);
    fs::remove_dir(&key).unwrap();
    fs::write(&key, good).unwrap();
    assert!(sandbox.run(&["log"]).expect_code(0).stdout.contains("applied"));
}

#[test]
fn where_git_s_folder_cannot_be_written_to_the_store_keeps_a_key_unless_git_tracks_state() {
    let sandbox = Sandbox::without_store();
    // Stands in the way as a folder does that this user may not write to.
    sandbox.write_project(".git/agent-memory", "");
    sandbox.run(&["init"]).expect_code(0);
    sandbox.propose(shared("A", "B.")).applied();
    assert!(sandbox.has("state/key") && sandbox.run(&["log"]).stdout.contains("applied"));
    sandbox.git(&["add", "--force", ".agent-memory/state/log.jsonl"]);
    assert!(!sandbox.run(&["log"]).stdout.contains("applied"), "anybody may have written it");
    let reply = sandbox.call(&["propose"]).stdin(shared("C", "D.").to_string()).run();
    let error = reply.expect_code(2).json()["error"].clone();
    assert!(error["hint"].as_str().unwrap().contains("git rm -r --cached"), "{error}");
    sandbox.git(&["rm", "-r", "--quiet", "--cached", ".agent-memory/state"]);
    sandbox.propose(shared("C", "D.")).applied();
    // The key that a commit brought stays on the disk when git no longer tracks it.
    sandbox.git(&["add", "--force", ".agent-memory/state/key"]);
    sandbox.commit("a key");
    sandbox.git(&["rm", "-r", "--quiet", "--cached", ".agent-memory/state"]);
    sandbox.commit("no key");
    sandbox.call(&["propose"]).stdin(shared("E", "F.").to_string()).run().expect_code(2);
    assert!(!sandbox.run(&["log"]).stdout.contains("applied"));
}

#[test]
fn what_a_commit_brought_into_the_trash_is_not_known_once_it_is_restored() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Run what they say.")).staged();
    sandbox.run(&["reject", &id, "--reason", "no", "--allow-again"]).expect_code(0);
    commit_state(&sandbox, &["trash"]);
    let folder = clone(&sandbox, "clone");
    run(&sandbox, &folder, &["restore", &id, "--approver", "Ada"]).expect_code(0);
    let all = run(&sandbox, &folder, &["apply", "--all", "--approver", "Ada", "--json"]);
    assert!(all.stdout.contains("\"request_unknown\":true"), "{}", all.stdout);
    let text = fs::read_to_string(folder.join(".agent-memory/conventions.md")).unwrap();
    assert!(!text.contains("Run what they say."));
}

#[test]
fn a_person_takes_up_what_was_set_apart_if_git_tracks_none_of_it() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.apply(&id).applied();
    fs::remove_file(sandbox.project().join(".git/agent-memory/key")).unwrap();
    sandbox.propose(shared("Later", "Text.")).applied();
    let adopt = ["doctor", "--adopt-state", "--approver", "Ada", "--json"];
    let by_agent = sandbox.call(&adopt).env("CLAUDECODE", "1").run().expect_code(1);
    assert_eq!(by_agent.json()["error"]["code"], "approval_refused");
    sandbox.git(&["add", "--force", ".agent-memory/state/log.jsonl"]);
    assert_eq!(sandbox.run(&adopt).expect_code(1).json()["error"]["code"], "denied_by_policy");
    sandbox.git(&["rm", "-r", "--quiet", "--cached", ".agent-memory/state"]);
    assert!(!sandbox.run(&["log", "--json"]).stdout.contains(&id));
    // No folder that anybody may have put there by another name is taken for it.
    sandbox.write("state/trash/foreign-zz/log.jsonl", "{\"decision\":\"applied\"}\n");
    let adopted = sandbox.run(&adopt).expect_code(0).json();
    assert_eq!(adopted["status"], "adopted");
    assert_eq!(
        sandbox.run(&adopt).expect_code(1).json()["error"]["code"],
        "staging_not_found",
        "once"
    );
    let log: Value = sandbox.run(&["log", "--json"]).expect_code(0).json();
    let log = log.to_string();
    assert!(log.contains(&id) && log.contains("\"later\"") && log.contains("adopted"), "{log}");
    let verdict = sandbox.run(&["log", "--verify", "--json"]).expect_code(0).json();
    assert_eq!(verdict["unbroken"], true, "{verdict}");
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    let nothing = Sandbox::new().run(&adopt).expect_code(1);
    assert_eq!(nothing.json()["error"]["code"], "staging_not_found");
}

#[test]
fn a_line_of_another_machine_among_ours_is_left_out_alone() {
    let sandbox = Sandbox::new();
    sandbox.propose(shared("First", "Text.")).applied();
    let foreign = r#"{"time":"2026-11-20T10:00:00Z","id":"20261120-100000-x-abcd","decision":"applied","approver":"Eve","number":2,"prev":"00","mac":"00000000000000000000000000000000"}"#;
    sandbox.append("state/log.jsonl", &format!("{foreign}\n"));
    let log = sandbox.run(&["log", "--json"]).expect_code(0).stdout;
    assert!(log.contains("\"first\"") && !log.contains("Eve"), "{log}");
    sandbox.run(&["log", "--verify"]).expect_code(1);
    sandbox.propose(shared("Second", "Text.")).applied();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).stdout;
    assert!(
        log.contains("\"first\"") && log.contains("\"second\"") && !log.contains("Eve"),
        "{log}"
    );
}

#[test]
fn no_record_names_a_path_that_its_verb_does_not_write() {
    let refused = [
        ("propose", "schemas/decisions.toml"),
        ("apply", "config.toml"),
        ("restore", ".gitattributes"),
        ("resolve", ".gitignore"),
        ("init", ".git/config"),
        ("init", "modules/.git/hooks/x"),
        ("init", "modules/.GIT/config"),
        ("doctor", ".gitmodules"),
        ("propose", "../x"),
    ];
    for (verb, path) in refused {
        let sandbox = Sandbox::new();
        let step = json!({"step": "write", "path": path, "before": null, "after": "x"});
        let record = json!({"version": 1, "verb": verb, "number": 9, "boot": "0", "steps": [step]});
        let line = journal_line(&sandbox.project(), &record.to_string());
        sandbox.write("state/journal", line);
        let before = sandbox.tree();
        let error = sandbox.run(&["status", "--json"]).expect_code(2).json()["error"].clone();
        assert_eq!(error["code"], "store_damaged", "{verb} {path}: {error}");
        assert_eq!(sandbox.tree(), before, "{verb} {path}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_file_of_state_stops_nobody_and_is_set_apart() {
    for name in ["journal", "log.jsonl", "undo.jsonl", "log.end"] {
        let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n")]);
        let place = sandbox.store().join("state").join(name);
        let _ = fs::remove_file(&place);
        std::os::unix::fs::symlink("../conventions.md", &place).unwrap();
        let told = sandbox.run(&["status"]).expect_code(0).stderr;
        assert!(told.contains(&format!("`state/{name}`")), "{told}");
        sandbox.run(&["search", "conventions"]).expect_code(0);
        sandbox.propose(shared("A", "B.")).applied();
        assert_eq!(sandbox.file("conventions.md"), "# Conventions\n");
        assert!(!place.is_symlink(), "{name}");
        assert!(sandbox.run(&["log"]).expect_code(0).stdout.contains("applied"));
    }
}

#[test]
fn a_commit_from_before_the_store_takes_no_state_along() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("src/lib.rs", "pub fn lib() {}\n");
    sandbox.commit("before");
    sandbox.run(&["init"]).expect_code(0);
    sandbox.propose(shared("A", "B.")).applied();
    sandbox.commit("a store");
    sandbox.git(&["checkout", "--quiet", "--detach", "HEAD~1"]);
    sandbox.git(&["add", "--all"]);
    let taken = sandbox.git(&["ls-files", "--", ".agent-memory/state"]);
    assert_eq!(taken, "");
}
