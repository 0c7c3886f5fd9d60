//! What the shell of the CI files does, with a forge that is a script.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use crate::cli_ci::printed;
use crate::requests::convention;
use crate::support::Sandbox;
use crate::yaml;

/// The time at which a sandbox begins.
const NOW: &str = "2026-11-20T10:00:00Z";

/// Prints the ids of our comments, and notes each other call with the body that it sends.
const GH: &str = r#"#!/bin/sh
case "$*" in
*--paginate*'startswith(env.MARK)'*) [ -n "$MARK" ] && cat "$FORGE/ids" ;;
*) echo "$*" | sed "s#@.*/#@#" >> "$FORGE/calls"; for last; do :; done; cat "${last#body=@}" > "$FORGE/body" ;;
esac
"#;

/// Answers as GitLab does, with two pages of notes.
const CURL: &str = r#"#!/bin/sh
for last; do :; done
case "$last" in
*/user) echo '{"id": 7}' ;;
*page=1) printf '%s\n' '[{"id": 1, "author": {"id": 8}, "body": "<!-- agent-memory . -->\nquoted"}]' ;;
*page=2) cat "$FORGE/notes" ;;
*page=*) echo '[]' ;;
*)
    for word; do
        case "$word" in body@*) cat "${word#body@}" > "$FORGE/body" ;; PUT | http*) echo "$word" >> "$FORGE/calls" ;; esac
    done ;;
esac
"#;

