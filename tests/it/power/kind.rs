//! What differs between the kinds of stores in which the power is cut.

use std::fs;
use std::path::Path;

use super::personal;
use crate::crash::personal::{ADA, Memory};
use crate::crash::{View, call, go_on, is_healthy, try_again};
use crate::support::{ProjectKey, Reply};

/// What holds or not, and if not why.
pub(super) type Verdict = Result<(), String>;

/// A kind of store.
#[derive(Debug)]
pub(crate) struct StoreKind {
    /// The folder of the store, relative to that of a sandbox.
    folder: &'static str,
    /// How the names of files begin in `state/` that are rebuilt where they are missing or damaged.
    rebuilt: &'static [&'static str],
    /// What stands before the words of each command.
    before_words: &'static [&'static str],
    /// A command that only reads.
    pub(super) reading: &'static [&'static str],
    /// Reads the key that signs the journal.
    pub(super) key: fn(&Path) -> ProjectKey,
    /// Returns what a store holds.
    pub(super) view: fn(&Path) -> View,
    /// Goes on after the power cut; returns what a store holds besides what that wrote.
    pub(super) go_on: fn(&Path) -> Result<View, String>,
    /// Looks at what a second attempt brought about, beside the view after the first one.
    pub(super) try_again: fn(&Reply, &Path, &View) -> Verdict,
    /// Looks whether everything is well in the end.
    pub(super) is_healthy: fn(&Path) -> Verdict,
}

/// The store of a project.
pub(crate) static PROJECT: StoreKind = StoreKind {
    folder: ".agent-memory",
    rebuilt: &["index.sqlite", "lock"],
    before_words: &[],
    reading: &["status", "--json"],
    key: ProjectKey::of,
    view: View::of,
    go_on,
    try_again,
    is_healthy,
};

/// The memory of a person.
pub(super) static PERSON: StoreKind = StoreKind {
    folder: "data/users/ada",
    rebuilt: &["lock"],
    before_words: &ADA,
    reading: &["list", "--json"],
    key: |folder| ProjectKey::in_store(&folder.join("data/users/ada")),
    view: |folder| Memory::of(folder).view(),
    go_on: personal::read_on,
    try_again: personal::try_again,
    is_healthy: personal::is_healthy,
};

impl StoreKind {
    /// Returns the path of a file in the store, relative to the sandbox.
    pub(super) fn inside(&self, path: &str) -> String {
        format!("{}/{path}", self.folder)
    }

    /// Returns the path of the journal, relative to the sandbox.
    pub(super) fn journal(&self) -> String {
        self.inside("state/journal")
    }

    /// Returns the path of the file that tells the program what time it is.
    pub(super) fn clock(&self) -> String {
        self.inside("state/lock")
    }

    /// Tells whether a file is rebuilt where it is missing or damaged.
    pub(super) fn is_rebuilt(&self, path: &str) -> bool {
        path.strip_prefix(&self.inside("state/"))
            .is_some_and(|name| self.rebuilt.iter().any(|rebuilt| name.starts_with(rebuilt)))
    }

    /// Leaves half of what is rebuilt; the whole files are in another folder.
    pub(super) fn leave_torn(&self, whole: &Path, folder: &Path) {
        let is_made = folder.join(self.inside("state")).is_dir();
        for path in self.rebuilt.iter().filter(|_| is_made).map(|it| self.inside("state/") + it) {
            let whole = fs::read(whole.join(&path)).unwrap();
            fs::write(folder.join(path), &whole[..whole.len() / 2]).unwrap();
        }
    }

    /// Returns the words of a command, with those before them.
    pub(super) fn words<'w>(&self, words: &[&'w str]) -> Vec<&'w str> {
        [self.before_words, words].concat()
    }

    /// Runs a command in a folder.
    pub(super) fn call(&self, folder: &Path, words: &[&str], stdin: &str) -> Reply {
        call(folder, &self.words(words), stdin)
    }
}
