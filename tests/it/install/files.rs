//! Which files each client gets, and that they are as before when they are taken back.

use std::collections::BTreeSet;

use super::{Where, install, read, tree, write};
use crate::support::Sandbox;

/// Each client with the files that are new in a project, and in a home, all hooks included.
const CLIENTS: [(&str, &[&str], &[&str]); 9] = [
    (
        "claude",
        &["AGENTS.md", SKILL, COPY, ".mcp.json", ".claude/settings.json"],
        &[SKILL, COPY, ".claude.json", ".claude/settings.json"],
    ),
    (
        "codex",
        &["AGENTS.md", SKILL, ".codex/config.toml", ".codex/hooks.json"],
        &[SKILL, ".codex/config.toml", ".codex/hooks.json"],
    ),
    (
        "cursor",
        &["AGENTS.md", SKILL, ".cursor/mcp.json", ".cursor/hooks.json"],
        &[SKILL, ".cursor/mcp.json", ".cursor/hooks.json"],
    ),
    ("gemini", &["GEMINI.md", SKILL, ".gemini/settings.json"], &[SKILL, ".gemini/settings.json"]),
    (
        "copilot",
        &["AGENTS.md", SKILL, ".github/mcp.json", ".github/hooks/agent-memory.json"],
        &[SKILL, ".copilot/mcp-config.json", ".copilot/hooks/agent-memory.json"],
    ),
    (
        "opencode",
        &["AGENTS.md", SKILL, "opencode.json"],
        &[SKILL, ".config/opencode/opencode.json"],
    ),
    ("vscode", &["AGENTS.md", SKILL, ".vscode/mcp.json"], &[SKILL, ".config/Code/User/mcp.json"]),
    ("zed", &["AGENTS.md", SKILL, ".zed/settings.json"], &[SKILL, ".config/zed/settings.json"]),
    ("agents", &["AGENTS.md", SKILL], &[SKILL]),
];

const SKILL: &str = ".agents/skills/agent-memory/SKILL.md";
const COPY: &str = ".claude/skills/agent-memory/SKILL.md";

/// Files as people leave them, by how the name ends.
const ORIGINALS: [(&str, &[&str]); 3] = [
    (
        ".md",
        &[
            "",
            "# Rules\n",
            "# Rules\r\n\r\nNo line end",
            "\u{feff}# Rules\n\n\n",
            "\t- a\n```\nx\n```",
        ],
    ),
    (
        ".json",
        &[
            "{}",
            "{ // none\n}\n",
            "\u{feff}{\r\n\t\"z\": 1, // why\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {\"command\": \"b\"}\r\n\t}\r\n}\r\n",
            "{\n  \"hooks\": {\n    \"stop\": [\n      {\"command\": \"x\"}\n    ]\n  }, // why\n  \"mcp\": {\n    \"a\": {}\n  }\n}\n",
            "{\n    /* mine */\n    \"context_servers\": {\n        \"a\": {}, // last\n    },\n    \"hooks\": {\n        \"SessionStart\": [\n            {\"hooks\": []}\n        ]\n    }\n}",
        ],
    ),
    (
        ".toml",
        &[
            "# mine\nmodel = \"x\"\n",
            "[mcp_servers.other] # why\r\ncommand = \"y\"\r\n",
            "\u{feff}a = 1\n\n\n",
        ],
    ),
];

#[test]
fn every_client_gets_its_files_and_they_go_again() {
    for (client, in_project, in_home) in CLIENTS {
        for (place, expected) in [(Where::Project, in_project), (Where::User, in_home)] {
            let sandbox = Sandbox::new();
            let before = tree(&sandbox, place);
            install(&sandbox, client, place, &["--hooks"]).expect_code(0);
            let installed = tree(&sandbox, place);
            let new: BTreeSet<&str> = installed
                .keys()
                .map(String::as_str)
                .filter(|path| !before.contains_key(*path))
                .collect();
            assert_eq!(new, expected.iter().copied().collect(), "{client} {place:?}");
            let again = install(&sandbox, client, place, &["--hooks"]).expect_code(0);
            assert!(
                again.stdout.lines().all(|line| line.starts_with("current ")),
                "{}",
                again.stdout
            );
            assert_eq!(tree(&sandbox, place), installed, "{client} {place:?}: twice is not once");
            install(&sandbox, client, place, &["--hooks", "--check"]).expect_code(0);
            install(&sandbox, client, place, &["--uninstall"]).expect_code(0);
            assert_eq!(tree(&sandbox, place), before, "{client} {place:?}");
            let folders = std::fs::read_dir(place.folder(&sandbox)).unwrap().count();
            assert_eq!(
                folders,
                if place == Where::User { 0 } else { 3 },
                "{client}: empty folders"
            );
        }
    }
}

