//! `ci --from` installs a package that is on no registry, and nothing else than that package.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use serde_json::Value;

use crate::ci_scripts::shell;
use crate::cli_ci::printed;
use crate::support::Sandbox;
use crate::yaml;

const TARBALL: &str = "dist/agent-memory-1.0-linux.tar.gz";
const WHEEL: &str = "dist/agent_memory_in_git-1.0-py3-none-any.whl";
const ADDRESS: &str = "https://example.org/v1.0/agent-memory.tar.gz";

/// Makes a program and what a forge sends, beside the project.
fn tool(sandbox: &Sandbox, name: &str, script: &str) {
    let folder = sandbox.root().join("bin");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
}

/// Makes a store with a tarball and a wheel; the program in the tarball says `1.0`.
fn with_packages() -> Sandbox {
    let sandbox = Sandbox::new();
    let packed = sandbox.root().join("packed/agent-memory-1.0/bin");
    fs::create_dir_all(&packed).unwrap();
    fs::create_dir_all(sandbox.project().join("dist")).unwrap();
    tool(&sandbox, "../packed/agent-memory-1.0/bin/agent-memory", "echo 1.0");
    let mut tar = Command::new("tar");
    tar.arg("-czf").arg(sandbox.project().join(TARBALL));
    tar.arg("-C").arg(sandbox.root().join("packed")).arg("agent-memory-1.0");
    assert!(tar.status().unwrap().success());
    sandbox.write_project(WHEEL, "a wheel");
    sandbox.commit("packages");
    sandbox
}

/// Returns the script of the step that installs, in both jobs the same.
#[track_caller]
fn step_of_github(sandbox: &Sandbox, from: &str) -> String {
    let file = yaml::read(&printed(sandbox, &["github", "--from", from]));
    assert_eq!(file["env"]["TOOL"], "agent-memory");
    let [check, comment] = ["check", "comment"].map(|job| {
        let steps = file["jobs"][job]["steps"].as_array().unwrap();
        steps.iter().find(|step| step["name"] == "Install").unwrap()["run"].clone()
    });
    assert_eq!(check, comment);
    check.as_str().unwrap().to_owned()
}

fn line_of_gitlab(sandbox: &Sandbox, from: &str) -> String {
    let file = yaml::read(&printed(sandbox, &["gitlab", "--from", from]));
    file["agent-memory"]["before_script"][0].as_str().unwrap().to_owned()
}

/// Runs a script of CI; tells whether the job goes on.
fn passes(sandbox: &Sandbox, script: &str) -> bool {
    let _ = fs::remove_dir_all(sandbox.root().join("agent-memory"));
    shell(sandbox, script).status.success()
}

/// Returns what the program says that a job finds.
fn installed(sandbox: &Sandbox) -> String {
    let path = fs::read_to_string(sandbox.root().join("path")).unwrap();
    let said = Command::new(format!("{}/agent-memory", path.trim_end())).output().unwrap();
    String::from_utf8(said.stdout).unwrap()
}

#[test]
fn a_tarball_of_the_repository_is_unpacked_if_it_is_the_same_one() {
    let sandbox = with_packages();
    let step = step_of_github(&sandbox, TARBALL);
    assert!(passes(&sandbox, &step), "{step}");
    assert_eq!(installed(&sandbox), "1.0\n");
    assert!(line_of_gitlab(&sandbox, TARBALL).contains("tar -xzf \"$file\" -C /usr/local"));
    let from_below =
        sandbox.call(&["ci", "github", "--from", "../dist/agent-memory-1.0-linux.tar.gz"]);
    let from_below = from_below.within(".agent-memory").run().expect_code(0);
    assert_eq!(from_below.stdout, printed(&sandbox, &["github", "--from", TARBALL]));
    assert_eq!(from_below.stderr, "");
    let other = fs::read(sandbox.project().join(WHEEL)).unwrap();
    sandbox.write_project(TARBALL, other);
    assert!(!passes(&sandbox, &step), "another file has another sum");
}

