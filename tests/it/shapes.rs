//! Small copies of how public repositories keep their notes: each is adopted, and is the same the second time.

use std::fs;

use serde_json::json;

use crate::support::Sandbox;

/// Adopts a folder, again and again; returns what `check` finds afterwards, without sources and fields that are missing.
fn adopt(sandbox: &Sandbox, folder: &str) -> Vec<String> {
    let before = sandbox.git(&["status", "--short"]);
    sandbox.run(&["init", "--from", folder, "--dry-run"]).expect_code(0);
    assert_eq!(sandbox.git(&["status", "--short"]), before, "{folder}");
    sandbox.run(&["init", "--from", folder]).expect_code(0);
    let once = sandbox.tree();
    let again = ["init", "--from", folder, "--approver", "Ada", "--json"];
    let again = sandbox.run(&again).expect_code(0).json();
    assert_eq!((&again["created"], sandbox.tree() == once), (&json!([]), true), "{again}");
    sandbox.commit("adopted");
    let options = ["check", "--json", "--allow", "provenance-missing", "--allow", "schema"];
    let found = sandbox.run(&options).json()["findings"].clone();
    found.as_array().unwrap().iter().map(|each| each["rule"].to_string()).collect()
}

/// Sets up a client and takes it back: nothing is left.
fn install_and_back(sandbox: &Sandbox, client: &str) {
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["commit", "--quiet", "--allow-empty", "--message", "before"]);
    sandbox.run(&["install", client, "--hooks"]).expect_code(0);
    assert_ne!(sandbox.git(&["status", "--short"]), "", "{client}");
    sandbox.run(&["install", client, "--uninstall"]).expect_code(0);
    assert_eq!(sandbox.git(&["status", "--short"]), "", "{client}");
}

#[test]
fn a_memory_bank_in_japanese() {
    let sandbox = Sandbox::without_store();
    for (name, title, section) in [
        ("projectbrief", "概要", "目的"),
        ("productContext", "製品の背景", "課題"),
        ("systemPatterns", "設計", "構成"),
        ("techContext", "技術", "依存関係"),
        ("activeContext", "現在の作業", "次の手順"),
        ("progress", "進捗", "残り"),
    ] {
        let link = "[設計](systemPatterns.md#構成)";
        let text =
            format!("# {title}\n\n## {section}\n\n短い文。{link}\n\n## {section}２\n\n- 項目\n");
        sandbox.write_project(&format!("memory-bank/{name}.md"), text);
    }
    assert_eq!(adopt(&sandbox, "memory-bank"), [""; 0]);
    let text = sandbox.file("modules/tech-context.md");
    assert!(text.contains("(../conventions.md#gou-cheng)"), "{text}");
    assert!(!text.contains("@id: section"), "{text}");
}

#[test]
fn a_memory_bank_of_many_files_with_the_line_ends_of_windows() {
    let sandbox = Sandbox::without_store();
    for number in 0..52 {
        let next = (number + 1) % 52;
        let text = format!(
            "# Note {number}\r\n\r\n## Plan of Part_{number}\r\n\r\nSee [next](./Part_{next}%20Notes.md#plan-of-part_{next}).\r\n"
        );
        sandbox.write_project(&format!("memory-bank/Part_{number} Notes.md"), text);
    }
    assert_eq!(adopt(&sandbox, "memory-bank"), [""; 0]);
    let text = sandbox.file("modules/part-7-notes.md");
    assert!(text.contains("\r\n") && text.contains("part-8-notes.md"), "{text}");
}

#[test]
fn records_of_decisions_with_an_index_and_a_template() {
    let sandbox = Sandbox::without_store();
    let record = "---\nstatus: accepted\ndate: 2026-01-02\n---\n# Use Markdown\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\nChosen, see [ADR-0001](0001-use-licenses.md).\n";
    sandbox.write_project("docs/decisions/0000-use-markdown.md", record);
    sandbox.write_project("docs/decisions/0001-use-licenses.md", record);
    sandbox.write_project("docs/decisions/adr-template.md", "# {title}\n\n## Context\n\n{text}\n");
    let index = "# Records\n\n* [0000](0000-use-markdown.md)\n* [0001](<0001-use-licenses.md>)\n";
    sandbox.write_project("docs/decisions/index.md", index);
    assert_eq!(adopt(&sandbox, "docs/decisions"), [""; 0]);
}

#[test]
fn documents_with_the_settings_of_agents_around_them() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("AGENTS.md", "# Agents\n\nRead `docs/`.\n");
    let hooks = "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"lint\"}]}\n    ]\n  }\n}\n";
    sandbox.write_project(".claude/settings.json", hooks);
    let servers = "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"other\"}\n  }\n}\n";
    sandbox.write_project(".mcp.json", servers);
    sandbox.write_project(".beads/issues.jsonl", "{}\n");
    for (name, link) in [
        ("QUICKSTART", "[a](ARCHITECTURE.md#the-engine)"),
        ("ARCHITECTURE", "<a href=\"QUICKSTART.md\">a</a> and [b][ref]\n\n[ref]: FAQ.md"),
        ("FAQ", "[q](./QUICKSTART.md) and ![p](picture.png)"),
    ] {
        let text = format!("# {name}\n\n## The Engine\n\n{link}\n");
        sandbox.write_project(&format!("docs/{name}.md"), text);
    }
    sandbox.write_project("docs/picture.png", [0x89, b'P']);
    let found = adopt(&sandbox, "docs");
    assert!(!found.iter().any(|rule| rule.contains("link-broken")), "{found:?}");
    let text = sandbox.file("modules/architecture.md");
    assert!(text.contains("\"quickstart.md\"") && text.contains("[ref]: faq.md"), "{text}");
    for client in ["claude", "cursor", "gemini"] {
        install_and_back(&sandbox, client);
    }
}

#[test]
#[cfg(unix)]
fn instructions_of_one_client_that_are_a_link_to_those_of_all() {
    let sandbox = Sandbox::without_store();
    sandbox.write_project("AGENTS.md", "# Agents\n");
    std::os::unix::fs::symlink("AGENTS.md", sandbox.project().join("CLAUDE.md")).unwrap();
    sandbox.run(&["init"]).expect_code(0);
    install_and_back(&sandbox, "claude");
    assert!(sandbox.project().join("CLAUDE.md").is_symlink());
}

#[test]
fn a_folder_of_another_tool_under_our_name() {
    let sandbox = Sandbox::without_store();
    sandbox.write("handoff.md", "# Handoff\n\n## Next\n\nFinish the form.\n");
    sandbox.write("decisions.md", "# Decisions\n\n## 2026-05-06 - Use SQLite\n\nIt is one file.\n");
    sandbox.commit("notes of another tool");
    sandbox.run(&["status"]).expect_code(2);
    assert_eq!(sandbox.git(&["status", "--short"]), "");
    fs::rename(sandbox.store(), sandbox.project().join("old-memory")).unwrap();
    let found = adopt(&sandbox, "old-memory");
    assert_eq!(found, [""; 0]);
    let text = sandbox.file("decisions.md");
    assert!(text.contains("- **Date:** 2026-05-06"), "{text}");
}
