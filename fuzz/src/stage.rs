//! A small store in a temporary folder.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use std::{fs, io};

use agent_memory::contract::{Moment, UTC};
use agent_memory::project::verbs::{GitTime, InitOptions, Kept, Project, Session, Warnings, init};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use tempfile::TempDir;

/// A folder with a project in it, which holds a store; nothing may appear beside the project.
pub(crate) struct Stage {
    root: TempDir,
    pristine: Vec<(PathBuf, Vec<u8>)>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        Self::made(|_| {})
    }

    /// The same in a repository.
    pub(crate) fn in_git() -> Self {
        Self::made(|project| {
            let made = Command::new("git").args(["init", "--quiet"]).current_dir(project).status();
            assert!(made.expect("there is git").success());
        })
    }

    fn made(prepare: impl FnOnce(&Path)) -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let mut stage = Self { root, pristine: Vec::new() };
        fs::create_dir(stage.project()).expect("a folder");
        prepare(&stage.project());
        init(&stage.session(), &InitOptions::default()).expect("a store");
        collect(&stage.store(), &mut stage.pristine).expect("readable");
        stage
    }

    /// Puts everything back as it was at first.
    pub(crate) fn reset(&self) {
        fs::remove_dir_all(self.store()).expect("removable");
        for (path, bytes) in &self.pristine {
            write(path, bytes);
        }
    }

    pub(crate) fn put(&self, path: &str, bytes: &[u8]) {
        write(&self.store().join(path), bytes);
    }

    pub(crate) fn open(&self) -> agent_memory::error::Result<Project> {
        Project::open(&self.session())
    }

    pub(crate) fn session(&self) -> Session {
        Session {
            client_project: None,
            tells_root: false,
            folder: self.project(),
            root: Some(self.project()),
            now: Moment::from_unix(1_795_000_000),
            zone: UTC.clone(),
            lock_wait: Duration::ZERO,
            git_time: GitTime::default(),
            kept: Kept::default(),
            warnings: Warnings::default(),
        }
    }

    /// Fails if anything was written outside of the store.
    pub(crate) fn nothing_leaked(&self) {
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("readable");
            entries.map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>()
        };
        assert_eq!(names(self.root.path()), ["project"]);
        let beside = |name: &OsString| name != ".agent-memory" && name != ".git";
        assert_eq!(names(&self.project()).into_iter().find(beside), None);
    }

    /// Returns all files of the store but for its state.
    pub(crate) fn memory(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        collect(&self.store(), &mut found).expect("readable");
        found.retain(|(path, _)| !path.starts_with(self.store().join("state")));
        found.sort();
        found
    }

    /// Gives git's settings a text.
    pub(crate) fn configure(&self, bytes: &[u8]) {
        write(&self.project().join(".git/config"), bytes);
    }

    /// Returns the code of a text, signed with the key of the store.
    pub(crate) fn sign(&self, purpose: &str, json: &[u8]) -> String {
        let key = fs::read(self.store().join("state/key")).expect("the store has a key");
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key may have any length");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(json);
        mac.finalize().into_bytes().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }

    fn project(&self) -> PathBuf {
        self.root.path().join("project")
    }

    fn store(&self) -> PathBuf {
        self.project().join(".agent-memory")
    }
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
    fs::write(path, bytes).expect("writable");
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, found)?,
            false => found.push((path.clone(), fs::read(&path)?)),
        }
    }
    Ok(())
}
