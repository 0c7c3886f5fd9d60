//! A regular expression of a schema, small enough that no text makes it slow.

use std::fmt;

use regex::{Error as Fault, Regex, RegexBuilder};

/// Bytes that an expression may take once it is compiled.
const PROGRAM: usize = 100_000;

/// Bytes up to which it counts as a small one, of which each byte of a text costs a tenth.
const SMALL: usize = 10_000;

/// How much more than by a small one a byte costs that is held against a large one.
const LARGE_COST: u64 = 10;

/// Bytes of its text: what is read case by case for every script takes time by itself.
const TEXT: usize = 1_024;

#[derive(Clone)]
pub struct Expression {
    text: String,
    regex: Regex,
    /// What a byte costs that is held against it.
    cost: u64,
}

impl Expression {
    pub fn read(text: &str) -> Result<Self, String> {
        if text.len() > TEXT {
            return Err(format!("it has {} bytes, allowed are {TEXT}", text.len()));
        }
        let made = |regex, cost| Self { text: text.to_owned(), regex, cost };
        match compile(text, SMALL).map(|regex| made(regex, 1)) {
            Err(Fault::CompiledTooBig(_)) => {
                compile(text, PROGRAM).map(|regex| made(regex, LARGE_COST))
            }
            other => other,
        }
        .map_err(|fault| match fault {
            Fault::CompiledTooBig(_) => format!(
                "it has more than {PROGRAM} bytes when it is compiled, allowed are {PROGRAM}: repeat less, or name ASCII such as `[0-9]` instead of `\\d`"
            ),
            other => other.to_string().lines().last().unwrap_or_default().to_owned(),
        })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// Returns the most that matching a text may cost.
    pub(super) fn cost_of(&self, text: &str) -> u64 {
        self.cost * text.len() as u64
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

fn compile(text: &str, bytes: usize) -> Result<Regex, Fault> {
    RegexBuilder::new(text).size_limit(bytes).dfa_size_limit(PROGRAM).build()
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Says what it says and no more: the index is known by the settings it was made under.
impl fmt::Debug for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "/{}/", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, why: &str) {
        let problem = Expression::read(text).expect_err("it cannot be used");
        assert!(problem.contains(why), "{text:?}: {problem}");
    }

    #[test]
    fn what_cannot_be_used_is_told_when_it_is_read() {
        refused("a(b", "unclosed group");
        refused("^(?:(?:[ -~]?){200}){180}$", "allowed are 100000");
        refused(r"\w{1000}{1000}", "allowed are 100000");
        refused(&"a".repeat(1_025), "1025 bytes, allowed are 1024");
    }

    #[test]
    fn what_people_write_can_be_used() {
        for text in ["^[a-z0-9]+(-[a-z0-9]+)*$", r"^\d{4}-\d{2}-\d{2}$", r"^- \*\*\w+\*\*: .+$"] {
            assert!(Expression::read(text).is_ok(), "{text}");
        }
    }
}
