//! What a note and the text that an adoption made of it have in common, to know a note again under another name.

use crate::markdown::{Outline, with_marks, with_new_targets};

/// Returns a text without what an adoption writes or changes: ids, fields, the targets of links, underlined headings.
/// Empty for a text of which nothing is left.
pub(crate) fn likeness(text: &str) -> String {
    let (marked, _) = with_marks(&Outline::read(text));
    let (text, _) = with_new_targets(&Outline::read(&marked), |_, _| Some(String::new()));
    let lines = text.lines().map(str::trim_end).filter(|line| {
        let is_field = line.starts_with("- **") && line.contains(":** ");
        !line.is_empty() && !is_field && !line.trim_start().starts_with("<!-- @id:")
    });
    lines.map(|line| without_link_words(line) + "\n").collect()
}

/// Removes the words of `[[target|words]]`: an adoption adds them where the target changes.
fn without_link_words(line: &str) -> String {
    let mut parts = line.split("[[|");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let behind = part.find("]]").map_or(part, |end| &part[end..]);
        plain + "[[" + behind
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_like_what_an_adoption_made_of_it() {
        let note = "Title\n=====\n\n## A\nx [[Old Name]] [b](b.md)\n\n## B\n\ny\n";
        let stored = "# Title\n\n## A\n<!-- @id: a -->\n\n- **Date:** 2026-11-20\n\nx [[old-name|Old Name]] [b](modules/b.md)\n\n## B\n<!-- @id: b -->\n\ny\n";
        assert_eq!(likeness(note), likeness(stored));
        assert_ne!(likeness(note), likeness(&stored.replace("y\n", "z\n")));
        assert_eq!(likeness("\n\n"), "");
    }
}
