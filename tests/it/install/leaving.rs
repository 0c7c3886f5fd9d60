//! What `install --uninstall` takes: all that is ours and nothing else, or it says why not.

use serde_json::{Value, json};

use super::{Where, install, read, tree, write};
use crate::support::Sandbox;

/// Takes us out of one file that is there, and returns what is left of it.
fn left(client: &str, path: &str, text: &str) -> String {
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, path, text);
    install(&sandbox, client, Where::Project, &["--uninstall"]).expect_code(0);
    read(&sandbox, Where::Project, path)
}

/// Expects a no that names the file, and that nothing is taken.
fn stays(client: &str, path: &str, text: &str, code: &str) {
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, path, text);
    let options = ["--uninstall", "--json"];
    let said = install(&sandbox, client, Where::Project, &options).expect_code(1).json();
    let files = said["files"].as_array().unwrap();
    let file = files.iter().find(|file| file["path"] == path).unwrap();
    assert_eq!(file["fault"]["code"], code, "{file}");
    assert_eq!(read(&sandbox, Where::Project, path), text);
}

const OURS: &str = r#"{"type":"command","command":"agent-memory","args":["hook","claude","stop"]}"#;

#[test]
fn a_hook_of_a_person_beside_ours_stays() {
    let theirs = r#"{"type":"command","command":"npm test"}"#;
    let settings = |hooks: &str| format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hooks}]}}]}}}}"#);
    for both in [format!("{OURS},{theirs}"), format!("{theirs},{OURS}")] {
        let left = left("claude", ".claude/settings.json", &settings(&both));
        assert_eq!(left, settings(theirs));
    }
    let sandbox = Sandbox::new();
    write(&sandbox, Where::Project, ".claude/settings.json", &settings(OURS));
    install(&sandbox, "claude", Where::Project, &["--uninstall"]).expect_code(0);
    assert!(!sandbox.project().join(".claude/settings.json").exists());
}

const TABLE: &str = "[mcp_servers.agent_memory]\ncommand = \"agent-memory\"\nargs = [\"mcp\"]\n";

#[test]
fn a_table_between_ours_stays() {
    let other = "[other]\nx = 1 # mine\n";
    let inner = "[mcp_servers.agent_memory.env]\nA = \"b\"\n";
    let list = "[[mcp_servers.agent_memory.tools]]\nb = 1\n";
    for (before, expected) in [
        (format!("{TABLE}{other}{inner}"), other.to_owned()),
        (format!("{inner}{other}{TABLE}"), other.to_owned()),
        (
            format!("{other}\n{TABLE}{list}{list}# mine\n[z]\n{inner}"),
            format!("{other}# mine\n[z]\n"),
        ),
        (format!("{TABLE}{inner}[mcp_servers.b]\nc = 1"), "[mcp_servers.b]\nc = 1\n".to_owned()),
    ] {
        assert_eq!(left("codex", ".codex/config.toml", &before), expected, "{before}");
    }
}

#[test]
fn a_server_goes_however_a_person_wrote_it() {
    for (text, rest) in [
        (
            "mcp_servers = { agent_memory = { command = \"agent-memory\", args = [\"mcp\"] } }\n",
            "mcp_servers = {}\n",
        ),
        (
            "[mcp_servers]\nagent_memory = { command = \"agent-memory\", args = [\"mcp\"] }\n",
            "[mcp_servers]\n",
        ),
        (
            "a = 1\nmcp_servers.agent_memory.command = \"agent-memory\"\nmcp_servers.agent_memory.args = [\"mcp\"]\n",
            "a = 1\n",
        ),
        (
            "[mcp_servers]\nagent_memory.command = \"agent-memory\"\nagent_memory.args = [\"mcp\"]\n",
            "[mcp_servers]\n",
        ),
    ] {
        assert_eq!(left("codex", ".codex/config.toml", text), rest);
    }
}

#[test]
fn a_server_where_none_belongs_is_told() {
    let text = r#"{"mcpServers": [{"command": "agent-memory", "args": ["mcp"]}]}"#;
    stays("claude", ".mcp.json", text, "wrong_shape");
}

