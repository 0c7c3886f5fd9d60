//! `doctor` and `reindex`: what is wrong, and everything derived made anew.

use std::fs;

use crate::requests::{convention, session, with_conventions};
use crate::support::Sandbox;

#[test]
fn a_new_store_is_healthy() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["doctor"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"healthy: 0 findings; looked at settings, files, table of contents, search index, queue, rejections, log, git");
}

#[test]
fn a_store_in_use_is_healthy() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
    sandbox.propose(convention("Names", "They are long.")).staged();
    sandbox.apply(&id).applied();
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"], serde_json::json!([]));
}

#[test]
fn a_finding_says_what_to_do() {
    let sandbox = with_conventions();
    sandbox.append("conventions.md", "\n## Twin\n<!-- @id: errors -->\n\nSame id.\n");
    sandbox.run(&["reindex"]);
    let reply = sandbox.run(&["doctor"]).expect_code(1);
    insta::assert_snapshot!(reply.stdout, @r"
    error files: `conventions.md` has the id `errors` on lines 3 and 13
      hint: give one of them another id
    not healthy: 1 finding; looked at settings, files, table of contents, search index, queue, rejections, log, git
    ");
}

#[test]
fn a_broken_setting_is_a_finding() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nttl_day = 3\n")]);
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    let message = answer["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `ttl_days`?"), "{message}");
}

#[test]
fn other_commands_cannot_answer_with_a_broken_setting() {
    let sandbox = Sandbox::given(&[("config.toml", "[staging]\nttl_day = 3\n")]);
    let error = &sandbox.run(&["status", "--json"]).expect_code(2).json()["error"];
    assert_eq!(error["code"], "config_invalid");
    assert!(error["path"].as_str().unwrap().ends_with("config.toml"));
}

#[test]
fn conflict_markers_are_found() {
    let sandbox = with_conventions();
    sandbox.append("conventions.md", "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n");
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    assert!(answer["findings"].to_string().contains("conflict marker"));
}

#[test]
fn a_stale_table_of_contents_is_found_and_renewed() {
    let sandbox = with_conventions();
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"][0]["check"], "table of contents");
    sandbox.run(&["reindex"]).expect_code(0);
    let answer = sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(answer["findings"], serde_json::json!([]));
}

#[test]
fn doctor_writes_no_memory() {
    let sandbox = with_conventions();
    let before = sandbox.tree();
    sandbox.run(&["doctor"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn reindex_says_what_it_made() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["reindex"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @"indexed 5 sections in 3 files, index.md renewed");
}

#[test]
fn reindex_twice_changes_nothing_the_second_time() {
    let sandbox = with_conventions();
    sandbox.run(&["reindex"]).expect_code(0);
    let before = sandbox.tree();
    let answer = sandbox.run(&["reindex", "--json"]).expect_code(0).json();
    assert_eq!(answer["contents_changed"], false);
    assert_eq!(sandbox.tree(), before);
}

#[test]
fn reindex_makes_the_table_of_contents_that_writing_made() {
    let sandbox = Sandbox::new();
    for heading in ["One", "Two"] {
        let id = sandbox.propose(convention(heading, "A text of its own.")).staged();
        sandbox.apply(&id).applied();
    }
    let before = sandbox.file("index.md");
    fs::remove_file(sandbox.store().join("index.md")).unwrap();
    sandbox.run(&["reindex"]).expect_code(0);
    assert_eq!(sandbox.file("index.md"), before);
}

#[test]
fn reindex_makes_the_search_index_anew() {
    let sandbox = with_conventions();
    sandbox.write("state/index.sqlite", "no database");
    sandbox.run(&["reindex"]).expect_code(0);
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
}
