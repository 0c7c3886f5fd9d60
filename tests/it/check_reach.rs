//! `check`: which files it opens, and what it says of those that are not there any more.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs;
use std::process::{Command, Output};

use crate::cli_check::found;
use crate::support::Sandbox;

/// Makes a store of so many modules; each links to the one before.
fn with_modules(count: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    for number in 0..count {
        let text = format!(
            "# M\n\n## Part\n<!-- @id: part-{number} -->\n<!-- @source: user ada - confirmed 2026-11-20 -->\n\nSee [[part-{}]].\n",
            number.saturating_sub(1)
        );
        sandbox.write(&format!("modules/m{number}.md"), text);
    }
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.commit("modules");
    sandbox
}

/// Runs a check under `strace` with some options; nothing where there is none.
fn traced(sandbox: &Sandbox, options: &[&str], arguments: &[&str]) -> Option<Output> {
    if Command::new("strace").arg("-V").output().is_err() {
        println!("skipped: there is no `strace` (Debian package `strace`)");
        return None;
    }
    let mut traced = Command::new("strace");
    traced.args(["-f", "-qq", "-o", "../trace"]).args(options);
    traced.arg(env!("CARGO_BIN_EXE_agent-memory")).arg("check").args(arguments);
    Some(traced.current_dir(sandbox.project()).output().unwrap())
}

/// Returns which modules a check opens, by their names.
fn opened(sandbox: &Sandbox, arguments: &[&str]) -> Option<Vec<String>> {
    let output = traced(sandbox, &["-e", "trace=open,openat,openat2"], arguments)?;
    assert!(output.status.success(), "{output:?}");
    let trace = fs::read_to_string(sandbox.project().join("../trace")).unwrap();
    // From the store on; git, which looks at files that were written a moment ago, names them from above it.
    let names = trace.lines().filter_map(|line| line.split('"').nth(1)?.strip_prefix("modules/"));
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.sort_unstable();
    names.dedup();
    Some(names)
}

#[test]
fn a_check_of_a_change_opens_only_what_the_change_touched() {
    let sandbox = with_modules(20);
    sandbox.append("modules/m7.md", "\nOne line more.\n");
    let since = ["--base", "HEAD", "--allow", "index-outdated"];
    // Its link leads to an id, and any file may have it.
    let Some(all) = opened(&sandbox, &since) else { return };
    assert_eq!(all.len(), 20);
    let text = sandbox.file("modules/m7.md").replace("[[part-6]]", "[[m6#part-6]]");
    sandbox.write("modules/m7.md", &text);
    sandbox.commit("a link that names its file");
    sandbox.append("modules/m7.md", "\nTwo lines more.\n");
    assert_eq!(opened(&sandbox, &since).unwrap(), ["m6.md", "m7.md"]);
    sandbox.write("modules/m7.md", text.replace("See [[m6#part-6]].", "No link."));
    sandbox.commit("no link");
    sandbox.append("modules/m7.md", "\nThree lines more.\n");
    assert_eq!(opened(&sandbox, &since).unwrap(), ["m7.md"]);
    assert_eq!(opened(&sandbox, &["--allow", "index-outdated"]).unwrap().len(), 20);
}

#[test]
fn a_link_that_a_change_breaks_in_another_file_is_brought_in() {
    let sandbox = with_modules(4);
    let since = ["--base", "HEAD", "--allow", "index-outdated"];
    let text = sandbox.file("modules/m1.md").replace("@id: part-1 ", "@id: part-one ");
    sandbox.write("modules/m1.md", text);
    assert_eq!(found(&sandbox, &since), ["link-broken modules/m2.md:7"]);
    fs::remove_file(sandbox.store().join("modules/m2.md")).unwrap();
    assert_eq!(found(&sandbox, &since), ["link-broken modules/m3.md:7"]);
    sandbox.commit("broken");
    assert_eq!(found(&sandbox, &since), [""; 0]);
    sandbox.append("modules/m3.md", "\nAnd [[part-0]], [[m0#part-0]], [[m0]], [[part-9]].\n");
    assert_eq!(found(&sandbox, &since), ["link-broken modules/m3.md:9"]);
}

#[test]
fn a_file_that_vanishes_or_fails_while_it_is_read_is_a_finding_and_the_rest_is_checked() {
    let sandbox = with_modules(3);
    sandbox.write("pitfalls.md", "# P\n\n## Cache\n\nwarm\n");
    let cases =
        [("openat,openat2:error=ENOENT", "it is gone"), ("read,pread64:error=EIO", "(os error 5)")];
    for (injury, why) in cases {
        let inject = format!("inject={injury}");
        let path = sandbox.store().join("modules/m1.md").display().to_string();
        let options = ["-P", "modules/m1.md", "-P", &path, "-e", &inject];
        let Some(output) = traced(&sandbox, &options, &["--allow", "index-outdated"]) else {
            return;
        };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let named = "modules/m1.md error `modules/m1.md` cannot be read: ";
        let reason = said.lines().find_map(|line| line.split_once(named)).map(|(_, reason)| reason);
        assert!(reason.is_some_and(|reason| reason.contains(why)), "{injury}: {said}");
        assert!(said.contains("pitfalls.md:3 error"), "{said}");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let sandbox = Sandbox::new();
    sandbox.write("decisions.md", "# Decisions\n\n## Bare\n");
    sandbox.git(&["add", "."]);
    let is_named = |found: Vec<String>| found.iter().any(|each| each.starts_with("id-missing"));
    assert!(is_named(found(&sandbox, &["--staged", "--base", "HEAD"])));
    sandbox.git(&["commit", "--quiet", "--message", "the store"]);
    assert!(!is_named(found(&sandbox, &["--staged", "--base", "HEAD"])));
}
