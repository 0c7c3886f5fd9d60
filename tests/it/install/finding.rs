//! `install` and `uninstall` without a name, and `uninstall --all`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Where, install, read, tree, write};
use crate::support::{Sandbox, files_in};

const CLIENTS: [&str; 9] =
    ["claude", "codex", "cursor", "gemini", "copilot", "opencode", "vscode", "zed", "agents"];

fn programs(answer: &Value) -> Vec<&str> {
    let programs = answer["programs"].as_array().unwrap().iter();
    programs.map(|each| each["program"].as_str().unwrap()).collect()
}

/// What a project of a person holds besides: a file that each client has already.
fn project_of_a_person() -> Sandbox {
    let sandbox = Sandbox::new();
    for (path, text) in [
        ("AGENTS.md", "# Rules\n\n- Tabs\n"),
        ("CLAUDE.md", "# Claude\n"),
        ("GEMINI.md", "# Gemini"),
        (".mcp.json", "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"a\"}\n  }\n}\n"),
        (".codex/config.toml", "model = \"x\"\n"),
        (".vscode/mcp.json", "{\n  // mine\n  \"servers\": {\n    \"b\": {}\n  }\n}\n"),
    ] {
        write(&sandbox, Where::Project, path, text);
    }
    sandbox
}

#[test]
fn install_without_a_name_lists_what_is_found_and_writes_nothing() {
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, ".claude/x.md", "x\n");
    write(&sandbox, Where::Project, "CLAUDE.md", "# Rules\n");
    write(&sandbox, Where::Project, ".github/copilot-instructions.md", "x\n");
    let before = files_in(&sandbox.project());
    let shown = sandbox.run(&["install"]).expect_code(0).stdout;
    insta::assert_snapshot!(shown, @r"
    Claude Code (.claude/, CLAUDE.md)
      would be created AGENTS.md
      would be changed CLAUDE.md
      would be created .agents/skills/agent-memory/SKILL.md
      would be created .claude/skills/agent-memory/SKILL.md
      would be created .mcp.json
      run `agent-memory install claude`
    Copilot (.github/copilot-instructions.md)
      would be created AGENTS.md
      would be created .agents/skills/agent-memory/SKILL.md
      would be created .github/mcp.json
      run `agent-memory install copilot`
    Git
      would be set merge.agent-memory.name
      would be set merge.agent-memory.driver
      would be set diff.agent-memory.xfuncname
      run `agent-memory install git`
    ");
    let answer = sandbox.run(&["install", "--json"]).expect_code(0).json();
    assert_eq!(
        (&answer["status"], programs(&answer)),
        (&json!("listed"), vec!["claude", "copilot", "git"])
    );
    assert_eq!(answer["programs"][0]["found_by"], json!([".claude/", "CLAUDE.md"]));
    assert_eq!(
        answer["programs"][0]["files"][0],
        json!({"path": "AGENTS.md", "purposes": ["instructions"], "state": "created"})
    );
    assert_eq!(files_in(&sandbox.project()), before);
    install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
    let shown = sandbox.run(&["install"]).expect_code(0).stdout;
    assert!(
        shown.starts_with("Claude Code (.claude/, CLAUDE.md)\n  is set up\nCopilot"),
        "{shown}"
    );
    for option in ["--hooks", "--check", "--uninstall"] {
        sandbox.run(&["install", option]).expect_code(2);
    }
}

#[test]
fn install_without_a_name_says_where_nothing_is_found() {
    let sandbox = Sandbox::without_store();
    let reply = sandbox.run(&["install"]).expect_code(0);
    assert_eq!(reply.stdout, "");
    assert!(reply.stderr.contains("no sign of an agent's client"), "{}", reply.stderr);
    let answer = sandbox.run(&["install", "--json"]).expect_code(0).json();
    assert_eq!(answer["programs"], json!([]));
}

#[test]
fn the_clients_of_a_home_are_found_in_the_home() {
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, ".cursor/x", "x\n");
    write(&sandbox, Where::User, ".codex/auth.json", "{}\n");
    let answer = sandbox.run(&["install", "--user", "--json"]).expect_code(0).json();
    assert_eq!(programs(&answer), ["codex", "git"]);
    assert_eq!(answer["programs"][0]["command"], "agent-memory install codex --user");
}