/// Makes a store with a pull request, and the programs of a runner.
fn runner() -> Sandbox {
    let sandbox = Sandbox::new();
    let config = sandbox.file("config.toml").replace("track = false", "track = true");
    sandbox.write("config.toml", config);
    sandbox.run(&["doctor", "--fix"]);
    sandbox.commit("a store");
    fs::create_dir(sandbox.root().join("bin")).unwrap();
    fs::create_dir(sandbox.root().join("forge")).unwrap();
    for (name, text) in [("gh", GH), ("curl", CURL)] {
        let path = sandbox.root().join("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    }
    forge_has(&sandbox, "ids", "");
    forge_has(&sandbox, "notes", "[]");
    sandbox
}

fn forge_has(sandbox: &Sandbox, name: &str, text: &str) {
    fs::write(sandbox.root().join("forge").join(name), text).unwrap();
}

/// Reads what the forge was sent, and forgets it.
fn sent(sandbox: &Sandbox, name: &str) -> String {
    let path = sandbox.root().join("forge").join(name);
    let text = fs::read_to_string(&path).unwrap_or_default();
    let _ = fs::remove_file(path);
    text
}

pub(crate) fn shell(sandbox: &Sandbox, script: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_agent-memory");
    let folder = PathBuf::from(program).parent().unwrap().to_path_buf();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = [sandbox.root().join("bin"), folder];
    let path = first.into_iter().chain(std::env::split_paths(&path));
    let mut bash = Command::new("bash");
    bash.args(["-e", "-o", "pipefail", "-c", script]).current_dir(sandbox.project());
    bash.env_clear().envs(sandbox.variables()).env("PATH", std::env::join_paths(path).unwrap());
    bash.env("TOOL", program).env("FORGE", sandbox.root().join("forge"));
    bash.env("AGENT_MEMORY_NOW", NOW).env("BASE", "HEAD").env("RUNNER_TEMP", sandbox.root());
    bash.env("GITHUB_STEP_SUMMARY", sandbox.root().join("summary"));
    bash.env("GITHUB_PATH", sandbox.root().join("path"));
    bash.env("GITHUB_REPOSITORY", "ada/tea").env("NUMBER", "3");
    for (name, value) in [
        ("CI_API_V4_URL", "https://lab/api/v4"),
        ("CI_PROJECT_ID", "5"),
        ("CI_MERGE_REQUEST_IID", "3"),
        ("CI_MERGE_REQUEST_DIFF_BASE_SHA", "HEAD"),
        ("AGENT_MEMORY_TOKEN", "secret"),
    ] {
        bash.env(name, value);
    }
    bash.output().unwrap()
}

/// Runs the steps of the job that comments.
#[track_caller]
fn comment(sandbox: &Sandbox) {
    let file = yaml::read(&printed(sandbox, &["github"]));
    for step in file["jobs"]["comment"]["steps"].as_array().unwrap() {
        let Value::String(script) = &step["run"] else { continue };
        let output = shell(sandbox, script);
        assert!(output.status.success(), "{output:?}");
    }
}

fn propose(sandbox: &Sandbox) {
    sandbox.propose(convention("Errors", "Name the path.")).staged();
}

#[test]
fn a_comment_is_written_once_then_edited_and_never_without_reason() {
    let sandbox = runner();
    comment(&sandbox);
    assert_eq!(sent(&sandbox, "calls"), "", "nothing is said where there is nothing to say");
    propose(&sandbox);
    comment(&sandbox);
    let new = "api --silent --method POST repos/ada/tea/issues/3/comments --field body=@body.md\n";
    assert_eq!(sent(&sandbox, "calls"), new);
    let body = sent(&sandbox, "body");
    assert!(body.starts_with("<!-- agent-memory . -->\n### agent-memory: clean\n"), "{body}");
    assert!(body.contains("Waiting for review: 1 proposal"), "{body}");
    assert!(sent(&sandbox, "../summary").contains("1 proposal"), "a fork reads the summary");
    forge_has(&sandbox, "ids", "41\n42\n");
    comment(&sandbox);
    let edit =
        "api --silent --method PATCH repos/ada/tea/issues/comments/41 --field body=@body.md\n";
    assert_eq!(sent(&sandbox, "calls"), edit);
    sandbox.run(&["reject", "--latest", "--reason", "no", "--approver", "Ada"]).expect_code(0);
    sandbox.git(&["add", "--all"]);
    sandbox.git(&["commit", "--quiet", "--message", "decided"]);
    comment(&sandbox);
    assert_eq!(sent(&sandbox, "calls"), edit);
    let clean = "<!-- agent-memory . -->\n### agent-memory: clean\n";
    assert_eq!(sent(&sandbox, "body"), clean, "what was said is taken back");
}

#[test]
fn the_check_of_a_job_fails_only_where_something_is_wrong() {
    let sandbox = runner();
    let file = yaml::read(&printed(&sandbox, &["github"]));
    let check = file["jobs"]["check"]["steps"][2]["run"].as_str().unwrap().to_owned();
    assert!(shell(&sandbox, &check).status.success());
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## Cache\n\nWarm.\n");
    let output = shell(&sandbox, &check);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("::error file="), "{output:?}");
    comment(&sandbox);
    assert!(sent(&sandbox, "body").contains("**error**"), "the comment is written all the same");
}

#[test]
fn a_note_of_gitlab_is_found_on_any_page_and_only_ours() {
    let sandbox = runner();
    let file = yaml::read(&printed(&sandbox, &["gitlab"]));
    let lines = file["agent-memory"]["script"].as_array().unwrap();
    let script: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let run = || {
        let output = shell(&sandbox, &script.join("\n"));
        (output.status.code(), sent(&sandbox, "calls"))
    };
    assert_eq!(run(), (Some(0), String::new()));
    propose(&sandbox);
    let notes = "https://lab/api/v4/projects/5/merge_requests/3/notes";
    assert_eq!(run(), (Some(0), format!("{notes}\n")));
    assert!(sent(&sandbox, "body").contains("1 proposal"));
    let ours = r#"[{"id": 9, "author": {"id": 7}, "body": "<!-- agent-memory . -->\nold"}]"#;
    forge_has(&sandbox, "notes", ours);
    assert_eq!(run(), (Some(0), format!("PUT\n{notes}/9\n")));
    sandbox.write("pitfalls.md", "# Pitfalls\n\n## Cache\n\nWarm.\n");
    assert_eq!(run().0, Some(1), "the job fails, with its reports and its note");
    let report = fs::read_to_string(sandbox.project().join("gl-code-quality-report.json")).unwrap();
    assert!(report.contains("id-missing"), "{report}");
}
