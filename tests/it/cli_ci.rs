//! `ci` prints files that a maintainer can merge as they are.

use std::fs;

use serde_json::{Value, json};

use crate::support::Sandbox;
use crate::yaml;

const SYSTEMS: [&str; 3] = ["github", "gitlab", "pre-commit"];

pub(crate) fn printed(sandbox: &Sandbox, arguments: &[&str]) -> String {
    sandbox.run(&[&["ci"], arguments].concat()).expect_code(0).stdout
}

/// Returns the file for GitHub, read.
fn github(sandbox: &Sandbox) -> Value {
    yaml::read(&printed(sandbox, &["github"]))
}

fn add_store(sandbox: &Sandbox, root: &str) {
    fs::create_dir_all(sandbox.project().join(root)).unwrap();
    sandbox.run(&["init", "--root", root]).expect_code(0);
}

#[test]
fn each_file_is_yaml_and_names_no_root_where_there_is_one_store() {
    let sandbox = Sandbox::new();
    for system in SYSTEMS {
        let text = printed(&sandbox, &[system]);
        yaml::read(&text);
        assert!(text.ends_with('\n') && !text.contains('\t'), "{text}");
        assert!(!text.contains(" AGENT_MEMORY_ROOT: ") && !text.contains("args:"), "{text}");
        assert!(!["@PATHS", "@ROOT", "@MATRIX", "@HOOKS"].iter().any(|mark| text.contains(mark)));
        assert!(text.lines().all(|line| line.chars().count() <= 150), "{text}");
    }
}

#[test]
fn the_tool_has_this_version_and_each_action_a_commit() {
    let sandbox = Sandbox::new();
    let text = printed(&sandbox, &["github"]);
    let version = env!("CARGO_PKG_VERSION");
    let tool = format!("uvx --no-config --from agent-memory-in-git=={version} agent-memory");
    assert_eq!(yaml::read(&text)["env"]["TOOL"], tool);
    for line in text.lines().filter(|line| line.contains("uses: ")) {
        let (_, pinned) = line.split_once('@').unwrap();
        let (commit, release) = pinned.split_once(" # v").unwrap();
        assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()));
        assert_eq!(release.split('.').count(), 3, "{line}");
    }
    let gitlab = printed(&sandbox, &["gitlab"]);
    assert!(gitlab.contains(&format!(" agent-memory-in-git=={version}\n")), "{gitlab}");
}

#[test]
fn only_the_job_that_comments_may_write_and_only_a_comment() {
    let sandbox = Sandbox::new();
    let file = github(&sandbox);
    let on: Vec<&String> = file["on"].as_object().unwrap().keys().collect();
    assert_eq!(on, ["pull_request", "push"], "never `pull_request_target`");
    let read = json!({"contents": "read"});
    assert_eq!(file["permissions"], read);
    assert_eq!(file["jobs"]["check"]["permissions"], read);
    let comment = &file["jobs"]["comment"];
    assert_eq!(comment["permissions"], json!({"contents": "read", "pull-requests": "write"}));
    assert_eq!(comment["if"], "github.event_name == 'pull_request'");
    for job in ["check", "comment"] {
        let job = &file["jobs"][job];
        assert_eq!(job["timeout-minutes"], "10");
        assert_eq!(job["steps"][0]["with"]["persist-credentials"], "false");
        assert_eq!(job["steps"][0]["with"]["fetch-depth"], "0");
    }
    // The token is given to one step alone, which does not run for a fork.
    let steps = comment["steps"].as_array().unwrap();
    let with_token: Vec<&Value> =
        steps.iter().filter(|step| step.to_string().contains("github.token")).collect();
    assert_eq!(with_token.len(), 1);
    let same = "github.event.pull_request.head.repo.full_name == github.repository";
    assert_eq!(with_token[0]["if"], same);
    // What a pull request names reaches the shell in variables alone.
    for job in file["jobs"].as_object().unwrap().values() {
        let runs = job["steps"].as_array().unwrap().iter().filter_map(|step| step["run"].as_str());
        runs.for_each(|run| assert!(!run.contains("${{"), "{run}"));
    }
}

#[test]
fn runs_of_one_pull_request_replace_one_another_and_others_are_left_out() {
    let sandbox = Sandbox::new();
    let file = github(&sandbox);
    let group = file["concurrency"]["group"].as_str().unwrap();
    assert!(group.contains("github.event.pull_request.number || github.sha"), "{group}");
    let paths = json!([".agent-memory/**", ".github/workflows/agent-memory.yml"]);
    assert_eq!(file["on"]["pull_request"]["paths"], paths);
    assert_eq!(file["on"]["push"]["paths"], paths);
    let gitlab = yaml::read(&printed(&sandbox, &["gitlab"]));
    let rules = gitlab["agent-memory"]["rules"].as_array().unwrap();
    let changes = json!([".agent-memory/**/*", ".gitlab-ci.yml"]);
    assert!(rules.iter().all(|rule| rule["changes"] == changes), "{rules:?}");
    assert_eq!(gitlab["agent-memory"]["timeout"], "10 minutes");
    assert_eq!(gitlab["agent-memory"]["interruptible"], "true");
}

