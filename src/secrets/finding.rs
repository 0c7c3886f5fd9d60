//! Says where a secret stands without holding it.

use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::contract::Finding;

/// What kind of text was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Something that opens a door: always looked for.
    Secret,
    /// Something about a person: looked for only when switched on.
    Personal,
}

/// One place in a text. Holds positions only, so that `Debug` cannot leak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretFinding {
    /// The id of the rule, or the name of the kind of personal data.
    pub rule: &'static str,
    /// Whether a rule or a kind of personal data found it.
    pub class: Class,
    /// Counts from 1.
    pub line: usize,
    /// Counts characters from 1.
    pub column: usize,
    /// Bytes of the text that was scanned.
    pub range: Range<usize>,
    /// Names the value in the configuration without telling it.
    pub fingerprint: String,
    /// About how long the value is.
    pub length: Length,
    /// What to do about it.
    pub remedy: &'static str,
    /// A marker on the same line by which another scanner would let the value pass. It does not pass here.
    pub foreign_marker: Option<&'static str>,
}

impl SecretFinding {
    /// Tells of it as part of an answer; `pointer` is the field that was scanned.
    pub(crate) fn told_at(self, pointer: String) -> Finding {
        Finding {
            rule: self.rule.to_owned(),
            operation: None,
            pointer,
            line: self.line,
            column: self.column,
            length: self.length.name().to_owned(),
            fingerprint: Some(self.fingerprint).filter(|_| self.class == Class::Secret),
            remedy: self.remedy.to_owned(),
        }
    }
}

/// About how long a value is: enough to find it, too little to guess it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Less than 16 bytes.
    Short,
    /// Less than 64 bytes.
    Medium,
    /// 64 bytes and more.
    Long,
}

impl Length {
    pub(super) fn of(bytes: usize) -> Self {
        match bytes {
            0..16 => Self::Short,
            16..64 => Self::Medium,
            _ => Self::Long,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Medium => "medium",
            Self::Long => "long",
        }
    }
}

const FOREIGN_MARKERS: [&str; 8] = [
    "gitleaks:allow",
    "betterleaks:allow",
    "kingfisher:ignore",
    "trufflehog:ignore",
    "noseyparker:ignore",
    "pragma: allowlist",
    "secretlint-disable",
    "ggignore",
];

pub(super) fn foreign_marker(line: &str) -> Option<&'static str> {
    FOREIGN_MARKERS.into_iter().find(|marker| line.contains(marker))
}

/// What makes the fingerprints of one store its own: a table that was made for all stores finds none of
/// them. It is no secret, and everyone who shares the store has the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salt(String);

impl Salt {
    pub fn new(random: [u8; 16]) -> Self {
        Self(random.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    pub fn parse(text: &str) -> Option<Self> {
        let is_good = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_good.then(|| Self(text.to_ascii_lowercase()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Names a value by 16 hexadecimal digits; without a salt, as every store without one does.
pub(super) fn fingerprint(value: &str, salt: Option<&Salt>) -> String {
    let mut hasher = Sha256::new();
    match salt {
        Some(Salt(digits)) => hasher.update(format!("agent-memory/secret/v2\0{digits}\0")),
        None => hasher.update("agent-memory/secret/v1\0"),
    }
    hasher.update(value);
    let digest = hasher.finalize();
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{Salt, fingerprint};

    #[test]
    fn a_fingerprint_never_changes_between_releases() {
        assert_eq!(fingerprint("hunter2", None), OF_HUNTER2);
        assert_eq!(fingerprint("hunter2", Some(&Salt::new(*b"0123456789abcdef"))), SALTED);
    }

    /// `printf 'agent-memory/secret/v1\0hunter2' | sha256sum | cut -c1-16`
    const OF_HUNTER2: &str = "3bafc08a1f580a01";
    /// `printf 'agent-memory/secret/v2\x0030313233343536373839616263646566\0hunter2' | sha256sum | cut -c1-16`
    const SALTED: &str = "33f0f4b737d67db6";

    #[test]
    fn a_salt_has_32_digits_in_either_case() {
        let salt = Salt::new([0xab; 16]);
        assert_eq!(Salt::parse(&salt.as_str().to_uppercase()), Some(salt));
        for wrong in ["", "ab", "zz", &"ab".repeat(17), &"zz".repeat(16)] {
            assert_eq!(Salt::parse(wrong), None);
        }
    }
}