#[test]
fn files_that_were_there_are_as_before_to_the_byte() {
    let most = ORIGINALS.iter().map(|(_, texts)| texts.len()).max().unwrap();
    for (client, in_project, in_home) in CLIENTS {
        for (place, paths) in [(Where::Project, in_project), (Where::User, in_home)] {
            let sandbox = Sandbox::new();
            for number in 0..most {
                for path in paths.iter().filter(|path| !path.ends_with("SKILL.md")) {
                    let (_, texts) = ORIGINALS.iter().find(|(end, _)| path.ends_with(end)).unwrap();
                    write(&sandbox, place, path, texts[number % texts.len()]);
                }
                let before = tree(&sandbox, place);
                install(&sandbox, client, place, &[]).expect_code(0);
                install(&sandbox, client, place, &["--hooks"]).expect_code(0);
                let changed = tree(&sandbox, place);
                assert!(
                    paths.iter().all(|path| changed.get(*path) != before.get(*path)),
                    "{client}"
                );
                install(&sandbox, client, place, &["--uninstall"]).expect_code(0);
                assert_eq!(tree(&sandbox, place), before, "{client} {place:?} {number}");
            }
        }
    }
}

#[test]
fn the_entries_are_what_the_clients_read() {
    let sandbox = Sandbox::new();
    for (client, ..) in CLIENTS {
        install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(0);
    }
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(&read(&sandbox, Where::Project, path)).unwrap()
    };
    let plain = serde_json::json!({"command": "agent-memory", "args": ["mcp"]});
    for path in [".mcp.json", ".github/mcp.json", ".cursor/mcp.json", ".gemini/settings.json"] {
        assert_eq!(json(path)["mcpServers"]["agent-memory"], plain, "{path}");
    }
    assert_eq!(json(".zed/settings.json")["context_servers"]["agent-memory"], plain);
    assert_eq!(json(".vscode/mcp.json")["servers"]["agent-memory"]["type"], "stdio");
    let opencode =
        serde_json::json!({"type": "local", "command": ["agent-memory", "mcp"], "enabled": true});
    assert_eq!(json("opencode.json")["mcp"]["agent-memory"], opencode);
    let codex: toml::Table = read(&sandbox, Where::Project, ".codex/config.toml").parse().unwrap();
    assert_eq!(codex["mcp_servers"]["agent_memory"]["command"].as_str(), Some("agent-memory"));
    let start = &json(".claude/settings.json")["hooks"]["SessionStart"][0];
    assert_eq!(start["matcher"], "startup|resume|clear|compact");
    assert_eq!(start["hooks"][0]["args"], serde_json::json!(["hook", "claude", "session-start"]));
    assert_eq!(json(".cursor/hooks.json")["version"], 1);
    let copilot = json(".github/hooks/agent-memory.json");
    assert_eq!(copilot["version"], 1);
    let stop = &copilot["hooks"]["agentStop"][0]["command"];
    assert_eq!(stop, "agent-memory hook copilot agent-stop");
    assert!(
        json(".gemini/settings.json")["hooks"]["AfterAgent"][0]["hooks"][0]["command"].is_string()
    );
}

#[test]
fn hooks_come_only_when_asked_for() {
    for client in ["claude", "codex", "cursor", "gemini", "copilot"] {
        let sandbox = Sandbox::new();
        install(&sandbox, client, Where::Project, &[]).expect_code(0);
        let texts = tree(&sandbox, Where::Project);
        let hooks = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).contains("agent-memory hook");
        assert!(!texts.values().any(hooks), "{client}");
        install(&sandbox, client, Where::Project, &["--hooks", "--check"]).expect_code(1);
    }
    for client in ["opencode", "vscode", "zed", "agents"] {
        let sandbox = Sandbox::new();
        let reply = install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(0);
        assert!(reply.stderr.contains("no hooks"), "{client}: {}", reply.stderr);
    }
}

#[test]
fn a_file_that_the_client_rewrote_goes_all_the_same() {
    // OpenCode 1.18.33 puts this line first into a file that has none.
    const SCHEMA: &str = "  \"$schema\": \"https://opencode.ai/config.json\",\n";
    let sandbox = Sandbox::new();
    let before = tree(&sandbox, Where::Project);
    install(&sandbox, "opencode", Where::Project, &[]).expect_code(0);
    let text = read(&sandbox, Where::Project, "opencode.json").replacen(SCHEMA, "", 1);
    let rewritten = text.replacen("{\n", &format!("{{\n{SCHEMA}"), 1);
    write(&sandbox, Where::Project, "opencode.json", &rewritten);
    install(&sandbox, "opencode", Where::Project, &["--check"]).expect_code(0);
    install(&sandbox, "opencode", Where::Project, &["--uninstall"]).expect_code(0);
    assert_eq!(tree(&sandbox, Where::Project), before);
}
