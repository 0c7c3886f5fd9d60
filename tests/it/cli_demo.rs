//! `agent-memory demo`

use crate::support::Sandbox;

#[test]
fn the_demonstration_goes_the_whole_way_and_leaves_nothing() {
    let sandbox = Sandbox::without_git();
    let reply = sandbox.run(&["demo"]).expect_code(0);
    for step in
        ["\"status\":\"staged\"", "PENDING", "applied", "decisions/short-lived-access-tokens.md:1"]
    {
        assert!(reply.stdout.contains(step), "{step}: {}", reply.stdout);
    }
    let left = std::fs::read_dir(sandbox.root().join("tmp")).unwrap().count();
    assert_eq!(left, 0);
}

#[test]
fn the_demonstration_approves_nothing_in_the_repository_that_it_is_run_in() {
    let mut sandbox = Sandbox::new();
    let waits = crate::requests::convention("Errors", "Name the path.");
    let id = sandbox.propose(waits).staged();
    let inside = sandbox.project().display().to_string();
    sandbox.set_env("TMPDIR", &inside);
    sandbox.set_env("CLAUDECODE", "1");
    sandbox.run(&["demo"]).expect_code(0);
    let status = sandbox.run(&["status", "--json"]).json();
    assert_eq!(status["pending"][0]["id"], id.as_str());
}
