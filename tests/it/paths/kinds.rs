//! Something else lies where a file or a folder of ours should be: nobody waits, everybody is told.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use super::Stage;
use crate::requests::{convention, session, two_files};
use crate::support::Reply;

/// What can lie somewhere, and how it is called.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pipe,
    Socket,
    Folder,
    File,
    Link,
    LinkToFolder,
    LinkToNothing,
    LinkToEndless,
    Closed,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::Pipe,
        Self::Socket,
        Self::Folder,
        Self::File,
        Self::Link,
        Self::LinkToFolder,
        Self::LinkToNothing,
        Self::LinkToEndless,
        Self::Closed,
    ];

    /// Puts it somewhere; tells whether it is there and does what it should.
    fn put(self, stage: &Stage, path: &str) -> bool {
        let place = stage.inside(path);
        let is_folder = place.is_dir();
        if self == Self::Closed {
            if !place.is_file() {
                return false;
            }
            fs::set_permissions(&place, fs::Permissions::from_mode(0o000)).unwrap();
            // Nothing is closed to root.
            return fs::File::open(&place).is_err();
        }
        stage.clear(path);
        match self {
            Self::Pipe => {
                assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
            }
            Self::Socket => {
                // The path of a socket may not be long, its name may be changed.
                let short = stage.sandbox.root().join("s");
                drop(UnixListener::bind(&short).unwrap());
                fs::rename(short, &place).unwrap();
                assert!(place.symlink_metadata().unwrap().file_type().is_socket());
            }
            Self::Folder => fs::create_dir(&place).unwrap(),
            Self::File => fs::write(&place, "junk").unwrap(),
            Self::Link => symlink(stage.outside("file"), &place).unwrap(),
            Self::LinkToFolder => symlink(stage.outside("folder"), &place).unwrap(),
            Self::LinkToNothing => symlink(stage.outside("nothing"), &place).unwrap(),
            Self::LinkToEndless => symlink("/dev/zero", &place).unwrap(),
            Self::Closed => unreachable!("it is put already"),
        }
        // What leads to the right kind of thing is the more hostile link.
        let dull = [Self::Folder, Self::Link];
        let useless = if is_folder { dull } else { [Self::File, Self::LinkToFolder] };
        !useless.contains(&self)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Folder => "a folder",
            Self::File => "a file",
            Self::Link | Self::LinkToFolder | Self::LinkToNothing | Self::LinkToEndless => {
                "a symbolic link"
            }
            Self::Closed => "ermission denied",
        }
    }
}

/// Runs commands of each sort; returns what they said.
fn run_all(stage: &Stage, case: &str) -> Vec<String> {
    let sandbox = &stage.sandbox;
    let check = |command: &str, reply: Reply| {
        let said = format!("`{command}` exit {}: {}{}", reply.code, reply.stdout, reply.stderr);
        assert!([0, 1, 2].contains(&reply.code), "{case}: it hangs or dies: {said}");
        assert!(!said.contains("a bug in agent-memory"), "{case}: {said}");
        let silent = reply.code == 2 && reply.stdout.len() + reply.stderr.len() < 20;
        assert!(!silent, "{case}: nothing is said: {said}");
        said
    };
    let propose = |request: serde_json::Value| {
        let call = sandbox.call(&["propose"]).stdin(request.to_string());
        check("propose", call.run())
    };
    let run = |arguments: &[&str]| check(arguments[0], sandbox.run(arguments));
    vec![
        run(&["status", "--json"]),
        run(&["search", "errors"]),
        run(&["show", "conventions.md"]),
        run(&["show", "modules/auth.md"]),
        run(&["log"]),
        propose(session("Today", "Done.")),
        propose(convention("Another", "Say it plainly.")),
        propose(two_files()),
        run(&["doctor"]),
        run(&["reindex"]),
        run(&["apply", &stage.id, "--approver", "Ada"]),
        run(&["undo", "--latest", "--approver", "Ada"]),
        run(&["restore", "--latest", "--approver", "Ada"]),
        run(&["reject", "--latest", "--reason", "no"]),
        run(&["init"]),
    ]
}

/// Puts everything in a place and runs every command.
fn check(path: &str) {
    for kind in Kind::ALL {
        let stage = Stage::new();
        let path = path.replace("ID", &stage.id);
        if kind.put(&stage, &path) {
            let case = format!("{path} is {kind:?}");
            let said = run_all(&stage, &case);
            let known = said.iter().any(|said| said.contains(kind.name()));
            assert!(known, "{case}: nobody says that it is {}:\n{}", kind.name(), said.join("\n"));
            stage.expect_untouched_outside();
        }
    }
}

/// Like `check`, for what is derived or made by us alone: it may be made anew without a word.
fn check_derived(path: &str) {
    for kind in Kind::ALL {
        let stage = Stage::new();
        if kind.put(&stage, path) {
            run_all(&stage, &format!("{path} is {kind:?}"));
            stage.expect_untouched_outside();
        }
    }
}

macro_rules! places {
    ($($name:ident: $check:ident($path:literal);)+) => {$(
        #[test]
        fn $name() {
            $check($path);
        }
    )+};
}

places! {
    the_settings: check("config.toml");
    a_schema: check("schemas/conventions.toml");
    a_memory_file: check("conventions.md");
    the_table_of_contents: check_derived("index.md");
    a_rejection: check("rejections/20261120-100000-x-abcd.toml");
    a_proposal: check("staging/ID/proposal.json");
    the_folder_of_a_proposal: check("staging/ID");
    the_log: check("state/log.jsonl");
    the_end_of_the_log: check("state/log.end");
    what_undo_needs: check("state/undo.jsonl");
    the_journal: check("state/journal");
    the_lock: check("state/lock");
    the_turn_for_the_lock: check("state/turn");
    the_index: check_derived("state/index.sqlite");
    the_log_of_the_index: check_derived("state/index.sqlite-wal");
    the_lock_of_the_index: check("state/index.sqlite.lock");
    a_temporary_file: check_derived("state/tmp/0");
    what_git_ignores: check(".gitignore");
    the_folder_of_schemas: check("schemas");
    the_folder_of_modules: check("modules");
    the_folder_of_sessions: check("sessions");
    the_folder_of_rejections: check("rejections");
    the_folder_of_proposals: check("staging");
    the_folder_of_temporary_files: check("state/tmp");
    the_trash: check("state/trash");
    the_state: check("state");
}
