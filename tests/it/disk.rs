//! The disk stands in the way: read-only, full, or another one.
//!
//! Tests that need mounts of their own say so and are left out where they cannot have them.
#![allow(clippy::print_stdout, reason = "a test that is left out says so")]

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::requests::{convention, session, with_conventions};
use crate::support::{Reply, Sandbox};

/// The checks of `doctor` that found something, each with the hint.
fn hints(diagnosis: &Value) -> Vec<(&str, &str)> {
    let found = diagnosis["findings"].as_array().unwrap().iter();
    found.map(|each| (each["check"].as_str().unwrap(), each["hint"].as_str().unwrap())).collect()
}

/// Runs the program in mounts of its own: `mount` is a script that makes them and ends in the folder
/// where the program shall run.
fn mounted(sandbox: &Sandbox, mount: &str, arguments: &[&str]) -> Option<Reply> {
    let own = [&["--mount"][..], &["--mount", "--map-root-user"]].into_iter().find(|options| {
        let mut probe = Command::new("unshare");
        probe.args(*options).args(["mount", "-t", "tmpfs", "none", "/mnt"]);
        let probe = probe.stdout(Stdio::null()).stderr(Stdio::null()).status();
        probe.is_ok_and(|status| status.success())
    });
    let Some(options) = own else {
        println!("skipped: mounts of one's own need `unshare` and the right to use it");
        return None;
    };
    let mut command = Command::new("unshare");
    command.args(options).args(["sh", "-euc", &format!("{mount}\nexec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
    command.env_clear().env("PATH", std::env::var("PATH").unwrap_or_default());
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z").env("PROJECT", sandbox.project());
    command.env("OTHER", sandbox.root().join("tmp"));
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config"));
    Some(Reply::of(command.output().unwrap()))
}

#[test]
fn a_read_only_folder_is_named_and_can_still_be_read() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.run(&["reindex"]).expect_code(0);
    sandbox.write_project("request.json", session("Today", "Done.").to_string());
    let before = sandbox.tree();
    let read_only = "mount --bind \"$PROJECT\" \"$PROJECT\"\nmount -o remount,ro,bind \"$PROJECT\"\ncd \"$PROJECT\"";
    let run = |arguments: &[&str]| mounted(&sandbox, read_only, arguments);
    for write in [
        &["propose", "--file", "request.json"][..],
        &["apply", &id, "--approver", "Ada", "--json"],
        &["reject", &id, "--json"],
    ] {
        let Some(reply) = run(write) else { return };
        let error = &reply.expect_code(2).json()["error"];
        assert_eq!(error["code"], "io", "{write:?}");
        assert_eq!(error["hint"], "the file system is mounted read-only", "{write:?}");
    }
    for read in [
        &["status"][..],
        &["log"],
        &["log", "--verify"],
        &["show", &id],
        &["show", "conventions.md"],
        &["context", "path"],
    ] {
        run(read).unwrap().expect_code(0);
    }
    // What cannot be kept is made for this one question.
    let found = run(&["search", "--json", "path"]).unwrap().expect_code(0).json();
    assert_eq!(found["results"][0]["id"], "errors", "{found}");
    for treatment in [&["doctor", "--json"][..], &["doctor", "--fix", "--json"]] {
        let diagnosis = run(treatment).unwrap().expect_code(1).json();
        let named = ("disk", "the file system is mounted read-only");
        assert!(hints(&diagnosis).contains(&named), "{diagnosis}");
        assert_eq!(diagnosis["fixed"], json!([]));
    }
    assert_eq!(sandbox.tree(), before);
    sandbox.apply(&id).applied();
}

#[test]
fn a_folder_that_is_closed_keeps_nobody_from_reading() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.write_project("request.json", convention("Branches", "Short names.").to_string());
    let closed = "cd \"$PROJECT\"\nmount --bind .agent-memory/staging .agent-memory/staging\nmount -o remount,ro,bind .agent-memory/staging";
    for write in [
        &["propose", "--file", "request.json"][..],
        &["apply", &id, "--approver", "Ada", "--json"],
        &["reject", &id, "--json"],
    ] {
        let Some(reply) = mounted(&sandbox, closed, write) else { return };
        let error = &reply.expect_code(2).json()["error"];
        assert_eq!(error["hint"], "the file system is mounted read-only", "{write:?}");
    }
    // Nothing was recorded that could not be done.
    for read in [&["status"][..], &["search", "path"], &["show", &id], &["context"]] {
        mounted(&sandbox, closed, read).unwrap().expect_code(0);
    }
    sandbox.apply(&id).applied();
}

#[test]
fn a_proposal_whose_own_folder_is_closed_keeps_nobody_from_work() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.write_project("request.json", convention("Branches", "Short names.").to_string());
    let folder = format!(".agent-memory/staging/{id}");
    let closed = format!(
        "cd \"$PROJECT\"\nmount --bind {folder} {folder}\nmount -o remount,ro,bind {folder}"
    );
    for write in [&["apply", &id, "--approver", "Ada", "--json"][..], &["reject", &id, "--json"]] {
        let Some(reply) = mounted(&sandbox, &closed, write) else { return };
        let error = &reply.expect_code(2).json()["error"];
        assert_eq!(error["hint"], "the file system is mounted read-only", "{write:?}");
    }
    let propose = ["propose", "--file", "request.json"];
    mounted(&sandbox, &closed, &propose).unwrap().expect_code(0);
    sandbox.apply(&id).applied();
}