#[test]
fn the_branch_is_the_default_one_of_the_repository() {
    let sandbox = Sandbox::new();
    let branch = || github(&sandbox)["on"]["push"]["branches"].clone();
    assert_eq!(branch(), json!(["main"]));
    sandbox.commit("a store");
    sandbox.git(&["branch", "--move", "master"]);
    assert_eq!(branch(), json!(["master"]));
    sandbox.git(&["update-ref", "refs/remotes/origin/trunk", "HEAD"]);
    sandbox.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]);
    assert_eq!(branch(), json!(["trunk"]));
    let without_git = Sandbox::without_git();
    assert_eq!(github(&without_git)["on"]["push"]["branches"], json!(["main"]));
}

#[test]
fn one_store_below_the_top_is_named() {
    let sandbox = Sandbox::without_store();
    add_store(&sandbox, "web/docs");
    let file = github(&sandbox);
    assert_eq!(file["env"]["AGENT_MEMORY_ROOT"], "web/docs");
    assert_eq!(file["on"]["push"]["paths"][0], "web/docs/.agent-memory/**");
    assert_eq!(file["jobs"]["check"]["strategy"], Value::Null);
    let gitlab = yaml::read(&printed(&sandbox, &["gitlab"]));
    assert_eq!(gitlab["agent-memory"]["variables"]["AGENT_MEMORY_ROOT"], "web/docs");
    let hooks = yaml::read(&printed(&sandbox, &["pre-commit"]));
    assert_eq!(hooks["repos"][0]["hooks"][0]["args"], json!(["--root", "web/docs"]));
    for system in SYSTEMS {
        let named = printed(&sandbox, &[system, "--root", "web/docs"]);
        let inside = sandbox.call(&["ci", system]).within("web/docs").run().expect_code(0).stdout;
        assert_eq!((&inside, &named), (&printed(&sandbox, &[system]), &inside));
    }
}

#[test]
fn all_stores_of_a_monorepo_are_a_matrix() {
    let sandbox = Sandbox::new();
    add_store(&sandbox, "services/mail");
    add_store(&sandbox, "web [new]/\"docs\"");
    let roots = json!([".", "services/mail", "web [new]/\"docs\""]);
    let file = github(&sandbox);
    for job in ["check", "comment"] {
        let job = &file["jobs"][job];
        assert_eq!(job["strategy"], json!({"fail-fast": "false", "matrix": {"root": roots}}));
        assert_eq!(job["env"]["AGENT_MEMORY_ROOT"], "${{ matrix.root }}");
    }
    let paths = &file["on"]["push"]["paths"];
    assert_eq!(paths[2], "web \\[new\\]/\"docs\"/.agent-memory/**", "a name is no pattern");
    let gitlab = yaml::read(&printed(&sandbox, &["gitlab"]));
    let matrix = &gitlab["agent-memory"]["parallel"]["matrix"];
    assert_eq!(matrix, &json!([{"AGENT_MEMORY_ROOT": roots}]));
    let hooks = yaml::read(&printed(&sandbox, &["pre-commit"]));
    assert_eq!(hooks["repos"][0]["hooks"].as_array().unwrap().len(), 3);
}

#[test]
fn the_stores_of_a_matrix_can_be_named() {
    let sandbox = Sandbox::new();
    add_store(&sandbox, "services/mail");
    add_store(&sandbox, "web");
    let text = printed(&sandbox, &["github", "--root", "web", "--root", "services/mail"]);
    let matrix = &yaml::read(&text)["jobs"]["check"]["strategy"]["matrix"];
    assert_eq!(matrix["root"], json!(["services/mail", "web"]));
    let refused = sandbox.run(&["ci", "github", "--root", "no-such-folder"]).expect_code(2).stderr;
    assert!(refused.contains("there is no store in"), "{refused}");
    let twice = sandbox.run(&["status", "--root", ".", "--root", "web"]).expect_code(2).stderr;
    assert!(twice.contains("`--root` cannot be given several times"), "{twice}");
}

#[test]
fn a_store_that_git_ignores_is_in_no_file() {
    let sandbox = Sandbox::new();
    add_store(&sandbox, "private");
    sandbox.write_project(".gitignore", "/private/\n");
    assert_eq!(github(&sandbox)["jobs"]["check"]["strategy"], Value::Null);
}
