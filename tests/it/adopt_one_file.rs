//! `init --from FILE`: one file of rules for agents, divided by its headings.

use crate::adopt_records::{adopt, expect_clean, pairs, with_committed};
use crate::support::Sandbox;

const CLAUDE: &str = "# CLAUDE.md\n\nThis file is for agents.\n\n## Build\n\nRun `make`. See [the plan](docs/plan.md).\n\n### Fast\n\n`make -j`\n\n## Style\n\n- Short names\n";

fn with_file(name: &str, text: &str) -> Sandbox {
    with_committed(&[(name, text), ("docs/plan.md", "# Plan\n"), ("NOTES.md", "# Other\n")])
}

#[test]
fn a_file_of_rules_becomes_conventions_one_for_each_heading() {
    let sandbox = with_file("CLAUDE.md", CLAUDE);
    let answer = adopt(&sandbox, "CLAUDE.md", &[]);
    assert_eq!(pairs(&answer), ["CLAUDE.md conventions.md"]);
    let text = sandbox.file("conventions.md");
    for (id, lines) in [("build", "5-11"), ("style", "13-15")] {
        let source = format!("<!-- @id: {id} -->\n<!-- @source: file CLAUDE.md:{lines} ");
        assert!(text.contains(&source), "{text}");
    }
    assert!(
        text.contains("# CLAUDE.md\n") && text.contains("[the plan](../docs/plan.md)"),
        "{text}"
    );
    let original = std::fs::read_to_string(sandbox.project().join("CLAUDE.md")).unwrap();
    assert_eq!(original, CLAUDE);
    expect_clean(&sandbox, "CLAUDE.md");
    // A second run finds all of it there; after an edit, what the store has is kept and told.
    let again = adopt(&sandbox, "./CLAUDE.md", &[]);
    assert!(pairs(&again).is_empty(), "{again}");
    sandbox.write_project("CLAUDE.md", format!("{CLAUDE}- No abbreviations\n"));
    let again = adopt(&sandbox, "CLAUDE.md", &[]);
    assert_eq!(again["from"]["kept"], serde_json::json!(["conventions.md"]));
    assert_eq!(sandbox.file("conventions.md"), text);
}

fn left(answer: &serde_json::Value) -> Vec<&str> {
    let left = answer["from"]["not_understood"].as_array().unwrap().iter();
    left.map(|it| it.as_str().unwrap()).collect()
}

#[test]
fn a_file_with_a_new_name_is_not_taken_in_twice() {
    let sandbox = with_file("CLAUDE.md", CLAUDE);
    adopt(&sandbox, "CLAUDE.md", &[]);
    sandbox.commit("adopted");
    sandbox.git(&["mv", "CLAUDE.md", "RULES.md"]);
    let tree = sandbox.tree();
    let again = adopt(&sandbox, "RULES.md", &[]);
    let said = "RULES.md (2 sections stand in the memory already: conventions.md#build, conventions.md#style)";
    assert_eq!((pairs(&again), left(&again)), (vec![], vec![said]));
    assert!(sandbox.tree() == tree, "nothing is doubled");
    // What is new is taken, with its lines, and without the words above it that are there.
    sandbox.write_project("RULES.md", format!("{CLAUDE}\n## Tests\n\nFast ones.\n"));
    let again = adopt(&sandbox, "RULES.md", &[]);
    assert_eq!(
        (pairs(&again), left(&again)),
        (vec!["RULES.md modules/rules.md".into()], vec![said])
    );
    let text = sandbox.file("modules/rules.md");
    assert!(text.starts_with("# CLAUDE.md\n\n## Tests\n<!-- @id: tests -->\n"), "{text}");
    assert!(text.contains("RULES.md:17-19 ") && !text.contains("For agents"), "{text}");
    // An entry for each heading is compared as well.
    let again = adopt(&sandbox, "NOTES.md", &["--map", "NOTES=pitfalls"]);
    assert_eq!(pairs(&again), ["NOTES.md pitfalls/other.md"]);
    sandbox.git(&["mv", "NOTES.md", "OTHER.md"]);
    let again = adopt(&sandbox, "OTHER.md", &["--map", "OTHER=pitfalls"]);
    let said = "OTHER.md (1 section stands in the memory already: pitfalls/other.md#other)";
    assert_eq!((pairs(&again), left(&again)), (vec![], vec![said]));
}

