//! Finds the key that signs `state/`.
//!
//! It is in git's common folder, which no commit can fill: a journal, a log or an index that came with a repository
//! does not verify. Without git it is `state/key`, and no more is promised. The file itself, such as its inode, is not
//! checked: a repository that is moved, copied or restored from a backup keeps its key.

use std::path::Path;

use super::state_in_git::StateInGit;
use crate::disk::folder::Folder;
use crate::disk::key::{KEY_BYTES, Key, Purpose};
use crate::disk::key_file::{own_key, read_key};
use crate::disk::{outside, random};
use crate::error::{Error, Result};
use crate::git::Git;

impl Purpose {
    pub(super) const INDEX: Self = Self(b"index\0");
    /// The name of the copies of a store in one work tree.
    pub(super) const COPIES: Self = Self(b"copies\0");
}

/// Finds the key of a store; the first command that can write there makes one.
pub(super) fn find_key(store: &Folder, git: &Git) -> Result<Key> {
    if let Err(error) = git.refuse_broken() {
        let next = error.next_step().map(str::to_owned);
        return Ok(Key::Missing { why: error.to_string(), next });
    }
    let Some(folder) = git.folder() else { return own_key(store) };
    match read_or_make(&folder.common.join("agent-memory").join("key"))? {
        // The signatures of one store are invalid in another one of the repository.
        Ok(key) => Ok(key.derived(b"store\0", git.prefix().as_bytes())),
        // Perhaps this process can only write to the store.
        Err(error) => match StateInGit::of(git) {
            // A key from a commit stays on the disk when git no longer tracks it.
            StateInGit::Untracked => match StateInGit::brought_by(git) {
                Ok(None) => own_key(store),
                Ok(Some(commit)) => {
                    Ok(Key::missing(format!("{error}, and commit {commit} holds `state/`")))
                }
                Err(unknown) => Ok(Key::missing(format!("{error}; {unknown}"))),
            },
            StateInGit::Tracked(_) => Ok(Key::missing(format!("{error}, and git tracks `state/`"))),
            StateInGit::Unknown(why) => Ok(Key::missing(format!("{error}; {why}"))),
        },
    }
}

/// Returns the key of what is valid in one work tree only: its journal, and the name of its copies. A linked work
/// tree mixes in random bytes of its own git folder, so that its records are invalid elsewhere.
pub(super) fn work_tree_key(key: &Key, git: &Git) -> Result<Key> {
    let linked = git.folder().filter(|folder| folder.own != folder.common);
    let Some(folder) = linked.filter(|_| key.is_known()) else { return Ok(key.clone()) };
    Ok(match read_or_make(&folder.own.join("agent-memory").join("key"))? {
        Ok(Key::Known(own)) => key.derived(b"work tree\0", &own),
        Ok(missing) => missing,
        Err(error) => Key::missing(error.to_string()),
    })
}

/// Reads or makes a key; the inner error says why none could be made. An unreadable key is always an error.
fn read_or_make(path: &Path) -> Result<std::result::Result<Key, Error>> {
    if let Some(bytes) = outside::read(path)? {
        return read_key(&bytes, path).map(Ok);
    }
    if let Err(error) = outside::make_secret(path, &random::<KEY_BYTES>()?) {
        return Ok(Err(error));
    }
    // Another process may have been faster.
    let made = outside::read(path)?.unwrap_or_default();
    read_key(&made, path).map(Ok)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("key");
        let make = || read_or_make(&path).expect("it is read").expect("it is made");
        let key = make();
        assert_eq!(make(), key);
        assert!(key.is_known());
        outside::write(&path, b"short").expect("it is written");
        let error = read_or_make(&path).expect_err("it is damaged");
        assert_eq!(error.kind(), ErrorKind::StoreDamaged);
    }
}
