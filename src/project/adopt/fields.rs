//! Brings into entries the fields that a schema wants: the day from a heading such as `2026-05-06 - Title`, and what a
//! person gives for all of them.

use std::collections::BTreeMap;

use crate::contract::{SectionId, is_date};
use crate::markdown::{LineEnding, Outline, Section};
use crate::project::schema::{SectionRules, read_fields};

/// Values for required fields, by name.
pub(crate) type GivenFields = BTreeMap<String, String>;

/// The fields of the sections of a note in the store: what an earlier run wrote there, or a person, stays.
pub(crate) type StoredFields = BTreeMap<SectionId, BTreeMap<String, String>>;

/// Where the value of a field that an entry lacks comes from: the store, then the heading, then the person.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldSources<'a> {
    pub stored: &'a StoredFields,
    pub given: &'a GivenFields,
}

/// Returns the fields of all sections of a text in the store.
pub(crate) fn stored_fields(outline: &Outline<'_>) -> StoredFields {
    let mut stored = StoredFields::new();
    for section in outline.sections() {
        let Some(id) = &section.id else { continue };
        let fields = stored.entry(id.clone()).or_default();
        for field in read_fields(outline.body(section)) {
            fields.entry(field.name.to_owned()).or_insert_with(|| field.value.to_owned());
        }
    }
    stored
}

/// Returns a text in which entries have required fields that they lacked, and how many entries have one that the store
/// has not; every other byte stays. A day comes from the heading, only where one day and one field can be meant: nothing
/// is guessed.
pub(crate) fn with_fields(
    outline: &Outline<'_>,
    (level, rules): (u8, &SectionRules),
    sources: FieldSources<'_>,
) -> (String, usize) {
    let text = outline.text();
    let ending = LineEnding::of(text);
    let (mut written, mut copied, mut count) = (String::with_capacity(text.len()), 0, 0);
    for section in outline.sections().iter().filter(|section| is_entry(section, level)) {
        let EntryLines { lines, has_new } = lines_for(outline, section, rules, sources);
        if lines.is_empty() {
            continue;
        }
        written += &text[copied..section.body_start];
        copied = section.body_start;
        let begin = if written.ends_with('\n') { "\n" } else { "\n\n" };
        let is_apart = text[copied..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let end = if is_apart { "" } else { "\n" };
        written += &ending.apply(&format!("{begin}{lines}{end}"));
        count += usize::from(has_new);
    }
    (written + &text[copied..], count)
}

#[derive(Default)]
struct EntryLines {
    lines: String,
    /// Whether the store lacks one of them.
    has_new: bool,
}

fn lines_for(
    outline: &Outline<'_>,
    section: &Section,
    rules: &SectionRules,
    sources: FieldSources<'_>,
) -> EntryLines {
    let mut days = rules.fields.iter().filter(|(_, rule)| rule.required && rule.date);
    let day_field = days.next().filter(|_| days.next().is_none()).map(|(name, _)| name);
    let there = read_fields(outline.body(section));
    let stored = section.id.as_ref().and_then(|id| sources.stored.get(id));
    let mut entry = EntryLines::default();
    for (name, _) in rules.fields.iter().filter(|(_, rule)| rule.required) {
        if there.iter().any(|field| field.name == name.as_str()) {
            continue;
        }
        let stored = stored.and_then(|fields| fields.get(name));
        let day = || day_in(&section.heading.text).filter(|_| day_field == Some(name));
        let new = || day().or_else(|| sources.given.get(name).map(String::as_str));
        let Some(value) = stored.map(String::as_str).or_else(new) else { continue };
        entry.lines += &format!("- **{name}:** {value}\n");
        entry.has_new |= stored.is_none();
    }
    entry
}

/// A required field that entries lack.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct MissingField {
    pub name: String,
    /// How many entries lack it.
    pub sections: usize,
    /// The values that the schema allows; empty if any text will do.
    pub one_of: Vec<String>,
}

/// Returns the required fields that entries of a text lack.
pub(crate) fn missing_fields(
    outline: &Outline<'_>,
    (level, rules): (u8, &SectionRules),
) -> Vec<MissingField> {
    let required = rules.fields.iter().filter(|(_, rule)| rule.required);
    let lacking = |name: &str| {
        let entries = outline.sections().iter().filter(|section| is_entry(section, level));
        let lacks = |section: &&Section| {
            !read_fields(outline.body(section)).iter().any(|field| field.name == name)
        };
        entries.filter(lacks).count()
    };
    let missing = required.map(|(name, rule)| MissingField {
        name: name.clone(),
        sections: lacking(name),
        one_of: rule.one_of.clone(),
    });
    missing.filter(|field| field.sections > 0).collect()
}

fn is_entry(section: &Section, level: u8) -> bool {
    section.heading.level == level && !section.archived && section.id.is_some()
}

