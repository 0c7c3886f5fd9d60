//! A store at the moment before a command, and that command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{git, strace};
use crate::power::{Loss, PROJECT, date_back, lose_apply};
use crate::rebase::drifted;
use crate::requests::{four_files, shared, two_files};
use crate::support::{
    Reply, Sandbox, WITHOUT_TERMINAL, folder, plant_foreign_state, write_user_config,
};

/// What a section rests on that a person wrote.
const SOURCE: &str = "<!-- @source: user ada - confirmed 2026-11-20 -->";

const UPGRADE: [&str; 5] = ["doctor", "--upgrade", "--approver", "Ada", "--json"];

/// A store at the moment before a command, and that command.
pub(super) struct Scene {
    sandbox: Sandbox,
    arguments: Vec<String>,
    stdin: String,
    /// Whether the change is decided already, and the command only finishes it.
    decided: bool,
}

impl Scene {
    /// A command in a store as it is.
    pub(super) fn of(sandbox: Sandbox, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|each| (*each).to_owned()).collect();
        Self { sandbox, arguments, stdin: String::new(), decided: false }
    }

    /// A proposal waits, and a command decides on it; `ID` stands for its name.
    pub(super) fn deciding(request: Value, arguments: &[&str]) -> Self {
        Self::deciding_in(used_store(), request, arguments)
    }

    /// The same in a store with a past of its own.
    pub(super) fn deciding_in(sandbox: Sandbox, request: Value, arguments: &[&str]) -> Self {
        let id = sandbox.propose(request).staged();
        let arguments = arguments.iter().map(|each| each.replace("ID", &id)).collect();
        Self { sandbox, arguments, stdin: String::new(), decided: false }
    }

    /// A proposal was decided, and a command takes the decision back.
    pub(super) fn after(decision: &[&str], arguments: &[&str]) -> Self {
        let scene = Self::deciding(four_files(), arguments);
        let id = scene.arguments[1].as_str();
        let decision: Vec<&str> =
            decision.iter().map(|word| if *word == "ID" { id } else { word }).collect();
        scene.sandbox.run(&decision).expect_code(0);
        scene
    }

    /// A proposal waits that has expired.
    pub(super) fn expired(arguments: &[&str]) -> Self {
        let sandbox = used_store();
        let early = sandbox.call(&["propose"]).env("AGENT_MEMORY_NOW", "2026-11-01T10:00:00Z");
        early.stdin(four_files().to_string()).run().answer().staged();
        Self::of(sandbox, arguments)
    }

    /// A proposal waits, and what lands is another text: merged with what a person wrote since.
    pub(super) fn edited() -> Self {
        let anchor = "<!-- @id: names -->";
        let founded = format!("{anchor}\n{SOURCE}");
        let (sandbox, id) = drifted(|text| text.replace("- one", "- 1").replace(anchor, &founded));
        let shown = sandbox.run(&["rebase", &id, "--json"]).expect_code(0).json();
        let digest = shown["proposal"]["digest"].as_str().unwrap();
        Self::of(sandbox, &["rebase", &id, "--digest", digest, "--approver", "Ada", "--json"])
    }

    /// A person wrote sections without an id, in two files.
    pub(super) fn without_ids(arguments: &[&str]) -> Self {
        let sandbox = used_store();
        let section = format!("\n## By hand\n{SOURCE}\n\nA person wrote this.\n");
        ["modules/auth.md", "modules/net.md"]
            .iter()
            .for_each(|path| sandbox.append(path, &section));
        Self::of(sandbox, arguments)
    }

    /// A store says no version, and is brought up.
    pub(super) fn without_a_version() -> Self {
        let sandbox = used_store();
        let config = sandbox.file("config.toml");
        sandbox.write("config.toml", config.replace("version = 1\n", ""));
        Self::of(sandbox, &UPGRADE)
    }

    /// A store has two files of an earlier layout, and is brought up.
    pub(super) fn with_former_files() -> Self {
        let sandbox = used_store();
        for path in ["index.md", "schemas/index.toml"] {
            let former = folder("fixtures/stores/table-of-contents").join(path);
            sandbox.write(path, fs::read(former).unwrap());
        }
        Self::of(sandbox, &UPGRADE)
    }

    /// Something is proposed.
    pub(super) fn proposing(request: Value) -> Self {
        Self { stdin: request.to_string(), ..Self::of(used_store(), &["propose"]) }
    }

    /// Something is proposed in a store into which a commit brought state of another machine.
    pub(super) fn proposing_beside_foreign_state(request: Value) -> Self {
        let scene = Self::proposing(request);
        plant_foreign_state(&scene.sandbox);
        scene
    }

    /// `apply` died between its files, and the next command finds what it left.
    pub(super) fn recovery() -> Self {
        let apply = ["apply", "ID", "--approver", "Ada", "--json"];
        let scene = Self::deciding(four_files(), &apply);
        let scene = scene.killed("renameat2:signal=KILL:when=3", &["status", "--json"]);
        if strace::has_strace() {
            assert!(scene.sandbox.has("modules/jobs.md") && !scene.sandbox.has("modules/web.md"));
        }
        scene
    }

    /// The command was killed, and another one finds what it left.
    pub(super) fn killed(mut self, injury: &str, next: &[&str]) -> Self {
        if strace::has_strace() {
            let reply = self.run_traced(&self.project(), Some(injury));
            assert_eq!(reply.code, -1, "{}", reply.stderr);
        }
        self.arguments = next.iter().map(|each| (*each).to_owned()).collect();
        self.decided = true;
        self
    }

    /// The power went after `apply`, and the next command finds what the disk has kept.
    pub(super) fn recovery_from(loss: Loss) -> Self {
        let mut scene = Self::deciding(four_files(), &["status", "--json"]);
        if strace::has_strace() {
            lose_apply(&scene.sandbox, loss);
        }
        scene.decided = true;
        scene
    }

    /// Returns the folder in which everything began.
    pub(super) fn project(&self) -> PathBuf {
        self.sandbox.project()
    }

    /// Returns the verb.
    pub(super) fn name(&self) -> &str {
        &self.arguments[0]
    }

    /// Returns the words of the command.
    pub(super) fn words(&self) -> &[String] {
        &self.arguments
    }

    /// Tells whether the change is decided already, and the command only finishes it.
    pub(super) fn is_decided(&self) -> bool {
        self.decided
    }

    /// Copies the store to a new folder.
    pub(super) fn copy(&self, name: &str) -> PathBuf {
        let folder = self.sandbox.root().join(name);
        let _ = fs::remove_dir_all(&folder);
        copy_folder(&self.project(), &folder);
        // A journal that rested for a minute is brought to its end first, and the runs of a scene may take longer.
        date_back(&PROJECT, &folder, 0);
        git::relink(&folder);
        folder
    }

    /// Runs the command under `strace` in a copy, with nothing to hinder it, and returns the copy.
    pub(super) fn run_whole(&self, name: &str) -> PathBuf {
        let folder = self.copy(name);
        self.run_traced(&folder, None).expect_code(0);
        folder
    }

    /// Runs the command.
    pub(super) fn call(&self, folder: &Path) -> Reply {
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        call(folder, &arguments, &self.stdin)
    }

    /// Runs the command under `strace`, perhaps with an injury.
    pub(super) fn run_traced(&self, folder: &Path, injury: Option<&str>) -> Reply {
        let mut command = strace::command(&self.sandbox.root().join("trace"), injury);
        command.args(&self.arguments);
        finish(command, folder, &self.stdin)
    }

    /// Returns what the last run under `strace` did.
    pub(super) fn trace(&self) -> String {
        fs::read_to_string(self.sandbox.root().join("trace")).unwrap()
    }
}

