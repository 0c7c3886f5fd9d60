//! The key of this machine, which signs what is in `state/`: lines that a commit brought do not verify.

use std::fmt;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::contract::hex;
use crate::error::{Error, ErrorKind, Result};

pub(crate) const KEY_BYTES: usize = 32;

/// Hex digits of a code.
pub(crate) const CODE_DIGITS: usize = 32;

/// The text before the code in a line of JSON.
const FIELD: &str = ",\"mac\":\"";

/// The name of that field.
pub(crate) const CODE_FIELD: &str = "mac";

/// The key, or why there is none; then nothing verifies, and nothing is written.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Key {
    Known([u8; KEY_BYTES]),
    /// The reason, and the next step where it is a special one.
    Missing {
        why: String,
        next: Option<String>,
    },
}

/// What is signed; a code for one purpose is invalid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Purpose(pub(crate) &'static [u8]);

impl Purpose {
    pub(super) const JOURNAL: Self = Self(b"journal\0");
}

impl fmt::Debug for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(_) => out.write_str("Key"),
            Self::Missing { why, .. } => write!(out, "no key: {why}"),
        }
    }
}

impl Key {
    pub(crate) fn missing(why: String) -> Self {
        Self::Missing { why, next: None }
    }

    pub(crate) fn is_known(&self) -> bool {
        matches!(self, Self::Known(_))
    }

    /// Returns a key that is made of this one, under a name.
    pub(crate) fn derived(&self, name: &[u8], bytes: &[u8]) -> Self {
        match self {
            Self::Known(key) => Self::Known(code(key, name, bytes)),
            Self::Missing { .. } => self.clone(),
        }
    }

    /// Returns the code of some bytes, as [`CODE_DIGITS`] hex digits; a missing key gives an invalid one.
    pub(crate) fn sign(&self, purpose: Purpose, bytes: &[u8]) -> String {
        let Self::Known(key) = self else { return "-".repeat(CODE_DIGITS) };
        hex(&code(key, purpose.0, bytes)[..CODE_DIGITS / 2])
    }

    pub(crate) fn verifies(&self, purpose: Purpose, bytes: &[u8], code: &str) -> bool {
        self.is_known() && self.sign(purpose, bytes) == code
    }

    /// Refuses to write what could not be verified later.
    pub(crate) fn refuse_missing(&self, store: &Path) -> Result<()> {
        let Self::Missing { why, next } = self else { return Ok(()) };
        if let Some(next) = next {
            let message = format!("{why}; so there is no key to sign what is written, for");
            return Err(Error::new(ErrorKind::Io, message).at(store).hint(next));
        }
        let message = format!("there is no key to sign what is written ({why}), for");
        let hint = "let this user write to `agent-memory/` in git's folder; if git tracks `state/`, `git rm -r --cached` it first";
        Err(Error::new(ErrorKind::Io, message).at(store).hint(hint))
    }

    /// Signs a line of JSON: the code becomes its last field.
    pub(crate) fn sign_line(&self, purpose: Purpose, json: &str) -> String {
        let code = self.sign(purpose, json.as_bytes());
        let open = json.strip_suffix('}').expect("a line is an object");
        format!("{open}{FIELD}{code}\"}}\n")
    }

    /// Tells whether a line, without its end, has a valid code.
    pub(crate) fn signed_line(&self, purpose: Purpose, line: &[u8]) -> bool {
        let split = || {
            let line = std::str::from_utf8(line).ok()?.strip_suffix("\"}")?;
            let (rest, code) = line.split_at_checked(line.len().checked_sub(CODE_DIGITS)?)?;
            Some((rest.strip_suffix(FIELD)?, code))
        };
        split().is_some_and(|(open, code)| {
            self.verifies(purpose, format!("{open}}}").as_bytes(), code)
        })
    }
}

/// Returns the full code of some bytes under a name.
fn code(key: &[u8; KEY_BYTES], name: &[u8], bytes: &[u8]) -> [u8; KEY_BYTES] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key may have any length");
    mac.update(name);
    mac.update(bytes);
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: Purpose = Purpose(b"log\0");

    const UNDO: Purpose = Purpose(b"undo\0");

    const KEY: Key = Key::Known([7; KEY_BYTES]);

    #[test]
    fn a_code_is_that_of_one_key_for_one_purpose() {
        // `printf 'log\0x' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707…07`
        let code = KEY.sign(LOG, b"x");
        assert!(KEY.verifies(LOG, b"x", &code));
        assert!(!KEY.verifies(LOG, b"y", &code));
        assert!(!KEY.verifies(UNDO, b"x", &code));
        assert!(!Key::Known([8; KEY_BYTES]).verifies(LOG, b"x", &code));
        let missing = Key::missing(String::new());
        assert!(!missing.verifies(LOG, b"x", &missing.sign(LOG, b"x")));
    }

    #[test]
    fn a_line_is_signed_as_a_whole() {
        let line = KEY.sign_line(LOG, r#"{"a":1}"#);
        let line = line.strip_suffix('\n').expect("it has an end");
        assert!(KEY.signed_line(LOG, line.as_bytes()), "{line}");
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok_and(|it| it["a"] == 1));
        let forged = [
            line.replace('1', "2"),
            format!("{line} "),
            line.replace("{\"a", "{ \"a"),
            r#"{"a":1}"#.to_owned(),
            format!(r#"{{"a":1,"mac":"{}"}}"#, "0".repeat(CODE_DIGITS)),
            String::new(),
            "\"}".to_owned(),
            "ä".repeat(40) + "\"}",
        ];
        for forged in forged {
            assert!(!KEY.signed_line(LOG, forged.as_bytes()), "{forged}");
        }
    }
}
