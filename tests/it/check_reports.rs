//! `check` tells of all that there is, and no more than its readers take.

use std::fs;

use crate::cli_check::found;
use crate::merging::in_conflict;
use crate::requests::convention;
use crate::secrets_leak::secrets;
use crate::support::Sandbox;

#[test]
fn a_line_end_in_a_name_begins_no_line_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.write("modules/a\n::error::forged.md", "# A\n");
    let said = sandbox.run(&["check"]).stdout;
    assert!(said.contains("modules/a<U+000A>::error::forged.md"), "{said}");
    assert!(!said.contains("\n::"), "{said}");
}

#[test]
fn what_git_has_not_merged_is_not_clean_where_it_is_staged() {
    let sandbox = in_conflict();
    let findings = found(&sandbox, &["--staged"]);
    assert!(findings.contains(&"conflict-marker decisions.md".to_owned()), "{findings:?}");
    sandbox.run(&["check", "--staged"]).expect_code(1);
}

#[test]
fn a_secret_is_found_in_every_file_that_git_keeps() {
    let sandbox = Sandbox::new();
    let secret = &secrets()[0].text;
    sandbox.write("state/forced.txt", secret);
    sandbox.write("state/not-kept.txt", secret);
    sandbox.git(&["add", "--force", ".agent-memory/state/forced.txt"]);
    let expected = ["ignored-tracked state/forced.txt", "secret state/forced.txt:1"];
    assert_eq!(found(&sandbox, &[]), expected);
    fs::remove_file(sandbox.store().join("state/forced.txt")).unwrap();
    assert_eq!(found(&sandbox, &[]), expected[..1], "git has it still, for `--staged` to read");
}

#[test]
fn the_table_of_contents_goes_into_the_commit_of_a_merge_by_hand() {
    let sandbox = in_conflict();
    let merged = sandbox.file("decisions.md");
    let kept =
        |line: &&str| !["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark));
    let merged: Vec<&str> = merged.lines().filter(kept).collect();
    sandbox.write("decisions.md", merged.join("\n") + "\nBy hand.\n");
    sandbox.run(&["resolve"]).expect_code(0);
    let status = sandbox.git(&["status", "--porcelain"]);
    assert!(status.lines().all(|line| line.starts_with("M  ")), "{status}");
}

#[test]
fn a_comment_is_no_longer_than_a_forge_takes_it() {
    let sandbox = Sandbox::new();
    let mut all = String::from("# Pitfalls\n");
    (0..50).for_each(|number| {
        all += &format!(
            "\n## {} {number}\n\n[[nowhere-{number}]] [[elsewhere-{number}]] [[not-here-{number}]]\n",
            "A long heading. ".repeat(60)
        );
        let mut request = convention(&format!("Rule {number}"), &"Name the path. ".repeat(150));
        request["rationale"] = "Because of this. ".repeat(100).into();
        sandbox.propose(request).staged();
    });
    sandbox.write("pitfalls.md", all);
    let comment = sandbox.run(&["check", "--format", "markdown"]).stdout;
    assert!((30_000..65_536).contains(&comment.chars().count()), "{}", comment.chars().count());
    assert!(comment.contains("\n- and ") && comment.contains(" findings more\n"), "{comment}");
    assert!(comment.contains("Too long to show: "), "{comment}");
}

#[test]
fn a_link_may_be_written_as_a_title() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "modules/deep-note.md",
        "# Deep note\n\n## Two words\n<!-- @id: two-words -->\n\nX.\n",
    );
    let links = "[[Deep Note]] [[Deep Note|it]] [[Two words]] [[Deep note#Two words]] [[modules/Deep Note]]";
    sandbox.write(
        "pitfalls.md",
        format!("# Pitfalls\n\n{links}\n\n[[No such note]] [[Deep Note#Three]]\n"),
    );
    let findings = found(&sandbox, &["--allow", "index-outdated", "--allow", "provenance-missing"]);
    assert_eq!(findings, ["link-broken pitfalls.md:5"; 2]);
}
