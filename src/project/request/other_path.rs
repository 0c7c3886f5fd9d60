//! A file of another store, which is only read.

use std::fmt;

/// What this store calls another one: `[[read]] name` in `config.toml`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreName(String);

/// The longest name in bytes: it stands before each path.
const LONGEST: usize = 40;

impl StoreName {
    /// Which names there are.
    pub(crate) const ALLOWED: &str = "a name has 2 to 40 of `a-z`, `0-9` and `-`, begins with a letter and ends with none of `-`";

    /// Reads a name; none if it is one that no other store can have. One letter would be the drive of a disk.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_known = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        let is_name = (2..=LONGEST).contains(&text.len())
            && text.bytes().all(is_known)
            && text.starts_with(|first: char| first.is_ascii_lowercase())
            && !text.ends_with('-');
        is_name.then(|| Self(text.to_owned()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StoreName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// A file of another store, as answers name it: `handbook:decisions/x.md`, or with the commit, `handbook@1a2b3c4:…`.
///
/// No operation can name it. Operations take a `MemoryPath`, which holds no `:`, and nothing makes one out of this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OtherPath {
    pub(crate) store: StoreName,
    /// Relative to that store.
    pub(crate) file: String,
}

impl OtherPath {
    /// Reads the name of a file; none if it names no other store. The commit may be left out, and counts for nothing:
    /// there is one copy.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (label, file) = text.split_once(':')?;
        let (name, commit) = label.split_once('@').unwrap_or((label, "0"));
        let is_commit = !commit.is_empty() && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_file = !file.is_empty() && !file.starts_with(['/', '\\', ':']);
        let store = StoreName::parse(name).filter(|_| is_commit && is_file)?;
        Some(Self { store, file: file.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::request::MemoryPath;

    #[test]
    fn a_name_has_letters_digits_and_dashes() {
        for name in ["handbook", "hb", "team-2"] {
            assert!(StoreName::parse(name).is_some(), "{name}");
        }
        for name in ["", "c", "2x", "a_b", "Team", "-a", "a-", "a b", "a/b", &"x".repeat(41)] {
            assert!(StoreName::parse(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_file_is_named_with_or_without_the_commit() {
        for text in ["handbook:decisions/x.md", "handbook@1a2b3c4:decisions/x.md"] {
            let path = OtherPath::parse(text).expect("a path");
            assert_eq!((path.store.as_str(), path.file.as_str()), ("handbook", "decisions/x.md"));
        }
        for text in
            ["decisions/x.md", "c:/x.md", "handbook@:x.md", "handbook@main:x.md", "hb:/x.md"]
        {
            assert_eq!(OtherPath::parse(text), None, "{text}");
        }
    }

    #[test]
    fn no_file_of_another_store_is_a_memory_path() {
        for text in ["handbook:decisions/x.md", "handbook@1a2b3c4:decisions/x.md", "hb:x.md"] {
            let problem = MemoryPath::parse(text).expect_err("it is none");
            assert!(problem.message.contains("is in another store, which is only read"));
        }
    }
}
