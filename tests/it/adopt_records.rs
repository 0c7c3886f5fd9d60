//! `init --from`: a folder of architecture decision records becomes decisions, one file each, with the original as evidence.
//! The folders have the structure of public repositories; the words are our own.

use serde_json::{Value, json};

use crate::support::Sandbox;

/// A repository with committed files, and no store.
pub(crate) fn with_committed(files: &[(&str, &str)]) -> Sandbox {
    let sandbox = Sandbox::without_store();
    for (path, text) in files {
        sandbox.write_project(path, text);
    }
    sandbox.commit("notes");
    sandbox
}

pub(crate) fn adopt(sandbox: &Sandbox, from: &str, more: &[&str]) -> Value {
    let arguments = ["init", "--from", from, "--approver", "Ada", "--json"];
    sandbox.run(&[&arguments[..], more].concat()).expect_code(0).json()
}

pub(crate) fn pairs(answer: &Value) -> Vec<String> {
    let files = answer["from"]["adopted"].as_array().unwrap().iter();
    files
        .map(|file| format!("{} {}", file["from"].as_str().unwrap(), file["to"].as_str().unwrap()))
        .collect()
}

/// Checks that nothing is found in the store, and that a second run takes in nothing.
pub(crate) fn expect_clean(sandbox: &Sandbox, from: &str) {
    sandbox.commit("adopted");
    let checked = sandbox.run(&["check", "--json"]).expect_code(0).json();
    assert_eq!(checked["findings"], json!([]), "{checked}");
    let tree = sandbox.tree();
    let again = adopt(sandbox, from, &[]);
    assert_eq!((pairs(&again), &again["from"]["kept"]), (vec![], &json!([])));
    assert!(sandbox.tree() == tree, "a second run changes nothing");
}

#[track_caller]
fn expect_source(sandbox: &Sandbox, id: &str, reference: &str) {
    let path = format!("decisions/{id}.md");
    let blamed = sandbox.run(&["blame", &path, "--json"]).expect_code(0).json();
    let source = &blamed["sections"][0]["sources"][0];
    assert_eq!(
        (&source["ref"], &source["confidence"]),
        (&json!(reference), &json!("user-provided")),
        "{blamed}"
    );
}

const TOOLS_1: &str = "# 1. Record decisions\n\nDate: 2020-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nReasons get lost.\n\n## Decision\n\nWe write them down.\n\n## Consequences\n\nOne file each.\n";
const TOOLS_2: &str = "# 2. Keep sessions in memory\n\nDate: 2020-02-03\n\n## Status\n\nSuperceded by [3. Keep sessions in the database](0003-keep-sessions-in-the-database.md)\n\n## Context\n\nLogins are slow.\n\n## Decision\n\nA map in the process.\n\n## Consequences\n\nLost at a restart.\n";
const TOOLS_3: &str = "# 3. Keep sessions in the database\n\nDate: 2020-03-04\n\n## Status\n\nAccepted\n\nSupercedes [2. Keep sessions in memory](0002-keep-sessions-in-memory.md)\n\n## Context\n\nRestarts log people out.\n\n## Decision\n\nA table, as [before](../../src/auth/refresh.rs).\n\n## Consequences\n\nOne query more.\n";

#[test]
fn records_of_adr_tools_become_decisions() {
    let sandbox = with_committed(&[
        ("doc/adr/0001-record-decisions.md", TOOLS_1),
        ("doc/adr/0002-keep-sessions-in-memory.md", TOOLS_2),
        ("doc/adr/0003-keep-sessions-in-the-database.md", TOOLS_3),
        (
            "doc/adr/templates/template.md",
            "# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n\n## Context\n\n## Decision\n",
        ),
        ("doc/adr/README.md", "# Records\n\nRun `adr new`.\n"),
    ]);
    let answer = adopt(&sandbox, "doc/adr", &[]);
    assert_eq!(
        pairs(&answer),
        [
            "0001-record-decisions.md decisions/record-decisions.md",
            "0002-keep-sessions-in-memory.md decisions/keep-sessions-in-memory.md",
            "0003-keep-sessions-in-the-database.md decisions/keep-sessions-in-the-database.md",
        ]
    );
    let guide = "(a template or guide of its folder)";
    let left = json!([format!("README.md {guide}"), format!("templates/template.md {guide}")]);
    assert_eq!(answer["from"]["not_understood"], left);
    let text = sandbox.file("decisions/keep-sessions-in-the-database.md");
    let head = "# Keep sessions in the database\n<!-- @id: keep-sessions-in-the-database -->\n<!-- @source: file doc/adr/0003-keep-sessions-in-the-database.md:1-21 ";
    assert!(text.starts_with(head), "{text}");
    let fields = " user-provided 2026-11-20 -->\n\n- **Date:** 2020-03-04\n- **Status:** active\n- **Supersedes:** keep-sessions-in-memory\n\n## Status\n";
    assert!(text.contains(fields), "{text}");
    assert!(text.contains("(keep-sessions-in-memory.md)"), "{text}");
    assert!(text.contains("[before](../../src/auth/refresh.rs)"), "{text}");
    assert!(
        sandbox.file("decisions/keep-sessions-in-memory.md").contains("**Status:** superseded\n")
    );
    expect_clean(&sandbox, "doc/adr");
    let found = sandbox.run(&["search", "log people out", "--json"]).expect_code(0).json();
    assert_eq!(found["results"][0]["path"], "decisions/keep-sessions-in-the-database.md");
    expect_source(&sandbox, "record-decisions", "doc/adr/0001-record-decisions.md:1-19");
}

