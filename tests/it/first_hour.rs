//! The first hour of a new user, as the tutorial has it, in a repository with another language, records and a CI of its own.

use crate::docs::{Part, parts, shell};
use crate::support::{Sandbox, folder};

/// The commands of the tutorial that lead from nothing to CI, without the installation.
fn commands() -> Vec<String> {
    let text = std::fs::read_to_string(folder("docs/tutorial.md")).expect("a document");
    let (_, section) =
        text.split_once("## From nothing to CI in nine commands").expect("a section");
    let (section, _) = section.split_once("\n## ").expect("more sections");
    let blocks = parts(section);
    let of_last = blocks.iter().rev().find_map(|part| match part {
        Part::Block("console", body) => Some(*body),
        Part::Block(..) | Part::Prose(_) => None,
    });
    let lines = of_last.expect("a block").lines();
    lines.filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
}

/// A project in Python with decision records, a client's file and a workflow.
fn another_project() -> Sandbox {
    let sandbox = Sandbox::without_git();
    for (path, text) in [
        ("pyproject.toml", "[project]\nname = \"shop\"\nversion = \"1.2.0\"\n"),
        ("src/shop/cart.py", "def total(items):\n    return sum(item.price for item in items)\n"),
        (
            "doc/adr/0001-record-decisions.md",
            "# 1. Record decisions\n\nDate: 2019-05-01\n\n## Status\n\nAccepted\n\n## Context\n\nWe forget.\n\n## Decision\n\nWe write records.\n",
        ),
        ("CLAUDE.md", "# Rules\n\nRun the tests.\n"),
        (".github/workflows/test.yml", "name: test\non: [push]\n"),
        (".gitignore", "*.pyc\n.venv/\n"),
    ] {
        sandbox.write_project(path, text);
    }
    sandbox.git(&["init", "--quiet", "--template=", "--initial-branch=trunk"]);
    sandbox.git(&["config", "user.name", "Grace"]);
    sandbox.git(&["config", "user.email", "grace@example.org"]);
    sandbox.commit("the shop");
    sandbox
}

#[test]
fn a_new_user_is_at_the_first_ci_run_in_under_ten_commands() {
    let (sandbox, commands) = (another_project(), commands());
    assert!(commands.len() + 1 < 10, "{commands:?}");
    let request = "{\"intent\": \"record_decision\", \"sources\": [{\"type\": \"file\", \"ref\": \"src/shop/cart.py:1-2\"}],\n\
        \"operations\": [{\"operation\": \"append_section\", \"heading\": \"Prices are cents\",\n\
        \"content\": \"- **Date:** 2026-11-20\\n- **Status:** active\\n\\nNo floats.\"}]}";
    sandbox.write_project("first.json", request);
    for command in &commands {
        let said = shell(&sandbox, &format!("{command}; echo \"code $?\""));
        assert!(said.ends_with("code 0\n"), "{command}: {said}");
    }
    let last = commands.last().expect("a command");
    assert!(shell(&sandbox, last).contains("clean; looked at "), "{last}");
    let found = shell(&sandbox, "agent-memory search are prices floats");
    assert!(found.contains("decisions/prices-are-cents.md"), "{found}");
    let workflow =
        std::fs::read_to_string(sandbox.project().join(".github/workflows/agent-memory.yml"));
    assert!(workflow.expect("a file").contains("trunk"), "the branch of the repository");
    let rules = std::fs::read_to_string(sandbox.project().join("CLAUDE.md")).expect("a file");
    assert!(rules.contains("Run the tests.") && rules.contains("AGENTS.md"), "{rules}");
    assert_eq!(sandbox.git(&["status", "--porcelain"]), "");
}
