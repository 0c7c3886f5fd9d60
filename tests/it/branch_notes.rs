//! Notes of other branches are not in answers, unless they are asked for.

use serde_json::Value;

use crate::support::Sandbox;

/// A store on `main` with the notes of two branches.
fn noted() -> Sandbox {
    let sandbox = Sandbox::given(&[(
        "conventions.md",
        "# Conventions\n\n## Zebras\n<!-- @id: zebras -->\n\n- Zebras are striped.\n",
    )]);
    for branch in ["main", "topic"] {
        let note = format!(
            "# Current\n\n## Zebra\n<!-- @id: zebra -->\n\nThe zebra of {branch} eats {branch}weed.\n"
        );
        sandbox.write(&format!("local/current.{branch}.md"), note);
    }
    sandbox
}

fn paths(sandbox: &Sandbox, words: &[&str]) -> Vec<String> {
    let found = sandbox.run(&[&["search", "--json"], words].concat()).expect_code(0).json();
    let found = found["results"].as_array().unwrap().iter();
    let path = |it: &Value| {
        let branch = it["branch"].as_str().map(|name| format!(" of {name}")).unwrap_or_default();
        format!("{}{branch}", it["path"].as_str().unwrap())
    };
    found.map(path).collect()
}

#[test]
fn notes_of_another_branch_are_found_only_where_they_are_asked_for() {
    let sandbox = noted();
    let found = paths(&sandbox, &["zebra"]);
    assert!(found.contains(&"local/current.main.md".to_owned()), "{found:?}");
    assert!(found.iter().all(|path| !path.contains("topic")), "{found:?}");
    let all = paths(&sandbox, &["zebra", "--all-branches"]);
    assert!(all.contains(&"local/current.topic.md of topic".to_owned()), "{all:?}");
    assert_eq!(paths(&sandbox, &["zebra", "--file", "local/*"]).len(), 2);
    let said = sandbox.run(&["search", "zebra", "--all-branches"]).expect_code(0).stdout;
    assert!(said.contains("of branch topic") && !said.contains("of branch main"), "{said}");
}

#[test]
fn an_empty_answer_says_that_another_branch_has_one() {
    let sandbox = noted();
    let reply = sandbox.run(&["search", "topicweed"]).expect_code(0);
    let said = format!("{}{}", reply.stdout, reply.stderr);
    assert!(said.contains("nothing found") && said.contains("--all-branches"), "{said}");
}

#[test]
fn the_notes_follow_the_branch_that_is_checked_out() {
    let sandbox = noted();
    sandbox.commit("a store");
    sandbox.git(&["checkout", "--quiet", "-b", "topic"]);
    let found = paths(&sandbox, &["zebra"]);
    assert!(found.contains(&"local/current.topic.md".to_owned()), "{found:?}");
    assert!(!found.contains(&"local/current.main.md".to_owned()), "{found:?}");
}

#[test]
fn a_pack_holds_notes_of_another_branch_only_where_they_are_asked_for_and_marks_them() {
    let sandbox = noted();
    let pack = |more: &[&str]| {
        sandbox.run(&[&["context", "zebra weed"], more].concat()).expect_code(0).stdout
    };
    assert!(pack(&[]).contains("mainweed") && !pack(&[]).contains("topicweed"), "{}", pack(&[]));
    let all = pack(&["--all-branches"]);
    assert!(all.contains("topicweed") && all.contains("of branch topic"), "{all}");
}
