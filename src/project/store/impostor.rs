//! Refuses a folder that stands in the place of a store and is none.

use crate::disk::folder::Folder;
use crate::error::{Error, ErrorKind, Result};

/// Refuses a store that looks like a git repository: git would read settings and run programs from it.
pub(super) fn refuse_impostor(folder: &Folder) -> Result<()> {
    let has = |name: &str| folder.inside(name).metadata().is_ok();
    if has(".git") {
        let message = "memory in a repository of its own is not supported:";
        let hint = "remove `.git` from the store, and keep the store in the repository around it";
        return Err(Error::new(ErrorKind::StoreDamaged, message).at(folder.path()).hint(hint));
    }
    let parts = ["HEAD", "objects", "commondir"].map(|name| (name, has(name)));
    let there: Vec<&str> = parts.iter().filter(|(_, is)| *is).map(|(name, _)| *name).collect();
    match there[..] {
        ["HEAD", _, ..] => {
            let message =
                "the store looks like a repository of git, with programs that git would run:";
            let hint = format!(
                "no store has `{}`, `config`, `refs` or `hooks`: see who brought them, and remove them",
                there.join("`, `")
            );
            Err(Error::new(ErrorKind::StoreDamaged, message).at(folder.path()).hint(hint))
        }
        _ => Ok(()),
    }
}
