//! Checks a section against the rules of its category.

use std::collections::BTreeMap;

use super::expression::Expression;
use super::fields::{Field, read_bullets, read_fields};
use super::matching::{Matching, PatternFault};
use crate::contract::{Fields, is_date};
use crate::markdown::{HeadingStyle, Outline, Section};
use crate::text::{composed, excerpt};

/// How many fields a schema may name, and how many subsections: each is looked for in each entry.
const NAMED: usize = 64;

#[derive(Debug, Clone)]
pub struct SectionRules {
    /// Level of an entry, 1 to 6, where it has no file of its own; the other rules speak of entries.
    pub level: u8,
    pub id_required: bool,
    pub max_bytes: Option<usize>,
    pub subsections: Vec<String>,
    /// What each bullet of an entry must look like, be it nested, from its mark on.
    pub bullets: Option<Expression>,
    pub fields: BTreeMap<String, FieldRule>,
}

#[derive(Debug, Clone)]
pub struct FieldRule {
    pub required: bool,
    /// Whether it must be a day, `YYYY-MM-DD`.
    pub date: bool,
    pub one_of: Vec<String>,
    pub pattern: Option<Expression>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBreach {
    /// The rule, as the schema names it.
    pub rule: String,
    pub message: String,
}

impl SectionRules {
    /// Reads the table `[section]` of a schema.
    pub(super) fn read(mut table: Fields<'_>) -> Self {
        let level = table.number("level", 1..=6).unwrap_or(2);
        let id = table.word("id", required, &["required", "optional"]);
        let max_bytes = table.number("max_bytes", 64..=16_777_216);
        let subsections = table.texts("subsections").unwrap_or_default();
        let bullets = read_pattern(&mut table, "bullets");
        let fields = table.objects("fields");
        for (name, count) in [("subsections", subsections.len()), ("fields", fields.len())] {
            if count > NAMED {
                table.problem(name, format!("{count} are named, allowed are {NAMED}"));
            }
        }
        let fields = fields.into_iter().take(NAMED);
        let fields = fields.map(|(name, rule)| (name.to_owned(), FieldRule::read(rule))).collect();
        table.finish();
        Self {
            level: u8::try_from(level).expect("the bounds are those of a level"),
            id_required: id.unwrap_or(false),
            max_bytes: max_bytes.and_then(|bytes| usize::try_from(bytes).ok()),
            subsections: subsections.into_iter().map(|it| composed(it).into_owned()).collect(),
            bullets,
            fields,
        }
    }

    pub(super) fn expressions(&self) -> impl Iterator<Item = &Expression> {
        self.bullets.iter().chain(self.fields.values().filter_map(|rule| rule.pattern.as_ref()))
    }

    /// Holds the values of a text against the expressions, so that it is known later whether they fit.
    pub fn match_ahead(&self, text: &str, matching: &Matching) {
        if self.expressions().next().is_none() {
            return;
        }
        if let Some(pattern) = &self.bullets {
            read_bullets(text).for_each(|line| drop(matching.hold(pattern, line)));
        }
        for field in read_fields(text) {
            if let Some(pattern) =
                self.fields.get(field.name).and_then(|rule| rule.pattern.as_ref())
            {
                let _ = matching.hold(pattern, field.value);
            }
        }
    }

    /// Returns every rule that an entry does not keep; an entry that was archived keeps only its place.
    pub fn check(
        &self,
        outline: &Outline<'_>,
        index: usize,
        matching: &Matching,
    ) -> Vec<RuleBreach> {
        let section = &outline.sections()[index];
        let title = &section.heading.text;
        let mut breaches = Vec::new();
        let mut breach = |rule: &str, message: String| {
            breaches.push(RuleBreach { rule: rule.to_owned(), message });
        };
        if self.id_required && section.id.is_none() {
            breach("id", format!("the section `{title}` needs an id{}", how_to_have_one(section)));
        }
        let bytes = outline.whole(section).len();
        if let Some(limit) = self.max_bytes.filter(|limit| bytes > *limit) {
            let message = format!("the section `{title}` has {bytes} bytes, allowed are {limit}");
            breach("max_bytes", message);
        }
        if section.archived {
            return breaches;
        }
        let is_missing = |wanted: &&String| !has_subsection(outline, index, wanted);
        for wanted in self.subsections.iter().filter(is_missing) {
            let message = format!("the section `{title}` needs a section `{wanted}` in it");
            breach("subsections", message);
        }
        let body = outline.body(section);
        breaches.extend(self.check_bullets(title, body, matching));
        // Most categories ask for none.
        let found = if self.fields.is_empty() { Vec::new() } else { read_fields(body) };
        for (name, rule) in &self.fields {
            breaches.extend(rule.check(name, section, &found, matching));
        }
        breaches
    }

    /// Says that a section is not at the level of an entry.
    pub(crate) fn wrong_level(section: &Section, entry_level: u8) -> String {
        let (text, level) = (&section.heading.text, section.heading.level);
        format!("the section `{text}` has level {level}, entries here have level {entry_level}")
    }