/// Returns the only day that stands in a heading as a word of its own.
fn day_in(heading: &str) -> Option<&str> {
    let words = heading.split(|c: char| !c.is_ascii_digit() && c != '-');
    let mut days = words.map(|word| word.trim_matches('-')).filter(|word| is_date(word));
    days.next().filter(|_| days.next().is_none())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::schema::{Category, DEFAULTS};

    fn rules() -> SectionRules {
        let (name, text) =
            DEFAULTS.iter().find(|(name, _)| *name == "decisions").expect("it is there");
        let category = Category::parse(text, Path::new(&format!("{name}.toml")));
        category.expect("a good schema").section.expect("it has rules")
    }

    /// Writes the fields that a person gives.
    fn filled(text: &str, given: &GivenFields) -> (String, usize) {
        let sources = FieldSources { stored: &StoredFields::new(), given };
        with_fields(&Outline::read(text), (2, &rules()), sources)
    }

    fn check(heading: &str, day: Option<&str>) {
        let text = format!("# D\n\n## {heading}\n<!-- @id: x -->\n\nText.\n");
        let (written, count) = filled(&text, &GivenFields::new());
        let field = day.map(|day| format!("\n- **Date:** {day}\n")).unwrap_or_default();
        assert_eq!(written, text.replace("\n\nText", &format!("\n{field}\nText")), "{heading}");
        assert_eq!(count, usize::from(day.is_some()), "{heading}");
    }

    #[test]
    fn the_day_of_a_heading_becomes_its_field() {
        check("2026-05-06 - Title", Some("2026-05-06"));
        check("2026-05-06: Title", Some("2026-05-06"));
        check("[2026-05-06] Title", Some("2026-05-06"));
        check("Title (2026-05-06)", Some("2026-05-06"));
    }

    #[test]
    fn a_day_that_is_not_certain_stays_where_it_is() {
        check("Title", None);
        check("2026-13-06 - Title", None);
        check("Between 2026-05-06 and 2026-05-09", None);
        check("RFC 12026-05-061", None);
    }

    #[test]
    fn a_day_that_is_there_stays_and_line_ends_too() {
        let there = "## 2026-05-06 A\n<!-- @id: a -->\nDate: 2026-05-07\n";
        assert_eq!(filled(there, &GivenFields::new()).1, 0);
        let text = "## 2026-05-06 A\r\n<!-- @id: a -->\r\nText.\r\n";
        let (written, _) = filled(text, &GivenFields::new());
        let expected =
            "## 2026-05-06 A\r\n<!-- @id: a -->\r\n\r\n- **Date:** 2026-05-06\r\n\r\nText.\r\n";
        assert_eq!(written, expected);
    }

    #[test]
    fn what_a_person_gives_is_written_where_it_is_missing() {
        let given = GivenFields::from([
            ("Status".to_owned(), "active".to_owned()),
            ("Owner".to_owned(), "ada".to_owned()),
        ]);
        let text = "## A\n<!-- @id: a -->\n\nx\n\n## 2026-05-06 B\n<!-- @id: b -->\n\nStatus: superseded\n";
        let (written, count) = filled(text, &given);
        let expected = "## A\n<!-- @id: a -->\n\n- **Status:** active\n\nx\n\n## 2026-05-06 B\n<!-- @id: b -->\n\n- **Date:** 2026-05-06\n\nStatus: superseded\n";
        assert_eq!((written.as_str(), count), (expected, 2));
    }

    #[test]
    fn what_the_store_has_stays_and_is_not_new() {
        let given = GivenFields::from([("Status".to_owned(), "active".to_owned())]);
        let note = "## 2026-05-06 A\n<!-- @id: a -->\n\nx\n\n## B\n<!-- @id: b -->\n\ny\n";
        let there = "## A\n<!-- @id: a -->\n\n- **Date:** 2026-05-07\n- **Status:** deprecated\n";
        let stored = stored_fields(&Outline::read(there));
        let sources = FieldSources { stored: &stored, given: &given };
        let (written, count) = with_fields(&Outline::read(note), (2, &rules()), sources);
        let expected = "## 2026-05-06 A\n<!-- @id: a -->\n\n- **Date:** 2026-05-07\n- **Status:** deprecated\n\nx\n\n## B\n<!-- @id: b -->\n\n- **Status:** active\n\ny\n";
        assert_eq!((written.as_str(), count), (expected, 1));
    }

    #[test]
    fn what_is_still_missing_is_counted() {
        let text = "## A\n<!-- @id: a -->\n\nDate: 2026-05-06\n\n## B\n<!-- @id: b -->\n\nx\n";
        let missing = missing_fields(&Outline::read(text), (2, &rules()));
        let found: Vec<_> = missing.iter().map(|it| (it.name.as_str(), it.sections)).collect();
        assert_eq!(found, [("Date", 1), ("Status", 2)]);
    }
}