#[test]
fn each_folder_that_is_closed_to_writes_is_named() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    let staged = format!("staging/{id}");
    for folder in ["modules", "sessions", "rejections", "state/trash", "state/tmp"] {
        fs::create_dir_all(sandbox.store().join(folder)).unwrap();
    }
    let diagnose = |folder: &str| {
        let place = sandbox.store().join(folder);
        let place = place.to_str().unwrap().trim_end_matches('/');
        let closed = format!(
            "mount --bind {place} {place}\nmount -o remount,ro,bind {place}\ncd \"$PROJECT\""
        );
        mounted(&sandbox, &closed, &["doctor", "--json"]).map(|reply| (place.to_owned(), reply))
    };
    for folder in [
        "",
        "staging",
        &staged,
        "modules",
        "sessions",
        "rejections",
        "state",
        "state/trash",
        "state/tmp",
    ] {
        let Some((place, reply)) = diagnose(folder) else { return };
        let diagnosis = reply.expect_code(1).json();
        let named = format!("could not write to `{place}`: ");
        let found = diagnosis["findings"].as_array().unwrap();
        let is_it = |each: &&Value| each["message"].as_str().unwrap().starts_with(&named);
        let found: Vec<&Value> = found.iter().filter(is_it).collect();
        assert_eq!(found.len(), 1, "{folder}: {diagnosis}");
        assert_eq!(found[0]["hint"], "the file system is mounted read-only");
    }
    // No command writes there.
    let (_, reply) = diagnose("schemas").unwrap();
    assert!(hints(&reply.json()).iter().all(|(check, _)| *check != "disk"));
}

/// Makes a small file system that is a copy of the project and has no room for one more file.
const FULL: &str = r#"mount -t tmpfs -o nr_inodes=400,size=20m none "$OTHER"
cp -a "$PROJECT/." "$OTHER/"
cd "$OTHER"
number=0
while (: > "filler$number") 2>/dev/null; do number=$((number + 1)); done"#;

#[test]
fn a_full_inode_table_is_named_and_nothing_is_half_done() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.write_project("request.json", session("Today", "Done.").to_string());
    for write in
        [&["propose", "--file", "request.json"][..], &["apply", &id, "--approver", "Ada", "--json"]]
    {
        let Some(reply) = mounted(&sandbox, FULL, write) else { return };
        let error = &reply.expect_code(2).json()["error"];
        assert_eq!(error["code"], "io", "{error}");
        assert!(error["hint"].as_str().unwrap().contains("df -i"), "{error}");
    }
    let diagnosis = mounted(&sandbox, FULL, &["doctor", "--json"]).unwrap().expect_code(1).json();
    let (check, hint) = hints(&diagnosis)[0];
    assert!(check == "disk" && hint.contains("df -i"), "{diagnosis}");

    // What did not work before works as soon as there is room.
    let again = "! \"$0\" propose --file request.json >/dev/null\nrm filler*";
    let reply =
        mounted(&sandbox, &format!("{FULL}\n{again}"), &["propose", "--file", "request.json"]);
    reply.unwrap().answer().applied();
    let checked = "\"$0\" propose --file request.json >/dev/null\n\"$0\" log --verify >/dev/null";
    let reply = mounted(&sandbox, &format!("{FULL}\n{again}\n{checked}"), &["status", "--json"]);
    assert_eq!(reply.unwrap().expect_code(0).json()["pending"][0]["can_apply"], true);
}

