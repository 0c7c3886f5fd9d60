//! `toc`: what the memory holds; and how stores of earlier versions lose the file that said so.

use serde_json::json;

use crate::support::{Sandbox, replace_placeholders};

const DECISIONS: &str = "# Decisions\n\n## Token rotation\n<!-- @id: token-rotation -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n- **Status:** active\n\nTokens are rotated each hour.\n\n### Why\n<!-- @id: why -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\n- **Date:** 2026-11-01\n- **Status:** active\n\nThey leak.\n";

/// A table of contents as earlier versions wrote it.
const FORMER: &str = "# Index\n\nWritten by agent-memory after every change; edits here do not last.\n\n## decisions.md\n\n- [Token rotation](decisions.md)\n  `token-rotation`\n  Tokens are rotated.\n\n---\n";

const FORMER_SCHEMA: &str = "# The table of contents. Written by agent-memory itself after every change.\ncategory = \"index\"\ntitle = \"Index\"\npath = \"index.md\"\nintents = []\ngenerated = true\n\n[approval]\ndefault = \"deny\"\n";

fn former() -> Sandbox {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS), ("index.md", FORMER)]);
    sandbox.write("schemas/index.toml", FORMER_SCHEMA);
    sandbox
}

#[test]
fn every_section_has_its_id_and_its_first_words() {
    let sandbox = Sandbox::given(&[("decisions.md", DECISIONS)]);
    sandbox.write("local/current.main.md", "# Now\n\n## Mine alone\n\nNot in git.\n");
    let told = sandbox.run(&["toc"]).expect_code(0).stdout;
    let expected = "## decisions.md\n\n- Token rotation `token-rotation`: Tokens are rotated each hour.\n  - Why `why`: They leak.\n";
    assert!(told.contains(expected) && !told.contains("Mine alone"), "{told}");
    let files = sandbox.run(&["toc", "--json"]).expect_code(0).json()["files"].clone();
    let mut files = files.as_array().unwrap().iter();
    let decisions = files.find(|file| file["path"] == "decisions.md").unwrap();
    let first = json!({
        "id": "token-rotation", "heading": "Token rotation", "level": 2, "line": 3,
        "summary": "Tokens are rotated each hour.",
    });
    assert_eq!(decisions["sections"][0], first);
}

#[test]
fn a_secret_is_masked() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let sandbox = Sandbox::new();
    sandbox.write("pitfalls.md", format!("# Pitfalls\n\n## Trap\n\nNever write {secret}.\n"));
    for arguments in [&["toc"][..], &["toc", "--json"]] {
        let told = sandbox.run(arguments).expect_code(0).stdout;
        assert!(told.contains("Trap") && !told.contains(&secret), "{told}");
    }
}

#[test]
fn the_file_of_an_earlier_version_goes_to_the_trash() {
    for command in [&["init"][..], &["doctor", "--upgrade", "--approver", "Ada"]] {
        let sandbox = former();
        let found = sandbox.run(&["check"]).expect_code(0).stdout;
        assert!(found.contains("doctor --upgrade"), "{found}");
        sandbox.run(command).expect_code(0);
        assert!(!sandbox.has("index.md") && !sandbox.has("schemas/index.toml"));
        assert_eq!(sandbox.file("state/trash/index.md"), FORMER);
        assert!(!sandbox.run(&["check"]).expect_code(0).stdout.contains("index.md"));
        sandbox.run(command).expect_code(0);
    }
}

#[test]
fn a_file_that_a_person_edited_stays() {
    for command in [&["init"][..], &["doctor", "--upgrade", "--approver", "Ada"]] {
        let sandbox = former();
        sandbox.append("index.md", "\nA word of mine.\n");
        sandbox.run(command).expect_code(0);
        assert!(sandbox.file("index.md").ends_with("A word of mine.\n"));
    }
}
