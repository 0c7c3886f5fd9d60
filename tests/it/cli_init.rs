//! `init`: a store in a repository, and how every command finds it.

use std::fs;

use crate::requests::session;
use crate::support::{Sandbox, Terminal};

#[test]
fn init_says_what_it_made() {
    let sandbox = Sandbox::without_store();
    let reply = sandbox.run(&["init"]).expect_code(0);
    let root = sandbox.project().display().to_string();
    insta::assert_snapshot!(reply.stdout.replace(&root, "[project]"), @"made .agent-memory with 14 files");
    insta::assert_snapshot!(reply.stderr, @r"
      .gitattributes
      .gitignore
      config.toml
      conventions.md
      decisions/.keep
      pitfalls/.keep
      schemas/archive.toml
      schemas/conventions.toml
      schemas/current.toml
      schemas/decisions.toml
      schemas/modules.toml
      schemas/pitfalls.toml
      schemas/sessions.toml
      schemas/shared.toml
    commit them: `git add .agent-memory`, then `git commit`
    then tell your agent of it: `agent-memory install CLIENT`; no sign of one here
    ");
}

#[test]
fn init_in_json_lists_the_files_that_are_there_afterwards() {
    let sandbox = Sandbox::without_store();
    let answer = sandbox.run(&["init", "--json"]).expect_code(0).json();
    let created: Vec<&str> =
        answer["created"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect();
    let mut found: Vec<String> = sandbox.tree().into_keys().collect();
    found.sort();
    let mut created_sorted = created;
    created_sorted.sort_unstable();
    assert_eq!(created_sorted, found);
}

#[test]
fn a_second_init_changes_no_byte() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let answer = sandbox.run(&["init", "--json"]).expect_code(0).json();
    assert_eq!(answer["created"].as_array().unwrap().len(), 0);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn init_makes_again_only_what_is_missing() {
    let sandbox = Sandbox::new();
    sandbox.write("conventions.md", "# Ours\n");
    fs::remove_file(sandbox.store().join("schemas/pitfalls.toml")).unwrap();
    let answer = sandbox.run(&["init", "--json"]).expect_code(0).json();
    assert_eq!(answer["created"], serde_json::json!(["schemas/pitfalls.toml"]));
    assert_eq!(sandbox.file("conventions.md"), "# Ours\n");
}

#[test]
fn init_in_a_subfolder_finds_the_root_of_git() {
    let sandbox = Sandbox::without_store();
    sandbox.call(&["init"]).within("src/auth").run().expect_code(0);
    assert!(sandbox.has("config.toml"));
    assert!(!sandbox.project().join("src/auth/.agent-memory").exists());
}

#[test]
fn init_without_git_makes_the_store_where_one_stands() {
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    assert!(sandbox.has("config.toml"));
}

#[test]
fn a_new_store_keeps_what_is_local_out_of_git() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let listed = sandbox.git(&["status", "--porcelain", "--untracked-files=all", "-z"]);
    for local in ["state/", "local/", "sessions/", "staging/"] {
        assert!(!listed.contains(&format!(".agent-memory/{local}")), "{local} in {listed}");
    }
}

#[test]
fn a_command_in_a_subfolder_finds_the_store_above() {
    let sandbox = Sandbox::new();
    let reply = sandbox.call(&["status", "--json"]).within("src/auth").run().expect_code(0);
    assert!(reply.json()["health"]["store"].as_str().unwrap().ends_with("project/.agent-memory"));
}

#[test]
fn root_names_a_repository_from_anywhere() {
    let sandbox = Sandbox::new();
    let project = sandbox.project().display().to_string();
    fs::create_dir(sandbox.root().join("elsewhere")).unwrap();
    let call = sandbox.call(&["--root", &project, "status", "--json"]).within("../elsewhere");
    call.run().expect_code(0);
}

#[test]
fn root_may_name_the_store_itself() {
    let sandbox = Sandbox::new();
    let store = sandbox.store().display().to_string();
    let call = sandbox.call(&["status", "--json", "--root", &store]).within("../home");
    assert_eq!(call.run().expect_code(0).json()["health"]["store"], store);
}

#[test]
fn the_environment_names_the_root() {
    let sandbox = Sandbox::new();
    let project = sandbox.project().display().to_string();
    let call = sandbox.call(&["status"]).within("../home").env("AGENT_MEMORY_ROOT", &project);
    call.run().expect_code(0);
}

#[test]
fn the_option_wins_over_the_environment() {
    let sandbox = Sandbox::new();
    let project = sandbox.project().display().to_string();
    let call = sandbox.call(&["status", "--root", &project]).within("../home");
    call.env("AGENT_MEMORY_ROOT", "/nowhere").run().expect_code(0);
}

#[test]
fn without_a_store_the_answer_says_how_to_get_one() {
    let sandbox = Sandbox::without_store();
    let reply = sandbox.run(&["status"]).expect_code(2);
    assert!(reply.stderr.contains("hint: run `agent-memory init`"), "{}", reply.stderr);
}

#[test]
fn without_a_store_json_is_still_one_document() {
    let sandbox = Sandbox::without_store();
    for command in ["status", "doctor", "log", "reindex", "diff"] {
        let reply = sandbox.run(&[command, "--json"]);
        let text = reply.json().to_string();
        assert!(text.contains("agent-memory init"), "{command}: {text}");
    }
    let error = &sandbox.run(&["status", "--json"]).expect_code(2).json()["error"];
    assert_eq!(error["code"], "store_not_found");
}

#[test]
fn a_wrong_option_is_one_json_document_too() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["status", "--sideways", "--json"]).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "usage");
}