#[test]
fn a_wheel_is_given_to_the_installer_if_it_is_the_same_one() {
    let sandbox = with_packages();
    for name in ["uv", "pip"] {
        tool(&sandbox, name, r#"for last; do :; done; cat "$last" > "$RUNNER_TEMP/got""#);
    }
    let got = || fs::read_to_string(sandbox.root().join("got")).unwrap_or_default();
    for script in [step_of_github(&sandbox, WHEEL), line_of_gitlab(&sandbox, WHEEL)] {
        assert!(passes(&sandbox, &script), "{script}");
        assert_eq!(got(), "a wheel");
        fs::remove_file(sandbox.root().join("got")).unwrap();
        sandbox.write_project(WHEEL, "another wheel");
        assert!(!passes(&sandbox, &script) && got().is_empty(), "{script}");
        sandbox.write_project(WHEEL, "a wheel");
    }
    let file = yaml::read(&printed(&sandbox, &["github", "--from", WHEEL]));
    let steps = file["jobs"]["check"]["steps"].as_array().unwrap();
    let uv = |step: &Value| step["uses"].as_str().is_some_and(|name| name.contains("setup-uv@"));
    assert_eq!(steps.iter().filter(|step| uv(step)).count(), 1);
}

#[test]
fn an_address_is_fetched_and_compared_with_the_sum_behind_it() {
    let sandbox = with_packages();
    let script = r#"while [ $# -gt 1 ]; do [ "$1" != --output ] || file=$2; shift; done
[ "$1" = https://example.org/v1.0/agent-memory.tar.gz ] && cp dist/*.tar.gz "$file""#;
    tool(&sandbox, "curl", script);
    let unchecked = sandbox.run(&["ci", "github", "--from", ADDRESS]).expect_code(0).stderr;
    assert!(unchecked.starts_with("warning: nothing checks what CI gets"), "{unchecked}");
    let step = step_of_github(&sandbox, ADDRESS);
    assert!(step.contains("--proto =https") && passes(&sandbox, &step), "{step}");
    assert_eq!(installed(&sandbox), "1.0\n");
    let local = step_of_github(&sandbox, TARBALL);
    let sum = local.lines().find_map(|line| line.strip_prefix("echo \"")).unwrap();
    let sum = sum.split(' ').next().unwrap();
    let checked = format!("{ADDRESS}#sha256={sum}");
    assert!(passes(&sandbox, &step_of_github(&sandbox, &checked)));
    let other = format!("{ADDRESS}#sha256={}", "0".repeat(64));
    assert!(!passes(&sandbox, &step_of_github(&sandbox, &other)));
    assert_eq!(sandbox.run(&["ci", "gitlab", "--from", &checked]).stderr, "");
}

#[test]
fn a_file_that_is_not_in_git_is_named() {
    let sandbox = with_packages();
    sandbox.git(&["rm", "--quiet", "--cached", WHEEL]);
    let said = sandbox.run(&["ci", "gitlab", "--from", WHEEL]).expect_code(0).stderr;
    assert!(said.starts_with(&format!("warning: `{WHEEL}` is not in git")), "{said}");
}

#[test]
fn what_ci_cannot_install_is_refused() {
    let sandbox = with_packages();
    sandbox.write_project("dist/a b.whl", "");
    sandbox.write_project("dist/agent-memory.deb", "");
    sandbox.write_project("../elsewhere.whl", "");
    std::os::unix::fs::symlink("../../elsewhere.whl", sandbox.project().join("dist/link.whl"))
        .unwrap();
    for (from, words) in [
        ("dist/absent.whl", "is no file"),
        ("dist/agent-memory.deb", "is neither a wheel nor a tarball"),
        ("dist/a b.whl", "has ` ` in its name"),
        ("dist/link.whl", "is no file"),
        ("../elsewhere.whl", "is outside of the repository"),
        ("http://example.org/a.whl", "is no `https://` address"),
        ("https://example.org/a.zip", "is neither a wheel nor a tarball"),
        ("https://ada:hunter2@example.org/a.whl", "has `@` in its name"),
        ("https://example.org/a.whl#sha256=12", "behind `#`"),
    ] {
        let reply = sandbox.run(&["ci", "github", "--from", from]).expect_code(2);
        assert_eq!(reply.stdout, "", "{from}");
        assert!(reply.stderr.starts_with("error: `--from`: ") && reply.stderr.contains(words));
        assert!(reply.stderr.contains("\nhint: ") && !reply.stderr.contains("hunter2"));
        let error = sandbox.run(&["ci", "gitlab", "--from", from, "--json"]).json();
        assert_eq!(error["error"]["code"], "usage", "{error}");
    }
    let hook = sandbox.run(&["ci", "pre-commit", "--from", WHEEL]).expect_code(2);
    assert!(hook.stderr.contains("pre-commit runs the program of each person"), "{}", hook.stderr);
}
