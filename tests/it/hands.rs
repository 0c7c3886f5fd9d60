//! Somebody else lays hands on the files: an editor, git, a crash, another version.
//!
//! Tests that need `strace` say so and are left out where it is not.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::mcp::{Client, Era};
use crate::requests::{TELLING, convention, new_body, session, with_conventions};
use crate::support::{Reply, Sandbox, journal_line};

/// The findings of `doctor` as `check: message`.
fn doctor(sandbox: &Sandbox) -> Vec<String> {
    findings(&sandbox.run(&["doctor", "--json"]).json())
}

fn findings(diagnosis: &Value) -> Vec<String> {
    let text = |each: &Value, name: &str| each[name].as_str().unwrap().to_owned();
    let found = diagnosis["findings"].as_array().unwrap().iter();
    found.map(|each| format!("{}: {}", text(each, "check"), text(each, "message"))).collect()
}

/// What `doctor --fix` says that it did; afterwards nothing is left to say.
#[track_caller]
fn fixed(sandbox: &Sandbox) -> Vec<String> {
    let diagnosis = sandbox.run(&["doctor", "--fix", "--json"]).expect_code(0).json();
    assert_eq!(findings(&diagnosis), Vec::<String>::new());
    let list = diagnosis["fixed"].as_array().unwrap().iter();
    list.map(|each| each.as_str().unwrap().to_owned()).collect()
}

/// Starts `propose --file request.json` under `strace` with an injury.
fn injured(sandbox: &Sandbox, request: &Value, inject: &str) -> Option<Command> {
    sandbox.write_project("request.json", request.to_string());
    under_strace(sandbox, &["propose", "--file", "request.json"], inject)
}

/// Starts a command under `strace` with an injury.
fn under_strace(sandbox: &Sandbox, arguments: &[&str], inject: &str) -> Option<Command> {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_err() {
        println!("skipped: there is no `strace` (Debian package `strace`)");
        return None;
    }
    // What is copied for the case that the worktree goes is there before the calls are counted.
    sandbox.run(&["status"]).expect_code(0);
    let mut command = Command::new("strace");
    command.args(["-qq", "-o", "/dev/null", "-e", "trace=write,mkdirat,/^rename,exit_group", "-e"]);
    command.arg(format!("inject={inject}")).arg(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(arguments).current_dir(sandbox.project());
    command.env_clear().env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z").stdout(Stdio::piped());
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config"));
    Some(command)
}

#[test]
fn a_file_saved_between_plan_and_commit_is_not_overwritten() {
    let trap = "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- the first bullet\n";
    let sandbox = Sandbox::given(&[crate::requests::OPEN_PITFALLS, ("pitfalls.md", trap)]);
    let request = crate::requests::pitfall_bullet("trap", "- the second bullet");
    // Everything is planned when the folder for new bytes is made; there the program is held.
    let Some(mut slow) = injured(&sandbox, &request, "mkdirat:delay_exit=900000:when=1") else {
        return;
    };
    let _ = fs::remove_dir_all(sandbox.store().join("state/tmp"));
    fs::create_dir_all(sandbox.store().join("state")).unwrap();
    let mut running = slow.spawn().unwrap();
    while !sandbox.has("state/tmp") {
        assert!(running.try_wait().unwrap().is_none(), "it ended before it wrote");
        std::thread::yield_now();
    }
    let edited = trap.replace("the first", "by hand, the first");
    sandbox.write("pitfalls.md", &edited);
    let answer = Reply::of(running.wait_with_output().unwrap()).answer().rejected("target_drift");
    assert!(answer["message"].as_str().unwrap().contains("edited at the same moment"));
    assert_eq!(sandbox.file("pitfalls.md"), edited);
    sandbox.propose(request).applied();
}

#[test]
fn a_branch_switch_is_seen_by_the_next_command() {
    let sandbox = with_conventions();
    sandbox.commit("memory");
    sandbox.git(&["switch", "--quiet", "--create", "other"]);
    let text = sandbox.file("conventions.md");
    sandbox.write("conventions.md", text.replace("They name a path.", "They rhyme."));
    sandbox.commit("another convention");
    sandbox.git(&["switch", "--quiet", "main"]);
    let id = sandbox.propose(new_body("errors", "They name a path and a line.")).staged();

    sandbox.git(&["switch", "--quiet", "other"]);
    let found = sandbox.run(&["search", "--json", "rhyme"]).expect_code(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
    let status = sandbox.run(&["status", "--json"]).expect_code(0).json();
    assert_eq!(status["pending"][0]["reason"], "target_drift");
    let drifted = format!("queue: `.agent-memory/staging/{id}/proposal.json`: ");
    assert!(doctor(&sandbox).iter().any(|each| each.starts_with(&drifted)));
    sandbox.apply(&id).rejected("target_drift");
    assert!(sandbox.file("conventions.md").contains("They rhyme."));

    sandbox.git(&["switch", "--quiet", "main"]);
    sandbox.apply(&id).applied();
}

#[test]
fn a_git_stash_is_seen_by_the_next_command() {
    let sandbox = with_conventions();
    sandbox.commit("memory");
    let text = sandbox.file("conventions.md");
    sandbox.write("conventions.md", text.replace("They name a path.", "They name a file."));
    let id = sandbox.propose(new_body("errors", "They name a file and a line.")).staged();

    sandbox.git(&["stash", "--quiet"]);
    sandbox.apply(&id).rejected("target_drift");
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "errors");

    sandbox.git(&["stash", "pop", "--quiet"]);
    sandbox.apply(&id).applied();
    assert!(sandbox.file("conventions.md").contains("They name a file and a line."));
}

#[test]
fn a_queue_outlives_a_git_stash_and_a_clean() {
    let sandbox = with_conventions();
    sandbox.commit("memory");
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.git(&["stash", "--quiet", "--include-untracked"]);
    sandbox.git(&["clean", "--quiet", "--force", "-d"]);
    sandbox.apply(&id).applied();
}

/// Harms the index of a store, and expects that `doctor` names it, that a search works all the same,
/// and that `doctor --fix` rebuilds it.
#[track_caller]
fn index_comes_back(state: &str, harm: impl Fn(&Path)) {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "The rotation works.")).applied();
    let path = sandbox.store().join("state/index.sqlite");
    let search = || {
        let found = sandbox.run(&["search", "--json", "rotation"]).expect_code(0).json();
        found["results"].as_array().unwrap().len()
    };
    harm(&path);
    assert_eq!(doctor(&sandbox), [format!("search index: the search index {state}")]);
    assert_eq!(search(), 1);
    assert_eq!(doctor(&sandbox), Vec::<String>::new());
    harm(&path);
    assert_eq!(fixed(&sandbox), [format!("rebuilt the search index, which {state}")]);
    assert_eq!(fixed(&sandbox), Vec::<String>::new());
    assert_eq!(search(), 1);
}

