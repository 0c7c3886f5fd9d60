//! Which files a category owns.

use std::fmt;

use crate::contract::MemoryPath;

/// A path in which one `*` may stand for one or more characters but `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PathPattern(String);

impl PathPattern {
    /// Reads a pattern, or says why it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.matches('*').count() > 1 {
            return Err("`*` may stand once".to_owned());
        }
        MemoryPath::parse(&text.replace('*', "x")).map_err(|problem| problem.message)?;
        Ok(Self(text.to_owned()))
    }

    /// Tells whether a path fits.
    pub fn fits(&self, path: &str) -> bool {
        match self.0.split_once('*') {
            None => self.0 == path,
            Some((before, after)) => path
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
                .is_some_and(|middle| !middle.is_empty() && !middle.contains('/')),
        }
    }

    /// Returns the one path that fits, if it is only one.
    pub fn single(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|path| !path.contains('*'))
    }

    /// Returns the path that has a name in the place of the `*`.
    pub fn with_name(&self, name: &str) -> String {
        self.0.replace('*', name)
    }

    /// Returns the pattern as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PathPattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, path: &str, expected: bool) {
        let pattern = PathPattern::read(pattern).expect("a good pattern");
        assert_eq!(pattern.fits(path), expected, "{pattern} {path}");
    }

    #[test]
    fn a_star_stands_for_a_name_in_one_folder() {
        check("modules/*.md", "modules/auth.md", true);
        check("modules/*.md", "modules/.md", false);
        check("modules/*.md", "modules/deep/auth.md", false);
        check("decisions.md", "decisions.md", true);
        check("local/current.*.md", "local/current.main.md", true);
    }

    #[test]
    fn a_pattern_that_no_path_can_fit_is_refused() {
        assert!(PathPattern::read("*/*.md").is_err());
        assert!(PathPattern::read("../x.md").is_err());
    }
}
