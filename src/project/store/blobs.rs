//! Computes the ids that git gives to files on the disk.
//!
//! Asking git would cost a process per file. Git is asked only about files with CRLF line ends, which it may convert.

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
    /// Returns the first 12 hex digits of the blob id of a file; `None` if git does not tell how it converts line ends.
    pub(super) fn id(&self, git: &Git, path: &str, bytes: &[u8]) -> Option<String> {
        let has_pairs = bytes.windows(2).any(|pair| pair == b"\r\n");
        let line_ends = if has_pairs { LineEnds::of(git, path).ok()? } else { LineEnds::Kept };
        let bytes = match line_ends {
            LineEnds::Kept => Cow::Borrowed(bytes),
            LineEnds::Brought => Cow::Owned(with_lf(bytes)),
            LineEnds::Told(id) => return Some(id),
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

/// What git does with CRLF line ends.
enum LineEnds {
    Kept,
    /// Git stores LF and writes CRLF to the disk.
    Brought,
    /// Git does not track the file: this is the id that it would get.
    Told(String),
}

impl LineEnds {
    fn of(git: &Git, path: &str) -> Result<Self> {
        // A pipe would block git.
        if !git.is_there() || git.special_above([path].into_iter(), ".gitattributes").is_some() {
            return Ok(Self::Kept);
        }
        let path = git.named(path);
        let ask = |words: &[&str]| git.consult_line(&[words, &["--", path.as_str()]].concat());
        // `i/lf w/crlf attr/text=auto TAB PATH`
        Ok(match ask(&["ls-files", "--eol"])? {
            Some(line) if line.starts_with("i/lf ") && !line.contains("attr/-text") => {
                Self::Brought
            }
            Some(_) => Self::Kept,
            // This runs the clean filters of this machine.
            None => ask(&["hash-object", "-t", "blob"])?
                .map_or(Self::Kept, |id| Self::Told(short(&id).to_owned())),
        })
    }
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
