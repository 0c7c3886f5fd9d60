//! Divides one file of rules for agents, such as `CLAUDE.md` or `.cursorrules`, by its headings.

use super::adr::leveled;
use super::note_sources::section_lines;
use crate::contract::SectionId;
use crate::markdown::{HeadingStyle, Outline, shifted};

/// The text of a file of rules with a section of level 2 for each of its parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RulesText {
    pub(crate) text: String,
    /// Its lines in the original, where all of it is one part; else each line is where it was.
    pub(crate) lines: Option<(usize, usize)>,
}

/// A part of a file of rules, as an entry with a file of its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RulesEntry {
    pub(crate) id: SectionId,
    pub(crate) text: String,
    /// In the original.
    pub(crate) lines: (usize, usize),
}

/// Makes each part of a file a section of level 2, below its title; a text without a heading is one part, called `name`.
pub(crate) fn as_sections(name: &str, text: &str) -> RulesText {
    let outline = Outline::read(text);
    let levels: Vec<u8> = outline.sections().iter().map(|it| it.heading.level).collect();
    let is_marked = outline.sections().iter().all(|it| it.heading.style == HeadingStyle::Atx);
    let (top, highest) = (levels.first().copied(), levels.iter().min().copied());
    let text = match (top, highest) {
        (None, _) => {
            let lines = Some((1, text.lines().count().max(1)));
            return RulesText { text: format!("## {name}\n\n{text}"), lines };
        }
        // An underlined heading stays as deep as it is.
        _ if !is_marked => text.to_owned(),
        (Some(1), _) if levels.len() > 1 && !levels[1..].contains(&1) => {
            let (title, rest) = text.split_at(outline.sections()[0].own_end);
            format!("{title}{}", leveled(rest, 6))
        }
        (_, Some(1)) => shifted(text, 1),
        _ => leveled(text, 6),
    };
    RulesText { text, lines: None }
}

/// Makes each part of a file an entry; returns also how many lines are outside of them.
pub(crate) fn as_entries(name: &str, text: &str) -> (Vec<RulesEntry>, usize) {
    let RulesText { text: divided, lines: whole } = as_sections(name, text);
    let outline = Outline::read(&divided);
    let lines = section_lines(&outline);
    let mut entries: Vec<RulesEntry> = Vec::new();
    for (section, lines) in outline.sections().iter().zip(lines) {
        if section.heading.level != 2 {
            continue;
        }
        let lines = whole.unwrap_or(lines);
        let own = divided[section.heading_bytes.start..section.end].trim_end();
        let id = section.id.clone();
        let id = id.unwrap_or_else(|| SectionId::from_heading(&section.heading.text));
        entries.push(RulesEntry { id, text: shifted(&format!("{own}\n"), -1), lines });
    }
    let inside: usize = entries.iter().map(|entry| filled(text, entry.lines)).sum();
    let rest = filled(text, (1, text.lines().count())).saturating_sub(inside);
    (entries, rest)
}

/// Returns how many of some lines say something.
fn filled(text: &str, (first, last): (usize, usize)) -> usize {
    let lines = text.lines().take(last).skip(first - 1);
    lines.filter(|line| !line.trim().is_empty()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(as_sections("rules", text).text, expected);
    }

    #[test]
    fn each_part_is_a_section_of_level_2_below_the_title() {
        let same =
            "# CLAUDE.md\n\nFor agents.\n\n## Build\n\nmake\n\n### Fast\n\n## Style\n\nShort.\n";
        check(same, same);
        check(
            "# Build\n\nmake\n\n## Fast\n\n# Style\n",
            "## Build\n\nmake\n\n### Fast\n\n## Style\n",
        );
        check("# Only\n\n- one\n", "## Only\n\n- one\n");
        check("# T\n\n### A\n\n#### B\n", "# T\n\n## A\n\n### B\n");
        check("### A\n\n#### B\n", "## A\n\n### B\n");
    }

    #[test]
    fn a_text_without_a_heading_is_one_part() {
        let lines = Some((1, 2));
        let text = "## rules\n\nBe short.\n- one\n".to_owned();
        assert_eq!(as_sections("rules", "Be short.\n- one\n"), RulesText { text, lines });
    }

    #[test]
    fn each_part_may_be_an_entry_with_its_lines() {
        let (entries, rest) =
            as_entries("rules", "# T\n\nIntro.\n\n## A b\n\nx\n\n### C\n\n## D\n");
        let told: Vec<_> =
            entries.iter().map(|it| (it.id.as_str(), it.text.as_str(), it.lines)).collect();
        assert_eq!(told, [("a-b", "# A b\n\nx\n\n## C\n", (5, 9)), ("d", "# D\n", (11, 11))]);
        assert_eq!(rest, 2);
    }
}
