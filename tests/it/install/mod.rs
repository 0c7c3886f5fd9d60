//! `install`: what the clients of agents are told, in their own files, and that it goes again.

mod edges;
mod files;
mod finding;
#[cfg(unix)]
mod git_hooks;
mod leaving;
mod memory;
#[cfg(feature = "mcp")]
mod server;
mod texts;

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::support::{Reply, Sandbox, files_in};

/// Where a client is told: arguments, and the folder that its files are below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    Project,
    User,
}

impl Where {
    fn folder(self, sandbox: &Sandbox) -> PathBuf {
        match self {
            Self::Project => sandbox.project(),
            Self::User => sandbox.root().join("home"),
        }
    }
}

/// Runs `install` for a client.
pub(crate) fn install(sandbox: &Sandbox, client: &str, place: Where, options: &[&str]) -> Reply {
    let mut arguments = vec!["install", client];
    arguments.extend(options);
    if place == Where::User {
        arguments.push("--user");
    }
    sandbox.run(&arguments)
}

/// Returns the files that are there, without those of git and of the store.
pub(crate) fn tree(sandbox: &Sandbox, place: Where) -> BTreeMap<String, Vec<u8>> {
    let mut files = files_in(&place.folder(sandbox));
    let is_other = |path: &str| !path.starts_with(".git/") && !path.starts_with(".agent-memory/");
    files.retain(|path, _| is_other(path));
    files
}

/// Writes a file of the project or of the home.
pub(crate) fn write(sandbox: &Sandbox, place: Where, path: &str, text: &str) {
    let path = place.folder(sandbox).join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// Reads a file of the project or of the home.
pub(crate) fn read(sandbox: &Sandbox, place: Where, path: &str) -> String {
    std::fs::read_to_string(place.folder(sandbox).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}
