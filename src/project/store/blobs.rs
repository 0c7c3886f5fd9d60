//! Computes the ids that git gives to files on the disk.
//!
//! Asking git would cost a process per file. Git is asked only about files that it may store otherwise than they are:
//! those with CRLF line ends, and those below attributes that name a filter, `ident` or an encoding.

use std::borrow::Cow;
use std::sync::OnceLock;

use sha1::{Digest, Sha1};

use crate::contract::{ContentHash, hex};
use crate::disk::outside;
use crate::error::Result;
use crate::git::Git;

/// The hash algorithm of the repository, once it is known.
#[derive(Debug, Clone, Default)]
pub(super) struct Blobs {
    is_sha256: OnceLock<bool>,
}

impl Blobs {
    /// Returns the first 12 hex digits of the blob id of a file; `None` if git does not tell how it stores the file.
    pub(super) fn id(&self, git: &Git, path: &str, bytes: &[u8]) -> Option<String> {
        let bytes = match StoredBlob::of(git, path, bytes).ok()? {
            StoredBlob::AsItIs => Cow::Borrowed(bytes),
            StoredBlob::WithLf => Cow::Owned(with_lf(bytes)),
            StoredBlob::Told(id) => return Some(id),
        };
        let is_sha256 = *self.is_sha256.get_or_init(|| uses_sha256(git).unwrap_or(false));
        let head = format!("blob {}\0", bytes.len());
        let id = match is_sha256 {
            true => ContentHash::of(&[head.as_bytes(), &bytes].concat()).as_str().to_owned(),
            false => hex(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        };
        Some(short(&id).to_owned())
    }
}

/// Returns the first 12 hex digits of an id.
pub(super) fn short(id: &str) -> &str {
    id.get(..12).unwrap_or(id)
}

/// How git stores a file.
enum StoredBlob {
    AsItIs,
    /// With LF in place of the CRLF that it writes to the disk.
    WithLf,
    /// Under this id, which only git can tell.
    Told(String),
}

impl StoredBlob {
    fn of(git: &Git, path: &str, bytes: &[u8]) -> Result<Self> {
        let has_pairs = bytes.windows(2).any(|pair| pair == b"\r\n");
        // A pipe would block git.
        let can_ask =
            || git.is_there() && git.special_above([path].into_iter(), ".gitattributes").is_none();
        if !(has_pairs || names_conversion(git, path)) || !can_ask() {
            return Ok(Self::AsItIs);
        }
        let named = git.named(path);
        if has_conversion(git, &named)? {
            return told(git, &named);
        }
        if !has_pairs {
            return Ok(Self::AsItIs);
        }
        // `i/lf w/crlf attr/text=auto TAB PATH`
        match git.consult_line(&["ls-files", "--eol", "--", named.as_str()])? {
            Some(line) if line.starts_with("i/lf ") && !line.contains("attr/-text") => {
                Ok(Self::WithLf)
            }
            Some(_) => Ok(Self::AsItIs),
            // Git does not track the file.
            None => told(git, &named),
        }
    }
}

/// Asks git for the id that a file would get. This runs the filters of this machine, as `git status` does.
fn told(git: &Git, named: &str) -> Result<StoredBlob> {
    let id = git.run_line(&["hash-object", "-t", "blob", "--", named], b"")?;
    Ok(StoredBlob::Told(short(&id).to_owned()))
}

/// Attributes by which git stores other bytes than it writes to the disk.
const CONVERSIONS: [&str; 3] = ["filter", "ident", "working-tree-encoding"];

/// Tells whether attributes of the repository, around a file, name a conversion.
fn names_conversion(git: &Git, path: &str) -> bool {
    let Some(folder) = git.folder() else { return false };
    let of_folders = git.folders_above(path).into_iter().map(|above| above.join(".gitattributes"));
    let files = of_folders.chain([folder.common.join("info/attributes")]);
    let plain = files.filter(|file| outside::is_plain(file));
    let texts = plain.filter_map(|file| outside::read(&file).ok().flatten());
    texts.into_iter().any(|bytes| {
        let text = String::from_utf8_lossy(&bytes);
        CONVERSIONS.iter().any(|name| text.contains(name))
    })
}

/// Tells whether git stores another text than that on the disk, but for its line ends; where it does not say so, too.
pub(super) fn is_converted(git: &Git, path: &str) -> bool {
    // A pipe would block git.
    let can_ask = || git.special_above([path].into_iter(), ".gitattributes").is_none();
    names_conversion(git, path)
        && (!can_ask() || has_conversion(git, &git.named(path)).unwrap_or(true))
}

/// Tells whether git converts a file, by the attributes that it finds.
fn has_conversion(git: &Git, named: &str) -> Result<bool> {
    let words: Vec<&str> =
        ["check-attr", "-z"].into_iter().chain(CONVERSIONS).chain(["--", named]).collect();
    let said = git.run(&words, b"")?;
    // Path, attribute and value, each with a NUL behind it.
    let values = said.split(|byte| *byte == 0).skip(2).step_by(3);
    Ok(values.into_iter().any(|value| value != b"unspecified" && value != b"unset"))
}

fn with_lf(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    let followed = bytes.iter().skip(1).map(Some).chain([None]);
    let wanted = bytes.iter().zip(followed).filter(|pair| *pair != (&b'\r', Some(&b'\n')));
    kept.extend(wanted.map(|(byte, _)| byte));
    kept
}

/// Tells whether the repository uses SHA-256; `None` if its settings cannot be read.
fn uses_sha256(git: &Git) -> Option<bool> {
    let settings = git.folder()?.common.join("config");
    let text = outside::read_text(&settings).ok()??.to_ascii_lowercase();
    let mut values = text.lines().filter_map(|line| line.split_once('='));
    Some(values.any(|(key, value)| key.trim() == "objectformat" && value.trim() == "sha256"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::GitTime;

    #[test]
    fn a_blob_has_the_id_that_git_gives_it() {
        // `printf 'hello\n' | git hash-object --stdin`
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(
            Blobs::default()
                .id(&Git::around(folder.path(), &GitTime::default()), "a", b"hello\n")
                .as_deref(),
            Some("ce013625030b")
        );
    }

    #[test]
    fn only_pairs_lose_their_return() {
        assert_eq!(with_lf(b"a\r\nb\rc\r\r\n\r"), b"a\nb\rc\r\n\r");
    }
}
