//! Tells the program from which commit it is built, where git knows, and the linker where it is to lie.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    fix_place();
    tell_commit();
}

/// Links for a fixed place in memory, as Go links by itself: of a process that lives a few milliseconds a tenth
/// went into moving 25,000 addresses. Stack, heap and libraries are where the system puts them; who wants the
/// program there too sets `AGENT_MEMORY_PIE`.
#[expect(clippy::disallowed_methods, reason = "it is how cargo tells what is built")]
fn fix_place() {
    println!("cargo::rerun-if-env-changed=AGENT_MEMORY_PIE");
    let of = |name: &str| env::var(name).unwrap_or_default();
    let is_gnu = of("CARGO_CFG_TARGET_OS") == "linux" && of("CARGO_CFG_TARGET_ENV") == "gnu";
    // With all of libc in the program, the place is for `relocation-model` to choose.
    let is_whole = of("CARGO_CFG_TARGET_FEATURE").split(',').any(|name| name == "crt-static");
    let is_chosen = of("CARGO_ENCODED_RUSTFLAGS").contains("relocation-model");
    let is_wanted = of("PROFILE") == "release" && of("AGENT_MEMORY_PIE").is_empty();
    if is_gnu && !is_whole && !is_chosen && is_wanted {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}

fn tell_commit() {
    // An unpacked archive may lie in somebody else's repository, whose commit says nothing about it.
    if !Path::new(".git").exists() {
        return;
    }
    // The commit's own day, not today's: the same commit always gives the same program.
    if let Some(commit) =
        git(&["-c", "log.showSignature=false", "log", "-1", "--abbrev=7", "--format=%h %cs"])
    {
        println!("cargo::rustc-env=AGENT_MEMORY_COMMIT={commit}");
    }
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    // A branch that git has packed is no file, so the log of `HEAD` tells of the next commit.
    for name in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
        // What is not there would count as changed at every build.
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists())
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// Returns the line that git prints about the repository of this folder.
fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // A hook that builds has these of the repository in which it runs.
    command.args(arguments).env_remove("GIT_DIR").env_remove("GIT_WORK_TREE");
    let output = command.output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(line).filter(|line| !line.is_empty())
}
