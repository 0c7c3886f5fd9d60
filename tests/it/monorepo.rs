//! A repository of many projects: stores below its top, several roots in one call, sources from the working directory.

use serde_json::{Value, json};

use crate::requests::{convention, session};
use crate::support::Sandbox;

/// A repository with the stores `apps/web` and `libs/core`, and none at its top.
fn two_stores() -> Sandbox {
    let sandbox = Sandbox::without_store();
    for root in ["apps/web", "libs/core"] {
        sandbox.write_project(&format!("{root}/src/a.rs"), "one\ntwo\n");
        sandbox.run(&["init", "--quiet", "--root", root]).expect_code(0);
    }
    sandbox
}

fn log_in(sandbox: &Sandbox, root: &str, text: &str) {
    let call = sandbox.call(&["propose", "--root", root]);
    call.stdin(session("Today", text).to_string()).run().answer().applied();
}

#[test]
fn where_no_store_is_found_those_below_are_named() {
    let sandbox = two_stores();
    let said = sandbox.run(&["status"]).expect_code(2).stderr;
    let hint = "there are stores in `apps/web`, `libs/core`: name one with `--root`, or go there";
    assert!(said.contains(hint), "{said}");
    let said = sandbox.call(&["status"]).within("apps").run().expect_code(2).stderr;
    assert!(said.contains("there are stores in `web`: name one"), "{said}");
}

#[test]
fn a_guard_that_finds_no_store_names_those_below() {
    let sandbox = two_stores();
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["commit", "--quiet", "--message", "x"]);
    let stores = "there is no store here or above: nothing was checked; there are stores in `apps/web`, `libs/core`: give `--root` once for each";
    for guard in [&["check", "--staged"][..], &["check", "--base", "HEAD"]] {
        let said = sandbox.run(guard).expect_code(0).stderr;
        assert!(said.contains(stores), "{said}");
    }
    let said = sandbox.run(&["ci", "github"]).expect_code(0).stdout;
    assert!(said.contains("apps/web") && said.contains("libs/core"), "{said}");
}

#[test]
fn several_stores_are_checked_in_one_call() {
    let sandbox = two_stores();
    let roots = ["--root", "apps/web", "--root", "libs/core"];
    let check = |more: &[&str]| sandbox.run(&[&["check"], &roots[..], more].concat());
    check(&[]).expect_code(0);
    let broken = "# Core\n\n## A\n<!-- @id: a -->\n\nSee [[gone]].\n";
    sandbox.write_project("libs/core/.agent-memory/modules/core.md", broken);
    let report = check(&["--deny", "link-broken", "--json"]).expect_code(1).json();
    let paths: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["path"].as_str())
        .collect();
    assert!(paths.contains(&"libs/core/.agent-memory/modules/core.md"), "{report}");
    assert!(report["errors"].as_u64() >= Some(1), "{report}");
}

#[test]
fn a_session_begins_with_the_memory_of_several_stores() {
    let sandbox = two_stores();
    log_in(&sandbox, "apps/web", "Buttons are round.");
    log_in(&sandbox, "libs/core", "Locks are fair.");
    let roots = ["--root", "apps/web", "--root", "libs/core"];
    let pack = sandbox.run(&[&["context", "--json"], &roots[..]].concat()).expect_code(0).json();
    let text = pack["text"].as_str().unwrap();
    let (web, core) = text.split_once("Memory of `libs/core`:").expect("both");
    assert!(
        web.starts_with("Memory of `apps/web`:") && web.contains("Buttons are round."),
        "{text}"
    );
    assert!(core.contains("Locks are fair."), "{text}");
    let included = pack["receipt"]["included"].to_string();
    assert!(included.contains("libs/core/.agent-memory/sessions/"), "{included}");
    let hook = sandbox.call(&[&["hook", "claude", "SessionStart"], &roots[..]].concat());
    let said = hook.stdin("{}").run().expect_code(0).json();
    let told = said["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(told.contains("Buttons are round.") && told.contains("Locks are fair."), "{told}");
    // Other commands work on one store.
    let said = sandbox.run(&[&["status"], &roots[..]].concat()).expect_code(2).stderr;
    assert!(said.contains("`--root` cannot be given several times"), "{said}");
}

#[test]
fn a_source_may_be_named_from_the_working_directory() {
    let sandbox = Sandbox::new();
    sandbox.write_project("apps/web/src/a.rs", "one\ntwo\n");
    sandbox.write_project("src/b.rs", "one\n");
    sandbox.write_project("apps/web/src/b.rs", "two\n");
    let cite = |heading: &str, reference: &str| -> Value {
        let mut request = convention(heading, "Text.");
        request["sources"] = json!([{ "type": "file", "ref": reference }]);
        request
    };
    let propose = |request: Value| {
        sandbox.call(&["propose"]).within("apps/web").stdin(request.to_string()).run().answer()
    };
    let source = |id: &str| {
        let shown = sandbox.run(&["show", id, "--json"]).expect_code(0).json();
        shown["sources"][0]["ref"].as_str().unwrap().to_owned()
    };
    assert_eq!(source(&propose(cite("One", "src/a.rs:1-2")).staged()), "apps/web/src/a.rs:1-2");
    assert_eq!(source(&propose(cite("Two", "./src/a.rs#L1")).staged()), "apps/web/src/a.rs:1");
    // A path from the root is what it is.
    assert_eq!(source(&propose(cite("Three", "src/b.rs")).staged()), "src/b.rs");
    propose(cite("Four", "src/c.rs")).rejected("provenance_violation");
}

#[test]
fn a_source_may_be_named_from_the_top_where_the_root_is_named_too() {
    let sandbox = two_stores();
    sandbox.write_project("apps/web/src/a.rs", "one\ntwo\n");
    let mut request = convention("One", "Text.");
    request["sources"] = json!([{ "type": "file", "ref": "apps/web/src/a.rs:1-2" }]);
    let root = sandbox.project().join("apps/web");
    for root in ["apps/web", "./apps/web", "apps/../apps/web", root.to_str().unwrap()] {
        request["dry_run"] = json!(true);
        let call = sandbox.call(&["propose", "--root", root]);
        let answer = call.stdin(request.to_string()).run().answer();
        assert_eq!(answer["status"], "staged", "{root}: {}", answer.value);
    }
    request["dry_run"] = json!(false);
    let call = sandbox.call(&["propose", "--root", "apps/web"]);
    let id = call.stdin(request.to_string()).run().answer().staged();
    let shown = sandbox.run(&["show", &id, "--root", "apps/web", "--json"]).expect_code(0).json();
    assert_eq!(shown["sources"][0]["ref"], "src/a.rs:1-2");
}

#[test]
fn a_root_from_the_top_is_explained_in_a_subfolder() {
    let sandbox = two_stores();
    let call = sandbox.call(&["ls", "--root", "apps/web"]).within("apps/web");
    let told = call.run().expect_code(2).stderr;
    assert!(told.contains("hint: it is one from the top of the repository: run this in"), "{told}");
}

#[test]
fn a_clone_without_the_merge_driver_is_named() {
    let sandbox = Sandbox::new();
    let doctor = || sandbox.run(&["doctor"]).stdout;
    assert!(!doctor().contains("merge driver"));
    sandbox.git(&["remote", "add", "origin", "https://forge.example/team/project"]);
    assert!(doctor().contains("this clone has no merge driver"), "{}", doctor());
    sandbox.run(&["install", "git"]).expect_code(0);
    assert!(!doctor().contains("merge driver"), "{}", doctor());
}
