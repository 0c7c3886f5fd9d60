//! The key of this machine, which signs what is in `state/`.
//!
//! It is in git's common folder, which no commit can fill: a journal, a log or an index that came with a repository
//! does not verify. Without git it is `state/key`, and no more is promised. The file itself, such as its inode, is not
//! checked: a repository that is moved, copied or restored from a backup keeps its key.

use std::fmt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::foreign::StateInGit;
use crate::contract::hex;
use crate::disk::folder::Folder;
use crate::disk::{files, outside, random};
use crate::error::{Error, ErrorKind, Result};
use crate::git::Git;

const BYTES: usize = 32;

/// Hex digits of a code.
pub(super) const DIGITS: usize = 32;

/// The key, or why there is none; then nothing verifies, and nothing is written.
#[derive(Clone, PartialEq, Eq)]
pub enum Key {
    Known([u8; BYTES]),
    /// The reason.
    Missing(String),
}

/// What is signed; a code for one purpose is invalid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Journal,
    Log,
    /// The link of the last line of the log.
    LogEnd,
    Undo,
    Index,
    /// The name of the copies of a store in one work tree.
    Copies,
}

impl Purpose {
    fn name(self) -> &'static [u8] {
        match self {
            Self::Journal => b"journal\0",
            Self::Log => b"log\0",
            Self::LogEnd => b"log end\0",
            Self::Undo => b"undo\0",
            Self::Index => b"index\0",
            Self::Copies => b"copies\0",
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(_) => out.write_str("Key"),
            Self::Missing(why) => write!(out, "no key: {why}"),
        }
    }
}

impl Key {
    /// Finds the key of a store; the first command that can write there makes one.
    pub(super) fn of(store: &Folder, git: &Git) -> Result<Self> {
        let Some(top) = git.top() else { return Self::own(store) };
        let Some(folder) = git.folder() else {
            let git = top.join(".git");
            return Ok(Self::Missing(format!("`{}` leads to no git repository", git.display())));
        };
        match read_or_make(&folder.common.join("agent-memory").join("key"))? {
            // The signatures of one store are invalid in another one of the repository.
            Ok(Self::Known(key)) => {
                Ok(Self::Known(code(&key, b"store\0", git.prefix().as_bytes())))
            }
            Ok(missing) => Ok(missing),
            // Perhaps this process can only write to the store.
            Err(error) => match StateInGit::of(git) {
                // A key from a commit stays on the disk when git no longer tracks it.
                StateInGit::Untracked => match StateInGit::brought_by(git) {
                    Ok(None) => Self::own(store),
                    Ok(Some(commit)) => {
                        Ok(Self::Missing(format!("{error}, and commit {commit} holds `state/`")))
                    }
                    Err(unknown) => Ok(Self::Missing(format!("{error}; {unknown}"))),
                },
                StateInGit::Tracked(_) => {
                    Ok(Self::Missing(format!("{error}, and git tracks `state/`")))
                }
                StateInGit::Unknown(why) => Ok(Self::Missing(format!("{error}; {why}"))),
            },
        }
    }

    /// Returns the key of what is valid in one work tree only: its journal, and the name of its copies. A linked work
    /// tree mixes in random bytes of its own git folder, so that its records are invalid elsewhere.
    pub(super) fn of_work_tree(&self, git: &Git) -> Result<Self> {
        let linked = git.folder().filter(|folder| folder.own != folder.common);
        let (Self::Known(key), Some(folder)) = (self, linked) else { return Ok(self.clone()) };
        Ok(match read_or_make(&folder.own.join("agent-memory").join("key"))? {
            Ok(Self::Known(own)) => Self::Known(code(key, b"work tree\0", &own)),
            Ok(missing) => missing,
            Err(error) => Self::missing(&error),
        })
    }

    /// Reads the key in the store itself, and makes it if there is none.
    fn own(store: &Folder) -> Result<Self> {
        let place = store.spot("state/key");
        if let Some(bytes) = files::read_short(&place)? {
            return Self::read(&bytes, &place);
        }
        match files::make_once(&place, &random::<BYTES>()?) {
            Ok(()) => Self::read(&files::read_short(&place)?.unwrap_or_default(), &place),
            Err(error) => Ok(Self::missing(&error)),
        }
    }

    fn read(bytes: &[u8], path: &Path) -> Result<Self> {
        <[u8; BYTES]>::try_from(bytes).map(Self::Known).map_err(|_| {
            let message = format!("a key has {BYTES} bytes, found {} in", bytes.len());
            let hint = "restore it from a backup, or delete it and run `agent-memory doctor --adopt-state`";
            Error::new(ErrorKind::StoreDamaged, message).at(path).hint(hint)
        })
    }

