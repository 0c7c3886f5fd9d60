//! The stage: a temporary folder with a git repository, a store in it, and a fixed clock.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{GitTime, Kept, Session, Warnings};
use serde_json::Value;
use tempfile::TempDir;

use super::{Answer, Reply, files_in};
use crate::power::{PROJECT, date_back};

/// What time it is in a new sandbox.
const NOW: &str = "2026-11-20T10:00:00Z";

/// The user's own settings: tests have no terminal.
pub(crate) const WITHOUT_TERMINAL: &str = "[approval]\nwithout_terminal = true\n";

/// After this a run counts as one that hangs, and is ended.
const PATIENCE: Duration = Duration::from_secs(60);

/// The file that good requests cite.
const CITED: &str = "/// Exchanges a refresh token for a new pair.\npub fn rotate(token: &str) -> (String, String) {\n    todo!(\"{token}\")\n}\n";

/// A repository that nobody else sees; it goes when this value goes.
pub(crate) struct Sandbox {
    root: TempDir,
    now: Moment,
    environment: Vec<(String, String)>,
}

impl Sandbox {
    /// Makes a git repository with a store and one commit, which holds `src/auth/refresh.rs`.
    pub(crate) fn new() -> Self {
        // The first sandbox is made by git and `init`; the others are copies, which takes a tenth.
        static FIRST: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
        let first = FIRST.get_or_init(|| {
            let sandbox = Self::without_store();
            sandbox.run(&["init"]).expect_code(0);
            files_in(&sandbox.project())
        });
        let sandbox = Self::without_git();
        for folder in [".git/refs/tags", ".git/objects/pack", ".git/objects/info"] {
            fs::create_dir_all(sandbox.project().join(folder)).unwrap();
        }
        first.iter().for_each(|(path, bytes)| sandbox.write_project(path, bytes));
        // The first may be older than a minute, and a journal that rested so long is brought to its end first.
        date_back(&PROJECT, &sandbox.project(), 0);
        sandbox
    }

    /// Makes a git repository with one commit and no store.
    pub(crate) fn without_store() -> Self {
        let sandbox = Self::without_git();
        sandbox.write_project("src/auth/refresh.rs", CITED);
        sandbox.git(&["init", "--quiet", "--template=", "--initial-branch=main"]);
        sandbox.commit("the first commit");
        sandbox
    }

    /// Makes an empty folder.
    pub(crate) fn without_git() -> Self {
        let root = tempfile::Builder::new().prefix("agent-memory-it-").tempdir().unwrap();
        for folder in ["project", "home", "config", "tmp"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let now = Moment::parse(NOW).unwrap();
        let sandbox = Self { root, now, environment: Vec::new() };
        sandbox.write_user_config(WITHOUT_TERMINAL);
        sandbox
    }

    /// Makes a sandbox whose store holds these files besides: path relative to the store, text.
    pub(crate) fn given(files: &[(&str, &str)]) -> Self {
        let sandbox = Self::new();
        files.iter().for_each(|(path, text)| sandbox.write(path, text));
        sandbox
    }

    /// Sets a variable for every command from now on.
    pub(crate) fn set_env(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Lets time pass.
    pub(crate) fn advance(&mut self, by: Duration) {
        self.now = self.now.plus(by);
    }

    /// Lets days pass.
    pub(crate) fn advance_days(&mut self, days: u64) {
        self.advance(Duration::from_secs(days * 86_400));
    }

    /// Runs the program in the repository.
    pub(crate) fn run(&self, arguments: &[&str]) -> Reply {
        self.call(arguments).run()
    }

    /// Prepares a run of the program.
    pub(crate) fn call(&self, arguments: &[&str]) -> Call<'_> {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(self.project()).env_clear();
        command.envs(self.variables()).env("AGENT_MEMORY_NOW", self.now.to_string());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        Call { command, sandbox: self }
    }

    /// Runs the program with something to read on a pipe that stays open, as some clients keep theirs.
    pub(crate) fn run_beside_open_pipe(&self, arguments: &[&str], first: &str) -> Reply {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(self.project()).env_clear().envs(self.variables());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(first.as_bytes()).unwrap();
        let (answered, waits) = channel::<()>();
        let open = std::thread::spawn(move || (waits.recv_timeout(PATIENCE).is_ok(), pipe));
        let output = child.wait_with_output().unwrap();
        let _ = answered.send(());
        assert!(open.join().unwrap().0, "it waited for the end of the pipe");
        Reply::of(output)
    }

    /// Returns where a caller of the library stands.
    pub(crate) fn session(&self) -> Session {
        let lock_wait = Duration::from_secs(10);
        Session {
            client_project: None,
            tells_root: false,
            folder: self.project(),
            root: None,
            now: self.now,
            zone: UTC.clone(),
            lock_wait,
            git_time: GitTime::default(),
            kept: Kept::default(),
            warnings: Warnings::default(),
        }
    }

    /// Prepares a process that stays, with what the program sees of the machine.
    pub(crate) fn process(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(self.project()).env_clear();
        command.envs(self.variables()).env("AGENT_MEMORY_NOW", self.now.to_string());
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Proposes a request.
    pub(crate) fn propose(&self, request: Value) -> Answer {
        self.propose_bytes(request.to_string())
    }

    /// Proposes whatever bytes.
    pub(crate) fn propose_bytes(&self, bytes: impl Into<Vec<u8>>) -> Answer {
        self.call(&["propose"]).stdin(bytes).run().answer()
    }

    /// Lands a proposal that waits.
    pub(crate) fn apply(&self, id: &str) -> Answer {
        self.run(&["apply", id, "--approver", "Ada", "--json"]).answer()
    }

    /// Runs git in the repository and returns what it printed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(arguments).current_dir(self.project()).env_clear().envs(self.variables());
        let output = command.output().unwrap();
        let talk = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {talk}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Commits everything that git does not ignore.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
    }

    /// Returns the folder that holds all the others.
    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Returns the root of the repository.
    pub(crate) fn project(&self) -> PathBuf {
        self.root().join("project")
    }

    /// Returns the folder of the store.
    pub(crate) fn store(&self) -> PathBuf {
        self.project().join(".agent-memory")
    }

    /// Returns a file of the store as text.
    pub(crate) fn file(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// Returns a file of the store.
    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.store().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Tells whether the store has a file.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.store().join(path).exists()
    }

    /// Writes a file of the store, as a person would.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.store().join(path), text.as_ref());
    }

