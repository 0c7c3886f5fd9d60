//! Knows the files that git keeps and a sparse checkout does not lay out.

use std::path::Path;
use std::sync::OnceLock;

use super::git::{Git, listed};
use super::outside;

/// What a sparse checkout leaves out of the work tree that a folder is in.
#[derive(Debug, Clone, Default)]
pub(super) struct NotLaidOut {
    /// Whether there is such a checkout; asked once, and only by who misses a file.
    is_sparse: OnceLock<bool>,
}

impl NotLaidOut {
    /// Returns the id of a file that is not laid out; nothing where git has none by that name.
    pub(super) fn blob(&self, folder: &Path, path: &str) -> Option<String> {
        let entries = self.entries(folder, path);
        let entry =
            entries.iter().find(|entry| entry.path == path && entry.mode.starts_with("100"));
        entry.map(|entry| entry.id.clone())
    }

    /// Tells whether a file or a folder is there, and not laid out.
    pub(super) fn has(&self, folder: &Path, path: &str) -> bool {
        !self.entries(folder, path).is_empty()
    }

    /// Lists what lies at a path or below it, and is not laid out.
    fn entries(&self, folder: &Path, path: &str) -> Vec<Entry> {
        if !self.is_sparse.get_or_init(|| is_sparse(folder)) {
            return Vec::new();
        }
        let question = ["--literal-pathspecs", "ls-files", "-t", "--stage", "-z", "--", path];
        let answer = Git::at(folder).ask(&question).unwrap_or_default();
        listed(&answer).filter_map(|line| Entry::read(&line)).collect()
    }
}

/// A file that is not laid out.
struct Entry {
    mode: String,
    id: String,
    path: String,
}

impl Entry {
    /// Reads `S MODE ID STAGE TAB PATH`; nothing of a file that is laid out.
    fn read(line: &str) -> Option<Self> {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.strip_prefix("S ")?.split(' ');
        let (mode, id) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Self { mode, id, path: path.to_owned() })
    }
}

fn is_sparse(folder: &Path) -> bool {
    let git = folder.join(".git");
    // What git itself says costs a process. At the top of a work tree this file tells the same; a linked work
    // tree has a file for `.git`, and what is below the top has none.
    if outside::exists(&git.join("HEAD")) && !outside::exists(&git.join("info/sparse-checkout")) {
        return false;
    }
    let answer = Git::at(folder).ask_line(&["config", "--type=bool", "core.sparseCheckout"]);
    answer.as_deref() == Some("true")
}
