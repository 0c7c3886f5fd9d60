//! Which store a command, a hook and a server work on, and what is no store.

use std::fs;

use serde_json::{Value, json};

use crate::mcp::{Client, Era};
use crate::requests::with_conventions;
use crate::support::{Reply, Sandbox};

fn state_of_work(text: &str) -> Value {
    let operation = json!({"operation": "append_section", "heading": "Where", "content": text});
    json!({"intent": "update_current", "operations": [operation]})
}

fn pitfall() -> Value {
    let operation = json!({"operation": "append_section", "heading": "Clock", "content": "- skew"});
    json!({"intent": "add_pitfall", "operations": [operation]})
}

/// A committed store in the main work tree, and a work tree of the branch `topic` beside it.
fn two_work_trees() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox
}

/// A repository, and a folder beside it that is in none.
fn beside_a_project() -> (Sandbox, String) {
    let sandbox = with_conventions();
    fs::create_dir(sandbox.root().join("empty")).unwrap();
    let project = sandbox.project().display().to_string();
    (sandbox, project)
}

fn hook(sandbox: &Sandbox, project: &str, cwd: &str) -> Reply {
    let event = json!({"session_id": "a", "cwd": cwd, "source": "startup"});
    let call = sandbox.call(&["hook", "claude", "session-start"]).within("../empty");
    call.env("CLAUDE_PROJECT_DIR", project).stdin(event.to_string()).run().expect_code(0)
}

#[test]
fn every_door_of_a_session_works_where_the_work_is() {
    let sandbox = two_work_trees();
    let (main, topic) = (sandbox.project(), sandbox.root().join("topic"));
    let mut command = sandbox.process(&["mcp"]);
    command.current_dir(&topic).env("CLAUDE_PROJECT_DIR", &main);
    let mut client = Client::over(command, Era::Stateless);
    let answer = client.answer("memory_propose_update", state_of_work("Half is done."));
    assert_eq!(answer["files"][0], "local/current.topic.md", "{answer}");
    assert_eq!(answer["warnings"], json!([]));
    assert!(topic.join(".agent-memory/local/current.topic.md").exists());
    assert!(!main.join(".agent-memory/local").exists());
    let in_topic = |arguments: &[&str]| {
        let main = main.display().to_string();
        sandbox.call(arguments).within("../topic").env("CLAUDE_PROJECT_DIR", &main).run()
    };
    let reply = in_topic(&["context"]).expect_code(0);
    assert!(reply.stdout.contains("Half is done.") && reply.stderr.is_empty(), "{}", reply.stderr);
    let event = json!({"session_id": "a", "cwd": topic, "source": "startup"});
    let start = ["hook", "claude", "session-start"];
    let began = sandbox.call(&start).env("CLAUDE_PROJECT_DIR", &main.display().to_string());
    let began = began.stdin(event.to_string()).run().expect_code(0).stdout;
    assert!(began.contains("Half is done.") && !began.contains("warning"), "{began}");
}

#[test]
fn a_folder_without_a_store_uses_the_project_of_the_client_and_says_so() {
    let (sandbox, project) = beside_a_project();
    let said = format!("this is the store of `{project}`, on branch `main`");
    let status = sandbox.call(&["status"]).within("../empty").env("CLAUDE_PROJECT_DIR", &project);
    let status = status.run().expect_code(0);
    assert!(status.stderr.contains(&said), "{}", status.stderr);
    let mut command = sandbox.process(&["mcp"]);
    command.current_dir(sandbox.root().join("empty")).env("CLAUDE_PROJECT_DIR", &project);
    let mut client = Client::over(command, Era::Stateless);
    for (tool, arguments, place) in [
        ("memory_propose_update", state_of_work("Half is done."), "/warnings/0"),
        ("memory_search", json!({"query": "path"}), "/warnings/0"),
        ("memory_context", json!({}), "/receipt/warnings/0"),
        ("memory_get", json!({"path": "conventions.md"}), "/warnings/0"),
        ("memory_status", json!({}), "/health/warnings/0"),
    ] {
        let answer = client.answer(tool, arguments);
        let warning = answer.pointer(place).and_then(Value::as_str).unwrap_or_default();
        assert!(warning.contains(&said), "{tool}: {answer}");
    }
    let empty = sandbox.root().join("empty").display().to_string();
    let began = hook(&sandbox, &project, &empty).stdout;
    assert!(began.contains(&said) && began.contains("They name a path."), "{began}");
}

