//! The text with which a new entry begins: its fields with what is allowed, as the schema of its category says.

use crate::project::schema::{FieldRule, SectionRules};

pub(super) struct Template<'a> {
    pub(super) kind: &'a str,
    pub(super) title: &'a str,
    pub(super) today: &'a str,
    pub(super) rules: Option<&'a SectionRules>,
    /// Level of the heading of an entry.
    pub(super) level: u8,
    /// Whether it is a whole file: a title, and an entry below it.
    pub(super) has_file: bool,
}

impl Template<'_> {
    pub(super) fn text(&self) -> String {
        let comment = format!(
            "{} a new {}: this comment is left out; an empty or unchanged text cancels\n-->\n",
            super::buffer::OPEN,
            self.kind
        );
        let marks = |level: u8| "#".repeat(level.into());
        let heading = match self.has_file {
            true => format!("# {}\n\n{} What it does\n", self.title, marks(self.level)),
            false => format!("{} {}\n", marks(self.level), self.title),
        };
        let fields: String =
            self.fields().map(|(name, rule)| line(name, rule, self.today)).collect();
        let gap = if fields.is_empty() { "" } else { "\n" };
        let subsections = self.rules.iter().flat_map(|rules| &rules.subsections);
        let subsections: String =
            subsections.map(|name| format!("\n{} {name}\n\n", marks(self.level + 1))).collect();
        format!("{comment}{heading}{gap}{fields}\n{subsections}")
    }

    /// Returns the fields that may be left empty.
    pub(super) fn optional(&self) -> Vec<String> {
        let optional = self.fields().filter(|(_, rule)| !rule.required);
        optional.map(|(name, _)| name.clone()).collect()
    }

    /// Returns the fields, what is required first.
    fn fields(&self) -> impl Iterator<Item = (&String, &FieldRule)> {
        let all = || self.rules.iter().flat_map(|rules| &rules.fields);
        let required = all().filter(|(_, rule)| rule.required);
        required.chain(all().filter(|(_, rule)| !rule.required))
    }
}

/// Writes a field with a value that can stay, where there is one, and what is allowed.
fn line(name: &str, rule: &FieldRule, today: &str) -> String {
    let usual = rule.one_of.iter().find(|word| *word == "active").or(rule.one_of.first());
    let value = match rule.required {
        true if rule.date => today,
        true => usual.map_or("", String::as_str),
        false => "",
    };
    let allowed = match (&rule.pattern, rule.one_of.as_slice()) {
        _ if rule.date => "a day such as 2026-11-20".to_owned(),
        (Some(pattern), []) => format!("as {}", pattern.as_str()),
        (_, []) => "any text".to_owned(),
        (_, words) => words.join(", "),
    };
    let mark = if rule.required { super::buffer::REQUIRED } else { super::buffer::OPTIONAL };
    // A pattern could end the comment.
    let allowed = allowed.replace("--", "- -");
    format!("- **{name}:** {value} {mark} {allowed} -->\n")
}
