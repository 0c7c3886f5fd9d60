//! Linked worktrees: each has a queue of its own, and one can look into all of them.

use std::{fs, thread};

use serde_json::{Value, json};

use crate::requests::{TELLING, convention, new_body, with_founded_conventions};
use crate::support::{Reply, Sandbox};

/// A committed store, and a worktree of it on another branch.
fn two_worktrees() -> Sandbox {
    let sandbox = with_founded_conventions();
    sandbox.commit("the store");
    sandbox.git(&["worktree", "add", "--quiet", "-b", "topic", "../topic"]);
    sandbox
}

/// Proposes something in the other worktree.
fn propose_there(sandbox: &Sandbox, request: Value) -> String {
    sandbox.call(&["propose"]).within("../topic").stdin(request.to_string()).run().answer().staged()
}

fn there(sandbox: &Sandbox, arguments: &[&str]) -> Reply {
    sandbox.call(arguments).within("../topic").run()
}

#[test]
fn what_waits_in_every_worktree_is_shown_with_its_branch() {
    let sandbox = two_worktrees();
    sandbox.git(&["worktree", "add", "--quiet", "--detach", "../bare", "HEAD~1"]);
    let here = sandbox.propose(convention("Paths", TELLING)).staged();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let status = sandbox.run(&["status", "--worktrees", "--json"]).expect_code(0).json();
    let seen: Vec<_> = status["worktrees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|each| {
            (
                each["branch"].as_str().unwrap(),
                each["current"].as_bool().unwrap(),
                each["pending"][0]["id"].as_str().unwrap(),
            )
        })
        .collect();
    // The third has no store.
    assert_eq!(seen, [("main", true, here.as_str()), ("topic", false, &id)]);
    let shown = there(&sandbox, &["status", "--worktrees"]).expect_code(0).stdout;
    let root = sandbox.root().canonicalize().unwrap().display().to_string();
    let place = |branch: &str| {
        shown
            .lines()
            .position(|line| line.starts_with(&format!("{branch} at")))
            .unwrap_or_else(|| panic!("{root}: {shown}"))
    };
    assert!(place("main") < place("topic") && shown.contains("(here)"), "{shown}");
    assert!(shown.contains(&here) && shown.contains(&id), "{shown}");
}

#[test]
fn review_says_how_to_decide_about_each() {
    let sandbox = two_worktrees();
    let here = sandbox.propose(convention("Paths", TELLING)).staged();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let shown = sandbox.run(&["review", "--worktrees"]).expect_code(0).stdout;
    assert!(shown.contains(&format!("agent-memory apply {here} --digest")), "{shown}");
    let land_here = shown.lines().find(|line| line.ends_with(" --from-worktree topic"));
    let land_here = land_here.unwrap_or_else(|| panic!("{shown}")).trim();
    assert!(land_here.starts_with(&format!("agent-memory apply {id} --digest ")), "{shown}");
    let said = sandbox.run(&["review", "--worktrees", "--json"]).expect_code(0).json();
    assert_eq!(said["worktrees"][1]["proposals"][0]["proposal"]["id"], json!(id));
    let narrow = sandbox.run(&["review", "--worktrees", "--file", "pitfalls.md", "--json"]);
    assert_eq!(narrow.expect_code(0).json()["worktrees"][1]["proposals"], json!([]));
}

#[test]
fn a_proposal_of_another_worktree_lands_where_one_stands() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let apply = ["apply", &id, "--from-worktree", "topic", "--approver", "Ada", "--json"];
    sandbox.run(&apply).answer().applied();
    assert!(sandbox.file("conventions.md").contains("They are ISO 8601."));
    assert!(!there(&sandbox, &["show", "conventions.md"]).stdout.contains("ISO"));
    let last = |reply: Reply| reply.expect_code(0).json()["decisions"][0].clone();
    let (here, there_) =
        (last(sandbox.run(&["log", "--json"])), last(there(&sandbox, &["log", "--json"])));
    assert_eq!(
        (&here["decision"], &here["id"], &here["approver"]),
        (&json!("applied"), &json!(id), &json!("Ada"))
    );
    assert_eq!(
        (&there_["decision"], &there_["id"], &there_["approver"]),
        (&json!("moved"), &json!(id), &json!("Ada"))
    );
    let queue = there(&sandbox, &["status", "--json"]).expect_code(0).json();
    assert_eq!(queue["pending"], json!([]));
    for verified in [sandbox.run(&["log", "--verify"]), there(&sandbox, &["log", "--verify"])] {
        verified.expect_code(0);
    }
    sandbox.run(&["doctor"]).expect_code(0);
    // It is a change like any other here, and there it can wait again.
    let before = sandbox.git(&["show", "HEAD:.agent-memory/conventions.md"]);
    sandbox.run(&["undo", &id, "--approver", "Ada"]).expect_code(0);
    assert_eq!(sandbox.file("conventions.md"), before);
    there(&sandbox, &["restore", &id, "--approver", "Ada"]).expect_code(0);
    sandbox.run(&apply).answer().applied();
}

#[test]
fn it_is_checked_against_the_files_here() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, new_body("errors", "They name a path and a line."));
    sandbox
        .write("conventions.md", sandbox.file("conventions.md").replace("name a path", "name all"));
    let before = sandbox.tree();
    let apply = ["apply", &id, "--from-worktree", "topic", "--approver", "Ada", "--json"];
    sandbox.run(&apply).answer().rejected("target_drift");
    assert_eq!(sandbox.tree(), before);
    let queue = there(&sandbox, &["status", "--json"]).expect_code(0).json();
    assert_eq!(queue["pending"][0]["id"], json!(id));
    let reply = sandbox.run(&[&apply[..], &["--force"]].concat()).expect_code(0);
    assert!(reply.stderr.contains("-They name all."), "{}", reply.stderr);
}

