//! `fmt-ids`: an id for every section, and not a byte more.

use serde_json::json;

use crate::support::Sandbox;

const TEXT: &str = "# Decisions\r\n\r\n## Retries\r\n\r\nThree tries.\r\n";

#[test]
fn every_section_gets_an_id_and_every_other_byte_stays() {
    let sandbox =
        Sandbox::given(&[("decisions.md", TEXT), ("archive/old.md", "# Old\n\n## Gone\n\ntext\n")]);
    let before = sandbox.tree();
    let reply = sandbox.run(&["fmt-ids", "--check"]).expect_code(1);
    assert_eq!(reply.stdout, "missing decisions.md#retries\n");
    assert!(sandbox.tree() == before);
    let json = sandbox.run(&["fmt-ids", "--json"]).expect_code(0).json();
    assert_eq!(json["files"], json!([{ "path": "decisions.md", "ids": ["retries"] }]));
    let expected = TEXT.replace("Retries\r\n", "Retries\r\n<!-- @id: retries -->\r\n");
    assert_eq!(sandbox.file("decisions.md"), expected);
    assert_eq!(sandbox.bytes("archive/old.md"), before["archive/old.md"]);
    assert!(sandbox.run(&["fmt-ids"]).expect_code(0).stderr.contains("every section has an id"));
    let log = sandbox.run(&["log", "--json"]).expect_code(0).json();
    assert_eq!(log["decisions"][0]["decision"], "formatted");
    sandbox.run(&["log", "--verify"]).expect_code(0);
}

#[test]
fn a_file_that_is_not_there_is_refused() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["fmt-ids", "decisons.md"]).expect_code(1);
    assert!(reply.stderr.contains("invalid_path"), "{}", reply.stderr);
}

#[test]
fn an_underlined_heading_takes_no_id_and_is_told_of() {
    let sandbox = Sandbox::given(&[("pitfalls.md", "# Pitfalls\n\nSlow\n----\n\ntext\n")]);
    let said = sandbox.run(&["fmt-ids", "--json"]).json();
    let warning = said["warnings"][0].as_str().unwrap();
    assert!(warning.starts_with("`pitfalls.md`, line 3: an underlined heading"), "{warning}");
    let checked = sandbox.run(&["fmt-ids", "--check"]).expect_code(1);
    assert!(!checked.stderr.contains("every section has an id"), "{}", checked.stderr);
    let reply = sandbox.run(&["check", "pitfalls.md"]);
    assert!(reply.stdout.contains("write it as `## …`"), "{}", reply.stdout);
}

#[test]
fn a_file_in_conflict_is_left_alone() {
    let text = "# P\n\n<<<<<<< HEAD\n## One\n=======\n## Two\n>>>>>>> other\n";
    let sandbox = Sandbox::given(&[("pitfalls.md", text)]);
    let reply = sandbox.run(&["fmt-ids"]).expect_code(0);
    assert!(reply.stderr.contains("holds a git conflict"), "{}", reply.stderr);
    assert_eq!(sandbox.file("pitfalls.md"), text);
    sandbox.run(&["fmt-ids", "--check"]).expect_code(1);
}

#[test]
fn a_file_whose_name_no_request_can_give_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/Auth.md", "# Auth\n\n## Tokens\n\nThey rotate.\n");
    let reply = sandbox.run(&["fmt-ids", "--check"]).expect_code(1);
    assert!(reply.stderr.contains("`modules/Auth.md` is not a memory path"), "{}", reply.stderr);
    let reply = sandbox.run(&["check", "--allow", "id-missing", "--allow", "provenance-missing"]);
    assert!(reply.stdout.contains("upper-case letters [file-unowned]"), "{}", reply.stdout);
}
