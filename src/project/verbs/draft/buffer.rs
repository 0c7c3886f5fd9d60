//! The text in the editor: what is added to it for the person, and how that is taken out again.

use serde_json::Value;

use crate::contract::SectionId;
use crate::markdown::{LineEnding, Outline, Section, id_line};
use crate::project::request::{MemoryPath, Refusal};
use crate::project::schema::read_fields;
use crate::text::visible_lines;

/// How a comment for the person begins.
pub(super) const OPEN: &str = "<!-- agent-memory:";

/// How a comment beside a field begins.
pub(super) const REQUIRED: &str = "<!-- required:";
pub(super) const OPTIONAL: &str = "<!-- optional:";

/// Puts what is wrong at the top of a text.
pub(crate) fn with_refusal(text: &str, refusal: &Refusal) -> String {
    let mut lines = vec![format!("{} [{}]", refusal.message, refusal.reason)];
    lines.extend(refusal.violations.iter().map(|each| format!("  {}", each.message)));
    lines.push(format!("hint: {}", refusal.hint));
    lines.push("mend it and save; an unchanged text cancels, and is kept in a file".to_owned());
    comment(&lines) + text
}

fn comment(lines: &[String]) -> String {
    let lines = visible_lines(&lines.join("\n")).replace("-->", "-- >");
    format!("{OPEN} {lines}\n-->\n")
}

/// Says what a section rests on, before a person changes it.
pub(super) fn comment_about(path: &MemoryPath, sources: &[Value], gone: &[String]) -> String {
    let mut lines = vec![format!(
        "a section of {path}: this comment is left out; an empty or unchanged text cancels"
    )];
    let name = |source: &Value| source["ref"].as_str().unwrap_or_default().to_owned();
    let named: Vec<String> = sources.iter().map(name).collect();
    if !named.is_empty() {
        let named = named.join(", ");
        lines.push(format!("it rests on {named}: to save says that you have read that again"));
    }
    if !gone.is_empty() {
        let gone = gone.join(", ");
        lines.push(format!("no longer there, and not cited any more: {gone}"));
    }
    comment(&lines)
}

/// Takes the comments for the person out of a text.
pub(crate) fn without_comments(text: &str) -> String {
    let text = LineEnding::Lf.apply(text);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some(inside) = rest.strip_prefix(OPEN) {
        rest = inside.split_once("-->").map_or("", |(_, behind)| behind).trim_start();
    }
    let bare = |line: &str| {
        let mark = [REQUIRED, OPTIONAL].iter().find_map(|mark| line.find(mark));
        let ended = mark.filter(|_| line.trim_end().ends_with("-->"));
        // Two blanks at the end of a line break it, so the lines of the person stay as they are.
        ended.map_or(line, |at| line[..at].trim_end()).to_owned() + "\n"
    };
    let lines: String = rest.lines().map(bare).collect();
    lines.trim_end().to_owned() + "\n"
}

/// Takes heading and body of an entry apart; optional fields without a value are left out.
pub(super) fn heading_and_body(text: &str, optional: &[String]) -> (String, String) {
    let text = text.trim_start();
    let (first, body) = text.split_once('\n').unwrap_or((text, ""));
    // Words before the heading belong to no section, so that the request is refused.
    let heading = first.trim_start_matches('#').trim();
    let is_left = |line: &&str| {
        let fields = read_fields(line);
        let is_empty = |name: &str| optional.iter().any(|each| each == name);
        !fields.iter().any(|field| field.value.is_empty() && is_empty(field.name))
    };
    let body: Vec<&str> = body.lines().filter(is_left).collect();
    (heading.to_owned(), body.join("\n").trim().to_owned() + "\n")
}

/// Writes sections without what the engine adds below their headings.
pub(super) fn bare_text(outline: &Outline<'_>, sections: &[Section]) -> String {
    let text = outline.text();
    let bare = |section: &Section| {
        let heading = text[section.heading_bytes.clone()].trim_end();
        let body = text.get(section.body_start..section.own_end).unwrap_or_default();
        format!("{heading}\n{body}")
    };
    let all: String = sections.iter().map(bare).collect();
    LineEnding::Lf.apply(&all).trim_end().to_owned() + "\n"
}

/// Gives the sections of an edited text the ids that they had: by their order where none was added or taken away,
/// else by their headings.
pub(super) fn with_ids(text: &str, ids: &[(String, Option<SectionId>)]) -> String {
    let outline = Outline::read(text);
    let is_same_count = outline.sections().len() == ids.len();
    let mut left: Vec<_> = ids.iter().collect();
    let mut given = outline.preamble().to_owned();
    for (number, section) in outline.sections().iter().enumerate() {
        let id = match is_same_count {
            true => ids[number].1.as_ref(),
            false => {
                let at = left.iter().position(|(heading, _)| *heading == section.heading.text);
                at.and_then(|at| left.remove(at).1.as_ref())
            }
        };
        let own = &text[section.heading_bytes.end..section.own_end];
        given += text[section.heading_bytes.clone()].trim_end();
        given.push('\n');
        // The first one is named by the target, and may be called otherwise now.
        if let Some(id) = id.filter(|_| number > 0 && section.id.is_none()) {
            given += &(id_line(id) + "\n");
        }
        given += own;
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_the_person_is_taken_out() {
        let text = "<!-- agent-memory: no\n  hint: x\n-->\n<!-- agent-memory: a new decision\n-->\n# A\n\n- **Status:** active <!-- required: a, b -->\n<!-- mine -->\n";
        assert_eq!(without_comments(text), "# A\n\n- **Status:** active\n<!-- mine -->\n");
        assert_eq!(without_comments("<!-- agent-memory: left open\n# A\n"), "\n");
    }

    #[test]
    fn an_optional_field_without_a_value_is_left_out() {
        let optional = ["Supersedes".to_owned()];
        let text = "# A b\n\n- **Status:** active\n- **Supersedes:**\n\nWhy: we do.\n";
        let (heading, body) = heading_and_body(text, &optional);
        assert_eq!(
            (heading.as_str(), body.as_str()),
            ("A b", "- **Status:** active\n\nWhy: we do.\n")
        );
        assert_eq!(heading_and_body("", &[]), (String::new(), "\n".to_owned()));
    }

    #[test]
    fn the_sections_in_an_edited_text_keep_their_ids() {
        let id = |text: &str| SectionId::parse(text);
        let ids = [("A".to_owned(), id("a")), ("B".to_owned(), id("x")), ("C".to_owned(), None)];
        let same = "## A\n\n### Renamed\n\nx\n\n### C\n";
        let expected = "## A\n\n### Renamed\n<!-- @id: x -->\n\nx\n\n### C\n";
        assert_eq!(with_ids(same, &ids), expected);
        let fewer = "## Z\n\n### B\n";
        assert_eq!(with_ids(fewer, &ids), "## Z\n\n### B\n<!-- @id: x -->\n");
    }
}