#[test]
fn it_lands_once_and_needs_a_person() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let apply = ["apply", &id, "--from-worktree", "topic", "--json"];
    sandbox.run(&apply).answer().rejected("approval_refused");
    let apply = [&apply[..], &["--approver", "Ada"]].concat();
    sandbox.call(&apply).env("CLAUDECODE", "1").run().answer().rejected("approval_refused");
    sandbox.run(&apply).answer().applied();
    sandbox.run(&apply).answer().rejected("staging_not_found");
    there(&sandbox, &["restore", &id, "--approver", "Ada"]).expect_code(0);
    let again = sandbox.run(&apply).answer().rejected("staging_not_found");
    assert!(again["message"].as_str().unwrap().contains("was applied here"), "{}", again.value);
}

#[test]
fn a_worktree_that_is_not_there_is_named() {
    let sandbox = two_worktrees();
    for (name, word) in
        [("nowhere", "no worktree"), ("main", "where you stand"), (".", "where you stand")]
    {
        let reply = sandbox
            .run(&["apply", "x", "--from-worktree", name, "--approver", "Ada"])
            .expect_code(2);
        assert!(reply.stderr.contains(word), "{}", reply.stderr);
    }
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    sandbox.run(&["apply", &id, "--from-worktree", "../topic", "--approver", "Ada"]).expect_code(0);
}

#[test]
fn a_commit_goes_to_the_branch_where_one_stands() {
    let sandbox = two_worktrees();
    let id = sandbox.propose(convention("Dates", "They are ISO 8601.")).staged();
    let apply = ["apply", &id, "--from-worktree", "main", "--commit", "--approver", "Ada"];
    there(&sandbox, &apply).expect_code(0);
    assert_eq!(
        sandbox.git(&["log", "--format=%s", "-1", "topic"]),
        "memory: apply conventions.md#dates\n"
    );
    assert_eq!(sandbox.git(&["log", "--format=%s", "-1", "main"]), "the store\n");
    assert_eq!(sandbox.git(&["-C", "../topic", "status", "--porcelain"]), "");
}

#[test]
fn it_does_not_land_while_somebody_may_decide_about_it_there() {
    let sandbox = two_worktrees();
    let id = propose_there(&sandbox, convention("Dates", "They are ISO 8601."));
    let before = sandbox.tree();
    let lock = sandbox.project().join("../topic/.agent-memory/state/lock");
    let held = fs::File::options().write(true).open(lock).unwrap();
    held.lock().unwrap();
    let apply = ["apply", &id, "--from-worktree", "topic", "--approver", "Ada", "--json"];
    let reply = sandbox.run(&[&apply[..], &["--wait", "0"]].concat()).expect_code(2);
    assert_eq!(reply.json()["error"]["code"], "lock_held");
    assert_eq!(sandbox.tree(), before);
    drop(held);
    sandbox.run(&apply).answer().applied();
}

#[test]
fn what_two_decide_at_once_in_two_worktrees_is_decided_once() {
    let sandbox = two_worktrees();
    for round in 0..8 {
        let (heading, text) = (format!("Rule {round}"), format!("What rule {round} alone says."));
        let id = propose_there(&sandbox, convention(&heading, &text));
        let take = ["apply", &id, "--from-worktree", "topic", "--approver", "Ada"];
        let (apply, reject) = (["apply", &id, "--approver", "Bob"], ["reject", &id]);
        let other = if round % 2 == 0 { &apply[..] } else { &reject[..] };
        let (taken, decided) = thread::scope(|scope| {
            let taken = scope.spawn(|| sandbox.run(&take).code);
            (there(&sandbox, other).code, taken.join().unwrap())
        });
        assert_eq!(taken + decided, 1, "{other:?}: {taken}, {decided}");
    }
}

/// Git lists its own folder as the main worktree there.
#[test]
fn the_main_worktree_of_a_submodule_is_one() {
    let outer = Sandbox::without_store();
    let inner = with_founded_conventions();
    inner.commit("the store");
    let address = inner.project().display().to_string();
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &address, "lib"];
    outer.git(&add);
    outer.git(&["-C", "lib", "worktree", "add", "--quiet", "-b", "topic", "../../topic"]);
    for folder in ["lib", "../topic"] {
        let reply = outer.call(&["status", "--worktrees", "--json"]).within(folder).run();
        let status = reply.expect_code(0).json();
        let branches: Vec<_> =
            status["worktrees"].as_array().unwrap().iter().map(|it| it["branch"].clone()).collect();
        assert_eq!(branches, ["main", "topic"], "{folder}: {status}");
    }
}

#[test]
fn the_main_worktree_beside_a_git_folder_of_another_place_is_one() {
    let sandbox = with_founded_conventions();
    sandbox.commit("the store");
    sandbox.git(&["init", "--quiet", "--separate-git-dir", "../data.git"]);
    let status = sandbox.run(&["status", "--worktrees", "--json"]).expect_code(0).json();
    assert_eq!(status["worktrees"][0]["branch"], "main", "{status}");
    assert_eq!(status["worktrees"][0]["current"], true);
}