#[test]
fn a_root_that_the_caller_did_not_type_is_named() {
    let (sandbox, project) = beside_a_project();
    let said = "the working directory has no store";
    let empty = sandbox.root().join("empty");
    let by_variable = sandbox.call(&["status"]).within("../empty");
    let by_variable = by_variable.env("AGENT_MEMORY_ROOT", &project).run().expect_code(0);
    assert!(by_variable.stderr.contains(said), "{}", by_variable.stderr);
    let typed = sandbox.call(&["status", "--root", &project]).within("../empty").run();
    assert_eq!(typed.expect_code(0).stderr, "");
    let mut command = sandbox.process(&["mcp", "--root", &project]);
    command.current_dir(empty);
    let answer = Client::over(command, Era::Stateless).answer("memory_status", json!({}));
    let warning = answer["health"]["warnings"][0].as_str().unwrap_or_default();
    assert!(warning.contains(said), "{answer}");
    let mut command = sandbox.process(&["mcp", "--root", "."]);
    command.current_dir(sandbox.project());
    let answer = Client::over(command, Era::Stateless).answer("memory_status", json!({}));
    assert_eq!(answer["health"]["warnings"], json!([]));
}

#[test]
fn what_guards_makes_or_sets_up_a_store_stays_in_its_folder() {
    let (sandbox, project) = beside_a_project();
    let other = Sandbox::without_store();
    let there = |arguments: &[&str]| {
        other.call(arguments).env("CLAUDE_PROJECT_DIR", &project).run().expect_code(0)
    };
    let before = sandbox.tree();
    assert!(there(&["check", "--staged"]).stderr.contains("nothing was checked"));
    there(&["install", "claude"]);
    assert!(other.project().join(".mcp.json").exists());
    there(&["init"]);
    assert!(other.has("config.toml"));
    assert_eq!(sandbox.tree(), before);
    assert!(!sandbox.project().join(".mcp.json").exists());
}

#[test]
fn a_folder_of_another_tool_is_no_store_and_stays_as_it_is() {
    let sandbox = Sandbox::without_store();
    sandbox.write("handoff.md", "# Handoff\n\n## Next\n\nx\n");
    sandbox.commit("notes of another tool");
    for command in [
        &["status"][..],
        &["search", "next"],
        &["context"],
        &["check"],
        &["log"],
        &["toc"],
        &["show", "handoff.md"],
        &["review"],
        &["reindex"],
        &["status", "--root", "."],
    ] {
        let reply = sandbox.run(command).expect_code(2);
        assert!(
            reply.stderr.contains("is no store: it has neither"),
            "{command:?}: {}",
            reply.stderr
        );
    }
    sandbox.run(&["doctor"]).expect_code(1);
    sandbox.run(&["check", "--staged"]).expect_code(0);
    let refused = sandbox.call(&["propose"]).stdin(pitfall().to_string()).run().expect_code(2);
    assert!(refused.stdout.contains("store_not_found"), "{}", refused.stdout);
    let began = sandbox.call(&["hook", "claude", "session-start"]).stdin("{}").run();
    assert_eq!((began.code, began.stdout.as_str()), (0, ""));
    assert_eq!(sandbox.git(&["status", "--short", "--ignored"]), "");
}

#[test]
fn init_makes_a_store_beside_the_files_of_another_tool() {
    let sandbox = Sandbox::without_store();
    sandbox.write("handoff.md", "# Handoff\n");
    let planned = sandbox.run(&["init", "--dry-run", "--json"]).expect_code(0).json();
    let made = sandbox.run(&["init", "--json"]).expect_code(0).json();
    assert_eq!(planned["created"], made["created"]);
    assert_eq!(sandbox.file("handoff.md"), "# Handoff\n");
    sandbox.run(&["status"]).expect_code(0);
}