#[test]
fn what_is_no_place_of_ours_keeps_nothing_else_of_ours() {
    for start in ["{}", "1"] {
        let settings =
            |hooks: &str| format!(r#"{{"hooks":{{"SessionStart":{start},"Stop":[{hooks}]}}}}"#);
        let group = format!(r#"{{"hooks":[{OURS}]}}"#);
        let rest = format!(r#"{{"hooks":{{"SessionStart":{start},"Stop":[]}}}}"#);
        assert_eq!(left("claude", ".claude/settings.json", &settings(&group)), rest);
        let twice = format!("{group},{group}");
        assert_eq!(left("claude", ".claude/settings.json", &settings(&twice)), rest);
    }
    for text in ["[]", r#"{"hooks":{"Stop":{}}}"#, r#"{"hooks": 1}"#] {
        assert_eq!(left("claude", ".claude/settings.json", text), text);
    }
    let foreign = r#"{"mcpServers":{"agent-memory":{"command":"x"}}}"#;
    assert_eq!(left("claude", ".mcp.json", foreign), foreign);
    for text in ["mcp_servers = 1\n", "[[mcp_servers]]\na = 1\n"] {
        assert_eq!(left("codex", ".codex/config.toml", text), text);
    }
}

/// Leaves a text beside a file, as an `install` that was killed does, and returns what else is there after the next one.
fn after_a_kill(text: &str) -> Vec<(String, String)> {
    let sandbox = Sandbox::new();
    sandbox.write_project("AGENTS.md", "# Rules\n");
    sandbox.write_project("AGENTS.md.agent-memory-new", text);
    let reply = install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
    let others = tree(&sandbox, Where::Project).into_iter();
    let others = others.filter(|(path, _)| path.contains(".agent-memory-"));
    let others: Vec<_> =
        others.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())).collect();
    let told = |(path, _): &(String, String)| reply.stderr.contains(&format!("note: `{path}`"));
    assert!(others.iter().all(told), "{}", reply.stderr);
    others
}

#[test]
fn what_a_kill_left_is_removed_and_what_somebody_saved_is_kept() {
    for ours in ["", "# Rules\n", "# Rules\n\n<!-- BEG"] {
        assert_eq!(after_a_kill(ours), []);
    }
    let kept = ("AGENTS.md.agent-memory-kept".to_owned(), "# Mine\n".to_owned());
    assert_eq!(after_a_kill("# Mine\n"), [kept]);
}

const SKILL: &str = ".agents/skills/agent-memory/SKILL.md";

#[test]
fn a_skill_that_a_person_added_to_is_neither_overwritten_nor_removed() {
    let sandbox = Sandbox::new();
    install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
    let ours = read(&sandbox, Where::Project, SKILL);
    for text in [format!("{ours}\nAlso ask Ada.\n"), ours.replace("Never approve", "Approve")] {
        assert_ne!(text, ours);
        write(&sandbox, Where::Project, SKILL, &text);
        let before = tree(&sandbox, Where::Project);
        for options in [&[][..], &["--uninstall"]] {
            let reply = install(&sandbox, "agents", Where::Project, options).expect_code(1);
            assert!(reply.stderr.contains("was edited since"), "{}", reply.stderr);
            assert_eq!(tree(&sandbox, Where::Project), before);
        }
    }
    write(&sandbox, Where::Project, SKILL, &ours.replace('\n', "\r\n"));
    install(&sandbox, "agents", Where::Project, &["--check"]).expect_code(0);
    install(&sandbox, "agents", Where::Project, &["--uninstall"]).expect_code(0);
    assert!(!sandbox.project().join(SKILL).exists());
}

#[test]
fn a_file_that_quotes_the_mark_of_a_skill_is_not_ours() {
    let sandbox = Sandbox::new();
    install(&sandbox, "agents", Where::Project, &[]).expect_code(0);
    let ours = read(&sandbox, Where::Project, SKILL);
    let mark = ours.lines().find(|line| line.contains("agent-memory install")).unwrap();
    for text in [format!("# Mine\n\nIt says {mark}.\n"), format!("```\n{mark}\n```\n")] {
        assert_eq!(left("agents", SKILL, &text), text);
    }
}

#[cfg(unix)]
#[test]
fn what_another_client_reads_through_a_link_stays() {
    use std::os::unix::fs::symlink;

    let sandbox = Sandbox::new();
    sandbox.write_project("AGENTS.md", "# Rules\n");
    symlink("AGENTS.md", sandbox.project().join("CLAUDE.md")).unwrap();
    let before = tree(&sandbox, Where::Project);
    install(&sandbox, "codex", Where::Project, &["--hooks"]).expect_code(0);
    let codex = tree(&sandbox, Where::Project);
    install(&sandbox, "claude", Where::Project, &["--hooks"]).expect_code(0);
    let options = ["--uninstall", "--json"];
    let said: Value = install(&sandbox, "claude", Where::Project, &options).expect_code(0).json();
    let kept = json!({"path": "AGENTS.md", "purposes": ["instructions"], "state": "kept", "kept_for": ["codex"]});
    assert!(said["files"].as_array().unwrap().contains(&kept), "{said}");
    assert_eq!(tree(&sandbox, Where::Project), codex);
    install(&sandbox, "codex", Where::Project, &["--uninstall"]).expect_code(0);
    assert_eq!(tree(&sandbox, Where::Project), before);
}

#[test]
fn an_empty_file_of_settings_is_taken_as_one() {
    for (client, path) in [
        ("zed", ".zed/settings.json"),
        ("gemini", ".gemini/settings.json"),
        ("opencode", "opencode.json"),
        ("codex", ".codex/config.toml"),
    ] {
        assert_eq!(left(client, path, ""), "", "{client}");
        let sandbox = Sandbox::new();
        write(&sandbox, Where::Project, path, "");
        install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(0);
        assert!(read(&sandbox, Where::Project, path).contains("agent-memory"), "{client}");
        install(&sandbox, client, Where::Project, &["--uninstall"]).expect_code(0);
        assert!(!sandbox.project().join(path).exists(), "{client}");
    }
}

#[test]
fn a_file_that_is_ours_goes_after_a_person_touched_our_entry() {
    for (client, path, from, to) in [
        ("claude", ".mcp.json", "\"agent-memory\",", "\"agent-memory\" ,"),
        ("cursor", ".cursor/mcp.json", "[\"mcp\"]", "[\"mcp\"], \"env\": {\"A\": \"b\"}"),
        ("gemini", ".gemini/settings.json", "  ", " "),
        ("vscode", ".vscode/mcp.json", "}\n}\n", "}}"),
        ("opencode", "opencode.json", "true", "false"),
        ("codex", ".codex/config.toml", "[\"mcp\"]", "[ \"mcp\" ]"),
    ] {
        let sandbox = Sandbox::new();
        let before = tree(&sandbox, Where::Project);
        install(&sandbox, client, Where::Project, &["--hooks"]).expect_code(0);
        let text = read(&sandbox, Where::Project, path);
        assert!(text.contains(from), "{text}");
        write(&sandbox, Where::Project, path, &text.replacen(from, to, 1));
        install(&sandbox, client, Where::Project, &["--uninstall"]).expect_code(0);
        assert_eq!(tree(&sandbox, Where::Project), before, "{client}");
    }
}

#[test]
fn an_empty_list_of_servers_of_a_person_stays() {
    for (client, path, text) in [
        ("claude", ".mcp.json", "{\n  \"mcpServers\": {}\n}\n"),
        (
            "gemini",
            ".gemini/settings.json",
            "{\"theme\": \"x\", \"mcpServers\": {}, \"hooks\": {}}\n",
        ),
        ("vscode", ".vscode/mcp.json", "{\n\t\"servers\": {},\n\t\"inputs\": []\n}\n"),
        ("zed", ".zed/settings.json", "{}"),
    ] {
        let sandbox = Sandbox::new();
        write(&sandbox, Where::Project, path, text);
        install(&sandbox, client, Where::Project, &[]).expect_code(0);
        assert_ne!(read(&sandbox, Where::Project, path), text);
        install(&sandbox, client, Where::Project, &["--uninstall"]).expect_code(0);
        assert_eq!(read(&sandbox, Where::Project, path), text, "{client}");
    }
}

#[test]
fn an_entry_that_begins_on_the_line_of_a_bracket_goes_alone() {
    let ours = "{\n  \"command\": \"agent-memory hook cursor stop\"\n}";
    let settings = |hooks: &str| format!("{{\"a\": 1, \"hooks\": {{\"stop\": [{hooks}]}}}}");
    let path = ".cursor/hooks.json";
    assert_eq!(left("cursor", path, &settings(ours)), settings(""));
    let both = format!("{{\"command\": \"x\"}}, {ours}");
    assert_eq!(left("cursor", path, &settings(&both)), settings("{\"command\": \"x\"}"));
    let sandbox = Sandbox::new();
    let text = format!("{{\"hooks\": {{\"stop\": [{ours}]}}}}");
    write(&sandbox, Where::Project, path, &text);
    install(&sandbox, "cursor", Where::Project, &["--uninstall"]).expect_code(0);
    assert!(!sandbox.project().join(path).exists());
}

#[test]
fn a_server_at_a_relative_path_is_left_alone_and_told() {
    let json =
        r#"{"mcpServers": {"agent-memory": {"command": "./tools/agent-memory", "args": ["mcp"]}}}"#;
    let toml = "[mcp_servers.memory]\ncommand = \"bin/agent-memory\"\nargs = [\"mcp\"]\n";
    for (client, path, text, program) in [
        ("claude", ".mcp.json", json, "./tools/agent-memory"),
        ("codex", ".codex/config.toml", toml, "bin/agent-memory"),
    ] {
        for options in [&[][..], &["--check"], &["--uninstall"]] {
            let sandbox = Sandbox::new();
            write(&sandbox, Where::Project, path, text);
            let said = install(&sandbox, client, Where::Project, options).stderr;
            let note = format!("`{path}` starts `{program}`, which is another program");
            assert!(said.contains(&note), "{options:?}: {said}");
            assert_eq!(read(&sandbox, Where::Project, path), text);
        }
    }
}
