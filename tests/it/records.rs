//! Decisions and pitfalls: each has a file of its own, from the first request to its removal.

use serde_json::{Value, json};

use crate::support::Sandbox;

/// The schemas of earlier stores, in which all decisions stood in one file.
const DECISIONS_TOGETHER: (&str, &str) = (
    "paths = [\"decisions/*.md\", \"decisions.md\"]\nnew_path = \"decisions/{id}.md\"",
    "path = \"decisions.md\"",
);
const PITFALLS_TOGETHER: (&str, &str) = (
    "paths = [\"pitfalls/*.md\", \"pitfalls.md\"]\nnew_path = \"pitfalls/{id}.md\"",
    "path = \"pitfalls.md\"",
);

/// Makes a store as earlier versions made it: decisions and pitfalls stand in one file each.
pub(crate) fn with_entries_together() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, title, (new, former)) in [
        ("decisions", "Decisions", DECISIONS_TOGETHER),
        ("pitfalls", "Pitfalls", PITFALLS_TOGETHER),
    ] {
        let path = format!("schemas/{name}.toml");
        let schema = sandbox.file(&path);
        assert!(schema.contains(new), "{schema}");
        sandbox.write(&path, schema.replace(new, former));
        sandbox.write(&format!("{name}.md"), format!("# {title}\n"));
    }
    sandbox
}

pub(crate) fn decision(heading: &str, text: &str) -> Value {
    json!({
        "intent": "record_decision",
        "sources": [{ "type": "file", "ref": "src/auth/refresh.rs" }],
        "operations": [{
            "operation": "append_section", "heading": heading,
            "content": format!("- **Date:** 2026-11-20\n- **Status:** active\n\n{text}"),
        }],
    })
}

fn removal(id: &str) -> Value {
    json!({
        "intent": "record_decision",
        "sources": [{ "type": "user", "ref": "ada" }],
        "operations": [{
            "operation": "remove_section", "section_id": id, "reason": "it never came to be",
        }],
    })
}

fn is_there(sandbox: &Sandbox, path: &str) -> bool {
    sandbox.tree().contains_key(path)
}

const PATH: &str = "decisions/rotate-tokens.md";

fn with_decision() -> Sandbox {
    let sandbox = Sandbox::new();
    let id = sandbox.propose(decision("Rotate tokens", "Each use gives a new pair.")).staged();
    sandbox.apply(&id).applied();
    sandbox
}

#[test]
fn a_new_store_has_no_file_in_which_entries_stand_together() {
    let sandbox = Sandbox::new();
    assert!(!is_there(&sandbox, "decisions.md") && !is_there(&sandbox, "pitfalls.md"));
    assert!(is_there(&sandbox, "conventions.md"));
}

#[test]
fn what_reads_the_store_knows_a_file_of_one_entry() {
    let sandbox = with_decision();
    sandbox.run(&["check"]).expect_code(0);
    let toc = sandbox.run(&["toc"]).expect_code(0).stdout;
    assert!(toc.contains("- Rotate tokens `rotate-tokens`: Each use gives"), "{toc}");
    for command in [["search", "new pair"], ["context", "rotate tokens"]] {
        let shown = sandbox.run(&command).expect_code(0).stdout;
        assert!(shown.contains("decisions/rotate-tokens.md"), "{shown}");
    }
    let blame = sandbox.run(&["blame", "decisions/rotate-tokens.md"]).expect_code(0).stdout;
    assert!(blame.contains("rotate-tokens"), "{blame}");
    sandbox.run(&["fmt-ids", "--check"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn an_entry_that_a_person_wrote_gets_the_id_that_its_file_names() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "pitfalls/cold-cache.md",
        "# The cache is cold\n\nText.\n\n## Cold cache\n\nMore.\n",
    );
    sandbox.run(&["fmt-ids"]).expect_code(0);
    let text = sandbox.file("pitfalls/cold-cache.md");
    assert!(text.starts_with("# The cache is cold\n<!-- @id: cold-cache -->\n"), "{text}");
    assert!(text.contains("## Cold cache\n<!-- @id: cold-cache-2 -->\n"), "{text}");
    sandbox.run(&["check"]).expect_code(0);
}

#[test]
fn a_second_entry_in_one_file_is_a_finding() {
    let sandbox = with_decision();
    let second =
        "\n# Another\n<!-- @id: another -->\n\n- **Date:** 2026-11-20\n- **Status:** active\n";
    sandbox.write(PATH, sandbox.file(PATH) + second);
    let said = sandbox.run(&["check"]).expect_code(1).stdout;
    assert!(said.contains("holds one entry, and `another` is a second one"), "{said}");
}

#[test]
fn an_entry_that_is_removed_takes_its_file_with_it_and_undo_brings_both_back() {
    let sandbox = with_decision();
    let before = sandbox.file(PATH);
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    assert!(sandbox.run(&["show", &id]).expect_code(0).stdout.contains("-# Rotate tokens"));
    sandbox.apply(&id).applied();
    assert!(!is_there(&sandbox, PATH));
    let archived = sandbox.file("archive/decisions-rotate-tokens-2026-11-20.md");
    assert_eq!(archived, before);
    sandbox.run(&["check"]).expect_code(0);
    let past = sandbox.run(&["log", "-p", "-n", "1"]).expect_code(0).stdout;
    assert!(past.contains("-# Rotate tokens"), "{past}");
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file(PATH), before);
    sandbox.run(&["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.apply(&id).applied();
    assert!(!is_there(&sandbox, PATH));
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn the_removal_of_an_entry_can_be_committed() {
    let sandbox = with_decision();
    sandbox.commit("the decision");
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    sandbox.run(&["apply", &id, "--commit", "--approver", "Ada"]).expect_code(0);
    let status = sandbox.git(&["status", "--porcelain", "--", ".agent-memory"]);
    assert_eq!(status.trim(), "");
}

#[test]
fn a_new_entry_is_taken_back_with_its_file() {
    let sandbox = with_decision();
    sandbox.run(&["undo", "--latest", "--approver", "Ada"]).expect_code(0);
    assert!(!is_there(&sandbox, PATH));
}

#[test]
fn a_store_in_which_entries_stand_together_goes_on_as_it_was() {
    let sandbox = with_entries_together();
    let id = sandbox.propose(decision("Rotate tokens", "Each use gives a new pair.")).staged();
    sandbox.apply(&id).applied();
    let text = sandbox.file("decisions.md");
    assert!(text.contains("\n\n## Rotate tokens\n<!-- @id: rotate-tokens -->\n"), "{text}");
    assert!(!is_there(&sandbox, PATH));
    for command in [&["check"][..], &["doctor"], &["toc"], &["search", "pair"], &["context"]] {
        sandbox.run(command).expect_code(0);
    }
    let id = sandbox.propose(removal("rotate-tokens")).staged();
    sandbox.apply(&id).applied();
    assert_eq!(sandbox.file("decisions.md").trim(), "# Decisions");
    sandbox.run(&["init"]).expect_code(0);
    assert!(sandbox.file("schemas/decisions.toml").contains("path = \"decisions.md\""));
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md"), text);
}