/// Makes a store that has been in use; without git, which would only be asked for its name.
pub(crate) fn used_store() -> Sandbox {
    let sandbox = Sandbox::without_git();
    sandbox.run(&["init"]).expect_code(0);
    sandbox.propose(shared("Alpha", "The first text of all.")).applied();
    let id = sandbox.propose(two_files()).staged();
    sandbox.apply(&id).applied();
    sandbox
}

/// Runs the program in a folder.
pub(crate) fn call(folder: &Path, arguments: &[&str], stdin: &str) -> Reply {
    let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
    command.args(arguments);
    finish(command, folder, stdin)
}

/// Runs a command in a folder, with an environment in which it is always the same time.
pub(crate) fn finish(mut command: Command, folder: &Path, stdin: &str) -> Reply {
    let input = folder.with_extension("stdin");
    fs::write(&input, stdin).unwrap();
    let settings = folder.with_extension("config");
    write_user_config(&settings, WITHOUT_TERMINAL);
    command.current_dir(folder).env_clear().env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", settings)
        .stdin(fs::File::open(&input).unwrap());
    Reply::of(command.output().unwrap())
}

/// Copies a folder with all that is in it, and its times.
fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => {
                fs::copy(entry.path(), &target).unwrap();
                copy_time(&entry.path(), &target);
            }
        }
    }
    copy_time(from, to);
}

fn copy_time(from: &Path, to: &Path) {
    let time = fs::metadata(from).unwrap().modified().unwrap();
    fs::File::open(to).unwrap().set_modified(time).unwrap();
}
