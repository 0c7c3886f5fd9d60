//! The hook of `.pre-commit-hooks.yaml`, by the real `pre-commit` from PyPI.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{Sandbox, folder};

/// Installs `pre-commit` into a folder of the build, once; says why not where the network gives none.
fn pre_commit() -> Option<PathBuf> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pre-commit");
    let program = place.join("bin/pre-commit");
    if !program.exists() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&place).output();
        let has_python = made.is_ok_and(|output| output.status.success());
        let mut pip = Command::new(place.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--retries", "0"]);
        pip.args(["--timeout", "20", "pre-commit"]);
        if !has_python || !pip.output().is_ok_and(|output| output.status.success()) {
            println!(
                "skipped: `pre-commit` cannot be installed (python3 with venv, and the network)"
            );
            return None;
        }
    }
    Some(program)
}

fn run(program: &Path, sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(sandbox.project());
    command.env("PRE_COMMIT_HOME", sandbox.root().join("cache")).output().unwrap()
}

/// Makes a repository that offers our hook with the program that is built already: `language: rust` would
/// build all of it once more.
fn offered(sandbox: &Sandbox) -> String {
    let hooks = std::fs::read_to_string(folder(".pre-commit-hooks.yaml")).unwrap();
    let built = env!("CARGO_BIN_EXE_agent-memory");
    assert!(
        hooks.contains("entry: agent-memory check --staged --base HEAD\n  language: rust\n"),
        "{hooks}"
    );
    let hooks = hooks.replace("entry: agent-memory", &format!("entry: {built}"));
    let hooks = hooks.replace("language: rust", "language: system");
    sandbox.write_project("../hooks/.pre-commit-hooks.yaml", hooks);
    let path = sandbox.root().join("hooks").display().to_string();
    sandbox.git(&["-C", &path, "init", "--quiet", "--initial-branch=main"]);
    sandbox.git(&["-C", &path, "add", "--all"]);
    sandbox.git(&["-C", &path, "commit", "--quiet", "--message", "hooks"]);
    path
}

#[test]
fn the_manifest_is_valid_and_the_hook_looks_at_what_a_commit_brings() {
    let Some(program) = pre_commit() else { return };
    let sandbox = Sandbox::new();
    sandbox.write("archive/old.md", "# Old\n");
    sandbox.commit("a store");
    let manifest = folder(".pre-commit-hooks.yaml").display().to_string();
    let valid = run(&program, &sandbox, &["validate-manifest", &manifest]);
    assert!(valid.status.success(), "{valid:?}");
    let hooks = offered(&sandbox);
    let tried = |sandbox: &Sandbox| {
        let output = run(&program, sandbox, &["try-repo", &hooks, "--verbose"]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    sandbox.write_project("code.rs", "fn main() {}\n");
    sandbox.git(&["add", "--all"]);
    let (code, said) = tried(&sandbox);
    assert!(code == Some(0) && said.contains("Passed"), "{said}");
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    sandbox.git(&["add", "--all"]);
    let (code, said) = tried(&sandbox);
    assert!(code == Some(1) && said.contains("pitfalls.md:3 error"), "{said}");
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n<!-- @id: cache -->\n\nwarm\n");
    sandbox.git(&["add", "--all"]);
    let (code, said) = tried(&sandbox);
    assert!(code == Some(0) && said.contains("Passed"), "{said}");
    sandbox.commit("a pitfall");
    sandbox.git(&["rm", "--quiet", ".agent-memory/archive/old.md"]);
    let (code, said) = tried(&sandbox);
    assert!(code == Some(1) && said.contains("`archive/old.md` was written once"), "{said}");
}
