//! `search`: what the files say right now.

use std::fs;

use crate::requests::{session, with_conventions};
use crate::support::Sandbox;

#[test]
fn a_result_names_place_headings_and_text() {
    let sandbox = with_conventions();
    let reply = sandbox.run(&["search", "path"]).expect_code(0);
    insta::assert_snapshot!(reply.stdout, @r"
    conventions.md:3  #errors
      Conventions > Errors
        They name a path.
    ");
}

#[test]
fn json_has_what_a_program_needs_to_edit() {
    let sandbox = with_conventions();
    let found = sandbox.run(&["search", "--json", "path"]).expect_code(0).json();
    let first = &found["results"][0];
    assert_eq!(first["path"], "conventions.md");
    assert_eq!(first["section_id"], "errors");
    assert_eq!(first["line"], 3);
    let shown = sandbox.run(&["show", "conventions.md#errors", "--json"]).json();
    assert_eq!(first["hash"], shown["sections"][0]["hash"]);
}

#[test]
fn nothing_found_is_exit_code_0() {
    let sandbox = Sandbox::new();
    let reply = sandbox.run(&["search", "xylophone"]).expect_code(0);
    assert_eq!((reply.stdout.as_str(), reply.stderr.as_str()), ("", "nothing found\n"));
}

#[test]
fn nothing_found_is_exit_code_1_where_it_is_asked_for() {
    let sandbox = with_conventions();
    sandbox.run(&["search", "--exit-code", "xylophone"]).expect_code(1);
    sandbox.run(&["search", "--exit-code", "path"]).expect_code(0);
}

#[test]
fn a_hand_edit_is_found_by_the_next_search() {
    let sandbox = with_conventions();
    sandbox.run(&["search", "path"]).expect_code(0);
    sandbox.append("conventions.md", "\n## Zebra\n\nStriped.\n");
    finds(&sandbox, "zebra", 1);
}

#[test]
fn a_text_of_the_same_length_is_noticed() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    sandbox.write("conventions.md", sandbox.file("conventions.md").replace("path", "bath"));
    finds(&sandbox, "bath", 1);
    finds(&sandbox, "path", 0);
}

#[test]
fn a_new_file_is_found() {
    let sandbox = Sandbox::new();
    finds(&sandbox, "zebra", 0);
    sandbox.write("modules/zoo.md", "# Zoo\n\n## Zebra\n\nStriped.\n");
    finds(&sandbox, "zebra", 1);
}

#[test]
fn a_deleted_file_is_found_no_more() {
    let sandbox = Sandbox::given(&[("modules/zoo.md", "# Zoo\n\n## Zebra\n\nStriped.\n")]);
    finds(&sandbox, "zebra", 1);
    fs::remove_file(sandbox.store().join("modules/zoo.md")).unwrap();
    finds(&sandbox, "zebra", 0);
}

#[test]
fn a_deleted_index_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] {
        let _ = fs::remove_file(sandbox.store().join("state").join(name));
    }
    finds(&sandbox, "path", 1);
}

#[test]
fn a_truncated_index_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    let index = fs::read(sandbox.store().join("state/index.sqlite")).unwrap();
    for length in [0, 10, index.len() / 2] {
        sandbox.write("state/index.sqlite", &index[..length]);
        finds(&sandbox, "path", 1);
    }
}

#[test]
fn a_deleted_state_folder_comes_back() {
    let sandbox = with_conventions();
    finds(&sandbox, "path", 1);
    fs::remove_dir_all(sandbox.store().join("state")).unwrap();
    finds(&sandbox, "path", 1);
}

#[test]
fn any_text_is_a_question() {
    let sandbox = with_conventions();
    for text in ["\"", "a AND", "NEAR(", "*", "-", "col:path", "(path", "path\"", "'; DROP", ""] {
        let reply = sandbox.run(&["search", "--json", "--", text]);
        assert_eq!(reply.code, 0, "{text}: {}", reply.stdout);
    }
}

#[test]
fn a_category_narrows_the_search() {
    let sandbox = with_conventions();
    sandbox.propose(session("Today", "The path was clear.")).applied();
    finds(&sandbox, "path", 2);
    let found = sandbox.run(&["search", "--json", "--category", "sessions", "path"]).json();
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
}

#[test]
fn search_writes_no_memory() {
    let sandbox = with_conventions();
    let before = sandbox.tree();
    sandbox.run(&["search", "path"]).expect_code(0);
    assert_eq!(sandbox.tree(), before);
}

#[track_caller]
fn finds(sandbox: &Sandbox, text: &str, count: usize) {
    let found = sandbox.run(&["search", "--json", text]).expect_code(0).json();
    assert_eq!(found["results"].as_array().unwrap().len(), count, "{text}: {found}");
}
