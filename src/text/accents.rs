//! Marks on letters that are the same letters without them.

/// Accents of Latin, Greek and Cyrillic letters, what strikes letters out or goes around them, points of Hebrew, vowels
/// of Arabic.
pub(super) fn is_accent(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
            | '\u{591}'..='\u{5bd}'
            | '\u{5bf}'
            | '\u{5c1}'
            | '\u{5c2}'
            | '\u{5c4}'
            | '\u{5c5}'
            | '\u{5c7}'
            | '\u{610}'..='\u{61a}'
            | '\u{64b}'..='\u{65f}'
            | '\u{670}'
    )
}
