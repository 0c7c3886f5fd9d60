//! Links, symbolic and hard, in the store and in the way to it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use super::Stage;
use crate::crash::has_strace;
use crate::requests::{convention, new_body, session, with_conventions};
use crate::support::{Reply, Sandbox, files_in};

#[test]
fn a_store_that_is_a_link_is_refused_and_can_be_named_by_its_place() {
    let sandbox = Sandbox::given(&[("conventions.md", "# Conventions\n\n## A\n\nb\n")]);
    let real = sandbox.root().join("real");
    fs::rename(sandbox.store(), &real).unwrap();
    symlink(&real, sandbox.store()).unwrap();
    let before = files_in(&real);
    sandbox.write_project("request.json", convention("Errors", "Name it.").to_string());
    let store = sandbox.store().display().to_string();
    let commands: [&[&str]; 6] = [
        &["status"],
        &["init"],
        &["propose", "--file", "request.json"],
        &["search", "b"],
        &["reindex"],
        &["status", "--root", &store],
    ];
    for command in commands {
        let reply = sandbox.run(command).expect_code(2);
        let said = reply.stdout + &reply.stderr;
        assert!(
            said.contains("is a symbolic link") && said.contains("--root"),
            "{command:?} {said}"
        );
    }
    assert!(sandbox.run(&["doctor"]).expect_code(1).stdout.contains("is a symbolic link"));
    assert_eq!(files_in(&real), before);
    sandbox.run(&["search", "b", "--root", real.to_str().unwrap()]).expect_code(0);
}

#[test]
fn a_link_above_the_store_is_followed() {
    let sandbox = with_conventions();
    let link = sandbox.root().join("link");
    symlink(sandbox.project(), &link).unwrap();
    let root = link.to_str().unwrap();
    sandbox.write_project("request.json", new_body("errors", "They name a line.").to_string());
    let call = ["propose", "--root", root, "--file", "request.json"];
    let id = sandbox.run(&call).answer().staged();
    sandbox.run(&["apply", &id, "--approver", "Ada", "--json", "--root", root]).answer().applied();
    let found = sandbox.run(&["search", "line", "--root", root, "--json"]).expect_code(0);
    assert!(found.stdout.contains("conventions.md"), "{}", found.stdout);
}

#[test]
fn a_file_with_another_name_is_replaced_and_the_other_one_stays() {
    let sandbox = with_conventions();
    let other = sandbox.root().join("other");
    fs::hard_link(sandbox.store().join("conventions.md"), &other).unwrap();
    let before = fs::read(&other).unwrap();
    let id = sandbox.propose(new_body("errors", "They name a line.")).staged();
    sandbox.apply(&id).applied();
    assert!(sandbox.file("conventions.md").contains("They name a line."));
    assert_eq!(fs::read(&other).unwrap(), before);
}

#[test]
fn what_grows_in_place_grows_in_the_store_alone() {
    let stage = Stage::new();
    let names = [
        "log.jsonl",
        "log.end",
        "undo.jsonl",
        "journal",
        "lock",
        "turn",
        "index.sqlite",
        "index.sqlite.lock",
    ];
    let others: Vec<(PathBuf, Vec<u8>)> = names
        .iter()
        .map(|name| {
            let other = stage.sandbox.root().join(name);
            fs::hard_link(stage.inside("state").join(name), &other).unwrap();
            let bytes = fs::read(&other).unwrap();
            (other, bytes)
        })
        .collect();
    let decided = stage.sandbox.file("state/log.jsonl").lines().count();
    stage.sandbox.apply(&stage.id).applied();
    stage.sandbox.propose(session("Today", "Done.")).applied();
    stage.sandbox.run(&["search", "person", "--exit-code"]).expect_code(0);
    stage.sandbox.run(&["undo", &stage.id, "--approver", "Ada"]).expect_code(0);
    stage.sandbox.run(&["doctor"]).expect_code(0);
    assert_eq!(stage.sandbox.file("state/log.jsonl").lines().count(), decided + 3);
    for (other, before) in others {
        assert!(fs::read(&other).unwrap() == before, "{} changed", other.display());
    }
}

#[test]
fn a_file_that_was_never_ours_is_not_cut_by_way_of_a_link() {
    let logs = ["journal", "log.jsonl", "log.end", "undo.jsonl"];
    let index = ["index.sqlite", "index.sqlite-journal", "index.sqlite-wal"];
    for name in logs.into_iter().chain(["lock", "turn"]).chain(index) {
        let stage = Stage::new();
        let place = format!("state/{name}");
        stage.clear(&place);
        fs::hard_link(stage.outside("file"), stage.inside(&place)).unwrap();
        stage.sandbox.propose(session("Today", "Done.")).applied();
        stage.sandbox.run(&["reindex"]).expect_code(0);
        stage.sandbox.run(&["reject", &stage.id, "--reason", "no"]).expect_code(0);
        stage.expect_untouched_outside();
    }
}

#[test]
fn a_proposal_with_another_name_is_decided_and_the_other_one_stays() {
    let stage = Stage::new();
    let other = stage.sandbox.root().join("other.json");
    let ours = stage.inside(&format!("staging/{}/proposal.json", stage.id));
    fs::hard_link(ours, &other).unwrap();
    let before = fs::read(&other).unwrap();
    stage.sandbox.apply(&stage.id).applied();
    assert_eq!(fs::read(&other).unwrap(), before);
}

/// Runs the program on a kernel, or in a sandbox, that does not know `openat2`.
fn without_openat2(sandbox: &Sandbox, error: &str, arguments: &[&str]) -> Reply {
    let trace = sandbox.root().join("trace");
    let mut command = Command::new("strace");
    command.args(["-qq", "-e", "trace=openat2", "-e"]).arg(format!("inject=openat2:error={error}"));
    command.arg("-o").arg(&trace).arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
    command.current_dir(sandbox.project()).env_clear();
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config"));
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    let reply = Reply::of(command.output().unwrap());
    assert!(fs::read_to_string(trace).unwrap().contains("INJECTED"));
    reply
}

#[test]
#[cfg(target_os = "linux")]
fn an_old_kernel_does_as_well() {
    if !has_strace() {
        return;
    }
    for error in ["ENOSYS", "EPERM"] {
        let stage = Stage::new();
        let sandbox = &stage.sandbox;
        let apply = ["apply", &stage.id, "--approver", "Ada", "--json"];
        without_openat2(sandbox, error, &apply).answer().applied();
        without_openat2(sandbox, error, &["search", "person", "--exit-code"]).expect_code(0);
        let request = json!({ "intent": "refresh_module",
            "sources": [{ "type": "user", "ref": "ada" }], "operations": [
            { "operation": "append_section", "path": "modules/auth.md", "heading": "More",
              "content": "Text." }]});
        sandbox.write_project("request.json", request.to_string());
        stage.link("modules", "folder");
        let reply = without_openat2(sandbox, error, &["propose", "--file", "request.json"]);
        let answer = reply.answer().rejected("invalid_path");
        let said = answer["message"].to_string();
        assert!(said.contains("its folder is a symbolic link: `modules`"), "{said}");
        stage.expect_untouched_outside();
    }
}