#[test]
fn what_is_new_in_the_original_is_told_when_it_is_adopted_again() {
    let sandbox = with_file("CLAUDE.md", CLAUDE);
    adopt(&sandbox, "CLAUDE.md", &[]);
    sandbox.commit("adopted");
    let text = CLAUDE.replace("This file is for agents.", "Read this first.");
    sandbox.write_project("CLAUDE.md", format!("{text}\n## Tests\n\nFast ones.\n"));
    let again = adopt(&sandbox, "CLAUDE.md", &[]);
    let said =
        "CLAUDE.md (not in the memory word for word: `Tests`, the text above its first section)";
    assert_eq!((pairs(&again), left(&again)), (vec![], vec![said]));
    assert_eq!(again["from"]["kept"], serde_json::json!(["conventions.md"]));
}

#[test]
fn a_file_without_headings_and_without_an_ending_is_taken_too() {
    for (name, text, section) in [
        (".cursorrules", "Be short.\n\n- one\n", "## cursorrules\n"),
        (".cursorrules", "# Style\n\nShort.\n\n# Tests\n\nFast.\n", "## Style\n"),
        ("AGENTS.md", "Setup\n=====\n\nRun it.\n\nStyle\n-----\n\nShort.\n", "## Style\n"),
    ] {
        let sandbox = with_file(name, text);
        let answer = adopt(&sandbox, name, &[]);
        assert_eq!(pairs(&answer), [format!("{name} conventions.md")]);
        let there = sandbox.file("conventions.md");
        let cited = format!("<!-- @source: file {name}:");
        assert!(there.contains(section) && there.contains(&cited), "{there}");
        expect_clean(&sandbox, name);
    }
}

#[test]
fn what_a_store_has_is_kept_beside_it() {
    let sandbox = with_file("AGENTS.md", CLAUDE);
    sandbox.run(&["init"]).expect_code(0);
    let conventions = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\nName the path.\n";
    sandbox.write("conventions.md", conventions);
    let answer = adopt(&sandbox, "AGENTS.md", &[]);
    assert_eq!(pairs(&answer), ["AGENTS.md modules/agents.md"]);
    assert_eq!(sandbox.file("conventions.md"), conventions);
    let id = answer["proposal_id"].as_str().unwrap();
    sandbox.run(&["undo", id, "--approver", "Ada"]).expect_code(0);
    assert!(!sandbox.has("modules/agents.md"));
}

#[test]
fn each_heading_may_become_an_entry_of_its_own() {
    let sandbox = with_file("CLAUDE.md", CLAUDE);
    let answer = adopt(&sandbox, "CLAUDE.md", &["--map", "CLAUDE=pitfalls"]);
    let expected = ["CLAUDE.md pitfalls/build.md", "CLAUDE.md pitfalls/style.md"];
    assert_eq!(pairs(&answer), expected);
    let left = answer["from"]["not_understood"].to_string();
    assert!(left.contains("CLAUDE.md (2 lines outside of its sections)"), "{left}");
    let text = sandbox.file("pitfalls/build.md");
    assert!(text.starts_with("# Build\n<!-- @id: build -->\n") && text.contains("## Fast\n"));
    let again = adopt(&sandbox, "CLAUDE.md", &["--map", "CLAUDE=pitfalls"]);
    assert!(pairs(&again).is_empty(), "{again}");
}

#[test]
fn what_install_wrote_into_the_file_is_left_out() {
    let block =
        "<!-- BEGIN agent-memory v1 -->\n## Project memory\n\nUse it.\n<!-- END agent-memory -->\n";
    let sandbox = with_file("AGENTS.md", &format!("{block}\n## Style\n\nShort names.\n"));
    adopt(&sandbox, "AGENTS.md", &[]);
    let text = sandbox.file("conventions.md");
    assert!(text.contains("AGENTS.md:7-9 ") && !text.contains("Project memory"), "{text}");
    expect_clean(&sandbox, "AGENTS.md");
    let sandbox = with_file("AGENTS.md", block);
    let answer = adopt(&sandbox, "AGENTS.md", &[]);
    assert!(
        answer["from"]["not_understood"].to_string().contains("only what `agent-memory install`")
    );
    assert_eq!(sandbox.file("conventions.md"), "# Conventions\n");
}

#[test]
#[cfg(unix)]
fn a_link_that_a_person_names_is_followed_to_its_file() {
    let sandbox = with_file("AGENTS.md", CLAUDE);
    std::os::unix::fs::symlink("AGENTS.md", sandbox.project().join("CLAUDE.md")).unwrap();
    let answer = adopt(&sandbox, "CLAUDE.md", &[]);
    assert_eq!(pairs(&answer), ["AGENTS.md conventions.md"]);
}