    fn missing(error: &Error) -> Self {
        Self::Missing(error.to_string())
    }

    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Self::Known(_))
    }

    /// Returns the code of some bytes, as [`DIGITS`] hex digits; a missing key gives an invalid one.
    pub(super) fn sign(&self, purpose: Purpose, bytes: &[u8]) -> String {
        let Self::Known(key) = self else { return "-".repeat(DIGITS) };
        hex(&code(key, purpose.name(), bytes)[..DIGITS / 2])
    }

    pub(super) fn verifies(&self, purpose: Purpose, bytes: &[u8], code: &str) -> bool {
        self.is_known() && self.sign(purpose, bytes) == code
    }

    /// Refuses to write what could not be verified later.
    pub(crate) fn refuse_missing(&self, store: &Path) -> Result<()> {
        let Self::Missing(why) = self else { return Ok(()) };
        let message = format!("there is no key to sign what is written ({why}), for");
        let hint = "let this user write to `agent-memory/` in git's folder; if git tracks `state/`, `git rm -r --cached` it first";
        Err(Error::new(ErrorKind::Io, message).at(store).hint(hint))
    }

    /// Signs a line of JSON: the code becomes its last field.
    pub(super) fn sign_line(&self, purpose: Purpose, json: &str) -> String {
        let code = self.sign(purpose, json.as_bytes());
        let open = json.strip_suffix('}').expect("a line is an object");
        format!("{open}{FIELD}{code}\"}}\n")
    }

    /// Tells whether a line, without its end, has a valid code.
    pub(super) fn signed_line(&self, purpose: Purpose, line: &[u8]) -> bool {
        let split = || {
            let line = std::str::from_utf8(line).ok()?.strip_suffix("\"}")?;
            let (rest, code) = line.split_at_checked(line.len().checked_sub(DIGITS)?)?;
            Some((rest.strip_suffix(FIELD)?, code))
        };
        split().is_some_and(|(open, code)| {
            self.verifies(purpose, format!("{open}}}").as_bytes(), code)
        })
    }
}

/// Returns the full code of some bytes under a name.
fn code(key: &[u8; BYTES], name: &[u8], bytes: &[u8]) -> [u8; BYTES] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(name);
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

/// The text before the code in a line of JSON.
const FIELD: &str = ",\"mac\":\"";

/// The name of that field.
pub(super) const CODE: &str = "mac";

/// Reads or makes a key; the inner error says why none could be made. An unreadable key is always an error.
fn read_or_make(path: &Path) -> Result<std::result::Result<Key, Error>> {
    if let Some(bytes) = outside::read(path)? {
        return Key::read(&bytes, path).map(Ok);
    }
    if let Err(error) = outside::make_secret(path, &random::<BYTES>()?) {
        return Ok(Err(error));
    }
    // Another process may have been faster.
    let made = outside::read(path)?.unwrap_or_default();
    Key::read(&made, path).map(Ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key::Known([7; BYTES]);

    #[test]
    fn a_code_is_that_of_one_key_for_one_purpose() {
        // `printf 'log\0x' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07`
        let code = KEY.sign(Purpose::Log, b"x");
        assert!(KEY.verifies(Purpose::Log, b"x", &code));
        assert!(!KEY.verifies(Purpose::Log, b"y", &code));
        assert!(!KEY.verifies(Purpose::Undo, b"x", &code));
        assert!(!Key::Known([8; BYTES]).verifies(Purpose::Log, b"x", &code));
        let missing = Key::Missing(String::new());
        assert!(!missing.verifies(Purpose::Log, b"x", &missing.sign(Purpose::Log, b"x")));
    }

    #[test]
    fn a_line_is_signed_as_a_whole() {
        let line = KEY.sign_line(Purpose::Log, r#"{"a":1}"#);
        let line = line.strip_suffix('\n').expect("it has an end");
        assert!(KEY.signed_line(Purpose::Log, line.as_bytes()), "{line}");
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok_and(|it| it["a"] == 1));
        let forged = [
            line.replace('1', "2"),
            format!("{line} "),
            line.replace("{\"a", "{ \"a"),
            r#"{"a":1}"#.to_owned(),
            format!(r#"{{"a":1,"mac":"{}"}}"#, "0".repeat(DIGITS)),
            String::new(),
            "\"}".to_owned(),
            "ä".repeat(40) + "\"}",
        ];
        for forged in forged {
            assert!(!KEY.signed_line(Purpose::Log, forged.as_bytes()), "{forged}");
        }
    }

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep").join("key");
        let make = || read_or_make(&path).expect("it is read").expect("it is made");
        let key = make();
        assert_eq!(make(), key);
        assert_ne!(key, KEY);
        outside::write(&path, b"short").expect("it is written");
        let error = read_or_make(&path).expect_err("it is damaged");
        assert_eq!(error.kind(), ErrorKind::StoreDamaged);
    }
}
