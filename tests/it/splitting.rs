//! `doctor --split` with what a person wrote in another form: underlined headings, sections that are no entries, secrets.

use serde_json::{Value, json};

use crate::records::with_entries_together;
use crate::support::{Sandbox, files_in, replace_placeholders};

const FIELDS: &str = "- **Date:** 2026-10-01\n- **Status:** active\n";

fn split(sandbox: &Sandbox) -> Value {
    sandbox
        .run(&["doctor", "--split", "--yes", "--approver", "Ada", "--json"])
        .expect_code(0)
        .json()
}

#[test]
fn an_underlined_entry_gets_a_file_of_its_own() {
    let sandbox = with_entries_together();
    let text = format!("Decisions\n=========\n\nOld way\n-------\n\n{FIELDS}\n### Why\n\nQuick.\n");
    sandbox.write("decisions.md", &text);
    let done = split(&sandbox);
    assert_eq!(done["moved"], json!([{ "from": "decisions.md", "to": "decisions/old-way.md" }]));
    assert_eq!(done["warnings"], json!([]));
    let entry = sandbox.file("decisions/old-way.md");
    assert!(entry.starts_with("# Old way\n<!-- @id: old-way -->\n\n- **Date:**"), "{entry}");
    assert!(entry.contains("\n## Why\n<!-- @id: why -->\n"), "{entry}");
    assert_eq!(sandbox.file("decisions.md").trim_end(), "# Decisions");
    let id = done["proposal_id"].as_str().unwrap();
    sandbox.run(&["undo", id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md"), text);
}

#[test]
fn a_section_that_is_no_entry_is_named_and_stays() {
    let sandbox = with_entries_together();
    split(&sandbox);
    for rest in
        ["# More\n\nText.\n", "Words of\ntwo lines\n---------\n\nText.\n", "### Deep\n\nText.\n"]
    {
        let text = format!("# Decisions\n\n{rest}");
        sandbox.write("decisions.md", &text);
        let done = sandbox.run(&["doctor", "--split", "--approver", "Ada"]).expect_code(0);
        assert!(done.stderr.contains("stays there: it is no entry by its heading"), "{done:?}");
        assert!(done.stderr.contains("nothing was moved"), "{done:?}");
        assert_eq!(sandbox.file("decisions.md"), text);
    }
}

#[test]
fn a_split_makes_the_files_that_stay_in_the_folders() {
    let sandbox = with_entries_together();
    let keeps = ["decisions/.keep", "pitfalls/.keep"];
    let remove = || {
        keeps.iter().for_each(|path| {
            let _ = std::fs::remove_file(sandbox.store().join(path));
        })
    };
    for _ in 0..2 {
        remove();
        assert_eq!(split(&sandbox)["kept_folders"], json!(keeps));
        assert!(keeps.iter().all(|path| sandbox.has(path)));
    }
    remove();
    let done = sandbox.run(&["doctor", "--split", "--approver", "Ada"]).expect_code(0);
    assert!(done.stdout.contains("made decisions/.keep"), "{done:?}");
    assert!(!done.stderr.contains("already"), "{done:?}");
    let done = sandbox.run(&["doctor", "--split", "--approver", "Ada"]).expect_code(0);
    assert!(done.stderr.contains("each entry has a file of its own already"), "{done:?}");
    sandbox.run(&["check"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_split_keeps_no_copy_of_a_secret() {
    let sandbox = with_entries_together();
    let secret = replace_placeholders("{{GITHUB_TOKEN}}");
    let text =
        format!("# Decisions\n\n## Old way\n<!-- @id: old-way -->\n\n{FIELDS}\nKey {secret}.\n");
    sandbox.write("decisions.md", text);
    let done = split(&sandbox);
    assert_eq!(done["moved"].as_array().unwrap().len(), 1);
    assert!(done["warnings"].to_string().contains("it is not kept"), "{done}");
    assert!(sandbox.file("decisions/old-way.md").contains(&secret), "it is a person's own");
    let holds = |bytes: &[u8]| bytes.windows(secret.len()).any(|it| it == secret.as_bytes());
    let files = files_in(&sandbox.store()).into_iter();
    let copies: Vec<String> = files.filter(|(_, it)| holds(it)).map(|(path, _)| path).collect();
    assert_eq!(copies, ["decisions/old-way.md"]);
    let id = done["proposal_id"].as_str().unwrap();
    let undo = ["undo", id, "--approver", "Ada", "--json"];
    sandbox.run(&undo).answer().rejected("secret_detected");
}

#[test]
fn what_an_open_branch_recorded_in_the_old_file_gets_its_own_file_after_the_merge() {
    let sandbox = with_entries_together();
    let entry = |heading: &str, id: &str, text: &str| {
        format!("\n## {heading}\n<!-- @id: {id} -->\n\n{FIELDS}\n{text}\n")
    };
    let long = "It is known to all of us, and it has been in use for years.\n".repeat(8);
    let old = format!("# Decisions\n{}", entry("Use Postgres", "use-postgres", &long));
    sandbox.write("decisions.md", &old);
    sandbox.commit("one decision");
    sandbox.git(&["checkout", "--quiet", "-b", "open"]);
    let kafka = entry("Use Kafka", "use-kafka", "For mail.");
    sandbox.write("decisions.md", format!("{old}{kafka}"));
    sandbox.commit("another one");
    sandbox.git(&["checkout", "--quiet", "main"]);
    split(&sandbox);
    sandbox.commit("split");
    assert!(!crate::merging::merge(&sandbox, "open"), "git has to tell of it");
    sandbox.run(&["resolve"]).expect_code(0);
    assert_eq!(sandbox.file("decisions.md").trim_end(), format!("# Decisions\n{kafka}").trim_end());
    assert!(!sandbox.file("decisions/use-postgres.md").contains("Kafka"));
    sandbox.commit("merged");
    let moved = json!([{ "from": "decisions.md", "to": "decisions/use-kafka.md" }]);
    assert_eq!(split(&sandbox)["moved"], moved);
    sandbox.run(&["check"]).expect_code(0);
}