#[test]
fn a_file_with_a_secret_or_with_no_text_comes_in_not_at_all() {
    let key = ["ghp_", "x9KfQ2mVb7Tz4LwPc8Rj1NsYd6GhAe3BuXo0"].concat();
    for bytes in [format!("# A\n\n{key}\n").into_bytes(), b"\xff\xfe\0".to_vec()] {
        let sandbox = Sandbox::without_store();
        sandbox.write_project("CLAUDE.md", bytes);
        let reply = sandbox.run(&["init", "--from", "CLAUDE.md", "--json"]).expect_code(1);
        assert!(!reply.stdout.contains(&key), "{}", reply.stdout);
        let refused = &reply.json()["from"]["refused"];
        assert_eq!(refused[0]["from"], "CLAUDE.md", "{refused}");
        assert_eq!(sandbox.file("conventions.md"), "# Conventions\n");
    }
    let sandbox = Sandbox::without_store();
    let reply = sandbox.run(&["init", "--from", "CLAUDE.md"]).expect_code(2);
    assert!(reply.stderr.contains("there is no file or folder"), "{}", reply.stderr);
    assert!(!sandbox.store().exists());
}

/// A store that has some conventions; returns what `RULES.md` becomes, and what is told of it.
fn beside_conventions(conventions: &str, rules: &str) -> (Sandbox, String, String) {
    let sandbox = with_file("RULES.md", rules);
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write("conventions.md", conventions);
    let answer = adopt(&sandbox, "RULES.md", &[]);
    let is_new = sandbox.has("modules/rules.md");
    let text = if is_new { sandbox.file("modules/rules.md") } else { String::new() };
    let told = left(&answer).join("\n");
    (sandbox, text, told)
}

const BUILD: &str = "## Build\n<!-- @id: build -->\n\nmake it\n";

#[test]
fn what_is_left_beside_held_sections_stays_as_it_stands_with_its_lines() {
    let rules =
        "# Rules\n\nAnother intro.\n\n## Build\n\nmake it\n\n## Tests\n\nrun\n\n## Other\n\nx\n";
    let (_sandbox, text, _) = beside_conventions(&format!("# Conventions\n\n{BUILD}"), rules);
    assert!(text.starts_with("# Rules\n\nAnother intro.\n\n## Tests\n<!-- @id: tests"), "{text}");
    assert!(text.contains("RULES.md:9-11 ") && text.contains("RULES.md:13-15 "), "{text}");
    assert!(!text.contains("make it"), "{text}");
}

#[test]
fn text_under_a_second_title_comes_in_with_or_without_a_new_section() {
    let conventions =
        format!("# Conventions\n\n{BUILD}\n## Style\n<!-- @id: style -->\n\nShort.\n");
    let rules = "Guide\n=====\n\n## Build\n\nmake it\n\n# Security\n\nNever log tokens.\n\n## Style\n\nShort.\n";
    for fresh in ["", "\n## Fresh\n\nNew.\n"] {
        let (_sandbox, text, told) = beside_conventions(&conventions, &format!("{rules}{fresh}"));
        assert!(text.contains("# Security\n") && text.contains("\nNever log tokens.\n"), "{text}");
        assert!(told.contains("RULES.md (2 sections stand in the memory already"), "{told}");
        assert_eq!((text.contains("Fresh"), text.contains("Guide")), (!fresh.is_empty(), false));
    }
    // All of it is there.
    let all = format!("{conventions}\n# Security\n\nNever log tokens.\n");
    assert_eq!(beside_conventions(&all, rules).1, "");
}

#[test]
fn only_ids_and_sources_are_no_part_of_the_text_that_is_compared() {
    let conventions = format!("# Conventions\n\n{BUILD}\nStatus: active\n\nSee [it](docs/a.md).\n");
    let build = "## Build\n\nmake it\n\nStatus: active\n\nSee [it](docs/a.md).\n";
    let rules = |build: &str| format!("# Rules\n\n{build}\n## Tests\n\nrun\n");
    for (from, to, is_held) in [
        ("", "", true),
        ("active", "old", false),
        ("Status: active\n\n", "", false),
        ("docs/a.md", "docs/b.md", false),
        ("make it", "make it  \nnow", false),
    ] {
        let (_sandbox, text, told) =
            beside_conventions(&conventions, &rules(&build.replacen(from, to, 1)));
        assert_eq!(
            (!text.contains("make it"), told.contains("conventions.md#build")),
            (is_held, is_held),
            "{to}: {text}"
        );
    }
}

#[test]
fn a_note_that_git_does_not_track_keeps_nothing_out_of_the_shared_memory() {
    let sandbox = with_file("RULES.md", "# Rules\n\n## Build\n\nmake it\n");
    sandbox.run(&["init"]).expect_code(0);
    sandbox.write("local/notes.md", format!("# Notes\n\n{BUILD}"));
    let answer = adopt(&sandbox, "RULES.md", &[]);
    assert!(left(&answer).is_empty(), "{answer}");
    assert!(sandbox.tree().values().any(|bytes| bytes.ends_with(b"make it\n")), "{answer}");
}
