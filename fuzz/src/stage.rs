//! A small store in a temporary folder.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use agent_memory::contract::Moment;
use agent_memory::ops::{InitOptions, Kept, Place, Workspace, init};
use tempfile::TempDir;

/// A folder with a project in it, which holds a store; nothing may appear beside the project.
pub(crate) struct Stage {
    root: TempDir,
    pristine: Vec<(PathBuf, Vec<u8>)>,
}

impl Stage {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        let mut stage = Self { root, pristine: Vec::new() };
        fs::create_dir(stage.project()).expect("a folder");
        init(&stage.place(), &InitOptions::default()).expect("a store");
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

    pub(crate) fn open(&self) -> agent_memory::error::Result<Workspace> {
        Workspace::open(&self.place())
    }

    pub(crate) fn place(&self) -> Place {
        Place {
            folder: self.project(),
            root: Some(self.project()),
            now: Moment::from_unix(1_795_000_000),
            lock_wait: Duration::ZERO,
            kept: Kept::default(),
        }
    }

    /// Fails if anything was written outside of the store.
    pub(crate) fn nothing_leaked(&self) {
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).expect("readable");
            entries.map(|entry| entry.expect("an entry").file_name()).collect::<Vec<_>>()
        };
        assert_eq!(names(self.root.path()), ["project"]);
        assert_eq!(names(&self.project()), [".agent-memory"]);
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