#[test]
fn a_deleted_index_is_named_and_made_anew() {
    index_comes_back("is gone", |path| fs::remove_file(path).unwrap());
}

#[test]
fn a_truncated_index_is_named_and_made_anew() {
    let shorten = |path: &Path, length: u64| {
        fs::File::options().write(true).open(path).unwrap().set_len(length).unwrap();
    };
    index_comes_back("is not as it was left", |path| shorten(path, 5_000));
    index_comes_back("is not as it was left", |path| shorten(path, 0));
    index_comes_back("is not as it was left", |path| fs::write(path, "no database").unwrap());
}

#[test]
fn a_file_that_would_fill_the_memory_is_refused_by_name() {
    let refused = ["config.toml", "schemas/huge.toml", "state/log.end"];
    let passed_over = ["rejections/huge.toml", "archive/huge.md", ".gitignore"];
    for path in refused.into_iter().chain(passed_over) {
        let sandbox = Sandbox::new();
        sandbox.propose(session("One", "Done.")).applied();
        sandbox.write(path, "");
        sandbox.commit("memory");
        let file = fs::File::options().write(true).open(sandbox.store().join(path)).unwrap();
        file.set_len(1 << 40).unwrap();
        let answer = sandbox.propose_bytes(session("Two", "Done.").to_string());
        if refused.contains(&path) {
            let error = &answer["error"];
            assert_eq!((answer.code, &error["code"]), (2, &json!("io")), "{path}");
            assert!(error["path"].as_str().unwrap().ends_with(path), "{path}: {error}");
            assert!(error["message"].as_str().unwrap().contains("16 MiB"), "{path}: {error}");
            assert!(error["hint"].as_str().unwrap().contains("shorten it"), "{path}: {error}");
        } else {
            answer.applied();
        }
        let named = doctor(&sandbox).iter().any(|each| each.contains(path));
        assert!(named, "{path}: {:?}", doctor(&sandbox));
        for arguments in [&["check"][..], &["status"], &["log", "--verify"], &["search", "done"]] {
            let reply = sandbox.run(arguments);
            assert!((0..=2).contains(&reply.code), "{path}, {arguments:?}: {}", reply.stderr);
        }
    }
}

