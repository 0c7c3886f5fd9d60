//! A regular expression of a schema, compiled for the first text that it meets.

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

/// A regular expression whose syntax is good.
///
/// Most commands read the schemas and meet no text that needs one, and compiling takes longer than
/// reading the schema.
#[derive(Clone)]
pub struct Expression {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    /// Reads an expression, or says why it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        match regex_syntax::parse(text) {
            Ok(_) => Ok(Self { text: text.to_owned(), compiled: OnceLock::new() }),
            Err(problem) => Err(problem.to_string().lines().last().unwrap_or_default().to_owned()),
        }
    }

    /// Tells whether it can be compiled, which one that is too large cannot.
    pub fn compiles(&self) -> bool {
        self.compiled.get_or_init(|| Regex::new(&self.text).ok()).is_some()
    }

    /// Tells whether a text fits; none fits an expression that is too large to compile.
    pub fn is_match(&self, text: &str) -> bool {
        self.compiles()
            && self.compiled.get().into_iter().flatten().any(|regex| regex.is_match(text))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Says the same whether it was compiled or not: the index is known by the settings it was made under.
impl fmt::Debug for Expression {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "/{}/", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_says_the_same_before_and_after_it_was_used() {
        let expression = Expression::read("^a+$").expect("a good expression");
        let unused = format!("{expression:?}");
        assert!(expression.is_match("aaa") && !expression.is_match("ab"));
        assert_eq!(format!("{expression:?}"), unused);
    }

    #[test]
    fn bad_syntax_is_told_when_it_is_read() {
        let problem = Expression::read("a(b").expect_err("it is open");
        assert!(problem.contains("unclosed group"), "{problem}");
    }

    #[test]
    fn nothing_fits_an_expression_that_is_too_large() {
        let expression = Expression::read(r"\w{1000}{1000}").expect("good syntax");
        assert!(!expression.compiles() && !expression.is_match("a"));
    }
}