    /// Adds to a file of the store, as a person would.
    pub(crate) fn append(&self, path: &str, text: &str) {
        self.write(path, self.file(path) + text);
    }

    /// Writes a file of the repository.
    pub(crate) fn write_project(&self, path: &str, text: impl AsRef<[u8]>) {
        write(&self.project().join(path), text.as_ref());
    }

    /// Writes the user's own settings, over those by which tests approve without a terminal.
    pub(crate) fn write_user_config(&self, text: &str) {
        write_user_config(&self.root().join("config"), text);
    }

    /// Returns every file of the store with its bytes, `state/` apart.
    pub(crate) fn tree(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = files_in(&self.store());
        files.retain(|path, _| !path.starts_with("state/"));
        files
    }

    /// Holds the write lock until the value goes.
    pub(crate) fn hold_lock(&self) -> File {
        let path = self.store().join("state/lock");
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let options = File::options().create(true).truncate(false).write(true).open(path);
        let file = options.unwrap();
        file.lock().unwrap();
        file
    }

    /// Waits until somebody stands in the queue for the write lock.
    pub(crate) fn wait_for_a_writer(&self) {
        let path = self.store().join("state/turn");
        // Shared, as a process that another test starts has what is open here until it is its own.
        let is_taken = || {
            File::open(&path)
                .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
        };
        let begun = Instant::now();
        while !is_taken() {
            assert!(begun.elapsed() < PATIENCE, "nobody wants the lock");
            std::thread::yield_now();
        }
    }

    pub(crate) fn variables(&self) -> Vec<(&'static str, String)> {
        let folder = |name: &str| self.root().join(name).display().to_string();
        vec![
            ("PATH", std::env::var("PATH").unwrap_or_default()),
            ("HOME", folder("home")),
            ("XDG_CONFIG_HOME", folder("config")),
            ("TMPDIR", folder("tmp")),
            ("GIT_CONFIG_NOSYSTEM", "1".to_owned()),
            ("GIT_CONFIG_GLOBAL", "/dev/null".to_owned()),
            ("GIT_AUTHOR_NAME", "Ada".to_owned()),
            ("GIT_AUTHOR_EMAIL", "ada@example.org".to_owned()),
            ("GIT_AUTHOR_DATE", NOW.to_owned()),
            ("GIT_COMMITTER_NAME", "Ada".to_owned()),
            ("GIT_COMMITTER_EMAIL", "ada@example.org".to_owned()),
            ("GIT_COMMITTER_DATE", NOW.to_owned()),
        ]
    }
}

/// A run of the program that is being prepared.
pub(crate) struct Call<'a> {
    command: assert_cmd::Command,
    sandbox: &'a Sandbox,
}

impl Call<'_> {
    /// Gives the program something to read.
    pub(crate) fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.command.write_stdin(bytes);
        self
    }

    /// Sets a variable.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Stands in another folder of the repository.
    pub(crate) fn within(mut self, folder: &str) -> Self {
        self.command.current_dir(self.sandbox.project().join(folder));
        self
    }

    /// Runs the program to its end.
    pub(crate) fn run(mut self) -> Reply {
        self.command.timeout(PATIENCE);
        Reply::of(self.command.output().unwrap())
    }
}

/// Writes a user's own settings below the folder that `XDG_CONFIG_HOME` names.
pub(crate) fn write_user_config(folder: &Path, text: &str) {
    write(&folder.join("agent-memory/config.toml"), text.as_bytes());
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}
