//! Makes the summary of a text: its first sentence.

use crate::text::one_line;

/// Characters of a summary at most.
const LONGEST: usize = 240;

/// Returns the first sentence of a text, cut at a blank where it is long.
pub(crate) fn summary(content: &str) -> String {
    let text = one_line(content);
    let ends = |(at, sign): (usize, char)| {
        let end = at + sign.len_utf8();
        let is_last = text[end..].is_empty() || text[end..].starts_with(' ');
        (matches!(sign, '.' | '!' | '?') && is_last || matches!(sign, '。' | '！' | '？'))
            .then_some(end)
    };
    let sentence = &text[..text.char_indices().find_map(ends).unwrap_or(text.len())];
    let Some((end, _)) = sentence.char_indices().nth(LONGEST) else { return sentence.to_owned() };
    let cut = &sentence[..end];
    cut.rsplit_once(' ').map_or(cut, |(begin, _)| begin).to_owned()
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn the_first_sentence_is_the_summary() {
        assert_eq!(summary("Chose v1.2 of it. Then more."), "Chose v1.2 of it.");
        assert_eq!(summary("no end\n here"), "no end here");
        assert_eq!(summary("認証。次"), "認証。");
    }

    #[test]
    fn a_long_sentence_is_cut_at_a_blank() {
        assert_eq!(summary(&"word ".repeat(100)).chars().count(), 239);
        assert_eq!(summary(&"é".repeat(500)).chars().count(), 240);
    }
}
