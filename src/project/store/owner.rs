//! What the disk asks a project about the files of its store.

use super::foreign::{is_no_file, set_apart};
use super::layout::Layout;
use crate::disk::lock::WriteLock;
use crate::disk::{OwnedStore, SignedLog, files, make_room};
use crate::error::Result;

/// The verbs that may write settings of the store and of git.
const WRITE_SETTINGS: [&str; 8] = [
    "init",
    "doctor",
    "doctor --fix",
    "doctor --upgrade",
    "secrets allow",
    "config",
    "read",
    "read sync",
];

impl OwnedStore for Layout {
    /// Records are signed; this protects against a leaked key.
    fn refuse(&self, verb: &str, path: &str) -> Option<String> {
        // Some disks do not tell `.GIT` from `.git`, or `Config.toml` from `config.toml`.
        let is_of_git =
            |part: &str| part.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(".git"));
        let name = path.to_ascii_lowercase();
        let files = [
            "adopted.jsonl",
            "config.toml",
            "read.lock",
            ".gitignore",
            ".gitattributes",
            "schemas",
        ];
        let is_setting = files.contains(&name.as_str()) || name.starts_with("schemas/");
        // The first part of a setting may be `.gitignore`.
        let is_gits = path.split('/').skip(usize::from(is_setting)).any(is_of_git);
        match is_setting {
            _ if is_gits => Some(format!("nothing here writes `{path}`")),
            true if WRITE_SETTINGS.contains(&verb) => None,
            true => Some(format!("`{verb}` does not write `{path}`")),
            false => None,
        }
    }

    fn copied_from<'p>(&self, path: &'p str) -> Option<&'p str> {
        let parts: Vec<&str> = path.splitn(5, '/').collect();
        let behind = |count: usize| path.splitn(count + 1, '/').nth(count);
        match parts[..] {
            ["staging", _, "base" | "files", ..] => behind(3),
            ["state", "shown", _, "base" | "files", _] => behind(4),
            ["state", "trash", folder, ..] if folder.starts_with("undone-") => behind(3),
            ["state", "trash", ..] => behind(2),
            _ => None,
        }
    }

    fn signed_log(&self) -> SignedLog<'_> {
        Self::signed_log(self)
    }

    fn set_foreign_apart(&self, lock: &WriteLock) -> Result<Vec<String>> {
        hide_from_git(self);
        set_apart(self, lock)
    }
}

/// Writes a `.gitignore` into `state/`: on a commit from before the store nothing else keeps signed files out of `git
/// add -A`. If that fails, `doctor` reports that git tracks them.
fn hide_from_git(layout: &Layout) {
    const ALL: &[u8] = b"*\n";
    let place = layout.state().join(".gitignore");
    let is_ours =
        !is_no_file(&place) && files::read_short(&place).is_ok_and(|it| it.as_deref() == Some(ALL));
    if !is_ours && make_room(&place, &layout.trash()).is_ok() {
        let _ = files::write(&place, ALL);
    }
}