#[test]
fn a_torn_line_of_the_log_is_named_and_cut() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let whole = sandbox.file("state/log.jsonl");
    sandbox.append("state/log.jsonl", "{\"time\":\"2026-");
    let named = "log: `.agent-memory/state/log.jsonl` line 2: torn: it was not written to its end";
    assert_eq!(doctor(&sandbox), [named]);
    assert_eq!(fixed(&sandbox), ["cut 14 bytes of an unfinished line off `state/log.jsonl`"]);
    assert_eq!(fixed(&sandbox), Vec::<String>::new());
    assert_eq!(sandbox.file("state/log.jsonl"), whole);
}

#[test]
fn a_kill_between_a_decision_and_the_link_that_is_kept_of_it_is_made_good() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "Done.")).applied();
    // Lock, new bytes, record, the way back and the line of the log are written; the sixth write would
    // be the link.
    let request = session("Two", "Done.");
    let Some(mut killed) = injured(&sandbox, &request, "write:signal=KILL:when=6") else { return };
    let killed = killed.output().unwrap();
    assert!(killed.stdout.is_empty());
    let number = |text: String| text.split(' ').next().unwrap().trim_start_matches('0').to_owned();
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 2);
    // What only reads leaves it to the next command, and takes the line for none that somebody added.
    sandbox.run(&["check"]).expect_code(0);
    assert_eq!(number(sandbox.file("state/log.end")), "1");
    sandbox.run(&["log", "--verify"]).expect_code(0);
    assert_eq!(number(sandbox.file("state/log.end")), "2");
}

#[test]
fn a_change_that_a_dead_process_began_is_finished_and_told() {
    let sandbox = Sandbox::new();
    let request = session("One", "Done.");
    // Lock and new bytes are written; behind the third write, the record, the change is decided.
    let Some(mut killed) = injured(&sandbox, &request, "write:signal=KILL:when=4") else { return };
    killed.output().unwrap();
    assert!(!sandbox.has("state/log.jsonl"));
    let diagnosis = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    let told = "finished the changes in `state/journal`, as every command does";
    assert_eq!(diagnosis["fixed"], json!([told]));
    assert_eq!(diagnosis["findings"], json!([]));
    assert_eq!(sandbox.file("state/log.jsonl").lines().count(), 1);
    assert_eq!(fixed(&sandbox), Vec::<String>::new());
}

#[test]
fn what_a_dead_process_had_half_applied_is_no_duplicate_of_itself() {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(convention("Logs", TELLING)).staged();
    let apply = ["apply", &id, "--approver", "Ada"];
    // The first rename puts the new file in its place, the second one takes the proposal out of the queue.
    let Some(mut killed) = under_strace(&sandbox, &apply, "/^rename:signal=KILL:when=2") else {
        return;
    };
    killed.output().unwrap();
    assert!(sandbox.file("conventions.md").contains(TELLING));
    assert!(sandbox.has(&format!("staging/{id}")));
    let all = sandbox.run(&["apply", "--all", "--approver", "Ada", "--json"]).expect_code(1).json();
    assert_eq!(
        all["results"][0]["error"]["message"],
        format!("`{id}` was decided in between"),
        "{all}"
    );
    assert!(sandbox.run(&["log"]).expect_code(0).stdout.contains(&id));
}

