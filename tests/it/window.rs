//! A person saves a file while a change to it is past its last look: in the window that is left before
//! the new bytes take their place, which `strace` holds open here.

use std::fs;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::crash::has_strace;
use crate::requests::{OPEN_PITFALLS, pitfall_bullet, session, two_files};
use crate::support::{Reply, Sandbox};

const TRAP: &str = "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- the first bullet\n";

const EDITED: &str = "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- by hand, the first bullet\n";

/// Old and new are about to change places; nobody looks at the old file any more.
const AT_THE_EXCHANGE: (&str, &str) = ("renameat2:delay_enter=900000:when=1", "RENAME_EXCHANGE");

/// The new file is about to come where there was none.
const AT_THE_FIRST_NAME: (&str, &str) = ("renameat2:delay_enter=900000:when=1", "RENAME_NOREPLACE");

/// The change is recorded, and about to become durable.
const AT_THE_RECORD: (&str, &str) = ("fdatasync:delay_enter=900000:when=1", "fdatasync(");

/// Runs the program until it is held at a call, lets a person act, and returns what it answered.
fn run(
    sandbox: &Sandbox,
    arguments: &[&str],
    (inject, call): (&str, &str),
    injury: Option<&str>,
    act: impl FnOnce(),
) -> Reply {
    // What is copied for the case that the worktree goes is there before the calls are counted.
    sandbox.run(&["status"]).expect_code(0);
    let trace = sandbox.root().join("trace");
    let mut command = Command::new("strace");
    command.args(["-qq", "-e", "trace=renameat,renameat2,fdatasync", "-o"]).arg(&trace);
    for inject in [Some(inject), injury].into_iter().flatten() {
        command.arg("-e").arg(format!("inject={inject}"));
    }
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(arguments);
    command.current_dir(sandbox.project()).env_clear();
    command.env("XDG_CONFIG_HOME", sandbox.root().join("config"));
    command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    let mut child: Child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !fs::read_to_string(&trace).is_ok_and(|trace| trace.contains(call)) {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it came to {call}");
        std::thread::yield_now();
    }
    act();
    Reply::of(child.wait_with_output().unwrap())
}

/// Proposes what lands at once.
fn propose(
    sandbox: &Sandbox,
    request: &Value,
    at: (&str, &str),
    injury: Option<&str>,
    act: impl FnOnce(),
) -> Reply {
    sandbox.write_project("request.json", request.to_string());
    run(sandbox, &["propose", "--file", "request.json"], at, injury, act)
}

/// Returns what an answer warns of.
fn warning(answer: &Value) -> String {
    let warnings = answer["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{answer}");
    warnings[0].as_str().unwrap().to_owned()
}

/// Expects that a warning says where an edit of a file is kept, that it is there, and nothing besides.
#[track_caller]
fn expect_kept(sandbox: &Sandbox, path: &str, warning: &str, edited: &str) {
    let beginning = format!(
        "`{path}` was edited while a change was being written; the edit is kept in `state/trash/edited-"
    );
    assert!(warning.starts_with(&beginning), "{warning}");
    let kept = warning.trim_end_matches('`').rsplit('`').next().unwrap();
    assert_eq!(sandbox.file(kept), edited);
    expect_sound(sandbox);
}

#[track_caller]
fn expect_sound(sandbox: &Sandbox) {
    assert_eq!(fs::read_dir(sandbox.store().join("state/tmp")).unwrap().count(), 0);
    sandbox.run(&["log", "--verify"]).expect_code(0);
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_file_that_is_saved_in_the_last_moment_is_kept() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let save = || sandbox.write("pitfalls.md", EDITED);
    let answer = propose(&sandbox, &request, AT_THE_EXCHANGE, None, save).answer().applied();
    assert_eq!(sandbox.file("pitfalls.md"), format!("{TRAP}- the second bullet\n"));
    expect_kept(&sandbox, "pitfalls.md", &warning(&answer.value), EDITED);
}

#[test]
fn an_editor_that_renames_its_file_into_place_loses_nothing() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let save = || {
        sandbox.write("pitfalls.md~", EDITED);
        let place = |name: &str| sandbox.store().join(name);
        fs::rename(place("pitfalls.md~"), place("pitfalls.md")).unwrap();
    };
    let answer = propose(&sandbox, &request, AT_THE_EXCHANGE, None, save).answer().applied();
    expect_kept(&sandbox, "pitfalls.md", &warning(&answer.value), EDITED);
}

#[test]
fn who_has_the_file_open_goes_on_writing_to_what_is_kept() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let mut open = None;
    let begin = || {
        let mut file = fs::File::create(sandbox.store().join("pitfalls.md")).unwrap();
        std::io::Write::write_all(&mut file, b"# Pit").unwrap();
        open = Some(file);
    };
    let answer = propose(&sandbox, &request, AT_THE_EXCHANGE, None, begin).answer().applied();
    std::io::Write::write_all(&mut open.unwrap(), &EDITED.as_bytes()[5..]).unwrap();
    expect_kept(&sandbox, "pitfalls.md", &warning(&answer.value), EDITED);
}

