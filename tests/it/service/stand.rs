//! A service with a folder of data that no other test sees.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Call, Reply, Sandbox};

/// A service, used from the command line.
pub(super) struct ServiceStand {
    pub(super) sandbox: Sandbox,
}

impl ServiceStand {
    /// Makes a service of which nothing is stored.
    pub(super) fn new() -> Self {
        Self { sandbox: Sandbox::without_git() }
    }

    /// Makes one beside a repository with a store.
    pub(super) fn in_project() -> Self {
        Self { sandbox: Sandbox::new() }
    }

    /// Prepares a command of `agent-memory service`.
    pub(super) fn prepare(&self, arguments: &[&str]) -> Call<'_> {
        let data = self.data().display().to_string();
        self.sandbox.call(&[&["service"], arguments].concat()).env("AGENT_MEMORY_DATA", &data)
    }

    /// Runs a command of `agent-memory service`.
    pub(super) fn run(&self, arguments: &[&str]) -> Reply {
        self.prepare(arguments).run()
    }

    /// Runs a command that does what it should, and returns its document.
    #[track_caller]
    pub(super) fn done(&self, arguments: &[&str]) -> Value {
        let document = self.run(&[arguments, &["--json"]].concat()).expect_code(0).json();
        assert_eq!(document["schema_version"], 1, "{document}");
        document
    }

    /// Runs a command that is refused with a status of HTTP, and returns its document.
    #[track_caller]
    pub(super) fn refused(&self, arguments: &[&str], code: u16) -> Value {
        let document = self.run(&[arguments, &["--json"]].concat()).expect_code(1).json();
        assert_eq!((&document["status"], &document["code"]), (&"error".into(), &code.into()));
        document
    }

    /// Stores a text and returns its id.
    #[track_caller]
    pub(super) fn store(&self, content: &str, arguments: &[&str]) -> String {
        let stored = self.done(&[&["store", content], arguments].concat());
        stored["memory_id"].as_str().unwrap().to_owned()
    }

    /// Reads a memory.
    #[track_caller]
    pub(super) fn get(&self, id: &str) -> Value {
        self.done(&["get", id])["memory"].clone()
    }

    /// Returns the folder of all data.
    pub(super) fn data(&self) -> PathBuf {
        self.sandbox.root().join("data")
    }
}
