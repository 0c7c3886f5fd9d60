//! `ls`: what is in the store, one line a section; and `show` with the id alone.

use serde_json::{Value, json};

use crate::requests::{convention, with_conventions};
use crate::support::{Sandbox, replace_placeholders};

const AUTH: &str = "# Auth\n\n## Tokens\n<!-- @id: tokens -->\n<!-- @source: file src/auth/refresh.rs 000000000000 confirmed 2026-11-02 -->\n<!-- @source: user ada - user-provided 2026-11-05 -->\n\nThey rotate.\n\n## By hand\n\n- **Date:** 2026-10-01\n\nNo id.\n";

fn store() -> Sandbox {
    let sandbox = with_conventions();
    sandbox.write("modules/auth.md", AUTH);
    sandbox
        .write("archive/old.md", "# Old\n\n## Errors\n<!-- @id: errors -->\n\nThey were short.\n");
    sandbox
}

fn ids(sandbox: &Sandbox, options: &[&str]) -> Vec<String> {
    let document = sandbox.run(&[&["ls", "--json"], options].concat()).expect_code(0).json();
    let sections = document["sections"].as_array().unwrap().iter();
    let id = |section: &Value| section["id"].as_str().unwrap_or("none").to_owned();
    sections.map(id).collect()
}

#[test]
fn each_section_has_a_line_below_its_file() {
    let told = store().run(&["ls"]).expect_code(0).stdout;
    let expected = [
        "conventions.md",
        "  #errors  Errors                                          no source  -",
        "  #names   Names                                           no source  -",
        "modules/auth.md",
        "  #tokens  Tokens                                   confirmed, stale  2026-11-05",
        "  :10      By hand                                         no source  2026-10-01",
    ];
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(&told), squeezed(&expected.join("\n")), "{told}");
    assert_eq!(told.lines().count(), expected.len(), "{told}");
}

#[test]
fn no_line_is_wider_than_the_window_and_no_id_is_cut() {
    for columns in ["40", "80", "100"] {
        let mut sandbox = store();
        sandbox.set_env("COLUMNS", columns);
        let told = sandbox.run(&["ls", "modules/auth.md"]).expect_code(0).stdout;
        let most = columns.parse().unwrap();
        assert!(told.lines().all(|line| line.chars().count() <= most), "{told}");
        assert!(told.contains("#tokens") && told.contains("2026-11-05"), "{told}");
    }
}

#[test]
fn it_is_narrowed_as_a_search_is() {
    let sandbox = store();
    assert_eq!(ids(&sandbox, &["--category", "modules"]), ["tokens", "none"]);
    assert_eq!(ids(&sandbox, &["modules/*", "--freshness", "stale"]), ["tokens"]);
    assert_eq!(ids(&sandbox, &["--confidence", "user-provided"]), ["tokens"]);
    assert_eq!(ids(&sandbox, &["--since", "2026-11"]), ["tokens"]);
    assert_eq!(ids(&sandbox, &["--until", "2026-10-01"]), ["none"]);
    assert_eq!(ids(&sandbox, &["archive"]), ["errors"]);
    assert_eq!(ids(&sandbox, &["--include-archived"]).len(), 5);
    let told = sandbox.run(&["ls", "moduls/*"]).expect_code(0).stderr;
    assert!(told.contains("did you mean `modules/*`"), "{told}");
    sandbox.run(&["ls", "--category", "module"]).expect_code(2);
    sandbox.run(&["ls", "--since", "soon"]).expect_code(2);
}

#[test]
fn a_program_gets_a_hash_for_each_section_and_no_secret() {
    let secret = replace_placeholders("{{AWS_KEY}}");
    let sandbox = store();
    sandbox.write("pitfalls.md", format!("# Pitfalls\n\n## {secret}\n"));
    let reply = sandbox.run(&["ls", "--json"]).expect_code(0);
    assert!(!reply.stdout.contains(&secret), "{}", reply.stdout);
    let section = &reply.json()["sections"][2];
    let shown = sandbox.run(&["show", "modules/auth.md#tokens", "--json"]).expect_code(0).json();
    assert_eq!(section["hash"], shown["sections"][0]["hash"]);
    assert_eq!((&section["category"], &section["level"]), (&json!("modules"), &json!(2)));
}

#[test]
fn an_id_alone_is_shown_where_one_section_has_it() {
    let sandbox = store();
    let told = sandbox.run(&["show", "tokens"]).expect_code(0).stdout;
    assert!(
        told.starts_with("modules/auth.md:3#tokens") && told.contains("They rotate."),
        "{told}"
    );
    // The copy in the archive is none of them.
    let told = sandbox.run(&["show", "errors"]).expect_code(0).stdout;
    assert!(told.starts_with("conventions.md:3#errors"), "{told}");
    sandbox.write("modules/net.md", "# Net\n\n## Errors\n<!-- @id: errors -->\n\nx\n");
    let told = sandbox.run(&["show", "errors"]).expect_code(1).stderr;
    let both = told.contains("`conventions.md#errors`") && told.contains("`modules/net.md#errors`");
    assert!(both && told.contains("section_ambiguous"), "{told}");
    assert!(sandbox.run(&["show", "nothing"]).expect_code(1).stderr.contains("staging_not_found"));
}

#[test]
fn a_pending_proposal_is_meant_before_a_section_and_a_section_before_a_decided_one() {
    let sandbox = store();
    let id = sandbox.propose(convention("Tokens", "Say what they are for.")).staged();
    let reply = sandbox.run(&["show", "tokens"]).expect_code(0);
    assert!(reply.stdout.starts_with(&format!("proposal {id}")), "{}", reply.stdout);
    assert!(reply.stderr.contains("`show modules/auth.md#tokens`"), "{}", reply.stderr);
    sandbox.run(&["reject", &id, "--reason", "no"]).expect_code(0);
    let told = sandbox.run(&["show", "tokens"]).expect_code(0).stdout;
    assert!(told.starts_with("modules/auth.md:3#tokens"), "{told}");
    assert!(sandbox.run(&["show", &id]).expect_code(0).stdout.contains("rejected"));
}