#[test]
fn a_disk_that_has_no_room_for_an_index_is_named() {
    let sandbox = with_conventions();
    let little = r#"mount -t tmpfs -o size=20m none "$OTHER"
cp -a "$PROJECT/." "$OTHER/"
cd "$OTHER"
rm -f .agent-memory/state/index.sqlite
head -c $((($(stat -f -c '%a * %S' .)) - 65536)) /dev/zero > filler"#;
    let Some(reply) = mounted(&sandbox, little, &["search", "path"]) else { return };
    reply.expect_code(2);
    for treatment in [&["doctor", "--json"][..], &["doctor", "--fix", "--json"]] {
        let diagnosis = mounted(&sandbox, little, treatment).unwrap().expect_code(1).json();
        let named = hints(&diagnosis).into_iter().find(|(check, _)| *check == "disk");
        assert!(named.is_some_and(|(_, hint)| hint.contains("free some")), "{diagnosis}");
    }
    // What was tried is gone, and with it what it took.
    let tried =
        format!("{little}\n! \"$0\" doctor >/dev/null\ntest ! -e .agent-memory/state/probe");
    mounted(&sandbox, &tried, &["--version"]).unwrap().expect_code(0);
}

#[test]
fn a_store_may_lie_on_another_file_system_than_the_temporary_folder() {
    let sandbox = Sandbox::new();
    let Some(shm) = tempfile::tempdir_in("/dev/shm").ok().filter(|shm| {
        fs::metadata(shm.path()).unwrap().dev() != fs::metadata(sandbox.root()).unwrap().dev()
    }) else {
        println!("skipped: there is no second file system at `/dev/shm`");
        return;
    };
    let there = shm.path().to_str().unwrap();
    // The temporary folder elsewhere, then the store.
    let id =
        sandbox.call(&["propose"]).env("TMPDIR", there).stdin(request()).run().answer().staged();
    let apply = ["apply", &id, "--approver", "Ada", "--json"];
    sandbox.call(&apply).env("TMPDIR", there).run().answer().applied();
    sandbox.call(&["demo"]).env("TMPDIR", there).run().expect_code(0);

    fs::create_dir(shm.path().join(".agent-memory")).unwrap();
    let root = ["--root", there];
    let run = |arguments: &[&str]| sandbox.call(&[arguments, &root].concat());
    run(&["init"]).run().expect_code(0);
    let id = run(&["propose"]).stdin(request()).run().answer().staged();
    run(&["apply", &id, "--approver", "Ada", "--json"]).run().answer().applied();
    run(&["log", "--verify"]).run().expect_code(0);
    run(&["doctor"]).run().expect_code(0);
}

fn request() -> String {
    convention("Paths", "Use forward slashes.").to_string()
}

#[test]
fn a_store_that_is_spread_over_two_file_systems_is_refused_before_anything_is_half_done() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    let before = sandbox.tree();
    let spread = "cp -a \"$PROJECT/.agent-memory/state\" \"$OTHER/\"\nmount -t tmpfs none \"$PROJECT/.agent-memory/state\"\ncp -a \"$OTHER/state/.\" \"$PROJECT/.agent-memory/state/\"\ncd \"$PROJECT\"";
    let apply = ["apply", &id, "--approver", "Ada", "--json"];
    let Some(reply) = mounted(&sandbox, spread, &apply) else { return };
    let error = &reply.expect_code(2).json()["error"];
    assert_eq!(error["hint"], "keep all of `.agent-memory` on one file system");
    assert_eq!(sandbox.tree(), before);
    let doctor = mounted(&sandbox, spread, &["doctor", "--json"]).unwrap().expect_code(1).json();
    let (check, hint) = hints(&doctor)[0];
    assert!(check == "disk" && hint.contains("on one file system"), "{doctor}");
    let apart = "mkdir \"$PROJECT/.agent-memory/sessions\"\nmount -t tmpfs none \"$PROJECT/.agent-memory/sessions\"\ncd \"$PROJECT\"";
    let doctor = mounted(&sandbox, apart, &["doctor", "--json"]).unwrap().expect_code(1).json();
    let message = doctor["findings"][0]["message"].as_str().unwrap();
    assert!(message.contains("sessions") && hints(&doctor)[0].1 == hint, "{doctor}");
    // Nothing is recorded that the next command would have to finish, and could not.
    let refused = format!("{spread}\n! \"$0\" apply {id} --approver Ada >/dev/null 2>&1");
    let status = mounted(&sandbox, &refused, &["status", "--json"]).unwrap();
    assert_eq!(status.expect_code(0).json()["pending"][0]["id"], json!(id));
    sandbox.apply(&id).applied();
}