#[test]
fn every_command_prints_one_json_document() {
    let sandbox = Sandbox::new();
    let commands: [&[&str]; 10] = [
        &["init"],
        &["status"],
        &["diff"],
        &["show", "conventions.md"],
        &["show", "nothing"],
        &["apply", "nothing", "--approver", "Ada"],
        &["reject", "nothing"],
        &["search", "anything"],
        &["log"],
        &["doctor"],
    ];
    for command in commands {
        let reply = sandbox.call(command).env("NO_COLOR", "1").run();
        assert!(reply.code < 2, "{command:?}");
        let reply = sandbox.run(&[&["--json"], command].concat());
        assert!(reply.json().is_object(), "{command:?}");
        assert_eq!(reply.stderr, "", "{command:?}");
    }
}

#[test]
fn a_dry_run_lists_on_stdout_what_it_would_make() {
    let sandbox = Sandbox::without_store();
    let reply = sandbox.run(&["init", "--dry-run"]).expect_code(0);
    assert!(reply.stdout.contains("\n  .gitignore\n"), "{}", reply.stdout);
    assert_eq!(reply.stderr, "");
    assert!(!sandbox.store().exists());
}

#[test]
fn init_names_the_clients_that_it_finds_and_what_sets_them_up() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("CLAUDE.md", "# Rules\n");
    std::fs::create_dir(sandbox.project().join(".vscode")).unwrap();
    let planned = sandbox.run(&["init", "--dry-run", "--json"]).expect_code(0).json();
    let named = |answer: &serde_json::Value| {
        let clients = answer["clients"].as_array().unwrap().iter();
        clients.map(|each| each["command"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(named(&planned), ["agent-memory install claude", "agent-memory install vscode"]);
    assert_eq!(planned["clients"][0]["found_by"], serde_json::json!(["CLAUDE.md"]));
    let said = sandbox.run(&["init"]).expect_code(0).stderr;
    let expected = "found Claude Code (CLAUDE.md), VS Code (.vscode/); to set up: \
                    `agent-memory install claude`, `agent-memory install vscode`\n";
    assert!(said.ends_with(expected), "{said}");
    sandbox.run(&["install", "claude"]).expect_code(0);
    let answer = sandbox.run(&["init", "--json"]).expect_code(0).json();
    assert_eq!(answer["clients"][0]["set_up"], true);
    assert_eq!(answer["clients"][1]["set_up"], false);
}

#[test]
fn init_in_a_subfolder_names_the_command_for_a_store_of_that_folder() {
    let sandbox = Sandbox::without_store();
    let made = sandbox.call(&["init"]).within("src/auth").run().expect_code(0);
    assert!(made.stderr.contains("`agent-memory init --root .`"), "{}", made.stderr);
    let own = ["init", "--root", ".", "--json"];
    let own = sandbox.call(&own).within("src/auth").run().expect_code(0).json();
    assert_eq!(own["other_place"], serde_json::Value::Null);
    assert!(sandbox.project().join("src/auth/.agent-memory/config.toml").exists());
    let again = sandbox.call(&["init", "--json"]).within("src").run().expect_code(0).json();
    assert_eq!(again["other_place"], serde_json::Value::Null, "{again}");
}

#[test]
fn a_new_store_may_keep_its_queue_in_git() {
    let sandbox = Sandbox::without_store();
    sandbox.run(&["init", "--track"]).expect_code(0);
    assert_eq!(sandbox.file(".gitignore"), "/state/\n/local/\n/sessions/\n");
    let track = sandbox.run(&["config", "get", "staging.track"]).expect_code(0);
    assert_eq!(track.stdout, "true\n");
    assert_eq!(sandbox.run(&["init", "--track"]).expect_code(0).stderr, "");
    let faults = sandbox.run(&["doctor", "--json"]).json();
    assert!(!faults.to_string().contains("staging"), "{faults}");
}

#[test]
fn a_store_that_is_there_is_told_how_to_track_its_queue() {
    let sandbox = Sandbox::new();
    let before = sandbox.tree();
    let reply = sandbox.run(&["init", "--track"]).expect_code(0);
    let command = "`agent-memory config set staging.track true`";
    assert!(reply.stderr.contains(command), "{}", reply.stderr);
    assert_eq!(sandbox.tree(), before);
}

fn has_terminal() -> bool {
    std::process::Command::new("script").arg("--version").output().is_ok()
}

#[test]
fn at_a_terminal_init_offers_to_set_up_what_it_found() {
    if !has_terminal() {
        return;
    }
    for (key, is_wanted) in [("\r", false), ("n", false), ("y", true)] {
        let sandbox = Sandbox::without_store();
        sandbox.write_project("CLAUDE.md", "# Rules\n");
        sandbox.write_project(".cursorrules", "Tabs.\n");
        let mut terminal = Terminal::run(&sandbox, "init", 100, &[]);
        terminal.answer("Set up Claude Code, Cursor now? [y,n]", key);
        let (shown, code) = terminal.end();
        assert_eq!(code, 0, "{shown}");
        for path in ["AGENTS.md", ".mcp.json", ".cursor/mcp.json"] {
            assert_eq!(sandbox.project().join(path).exists(), is_wanted, "{path}: {shown}");
        }
        assert!(sandbox.has("config.toml"));
    }
}

#[test]
fn init_asks_no_question_of_an_agent_or_where_none_is_wanted() {
    if !has_terminal() {
        return;
    }
    for (options, variables) in
        [("--quiet", &[][..]), ("--json", &[]), ("--dry-run", &[]), ("", &[("CLAUDECODE", "1")])]
    {
        let sandbox = Sandbox::without_store();
        sandbox.write_project("CLAUDE.md", "# Rules\n");
        let (shown, code) =
            Terminal::run(&sandbox, &format!("init {options}"), 100, variables).end();
        assert!(code == 0 && !shown.contains("now?"), "{options}: {shown}");
        assert!(!sandbox.project().join("AGENTS.md").exists());
    }
}

#[test]
fn at_a_terminal_init_in_a_subfolder_asks_where_the_store_goes() {
    if !has_terminal() {
        return;
    }
    for (key, code, place) in [
        ("\r", 0, Some(".agent-memory")),
        ("t", 0, Some(".agent-memory")),
        ("h", 0, Some("src/auth/.agent-memory")),
        ("n", 1, None),
        ("\x1b", 1, None),
    ] {
        let sandbox = Sandbox::without_store();
        let mut terminal = Terminal::run(&sandbox, "init", 100, &[("BEFORE", "cd src/auth")]);
        terminal.answer("or none (n)? [t,Enter,h,n]", key);
        let (shown, ended) = terminal.end();
        assert_eq!(ended, code, "{shown}");
        for each in [".agent-memory", "src/auth/.agent-memory"] {
            let is_there = sandbox.project().join(each).join("config.toml").exists();
            assert_eq!(is_there, place == Some(each), "{each}: {shown}");
        }
    }
}
