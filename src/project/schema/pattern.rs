//! Which files a category owns.

use std::fmt;

use crate::project::request::{MemoryPath, is_reserved};

/// A path in which one `*` may stand for one or more characters but `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PathPattern(String);

impl PathPattern {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if text.matches('*').count() > 1 {
            return Err("`*` may stand once".to_owned());
        }
        let example = text.replace('*', "x");
        MemoryPath::parse(&example).map_err(|problem| problem.message)?;
        if is_reserved(&example) {
            return Err(format!("`{text}` is in a folder whose files are no memory"));
        }
        Ok(Self(text.to_owned()))
    }

    pub(crate) fn fits(&self, path: &str) -> bool {
        match self.0.split_once('*') {
            None => self.0 == path,
            Some((before, after)) => path
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
                .is_some_and(|middle| !middle.is_empty() && !middle.contains('/')),
        }
    }

    /// Returns how precisely the pattern names its paths: one path before many, then the longer one.
    pub(crate) fn precision(&self) -> (bool, usize) {
        (self.single().is_some(), self.0.len())
    }

    /// Tells whether a path may fit both, and neither pattern is the more precise one.
    pub(crate) fn is_rival_of(&self, other: &Self) -> bool {
        self.precision() == other.precision() && self.meets(other)
    }

    fn meets(&self, other: &Self) -> bool {
        let (mut one, mut two) = (self.0.split('/'), other.0.split('/'));
        loop {
            match (one.next(), two.next()) {
                (None, None) => return true,
                (Some(one), Some(two)) if meet(one, two) => {}
                _ => return false,
            }
        }
    }

    pub(crate) fn single(&self) -> Option<&str> {
        Some(self.0.as_str()).filter(|path| !path.contains('*'))
    }

    /// Returns the path that has a name in the place of the `*`.
    pub(crate) fn with_name(&self, name: &str) -> String {
        self.0.replace('*', name)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

fn meet(one: &str, two: &str) -> bool {
    let fits = |(before, after): (&str, &str), name: &str| {
        let middle = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        middle.is_some_and(|middle| !middle.is_empty())
    };
    match (one.split_once('*'), two.split_once('*')) {
        (None, None) => one == two,
        (Some(pattern), None) => fits(pattern, two),
        (None, Some(pattern)) => fits(pattern, one),
        (Some((before, after)), Some((other_before, other_after))) => {
            (before.starts_with(other_before) || other_before.starts_with(before))
                && (after.ends_with(other_after) || other_after.ends_with(after))
        }
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
    fn two_patterns_meet_where_a_path_fits_both() {
        let check = |one: &str, two: &str, expected: bool| {
            let [one, two] =
                [one, two].map(|text| PathPattern::read(text).expect("a good pattern"));
            assert_eq!((one.meets(&two), two.meets(&one)), (expected, expected), "{one} {two}");
        };
        check("*.md", "decisions.md", true);
        check("*.md", "modules/*.md", false);
        check("modules/*.md", "modules/auth-*.md", true);
        check("modules/a*.md", "modules/b*.md", false);
        check("local/current.*.md", "local/shared.md", false);
        check("decisions.md", "decisions.md", true);
    }

    #[test]
    fn a_pattern_that_no_memory_can_fit_is_refused() {
        assert!(PathPattern::read("state/*.md").is_err());
        assert!(PathPattern::read("*/*.md").is_err());
        assert!(PathPattern::read("../x.md").is_err());
    }
}