    fn check_bullets(&self, title: &str, body: &str, matching: &Matching) -> Vec<RuleBreach> {
        let Some(pattern) = &self.bullets else { return Vec::new() };
        let wrong = |line: &str| {
            let message = match matching.hold(pattern, line).err()? {
                PatternFault::Other => format!("the bullet `{line}` does not match `{pattern}`"),
                PatternFault::NotRead(why) => format!("a bullet of the section `{title}` {why}"),
            };
            Some(RuleBreach { rule: "bullets".to_owned(), message })
        };
        read_bullets(body).filter_map(wrong).collect()
    }
}

fn required(word: &str) -> Option<bool> {
    match word {
        "required" => Some(true),
        "optional" => Some(false),
        _ => None,
    }
}

/// Says what stands in the way of an id, if anything does.
fn how_to_have_one(section: &Section) -> String {
    match section.heading.style {
        HeadingStyle::Atx => String::new(),
        HeadingStyle::Setext => {
            let marks = "#".repeat(section.heading.level.into());
            format!(", which an underlined heading cannot have: write it as `{marks} …`")
        }
    }
}

impl FieldRule {
    fn read(mut table: Fields<'_>) -> Self {
        let one_of = table.texts("one_of").unwrap_or_default();
        let rule = Self {
            required: table.flag("required").unwrap_or(false),
            date: table.flag("date").unwrap_or(false),
            one_of: one_of.into_iter().map(str::to_owned).collect(),
            pattern: read_pattern(&mut table, "pattern"),
        };
        table.finish();
        rule
    }

    fn check(
        &self,
        name: &str,
        section: &Section,
        found: &[Field<'_>],
        matching: &Matching,
    ) -> Option<RuleBreach> {
        let rule = format!("fields.{name}");
        let title = &section.heading.text;
        let mut named = found.iter().filter(|field| field.name == name).peekable();
        if named.peek().is_none() {
            let message =
                format!("the section `{title}` needs a line `{name}: {}`", self.example());
            return self.required.then_some(RuleBreach { rule, message });
        }
        // Each one counts: another program may read the second one instead of the first.
        let values = named.map(|field| field.value);
        let mut held = values.map(|value| (value, self.hold(value, matching)));
        let message = match held.find_map(|(value, held)| Some((value, held.err()?)))? {
            (value, PatternFault::Other) => {
                format!("`{name}` of `{title}` is `{value}`, allowed is {}", self.allowed())
            }
            (_, PatternFault::NotRead(why)) => format!("`{name}` of `{title}` {why}"),
        };
        Some(RuleBreach { rule, message })
    }

    /// Says what is allowed, if a value is not.
    pub(crate) fn refusal_of(&self, value: &str, matching: &Matching) -> Option<String> {
        self.hold(value, matching).err().map(|_| self.allowed())
    }

    fn hold(&self, value: &str, matching: &Matching) -> Result<(), PatternFault> {
        let is_word = self.one_of.is_empty() || self.one_of.iter().any(|word| word == value);
        if (self.date && !is_date(value)) || !is_word {
            return Err(PatternFault::Other);
        }
        self.pattern.as_ref().map_or(Ok(()), |pattern| matching.hold(pattern, value))
    }

    fn allowed(&self) -> String {
        match (self.date, self.one_of.as_slice(), &self.pattern) {
            (true, _, _) => "a day of the calendar, `YYYY-MM-DD`".to_owned(),
            (false, [], None) => "any text".to_owned(),
            (false, [], Some(pattern)) => format!("what matches `{pattern}`"),
            (false, words, _) => format!("one of `{}`", words.join("`, `")),
        }
    }

    fn example(&self) -> String {
        match self.one_of.as_slice() {
            [] if self.date => "YYYY-MM-DD".to_owned(),
            [] => "…".to_owned(),
            words => words.join("|"),
        }
    }
}

fn read_pattern(table: &mut Fields<'_>, name: &'static str) -> Option<Expression> {
    let text = table.text(name)?;
    Expression::read(text)
        .map_err(|problem| {
            let message = format!(
                "`{}` is not a regular expression that can be used: {problem}",
                excerpt(text)
            );
            table.problem(name, message);
        })
        .ok()
}

fn has_subsection(outline: &Outline<'_>, index: usize, wanted: &str) -> bool {
    let family = index + 1..index + outline.family(index);
    outline.sections()[family].iter().any(|section| section.heading.text == wanted)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Category, DEFAULTS};
    use super::*;

    fn check(body: &str, expected: &[&str]) {
        let (_, text) =
            DEFAULTS.iter().find(|(name, _)| *name == "decisions").expect("it is there");
        let category = Category::parse(text, Path::new("decisions.toml")).expect("a good schema");
        let text = format!("## Use queues\n<!-- @id: use-queues -->\n\n{body}");
        let breaches = category.section.expect("it has rules").check(
            &Outline::read(&text),
            0,
            &Matching::of_check(),
        );
        let found: Vec<&str> = breaches.iter().map(|breach| breach.rule.as_str()).collect();
        assert_eq!(found, expected, "{body:?}: {breaches:?}");
    }

    #[test]
    fn a_decision_with_its_fields_is_good() {
        check("- **Date:** 2026-11-20\n- **Status:** active\n\nBecause.\n", &[]);
    }

    #[test]
    fn every_missing_field_is_named() {
        check("Because.\n", &["fields.Date", "fields.Status"]);
    }

    #[test]
    fn a_field_with_another_value_is_named() {
        check("Date: yesterday\nStatus: done\n", &["fields.Date", "fields.Status"]);
        check("Date: 2026-11-20\nStatus: active\nStatus: done\n", &["fields.Status"]);
        check("Date: 2026-11-20\nStatus: active\nSupersedes: Old One\n", &["fields.Supersedes"]);
    }

    #[test]
    fn a_section_beyond_its_size_is_named() {
        let body = format!("Date: 2026-11-20\nStatus: active\n\n{}\n", "x".repeat(70_000));
        check(&body, &["max_bytes"]);
    }
}
