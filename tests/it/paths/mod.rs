//! Hostile paths: what lies where a file of ours should be, and what would lead out of the store.

mod kinds;
mod links;
mod names;
mod planted;
mod swaps;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::requests::{convention, session, two_files};
use crate::support::{Sandbox, files_in};

/// A store in use, and a folder outside of it in which nothing may change.
struct Stage {
    sandbox: Sandbox,
    /// A proposal that waits.
    id: String,
}

impl Stage {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let id = sandbox.propose(two_files()).staged();
        sandbox.apply(&id).applied();
        let id = sandbox.propose(convention("Errors", "Name the path.")).staged();
        sandbox.run(&["reject", &id, "--reason", "not so"]).expect_code(0);
        let id = sandbox.propose(convention("Waits", "For a person.")).staged();
        sandbox.propose(session("Yesterday", "Begun.")).applied();
        sandbox.run(&["search", "anything"]);
        let stage = Self { sandbox, id };
        fs::create_dir_all(stage.outside("folder")).unwrap();
        for name in ["file", "folder/auth.md", "folder/proposal.json"] {
            fs::write(stage.outside(name), "# outside\n").unwrap();
        }
        stage
    }

    /// Returns a place outside of the repository.
    fn outside(&self, name: &str) -> PathBuf {
        self.sandbox.root().join("outside").join(name)
    }

    /// Returns a place in the store.
    fn inside(&self, path: &str) -> PathBuf {
        self.sandbox.store().join(path)
    }

    /// Moves what is in the store out of the way, and makes the folder that it takes.
    fn clear(&self, path: &str) {
        let place = self.inside(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        if place.exists() {
            let name = format!("cleared-{}", path.replace('/', "-"));
            fs::rename(&place, self.sandbox.root().join(name)).unwrap();
        }
    }

    /// Puts a link in the place of a file or a folder of the store.
    fn link(&self, path: &str, to: &str) {
        self.clear(path);
        symlink(self.outside(to), self.inside(path)).unwrap();
    }

    #[track_caller]
    fn expect_untouched_outside(&self) {
        let found = files_in(&self.outside(""));
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["file", "folder/auth.md", "folder/proposal.json"]);
        assert!(found.values().all(|bytes| bytes == b"# outside\n"), "{found:?}");
    }
}