#[test]
fn uninstall_without_a_name_lists_what_is_set_up_and_takes_out_nothing() {
    let sandbox = project_of_a_person();
    let nothing = sandbox.run(&["uninstall"]).expect_code(0);
    assert!(nothing.stderr.contains("no client is set up here"), "{}", nothing.stderr);
    install(&sandbox, "vscode", Where::Project, &[]).expect_code(0);
    install(&sandbox, "codex", Where::Project, &["--hooks"]).expect_code(0);
    let before = files_in(&sandbox.project());
    let answer = sandbox.run(&["uninstall", "--json"]).expect_code(0).json();
    assert_eq!(programs(&answer), ["codex", "vscode"]);
    assert_eq!(answer["programs"][1]["command"], "agent-memory uninstall vscode");
    assert_eq!(files_in(&sandbox.project()), before);
    let other = project_of_a_person();
    install(&other, "agents", Where::Project, &[]).expect_code(0);
    let answer = other.run(&["uninstall", "--json"]).expect_code(0).json();
    assert_eq!(programs(&answer), ["agents"]);
}

#[test]
fn uninstall_with_a_name_is_install_uninstall() {
    let (one, other) = (project_of_a_person(), project_of_a_person());
    for client in CLIENTS {
        install(&one, client, Where::Project, &["--hooks"]).expect_code(0);
        install(&other, client, Where::Project, &["--hooks"]).expect_code(0);
        let said = one.run(&["uninstall", client]).expect_code(0).stdout;
        let as_before = install(&other, client, Where::Project, &["--uninstall"]).expect_code(0);
        assert_eq!(said, as_before.stdout);
        assert_eq!(tree(&one, Where::Project), tree(&other, Where::Project), "{client}");
    }
}

fn settings_of_git(sandbox: &Sandbox) -> String {
    sandbox.git(&["config", "--local", "--list"])
}

#[test]
fn uninstall_all_takes_out_what_install_wrote_to_the_byte() {
    for place in [Where::Project, Where::User] {
        let mut sandbox = project_of_a_person();
        // Git replaces the file that it writes: as root it would replace `/dev/null`, which the sandbox names.
        let global = sandbox.root().join("gitconfig").display().to_string();
        sandbox.set_env("GIT_CONFIG_GLOBAL", &global);
        write(&sandbox, Where::User, ".claude.json", "{\"oauth\": {}}\n");
        let before: BTreeMap<String, Vec<u8>> = tree(&sandbox, place);
        let settings = settings_of_git(&sandbox);
        for client in CLIENTS {
            install(&sandbox, client, place, &["--hooks"]).expect_code(0);
        }
        install(&sandbox, "git", place, &[]).expect_code(0);
        let user: &[&str] = if place == Where::User { &["--user"] } else { &[] };
        let all = |options: &[&str]| {
            sandbox.run(&[&["uninstall", "--all"], user, options].concat()).expect_code(0)
        };
        let set_up = tree(&sandbox, place);
        let planned = all(&["--dry-run", "--json"]).json();
        assert_eq!(planned["status"], "planned");
        assert_eq!(tree(&sandbox, place), set_up);
        let done = all(&["--json"]).json();
        assert_eq!(done["status"], "done");
        let paths = |answer: &Value| {
            let files = answer["files"].as_array().unwrap().iter();
            files.map(|file| (file["path"].clone(), file["state"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(paths(&planned), paths(&done));
        assert_eq!(planned["settings"], done["settings"]);
        assert_eq!(done["settings"][1], "merge.agent-memory.driver", "{place:?}: {done}");
        assert_eq!(tree(&sandbox, place), before);
        assert_eq!(settings_of_git(&sandbox), settings);
        assert_eq!(all(&[]).stdout, "nothing to do\n");
    }
}

#[test]
fn a_broken_file_stops_uninstall_all_only_if_it_may_hold_our_part() {
    let sandbox = project_of_a_person();
    install(&sandbox, "claude", Where::Project, &[]).expect_code(0);
    write(&sandbox, Where::Project, ".cursor/mcp.json", "{ broken\n");
    let broken = read(&sandbox, Where::Project, ".mcp.json").replace('}', "");
    let whole = read(&sandbox, Where::Project, ".mcp.json");
    write(&sandbox, Where::Project, ".mcp.json", &broken);
    let before = tree(&sandbox, Where::Project);
    let refused = sandbox.run(&["uninstall", "--all", "--json"]).expect_code(1).json();
    assert_eq!(refused["status"], "refused");
    assert_eq!(tree(&sandbox, Where::Project), before);
    write(&sandbox, Where::Project, ".mcp.json", &whole);
    sandbox.run(&["uninstall", "--all"]).expect_code(0);
    assert_eq!(read(&sandbox, Where::Project, "AGENTS.md"), "# Rules\n\n- Tabs\n");
    assert_eq!(read(&sandbox, Where::Project, ".cursor/mcp.json"), "{ broken\n");
}