#[test]
fn a_second_run_takes_in_the_records_that_are_new() {
    let mut sandbox = with_committed(&[("doc/adr/0001-record-decisions.md", TOOLS_1)]);
    adopt(&sandbox, "doc/adr", &[]);
    sandbox.write_project(
        "doc/adr/0002-record-decisions.md",
        TOOLS_1.replace("# 1.", "# 2.").replace("lost", "mislaid"),
    );
    sandbox.advance_days(1);
    let answer = adopt(&sandbox, "doc/adr", &[]);
    assert_eq!(pairs(&answer), ["0002-record-decisions.md decisions/record-decisions-2.md"]);
    assert_eq!(answer["from"]["kept"], json!([]));
    expect_clean(&sandbox, "doc/adr");
}

#[test]
fn records_of_madr_become_decisions_and_other_files_modules() {
    let madr = |status: &str, title: &str| {
        format!(
            "---\nstatus: {status}\ndate: 2023-04-05\ndeciders: Ada, Bo\nconsulted: Cy\n---\n\n# {title}\n\n## Context and Problem Statement\n\nThe front needs a shape.\n\n## Considered Options\n\n* Folders\n* Features\n\n## Decision Outcome\n\nChosen option: \"Features\".\n\n### Consequences\n\n* Good, because small\n"
        )
    };
    let sandbox = with_committed(&[
        ("docs/decisions/0000-use-markdown.md", &madr("accepted", "Use Markdown")),
        (
            "docs/decisions/0004-folders.md",
            &madr("\"superseded by [ADR-0005](0005-features.md)\"", "Sort by folders"),
        ),
        ("docs/decisions/0005-features.md", &madr("proposed", "Sort by features")),
        ("docs/decisions/0006-colors.md", &madr("rejected", "Use colors")),
        ("docs/decisions/adr-template.md", &madr("\"{proposed | rejected}\"", "{short title}")),
        ("docs/decisions/index.md", "# Decisions\n\n* [Markdown](0000-use-markdown.md)\n"),
        (
            "docs/decisions/how-we-talk.md",
            "# How we talk\n\n## Weekly\n\nSee [features](0005-features.md).\n",
        ),
    ]);
    let answer = adopt(&sandbox, "docs/decisions", &[]);
    assert_eq!(
        pairs(&answer),
        [
            "0000-use-markdown.md decisions/use-markdown.md",
            "0004-folders.md decisions/sort-by-folders.md",
            "0005-features.md decisions/sort-by-features.md",
            "0006-colors.md decisions/use-colors.md",
            "how-we-talk.md modules/how-we-talk.md",
        ]
    );
    let text = sandbox.file("decisions/sort-by-features.md");
    let fields = "- **Status:** proposed\n- **Supersedes:** sort-by-folders\n- **Deciders:** Ada, Bo\n- **Consulted:** Cy\n";
    assert!(text.contains(fields) && !text.contains("---\n"), "{text}");
    let text = sandbox.file("decisions/sort-by-folders.md");
    let fields = "- **Status:** superseded\n- **ADR status:** superseded by [ADR-0005](sort-by-features.md)\n";
    assert!(text.contains(fields), "{text}");
    let rejected = "- **Status:** deprecated\n- **ADR status:** rejected\n";
    assert!(sandbox.file("decisions/use-colors.md").contains(rejected));
    assert!(sandbox.file("modules/how-we-talk.md").contains("(../decisions/sort-by-features.md)"));
    expect_clean(&sandbox, "docs/decisions");
    let found = sandbox.run(&["search", "front shape", "--json"]).expect_code(0).json();
    assert!(found["results"][0]["path"].as_str().unwrap().starts_with("decisions/"), "{found}");
    expect_source(&sandbox, "use-colors", "docs/decisions/0006-colors.md:1-25");
}

