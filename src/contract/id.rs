//! The id of a section, and the hash of a text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::text::{composed, slug};

/// The identity of a section: lower-case kebab-case, unique in its file, never rewritten.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("pattern" = "^[a-z0-9]+(-[a-z0-9]+)*$"), extend("maxLength" = 80))]
pub struct SectionId(String);

const SECTION_ID_LIMIT: usize = 80;

impl SectionId {
    /// Reads an id; `None` if it is not kebab-case or longer than 80 bytes.
    pub fn parse(text: &str) -> Option<Self> {
        let kebab = text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        });
        (kebab && text.len() <= SECTION_ID_LIMIT).then(|| Self(text.to_owned()))
    }

    /// Makes an id from a heading, with room for a number.
    pub fn from_heading(heading: &str) -> Self {
        Self(match slug(heading, SECTION_ID_LIMIT - 8) {
            // Signs alone still need a name that stays the same everywhere, in whatever form they are written.
            empty if empty.is_empty() => {
                let digits = hex(&Sha256::digest(composed(heading).as_bytes()));
                format!("section-{}", &digits[..6])
            }
            stem => stem,
        })
    }

    /// Returns the id of the n-th section with the same name; the first has no number.
    #[must_use]
    pub fn numbered(&self, number: usize) -> Self {
        match number {
            1 => self.clone(),
            _ => Self(format!("{self}-{number}")),
        }
    }

    /// Returns the id as written in the anchor.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SectionId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

pub(crate) type Sha256Digest = [u8; 32];

/// The SHA-256 of some bytes, in full or cut short.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
#[schemars(extend("pattern" = "^[0-9a-f]{8,64}$"))]
pub struct ContentHash(String);

impl ContentHash {
    /// Returns the short hash of a section: 16 hex digits, enough to notice a change, short enough to copy. It
    /// proves nothing: an attacker who writes both texts finds two with the same short hash in minutes.
    pub fn of_section(text: &str) -> Self {
        Self::short(&Self::digest(text.as_bytes()))
    }

    /// Returns the short hash that begins a digest.
    pub fn short(digest: &Sha256Digest) -> Self {
        Self(hex(&digest[..8]))
    }

    pub(crate) fn digest(bytes: &[u8]) -> Sha256Digest {
        Sha256::digest(bytes).into()
    }

    /// Returns the full hash of some bytes: 64 hex digits.
    pub fn of(bytes: &[u8]) -> Self {
        Self(hex(&Self::digest(bytes)))
    }

    /// Reads a hash of 8 to 64 hex digits.
    pub fn parse(text: &str) -> Option<Self> {
        let fits = (8..=64).contains(&text.len())
            && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    /// Reads a hash that a person or an agent copied: capitals are read too.
    pub(crate) fn parse_any_case(text: &str) -> Option<Self> {
        Self::parse(&text.to_ascii_lowercase())
    }

    /// Returns the hex digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    // Character by character it would take longer than most hashes do.
    let mut digits = vec![0; bytes.len() * 2];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    String::from_utf8(digits).expect("digits are ASCII")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_ids_are_kebab_case() {
        assert!(SectionId::parse("token-rotation-2").is_some());
        for bad in ["", "Token", "a--b", "-a", "a-", "a_b", "ü"] {
            assert!(SectionId::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn equal_headings_get_a_number() {
        assert_eq!(SectionId::from_heading("Auth").as_str(), "auth");
        assert_eq!(SectionId::from_heading("Auth").numbered(3).as_str(), "auth-3");
    }

    #[test]
    fn an_id_can_be_read_whatever_the_script_of_the_heading() {
        for (heading, id) in [
            ("Größe & Maß", "grosse-mass"),
            ("1. Обзор", "1-obzor"),
            ("Επισκόπηση", "episkopisi"),
            ("キャッシュ", "kyasshu"),
            ("設計", "she-ji"),
        ] {
            assert_eq!(SectionId::from_heading(heading).as_str(), id, "{heading}");
        }
        let [one, other] = ["🚀", "→"].map(SectionId::from_heading);
        assert!(one.as_str().starts_with("section-") && one != other, "{one}");
    }
}
