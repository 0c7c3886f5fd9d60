//! Makes a description, the one line in the index, for a text that has none.

use crate::personal::request::DESCRIPTION;
use crate::text::one_line;

/// Folds a text into one line, which is cut at a word where it is too long for a description.
///
/// It is empty where the text says nothing. The marks of a comment would hide lines of the index.
pub(crate) fn short_description(text: &str) -> String {
    let plain = text.replace("<!--", " ").replace("-->", " ");
    let folded = one_line(&plain);
    // One character is kept for the ellipsis.
    let Some((end, _)) = folded.char_indices().nth(DESCRIPTION - 1) else { return folded };
    if folded[end..].chars().count() == 1 {
        return folded;
    }
    let cut = folded[..=end - 1].rfind(' ').unwrap_or(end);
    format!("{}…", folded[..cut].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_at_a_word() {
        assert_eq!(short_description(" a\n b\t<!-- c -->  d "), "a b c d");
        assert_eq!(short_description(" \n"), "");
        let exact = "x".repeat(DESCRIPTION);
        assert_eq!(short_description(&exact), exact);
        let words = "wörter ".repeat(60);
        let short = short_description(&words);
        assert!(short.chars().count() <= DESCRIPTION, "{short}");
        assert!(short.ends_with("wörter…"), "{short}");
        let one_word = short_description(&"ö".repeat(DESCRIPTION + 1));
        assert_eq!(one_word.chars().count(), DESCRIPTION);
    }
}
