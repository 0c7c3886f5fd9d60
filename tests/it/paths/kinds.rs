//! Something else lies where a file or a folder of ours should be: nobody waits, everybody is told.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::process::Command;

use super::Stage;
use crate::requests::{convention, session, two_files};
use crate::support::{Reply, Sandbox};

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
        // It would be in everybody's way from then on.
        let hopeless = "the change is recorded";
        assert!(!said.contains(hopeless), "{case}: what cannot be done is begun: {said}");
        let silent = reply.code == 2 && reply.stdout.len() + reply.stderr.len() < 20;
        assert!(!silent, "{case}: nothing is said: {said}");
        assert!(!said.contains(r#""hint":null"#), "{case}: nothing is advised: {said}");
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
    check_in(path, Stage::new);
}

/// Does the same where the queue is kept in git.
fn check_tracked(path: &str) {
    check_in(path, || {
        let stage = Stage::new();
        let config = stage.sandbox.file("config.toml").replace("track = false", "track = true");
        stage.sandbox.write("config.toml", config);
        stage.sandbox.run(&["doctor", "--fix"]);
        stage
    });
}

fn check_in(path: &str, stage: impl Fn() -> Stage) {
    for kind in Kind::ALL {
        let stage = stage();
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

/// Runs `doctor`; returns what it says of the disk, and expects that it looked at the log after that.
fn diagnose(stage: &Stage) -> Vec<String> {
    let diagnosis = stage.sandbox.run(&["doctor", "--json"]).expect_code(1).json();
    assert_eq!(diagnosis["healthy"], false);
    assert!(diagnosis["checked"].to_string().contains("log"), "{diagnosis}");
    let findings = diagnosis["findings"].as_array().unwrap().iter();
    let text = |each: &serde_json::Value| each["message"].as_str().unwrap().to_owned();
    findings.filter(|each| each["check"] == "disk").map(text).collect()
}

#[test]
fn doctor_names_everything_that_is_no_file_and_no_folder_at_once() {
    let stage = Stage::new();
    let proposal = format!("staging/{}/proposal.json", stage.id);
    let places = [
        (".gitignore", Kind::Pipe, "a file"),
        ("conventions.md", Kind::Socket, "a file"),
        ("local", Kind::LinkToFolder, "a folder"),
        ("modules/auth.md", Kind::LinkToEndless, "a file"),
        ("modules/net.md", Kind::Folder, "a file"),
        ("rejections", Kind::File, "a folder"),
        ("sessions", Kind::LinkToFolder, "a folder"),
        (&proposal, Kind::Link, "a file"),
        ("state/log.jsonl", Kind::Pipe, "a file"),
        ("state/trash", Kind::LinkToFolder, "a folder"),
        ("state/undo.jsonl", Kind::LinkToNothing, "a file"),
    ];
    let mut expected = Vec::new();
    for (path, kind, wanted) in places {
        kind.put(&stage, path);
        expected.push(format!("`{path}` is {} where {wanted} belongs", kind.name()));
    }
    Kind::LinkToFolder.put(&stage, "notes");
    expected.insert(5, "`notes` is a symbolic link, which the store leaves out".to_owned());
    assert_eq!(diagnose(&stage), expected);
    stage.expect_untouched_outside();
}

#[test]
fn git_is_not_asked_where_it_would_wait_for_ever() {
    let commands: [&[&str]; 6] = [
        &["check", "--base", "HEAD", "--json"],
        &["check", "--staged", "--base", "HEAD", "--json"],
        &["context", "--changed", "--json"],
        &["blame", "conventions.md", "--json"],
        &["resolve", "--json"],
        &["apply", "--latest", "--approver", "Ada", "--commit", "--json"],
    ];
    let places = [".gitignore", ".gitattributes", "modules/.gitattributes"];
    for (path, kind) in places.into_iter().zip([Kind::Pipe, Kind::Pipe, Kind::Socket]) {
        let stage = Stage::new();
        stage.sandbox.commit("memory");
        kind.put(&stage, path);
        let named = format!("`{path}` is {} where a file belongs", kind.name());
        assert!(diagnose(&stage).contains(&named), "{path}");
        for arguments in commands {
            let error = &stage.sandbox.run(arguments).expect_code(2).json()["error"];
            let [message, at, hint] = ["message", "path", "hint"].map(|key| error[key].to_string());
            assert!(message.contains(&format!("it is {}", kind.name())), "{arguments:?}: {error}");
            assert!(
                at.contains(path) && hint.contains("move what stands there away"),
                "{arguments:?}: {error}"
            );
        }
        // What needs no git goes on.
        for arguments in [&["check"][..], &["context"], &["status"]] {
            let reply = stage.sandbox.run(arguments);
            assert!(reply.code < 2, "{arguments:?}: {}", reply.stderr);
        }
        stage.clear(path);
        let apply = ["apply", &stage.id, "--approver", "Ada", "--commit", "--json"];
        stage.sandbox.run(&apply).answer().applied();
    }
}

#[test]
fn what_git_does_with_line_ends_is_not_asked_of_a_pipe() {
    let sandbox = Sandbox::new();
    sandbox.write_project("src/windows.rs", "one\r\ntwo\r\n");
    sandbox.commit("line ends");
    let pipe = Command::new("mkfifo").arg(sandbox.project().join("src/.gitattributes")).status();
    assert!(pipe.unwrap().success());
    let mut request = convention("Line ends", "They are those of the system.");
    request["sources"] = serde_json::json!([{ "type": "file", "ref": "src/windows.rs" }]);
    sandbox.propose(request).staged();
}

#[test]
fn doctor_goes_on_where_no_other_command_can() {
    let places = [
        ("config.toml", Kind::Link, "a file"),
        ("schemas", Kind::LinkToFolder, "a folder"),
        ("schemas/conventions.toml", Kind::Pipe, "a file"),
        ("staging", Kind::LinkToFolder, "a folder"),
        ("state", Kind::LinkToFolder, "a folder"),
        ("state/journal", Kind::Socket, "a file"),
        ("state/lock", Kind::Pipe, "a file"),
        ("state/tmp", Kind::LinkToFolder, "a folder"),
    ];
    for (path, kind, wanted) in places {
        let stage = Stage::new();
        kind.put(&stage, path);
        let named = format!("`{path}` is {} where {wanted} belongs", kind.name());
        let said = diagnose(&stage);
        assert!(said.contains(&named), "{said:?}");
        stage.expect_untouched_outside();
    }
}

#[test]
fn what_lies_in_the_trash_or_is_hidden_is_nobodys_business() {
    let stage = Stage::new();
    for path in ["state/trash/a.md", ".hidden", ".editor/x.md"] {
        Kind::LinkToFolder.put(&stage, path);
    }
    let diagnosis = stage.sandbox.run(&["doctor", "--json"]).expect_code(0).json();
    assert_eq!(diagnosis["findings"], serde_json::json!([]));
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
    the_journal_of_the_index: check_derived("state/index.sqlite-journal");
    the_log_of_an_older_index: check_derived("state/index.sqlite-wal");
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
    the_folder_of_decisions: check_tracked("decided");
    what_proposals_show: check_tracked("state/shown");
    the_trash_of_a_queue_in_git: check_tracked("state/trash");
    a_proposal_of_a_queue_in_git: check_tracked("staging/ID");
    the_state: check("state");
}
