//! `check --base`: what came along under another name is not brought in, and whatever else changed is seen.

use std::fs;
use std::ops::RangeInclusive;

use crate::cli_check::found;
use crate::support::{Sandbox, replace_placeholders};

const SINCE: [&str; 4] = ["--base", "HEAD", "--allow", "index-outdated"];

/// Writes sections that have no source, which is an old mistake.
fn sections(numbers: RangeInclusive<u8>) -> String {
    let line = |n: u8, line: u8| format!("Line {line} of what is known of part {n} stands here.\n");
    let lines = |n: u8| (0..6).map(|each| line(n, each)).collect::<String>();
    numbers.map(|n| format!("## Part {n}\n<!-- @id: part-{n} -->\n\n{}\n", lines(n))).collect()
}

#[test]
fn all_that_changed_is_seen_where_a_file_was_split() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/big.md", sections(1..=10));
    sandbox.commit("old mistakes");
    sandbox.write("modules/big.md", sections(1..=2));
    sandbox.write("modules/rest.md", sections(3..=10));
    let secret = replace_placeholders("# Zoo\n\n{{AWS_KEY}}\n");
    sandbox.write("modules/zoo.md", secret);
    sandbox.git(&["add", "."]);
    assert_eq!(found(&sandbox, &SINCE), ["secret modules/zoo.md:3"]);
    let staged = [&SINCE[..], &["--staged"]].concat();
    assert_eq!(found(&sandbox, &staged), ["secret modules/zoo.md:3"]);
    // What stayed where it was is as old as what went elsewhere.
    sandbox.append("modules/big.md", "## New\n<!-- @id: new -->\n\nIt is new.\n");
    let new = found(&sandbox, &SINCE);
    assert_eq!(new, ["provenance-missing modules/big.md:21", "secret modules/zoo.md:3"]);
}

#[test]
fn evidence_that_changed_is_seen_where_code_was_split() {
    let sandbox = Sandbox::new();
    let code = |numbers: RangeInclusive<u8>| {
        numbers
            .map(|n| format!("pub fn part_{n}() -> u8 {{\n    {n} + {n}\n}}\n"))
            .collect::<String>()
    };
    sandbox.write_project("src/a.rs", code(1..=40));
    sandbox.write_project("src/z.rs", "fn z() {}\n");
    let blob = sandbox.git(&["hash-object", "src/z.rs"]);
    sandbox.write("conventions.md", format!("# C\n\n## A\n<!-- @id: a -->\n<!-- @source: file src/z.rs {} confirmed 2026-11-20 -->\n\nx\n", &blob[..12]));
    sandbox.commit("cited");
    assert_eq!(found(&sandbox, &SINCE), [""; 0]);
    sandbox.write_project("src/a.rs", code(1..=8));
    sandbox.write_project("src/b.rs", code(9..=40));
    sandbox.write_project("src/z.rs", "fn other() {}\n");
    sandbox.git(&["add", "."]);
    assert_eq!(found(&sandbox, &SINCE), ["provenance-stale conventions.md:5"]);
}

#[test]
fn what_came_along_with_a_file_that_is_named_is_not_brought_in() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/cache.md", sections(1..=2));
    sandbox.commit("old mistakes");
    sandbox.git(&["mv", ".agent-memory/modules/cache.md", ".agent-memory/modules/store.md"]);
    let named = [&SINCE[..], &[".agent-memory/modules/store.md"]].concat();
    assert_eq!(found(&sandbox, &named), [""; 0]);
    sandbox.append("modules/store.md", "## New\n<!-- @id: new -->\n\nIt is new.\n");
    assert_eq!(found(&sandbox, &named), ["provenance-missing modules/store.md:21"]);
}

#[test]
fn what_came_along_with_a_file_that_git_does_not_know_yet_is_not_brought_in() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/cache.md", sections(1..=2));
    sandbox.commit("old mistakes");
    let place = |name: &str| sandbox.store().join("modules").join(name);
    fs::rename(place("cache.md"), place("store.md")).unwrap();
    assert_eq!(found(&sandbox, &SINCE), [""; 0]);
    // What stays where it is was copied, and the copy is new.
    fs::copy(place("store.md"), place("cache.md")).unwrap();
    let new = found(&sandbox, &SINCE);
    assert!(new.iter().any(|it| it.starts_with("provenance-missing modules/store.md")), "{new:?}");
}
