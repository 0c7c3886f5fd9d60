//! Characters that are not seen.

/// Bidirectional, zero-width, blank and tag characters, line separators, selectors.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{00ad}'
            | '\u{034f}'
            | '\u{061c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{2800}'
            // Controls of hieroglyphs and of shorthand.
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_of_a_script_are_not_seen_and_its_signs_are() {
        assert!(['\u{13430}', '\u{1343f}', '\u{1bca0}', '\u{1bca3}'].into_iter().all(is_invisible));
        assert!(
            !['\u{1342f}', '\u{13441}', '\u{1bc99}', '\u{1bca4}'].into_iter().any(is_invisible)
        );
    }
}
