//! Whose memory it is.

use crate::contract::ContentHash;

/// The person whose memory is read and written. A door fixes it; no request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserId(String);

impl UserId {
    /// Returns `None` for an empty name: then no user is signed in.
    pub fn parse(id: &str) -> Option<Self> {
        (!id.is_empty()).then(|| Self(id.to_owned()))
    }

    /// Returns the id as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name of the person's folder: the id itself, or `u-` and 32 digits of its SHA-256.
    ///
    /// So no id leads out of the folder of all users, and two ids have two folders, also on a disk that does not tell
    /// `Ada` from `ada`.
    pub(crate) fn key(&self) -> String {
        let id = self.0.as_bytes();
        let is_plain = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
        let begins =
            id.first().is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if begins && id.len() <= 64 && id.iter().all(is_plain) && !id.starts_with(b"u-") {
            return self.0.clone();
        }
        format!("u-{}", &ContentHash::of(id).as_str()[..32])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: &str) -> String {
        UserId::parse(id).expect("an id").key()
    }

    #[test]
    fn a_plain_id_stands_for_itself_and_any_other_for_its_hash() {
        let longest = "a".repeat(64);
        for id in ["ada", "0", "a_b-c", "uu-1", longest.as_str()] {
            assert_eq!(key(id), id);
        }
        // `printf Ada | sha256sum`
        assert_eq!(key("Ada"), "u-99a563ab2f6e21e96998f9fddd2a2bab");
        let too_long = "a".repeat(65);
        for id in ["u-ada", "-a", "_a", "../x", "a/b", "ä", "a b", ".", too_long.as_str()] {
            let key = key(id);
            assert!(key.len() == 34 && key.starts_with("u-"), "{id}: {key}");
        }
        assert_eq!(UserId::parse(""), None);
    }
}