#[test]
fn a_branch_from_before_the_store_has_none_and_the_queue_is_there_on_the_way_back() {
    let sandbox = Sandbox::without_store();
    sandbox.git(&["branch", "old"]);
    sandbox.run(&["init"]).expect_code(0);
    sandbox.commit("the store");
    let id = sandbox.propose(pitfall()).staged();
    sandbox.git(&["checkout", "--quiet", "old"]);
    assert!(sandbox.has("state") && !sandbox.has("config.toml"));
    let reply = sandbox.run(&["status"]).expect_code(2);
    assert!(reply.stderr.contains("Switch to a branch that has the store"), "{}", reply.stderr);
    sandbox.run(&["check", "--base", "HEAD"]).expect_code(0);
    let mut client = Client::start(&sandbox, Era::Stateless);
    let result = client.call("memory_propose_update", state_of_work("x"));
    assert_eq!(result["structuredContent"]["error"]["code"], "store_not_found");
    sandbox.git(&["checkout", "--quiet", "main"]);
    assert!(sandbox.run(&["status"]).expect_code(0).stdout.contains(&id));
}

#[test]
fn the_search_for_a_store_says_where_it_ended_and_what_is_above() {
    let sandbox = with_conventions();
    let refusal = |folder: &str, arguments: &[&str]| {
        sandbox.call(arguments).within(folder).run().expect_code(2).stderr
    };
    fs::create_dir_all(sandbox.root().join("empty/below")).unwrap();
    let nowhere = refusal("../empty/below", &["status"]);
    assert!(nowhere.contains("in no repository") && nowhere.contains("--root"), "{nowhere}");
    fs::create_dir_all(sandbox.project().join("vendor/lib/src")).unwrap();
    fs::write(sandbox.project().join("vendor/lib/.git"), "gitdir: ../../.git/modules/lib\n")
        .unwrap();
    let project = sandbox.project().display().to_string();
    for folder in ["vendor/lib/src", "vendor/lib"] {
        let inside = refusal(folder, &["status"]);
        assert!(inside.contains("vendor/lib`"), "{inside}");
        assert!(
            inside.contains(&format!("the nearest one above it is in `{project}`")),
            "{inside}"
        );
    }
    sandbox.call(&["status", "--root", "../../.."]).within("vendor/lib/src").run().expect_code(0);
}

#[test]
fn init_refuses_a_place_that_git_could_never_commit() {
    let sandbox = Sandbox::without_store();
    let root = sandbox.root().to_owned();
    sandbox.git(&["clone", "--quiet", "--bare", ".", "../around/.bare"]);
    fs::write(root.join("around/.git"), "gitdir: ./.bare\n").unwrap();
    sandbox.git(&["clone", "--quiet", "--bare", ".", "../plain.git"]);
    let refused = |folder: &str, hint: &str| {
        for options in [&["init"][..], &["init", "--dry-run"]] {
            let reply = sandbox.call(options).within(folder).run().expect_code(2);
            assert!(reply.stderr.contains("git has no work tree here"), "{}", reply.stderr);
            assert!(reply.stderr.contains(hint), "{folder}: {}", reply.stderr);
        }
        assert!(!sandbox.project().join(folder).join(".agent-memory").exists(), "{folder}");
    };
    refused("../around", "git worktree add");
    refused("../plain.git", "git worktree add");
    refused("../plain.git/hooks", "git worktree add");
    sandbox.git(&[
        "--git-dir",
        "../around/.bare",
        "worktree",
        "add",
        "--quiet",
        "../around/topic",
        "main",
    ]);
    refused("../around", "around/topic");
    refused("../around/.bare", "around/topic");
    // A work tree below a bare repository is one.
    sandbox.git(&[
        "--git-dir",
        "../plain.git",
        "worktree",
        "add",
        "--quiet",
        "../plain.git/topic",
        "main",
    ]);
    for tree in ["../around/topic", "../plain.git/topic"] {
        sandbox.call(&["init"]).within(tree).run().expect_code(0);
    }
}