#[test]
fn whoever_finishes_a_change_says_where_an_edit_went_quiet_or_not() {
    let request = session("One", "Done.");
    for command in [
        &["fmt-ids"][..],
        &["resolve"],
        &["init"],
        &["status", "-q"],
        &["fmt-ids", "-q"],
        &["hook", "claude", "SessionStart"],
    ] {
        let sandbox = Sandbox::new();
        let killed = injured(&sandbox, &request, "write:signal=KILL:when=4");
        let Some(mut killed) = killed else { return };
        killed.output().unwrap();
        sandbox.write("sessions/2026-11-20.md", "# By hand\n");
        let reply = sandbox.call(command).stdin(r#"{"source":"startup"}"#).run().expect_code(0);
        let told = "was edited while a change was being written; the edit is kept in";
        let said = if command[0] == "hook" { reply.stdout } else { reply.stderr };
        assert_eq!(said.matches(told).count(), 1, "{command:?}: {said}");
    }
}

#[test]
fn settings_that_cannot_be_read_do_not_hide_where_an_edit_went() {
    for command in [&["status"][..], &["status", "--json"], &["status", "-q"]] {
        let sandbox = Sandbox::new();
        let killed = injured(&sandbox, &session("One", "Done."), "write:signal=KILL:when=4");
        let Some(mut killed) = killed else { return };
        killed.output().unwrap();
        sandbox.write("sessions/2026-11-20.md", "# By hand\n");
        sandbox.write("config.toml", "[routing\n");
        let reply = sandbox.run(command).expect_code(2);
        let said = reply.stdout + &reply.stderr;
        assert_eq!(said.matches("the edit is kept in").count(), 1, "{command:?}: {said}");
    }
}

#[test]
fn a_disk_that_fails_the_recovery_does_not_hide_where_an_edit_went() {
    let mut told = 0;
    for sync in 1..16 {
        let sandbox = Sandbox::new();
        let killed = injured(&sandbox, &session("One", "Done."), "write:signal=KILL:when=4");
        let Some(mut killed) = killed else { return };
        killed.output().unwrap();
        sandbox.write("sessions/2026-11-20.md", "# By hand\n");
        let mut failing = Command::new("strace");
        let injury = format!("inject=fsync,fdatasync:error=EIO:when={sync}");
        failing.args(["-qq", "-o", "/dev/null", "-e", &injury]);
        failing.arg(env!("CARGO_BIN_EXE_agent-memory")).arg("status").env_clear();
        let reply = Reply::of(failing.current_dir(sandbox.project()).output().unwrap());
        let said = reply.stderr.contains("the edit is kept in");
        assert_eq!(
            said,
            sandbox.file("sessions/2026-11-20.md") != "# By hand\n",
            "{sync}: {}",
            reply.stderr
        );
        told += usize::from(said && reply.code == 2);
    }
    assert!(told > 0);
}

#[test]
fn an_agent_is_told_where_an_edit_went() {
    for (tool, arguments) in [
        ("memory_search", json!({"query": "hand"})),
        ("memory_context", json!({"query": "hand"})),
        ("memory_get", json!({"path": "sessions/2026-11-20.md"})),
        ("memory_get", json!({"path": "nope.md"})),
        ("memory_search", json!({"query": "hand", "confidence": "nope"})),
        ("memory_status", json!({})),
        ("memory_propose_update", session("Two", "Done too.")),
    ] {
        let sandbox = Sandbox::new();
        let killed = injured(&sandbox, &session("One", "Done."), "write:signal=KILL:when=4");
        let Some(mut killed) = killed else { return };
        killed.output().unwrap();
        sandbox.write("sessions/2026-11-20.md", "# By hand\n");
        let mut client = Client::start(&sandbox, Era::Stateless);
        let said = client.call(tool, arguments)["structuredContent"].to_string();
        assert_eq!(said.matches("the edit is kept in").count(), 1, "{tool}: {said}");
        let later = client.answer("memory_status", json!({})).to_string();
        assert!(!later.contains("the edit is kept in"), "{tool}: {later}");
    }
}

#[test]
fn a_decision_that_was_printed_is_in_the_log_after_a_kill() {
    let sandbox = Sandbox::new();
    // The answer is the last thing that is written; right behind it the process dies.
    let request = session("One", "Done.");
    let Some(mut killed) = injured(&sandbox, &request, "exit_group:signal=KILL") else { return };
    let reply = Reply::of(killed.output().unwrap()).expect_code(-1);
    let id = reply.json()["proposal_id"].clone();
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["id"], id);
    sandbox.run(&["log", "--verify"]).expect_code(0);
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone_and_named() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("One", "Done.")).applied();
    let record = json!({ "version": 9, "number": 2, "steps": [{ "step": "of the future" }] });
    let lines = sandbox.file("state/journal").trim_end_matches('\0').to_owned();
    let before = lines + &journal_line(&sandbox.project(), &record.to_string());
    sandbox.write("state/journal", &before);
    for arguments in [&["status", "--json"][..], &["log", "--json"], &["doctor", "--fix", "--json"]]
    {
        let reply = sandbox.run(arguments);
        let said = reply.stdout.clone();
        assert!(said.contains("it is of form 9, known is 1"), "{arguments:?}: {said}");
        assert!(said.contains("finish with the version of agent-memory that wrote it"), "{said}");
        reply.expect_code(if arguments[0] == "doctor" { 1 } else { 2 });
    }
    let answer = sandbox.propose_bytes(session("Two", "Done.").to_string());
    assert_eq!((answer.code, &answer["error"]["code"]), (2, &json!("store_damaged")));
    assert!(doctor(&sandbox)[0].starts_with("journal: cannot understand the journal"));
    assert_eq!(sandbox.file("state/journal"), before);
}

#[test]
fn a_journal_with_nothing_to_finish_is_emptied_once() {
    let sandbox = Sandbox::new();
    let mark = json!({ "done": 5, "boot": "an earlier one", "at": 1 });
    let line = journal_line(&sandbox.project(), &mark.to_string());
    sandbox.write("state/journal", line);
    assert_eq!(fixed(&sandbox).len(), 1);
    assert_eq!(fixed(&sandbox), Vec::<String>::new());
    assert_eq!(sandbox.file("state/journal"), "");
}