#[test]
fn a_record_without_a_known_status_gets_one_and_that_is_told() {
    let record = |more: &str| {
        format!(
            "# Use Markdown\n{more}\n## Context and Problem Statement\n\nText has to last.\n\n## Decision Outcome\n\nChosen option: \"Markdown\".\n"
        )
    };
    let long = "It is told at length.\n".repeat(1_500);
    let sandbox = with_committed(&[
        ("docs/decisions/0000-silent.md", &record("")),
        ("docs/decisions/0001-long.md", &(record("\n").replace("Markdown", "Words") + &long)),
        (
            "docs/decisions/0002-odd.md",
            &record("\n* Status: on the shelf\n").replace("Markdown", "Shelves"),
        ),
    ]);
    let said = adopt(&sandbox, "docs/decisions", &[]);
    assert_eq!(said["from"]["assumed_status"], json!({"active": 2, "proposed": 1}), "{said}");
    for file in ["decisions/use-markdown.md", "decisions/use-words.md"] {
        assert!(sandbox.file(file).contains("\n- **Status:** active\n"), "{}", sandbox.file(file));
    }
    let odd = sandbox.file("decisions/use-shelves.md");
    assert!(odd.contains("\n- **Status:** proposed\n") && odd.contains("on the shelf"), "{odd}");
    expect_clean(&sandbox, "docs/decisions");
    let sandbox = with_committed(&[("docs/decisions/0000-silent.md", &record(""))]);
    let said = adopt(&sandbox, "docs/decisions", &["--field", "Status=proposed"]);
    assert_eq!(said["from"]["assumed_status"], json!(null), "{said}");
    assert!(sandbox.file("decisions/use-markdown.md").contains("- **Status:** proposed\n"));
    expect_clean(&sandbox, "docs/decisions");
}

#[test]
fn records_of_nygard_and_log4brains_become_decisions() {
    let sandbox = with_committed(&[
        (
            "docs/adr/20200101-use-log4brains.md",
            "# Use log4brains\n\n- Status: accepted\n- Date: 2020-01-01\n- Deciders: Ada\n- Tags: docs\n\n## Context and Problem Statement\n\nNo one finds them.\n\n## Decision Outcome\n\nA site.\n",
        ),
        (
            "docs/adr/20200202-use-x.md",
            "# Use X\n\n- Status: superseded by [20200303-use-y](20200303-use-y.md)\n\n## Context and Problem Statement\n\nx\n\n## Decision Outcome\n\nx\n",
        ),
        (
            "docs/adr/20200303-use-y.md",
            "# Use Y\n\n- Status: draft\n\nTechnical Story: more\n\n## Context and Problem Statement\n\ny\n\n## Decision Outcome\n\ny\n",
        ),
        (
            "docs/adr/4.md",
            "# 4. Nygard\n\n## Status\n\nAccepted\n\n## Context\n\nNo day is named.\n\n## Decision\n\nGit knows it.\n",
        ),
        ("docs/adr/template.md", "# [short title]\n\n- Status: [draft | accepted]\n"),
    ]);
    let answer = adopt(&sandbox, "docs/adr", &[]);
    assert_eq!(answer["from"]["adopted"].as_array().map(Vec::len), Some(4), "{answer}");
    let text = sandbox.file("decisions/use-y.md");
    assert!(text.contains("- **Date:** 2020-03-03\n- **Status:** proposed\n- **Supersedes:** use-x\n- **ADR status:** draft\n"), "{text}");
    let today = sandbox.git(&["log", "-1", "--format=%as"]);
    assert!(
        sandbox.file("decisions/nygard.md").contains(&format!("- **Date:** {}\n", today.trim()))
    );
    expect_clean(&sandbox, "docs/adr");
    let found = sandbox.run(&["search", "finds them", "--json"]).expect_code(0).json();
    assert_eq!(found["results"][0]["path"], "decisions/use-log4brains.md");
}

#[test]
fn a_record_without_a_day_that_git_knows_is_named() {
    let text = "# 4. Nygard\n\n## Status\n\nAccepted\n\n## Context\n\nc\n\n## Decision\n\nd\n";
    let sandbox = Sandbox::without_store();
    sandbox.write_project("adr/4.md", text);
    let answer = adopt(&sandbox, "adr", &["--dry-run"]);
    assert_eq!(answer["from"]["adopted"][0]["missing_fields"][0]["name"], "Date");
    let said = sandbox.run(&["init", "--from", "adr"]).expect_code(0);
    let hint = "1 section of decisions/nygard.md without `Date`: run the same command again with `--field Date=VALUE`";
    assert!(said.stderr.contains(hint), "{}", said.stderr);
}

#[test]
fn a_renamed_record_is_named_and_not_taken_in_twice() {
    let sandbox = with_committed(&[("adr/0001-record.md", TOOLS_1)]);
    adopt(&sandbox, "adr", &[]);
    sandbox.git(&["mv", "adr/0001-record.md", "adr/0002-record.md"]);
    let answer = adopt(&sandbox, "adr", &[]);
    assert_eq!(pairs(&answer), Vec::<String>::new());
    let why = answer["from"]["not_understood"][0].as_str().unwrap();
    assert!(why.starts_with("0002-record.md (it has the text of `adr/0001-record.md`"), "{why}");
}
