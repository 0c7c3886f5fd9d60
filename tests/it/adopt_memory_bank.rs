//! `init --from`: the files of a memory bank go where they belong.

use serde_json::json;

use crate::adopt_records::{adopt, expect_clean, pairs, with_committed};
use crate::support::Sandbox;

const LOG: &str = "# Decision Log\n\nThis file lists what was decided.\n\n[2025-01-02 10:00:00] - Use Postgres. The [patterns](systemPatterns.md) need it.\n[2025-02-03 11:00:00] - Use Redis for the queue\n";

fn bank() -> Sandbox {
    with_committed(&[
        (
            "memory-bank/activeContext.md",
            "# Active Context\n\n## Current Focus\n\nThe login page.\n",
        ),
        ("memory-bank/progress.md", "# Progress\n\n## What works\n\nThe shop.\n"),
        ("memory-bank/decisionLog.md", LOG),
        (
            "memory-bank/systemPatterns.md",
            "# System Patterns\n\n## Repositories\n\nEach table has one. See [why](decisionLog.md).\n",
        ),
        (
            "memory-bank/techContext.md",
            "# Tech Context\n\n## Stack\n\nRust and Postgres.\n\n## Limits\n\nOne machine.\n",
        ),
        ("memory-bank/productContext.md", "# Product Context\n\n## Who\n\nSmall shops.\n"),
        ("memory-bank/projectbrief.md", "# Project Brief\n\n## Goal\n\nSell things.\n"),
        ("memory-bank/README.md", "# Memory bank\n\nRead all files first.\n"),
    ])
}

#[test]
fn the_files_of_a_memory_bank_go_where_they_belong() {
    let sandbox = bank();
    let answer = adopt(&sandbox, "memory-bank", &[]);
    assert_eq!(
        pairs(&answer),
        [
            "activeContext.md local/current.main.md",
            "decisionLog.md decisions/use-postgres.md",
            "decisionLog.md decisions/use-redis-for-the-queue.md",
            "productContext.md modules/product-context.md",
            "progress.md local/shared.md",
            "projectbrief.md modules/project-brief.md",
            "systemPatterns.md conventions.md",
            "techContext.md modules/tech-context.md",
        ]
    );
    let left = json!([
        "README.md (a template or guide of its folder)",
        "decisionLog.md (1 line outside of its decisions)",
    ]);
    let mut told = answer["from"]["not_understood"].as_array().unwrap().clone();
    told.sort_by_key(ToString::to_string);
    assert_eq!(json!(told), left);
    let is_local = |number: usize| answer["from"]["adopted"][number]["tracked"] == json!(false);
    assert!(is_local(0) && is_local(4) && !is_local(1), "{answer}");
    let text = sandbox.file("decisions/use-postgres.md");
    let source = "<!-- @source: file memory-bank/decisionLog.md:5-5 ";
    assert!(
        text.contains(source) && text.contains("- **Date:** 2025-01-02\n- **Status:** active\n"),
        "{text}"
    );
    assert!(text.contains("[patterns](../conventions.md)"), "{text}");
    assert!(sandbox.file("conventions.md").contains("[why](decisions/use-postgres.md)"));
    let source =
        "## Limits\n<!-- @id: limits -->\n<!-- @source: file memory-bank/techContext.md:7-9 ";
    assert!(sandbox.file("modules/tech-context.md").contains(source));
    expect_clean(&sandbox, "memory-bank");
    let found = sandbox.run(&["search", "redis", "--json"]).expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "use-redis-for-the-queue");
    let blamed = sandbox.run(&["blame", "decisions/use-postgres.md"]).expect_code(0).stdout;
    assert!(blamed.contains("memory-bank/decisionLog.md:5-5"), "{blamed}");
}

#[test]
fn a_second_run_takes_in_the_decisions_that_are_new() {
    let sandbox = bank();
    adopt(&sandbox, "memory-bank", &[]);
    let more = format!("{LOG}[2025-03-04 12:00:00] - Use Postgres\n");
    sandbox.write_project("memory-bank/decisionLog.md", more);
    let answer = adopt(&sandbox, "memory-bank", &[]);
    assert_eq!(pairs(&answer), ["decisionLog.md decisions/use-postgres-2.md"]);
    assert_eq!(answer["from"]["kept"], json!([]));
}

#[test]
fn what_git_does_not_keep_is_told_and_nothing_is_overwritten() {
    let sandbox = bank();
    let said = sandbox.run(&["init", "--from", "memory-bank"]).expect_code(0).stdout;
    let line = "adopted progress.md as local/shared.md, 1 new id; git does not keep it: other clones have the original alone\n";
    assert!(said.contains(line), "{said}");
    sandbox.write("local/shared.md", "# Shared\n\n## Now\n\nElsewhere.\n");
    sandbox.git(&["switch", "--quiet", "-c", "other"]);
    let answer = adopt(&sandbox, "memory-bank", &[]);
    assert_eq!((pairs(&answer), &answer["from"]["kept"]), (vec![], &json!(["local/shared.md"])));
    let told = answer["from"]["not_understood"].as_array().unwrap();
    let branch = json!("activeContext.md (the store has the notes of a branch already)");
    assert!(told.contains(&branch), "{answer}");
    assert!(sandbox.file("local/shared.md").contains("Elsewhere."));
}

#[test]
fn a_person_gives_files_their_category() {
    let sandbox = bank();
    let map = [
        "--map",
        "systemPatterns=modules",
        "--map",
        "progress.md=pitfalls",
        "--map",
        "README=conventions",
    ];
    let answer = adopt(&sandbox, "memory-bank", &map);
    let files = pairs(&answer);
    for pair in [
        "systemPatterns.md modules/system-patterns.md",
        "progress.md pitfalls/progress.md",
        "README.md conventions.md",
    ] {
        assert!(files.iter().any(|it| it == pair), "{pair}: {files:?}");
    }
    for (map, said) in [
        ("progress", "`--map progress` is not a name, `=` and a category"),
        ("progress=nothing", "no category `nothing` takes notes"),
        ("progress=archive", "no category `archive` takes notes"),
        ("none=modules", "the folder of `--from` has no file `none`"),
    ] {
        let refused = bank().run(&["init", "--from", "memory-bank", "--map", map]).expect_code(2);
        assert!(refused.stderr.contains(said), "{}", refused.stderr);
    }
}

#[test]
fn one_known_name_alone_is_a_note_as_any_other() {
    let sandbox = with_committed(&[("notes/progress.md", "# Progress\n\n## A\n\nx\n")]);
    assert_eq!(pairs(&adopt(&sandbox, "notes", &[])), ["progress.md modules/progress.md"]);
    expect_clean(&sandbox, "notes");
}