#[test]
fn a_merge_that_finds_no_room_leaves_our_side_whole() {
    let sandbox = Sandbox::new();
    let base = format!("## A\n\nfirst\n\n## B\n\n{}", "- a rule of many\n".repeat(300));
    let [ours, theirs] = ["ours", "theirs"].map(|side| base.replace("first", side));
    for (ours, theirs) in [(&ours, &base), (&base, &theirs), (&ours, &theirs)] {
        let files = [("base", &base), ("ours", ours), ("theirs", theirs)];
        files.iter().for_each(|(name, text)| sandbox.write_project(name, text));
        // Git merges line by line where the driver could not, and would take half a file for our side.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -f 2; exec \"$0\" \"$@\""]);
        command.arg(env!("CARGO_BIN_EXE_agent-memory")).current_dir(sandbox.project());
        command.args(["merge-driver", "base", "ours", "theirs", "x.md"]);
        let said = Reply::of(command.output().unwrap()).expect_code(2).stderr;
        assert!(said.contains("could not write `ours`"), "{said}");
        assert_eq!(&fs::read_to_string(sandbox.project().join("ours")).unwrap(), ours);
        let mut names: Vec<_> = fs::read_dir(sandbox.project()).unwrap().collect();
        names.retain(|name| !name.as_ref().unwrap().file_type().unwrap().is_dir());
        assert_eq!(names.len(), files.len(), "{names:?}");
    }
}

/// Runs the program where files may grow to so many blocks of 512 bytes; what it says goes where the shell sends it.
fn limited(sandbox: &Sandbox, blocks: u32, arguments: &[&str], to: &str) -> Reply {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\" {to}")]);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
    command.current_dir(sandbox.project()).env_clear().envs(sandbox.variables());
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z").stdin(Stdio::null());
    Reply::of(command.output().unwrap())
}

#[test]
fn a_limit_of_file_size_ends_no_command_by_a_signal() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "Use forward slashes.")).staged();
    sandbox.write_project("request.json", session("Today", "Done.").to_string());
    let apply = ["apply", &id, "--approver", "Ada"];
    for blocks in [0, 1, 2] {
        let commands: [&[&str]; 9] = [
            &["status"],
            &["search", "errors"],
            &["context"],
            &["check"],
            &["reindex"],
            &["propose", "--file", "request.json", "--quiet"],
            &["init", "--from", ".", "--approver", "Ada"],
            &["install", "claude"],
            &apply,
        ];
        for command in commands {
            let reply = limited(&sandbox, blocks, command, "");
            assert!((0..=2).contains(&reply.code), "{command:?} at {blocks}: {}", reply.stderr);
            if reply.code == 2 {
                let said = format!("{}{}", reply.stdout, reply.stderr);
                assert!(said.contains("ulimit -f"), "{command:?} at {blocks}: {said}");
            }
        }
    }
    let applied = limited(&sandbox, 2, &apply, "").expect_code(2);
    assert!(applied.stderr.contains("could not write"), "{}", applied.stderr);
    assert!(sandbox.has(&format!("staging/{id}")));
    sandbox.run(&["log", "--verify"]).expect_code(0);
    sandbox.apply(&id).applied();
}

#[test]
fn an_answer_that_grows_too_large_for_its_file_is_told() {
    let sandbox = with_conventions();
    let said = limited(&sandbox, 1, &["propose", "--schema"], "> answer").expect_code(2).stderr;
    assert!(said.contains("could not print the answer") && said.contains("ulimit -f"), "{said}");
}

#[test]
#[cfg(feature = "mcp")]
fn a_server_survives_the_limit_too() {
    let sandbox = with_conventions();
    let ask = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_propose_update","arguments":{"intent":"session_log","operations":[{"operation":"append_section","heading":"H","content":"x"}]}}}"#;
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    sandbox.write_project("lines", [hello, ready, ask, ""].join("\n"));
    let reply = limited(&sandbox, 0, &["mcp"], "< lines").expect_code(0);
    assert!(reply.stdout.contains("ulimit -f"), "{}", reply.stdout);
}

#[test]
fn a_reader_that_went_away_is_no_fault_of_the_command() {
    let sandbox = with_conventions();
    for command in [&["secrets", "rules"][..], &["status", "--json"], &["log"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut process = sandbox.process(command);
        let ended = process.stdout(writer).stderr(Stdio::null()).status().unwrap();
        assert_eq!(ended.code(), Some(0), "{command:?}");
    }
}