#[test]
fn a_file_that_is_made_in_the_last_moment_is_kept() {
    if !has_strace() {
        return;
    }
    let (sandbox, path) = (Sandbox::new(), "sessions/2026-11-20.md");
    let make = || sandbox.write(path, "# By hand\n");
    let request = session("Today", "Done.");
    let answer = propose(&sandbox, &request, AT_THE_FIRST_NAME, None, make).answer().applied();
    assert!(sandbox.file(path).contains("Done."));
    expect_kept(&sandbox, path, &warning(&answer.value), "# By hand\n");
}

#[test]
fn a_file_that_is_deleted_in_the_last_moment_is_told() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let delete = || fs::remove_file(sandbox.store().join("pitfalls.md")).unwrap();
    let answer = propose(&sandbox, &request, AT_THE_EXCHANGE, None, delete).answer().applied();
    let told =
        "`pitfalls.md` was deleted while a change to it was being written; it is there again";
    assert_eq!(warning(&answer.value), told);
    expect_sound(&sandbox);
}

#[test]
fn what_is_no_file_any_more_is_kept_as_it_is() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let make = || {
        fs::remove_file(sandbox.store().join("pitfalls.md")).unwrap();
        sandbox.write("pitfalls.md/chapter.md", "# By hand\n");
    };
    let answer = propose(&sandbox, &request, AT_THE_EXCHANGE, None, make).answer().applied();
    let warning = warning(&answer.value);
    let kept = warning.trim_end_matches('`').rsplit('`').next().unwrap();
    assert_eq!(sandbox.file(&format!("{kept}/chapter.md")), "# By hand\n");
    expect_sound(&sandbox);
}

#[test]
fn a_kill_right_behind_the_exchange_loses_nothing() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
    let request = pitfall_bullet("trap", "- the second bullet");
    let save = || sandbox.write("pitfalls.md", EDITED);
    // The edit has come out, and is about to be moved to the trash.
    let killed = Some("renameat:signal=KILL:when=1");
    let reply = propose(&sandbox, &request, AT_THE_EXCHANGE, killed, save).expect_code(-1);
    assert_eq!(reply.stdout, "");
    assert_eq!(sandbox.file("pitfalls.md"), format!("{TRAP}- the second bullet\n"));
    let said = sandbox.run(&["status"]).expect_code(0).stderr;
    expect_kept(&sandbox, "pitfalls.md", said.trim().trim_start_matches("warning: "), EDITED);
}

#[test]
fn a_disk_that_cannot_exchange_files_is_looked_at_before() {
    if !has_strace() {
        return;
    }
    for error in ["EINVAL", "ENOSYS", "EPERM", "EOPNOTSUPP"] {
        let sandbox = Sandbox::given(&[OPEN_PITFALLS, ("pitfalls.md", TRAP)]);
        let request = pitfall_bullet("trap", "- the second bullet");
        let save = || sandbox.write("pitfalls.md", EDITED);
        let cannot = format!("renameat2:error={error}");
        let answer = propose(&sandbox, &request, AT_THE_RECORD, Some(&cannot), save);
        let answer = answer.answer().applied();
        assert_eq!(sandbox.file("pitfalls.md"), format!("{TRAP}- the second bullet\n"));
        expect_kept(&sandbox, "pitfalls.md", &warning(&answer.value), EDITED);
        let id = sandbox.propose(two_files()).staged();
        let apply = ["apply", &id, "--approver", "Ada", "--json"];
        run(
            &sandbox,
            &apply,
            ("fdatasync:delay_enter=1:when=1", "fdatasync("),
            Some(&cannot),
            || (),
        )
        .answer()
        .applied();
        assert!(sandbox.has("modules/auth.md") && !sandbox.has(&format!("staging/{id}")));
        expect_sound(&sandbox);
    }
}

#[test]
fn a_file_that_undo_puts_away_is_looked_at_too() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::new();
    let id = sandbox.propose(two_files()).staged();
    sandbox.apply(&id).applied();
    let edited = sandbox.file("modules/auth.md") + "\nBy hand.\n";
    let save = || sandbox.write("modules/auth.md", &edited);
    let undo = ["undo", &id, "--approver", "Ada", "--json"];
    let undone = run(&sandbox, &undo, AT_THE_RECORD, None, save).expect_code(0).json();
    let kept = format!("state/trash/undone-{id}/modules/auth.md");
    let told = format!(
        "`modules/auth.md` was edited while a change was being written; the edit is kept in `{kept}`"
    );
    assert_eq!((&undone["status"], warning(&undone)), (&json!("undone"), told));
    assert_eq!(sandbox.file(&kept), edited);
}
