//! The folder that Claude Code has for a project.

/// A longer slug is cut here, and Claude Code adds a hash of its own.
pub(crate) const LONGEST_SLUG: usize = 200;

/// Returns the path of a project as one name: each character outside of A-Z, a-z and 0-9 is a dash.
pub(crate) fn project_slug(path: &str) -> String {
    let mut slug = String::with_capacity(path.len());
    for character in path.chars() {
        match character.is_ascii_alphanumeric() {
            true => slug.push(character),
            // It counts in UTF-16, where an emoji is two.
            false => slug.extend(std::iter::repeat_n('-', character.len_utf16())),
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_character_that_is_no_letter_or_digit_becomes_a_dash() {
        for (path, slug) in [
            ("/home/ada/my-app", "-home-ada-my-app"),
            ("/home/ada/.config/x_y", "-home-ada--config-x-y"),
            ("/home/ada/Müll", "-home-ada-M-ll"),
            ("/home/ada/🦀", "-home-ada---"),
            ("C:\\Users\\Ada", "C--Users-Ada"),
        ] {
            assert_eq!(project_slug(path), slug, "{path}");
        }
    }
}
