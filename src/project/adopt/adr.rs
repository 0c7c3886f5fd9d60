//! Reads an architecture decision record (ADR) in the forms of MADR, Nygard, adr-tools and log4brains.

mod front;
mod head;
mod relations;
mod status;
mod title;

use front::read_front;
pub(super) use head::HeadLines;
use relations::read_relations;
pub(crate) use relations::{OtherRecord, Relations};
pub(super) use status::DecisionStatus;
pub(super) use status::day_of;
use title::day_of_name;
pub(super) use title::plain_title;

use crate::contract::SectionId;
use crate::markdown::{LineEnding, Outline, Section, shifted, with_marks};

/// A decision with its fields, and the text below them.
#[derive(Debug, Clone)]
pub(crate) struct DecisionRecord {
    pub title: String,
    /// The day that it names.
    pub date: Option<String>,
    pub(super) status: Option<DecisionStatus>,
    pub relations: Relations,
    /// Further facts, such as who decided, as names and values.
    pub(super) notes: Vec<(String, String)>,
    /// What stands before the title.
    pub(super) before: String,
    /// What stands below the title, without the fields.
    pub(super) body: String,
    pub(super) ending: LineEnding,
}

/// Headings under which a record says why.
const WHY: [&str; 4] = ["context", "context and problem statement", "problem statement", "problem"];

/// Headings under which a record says what.
const WHAT: [&str; 3] = ["decision", "decision outcome", "consequences"];

/// Reads a record; `None` if the file has not the form of one. Templates, which have placeholders for a title, are none.
pub(crate) fn read_record(path: &str, text: &str) -> Option<DecisionRecord> {
    let ending = LineEnding::of(text);
    let text = LineEnding::Lf.apply(text);
    let (marked, _) = with_marks(&Outline::read(&text));
    let (front, before_body, body) = read_front(&marked);
    let outline = Outline::read(body);
    let first = outline.sections().first()?;
    // With an id it is a section of a store already.
    if first.id.is_some() || !has_form(&outline) {
        return None;
    }
    let is_titled = !is_part(first);
    let title = match front.title.as_deref().filter(|_| !is_titled) {
        Some(title) => title,
        None => first.heading.text.as_str(),
    };
    let title = plain_title(title).filter(|_| is_titled || front.title.is_some())?.to_owned();
    let own_end = if is_titled { first.own_end } else { first.heading_bytes.start };
    let own_start = if is_titled { first.body_start } else { own_end };
    let head = HeadLines::read(&body[own_start..own_end]);
    let of_section = section_named(&outline, "status").unwrap_or_default();
    let said = [front.status.as_deref(), head.status.as_deref(), Some(of_section)];
    let status = said.into_iter().flatten().find_map(DecisionStatus::read);
    let mut written = [front.date.as_deref(), head.date.as_deref()].into_iter().flatten();
    let date = written.find_map(day_of).or_else(|| day_of_name(path));
    let date = date.or_else(|| day_of(of_section));
    if status.is_none() && date.is_none() && !title::has_number(path, &first.heading.text) {
        return None;
    }
    let mut relations = Relations::default();
    let related = front.related.iter().chain(&head.related).map(String::as_str);
    related.chain(said.into_iter().flatten()).for_each(|text| read_relations(text, &mut relations));
    let mut notes = kept_status(&front.status.clone().or_else(|| head.status.clone()), &status);
    notes.extend(kept_date(&head.date, &date));
    notes.extend(front.notes.into_iter().chain(head.notes));
    let rest = leveled(&body[own_end..], if is_titled { first.heading.level } else { 1 });
    let before = if is_titled { &body[..first.heading_bytes.start] } else { "" };
    let before = format!("{before_body}{before}");
    let body = joined(&head.rest, &rest);
    Some(DecisionRecord { title, date, status, relations, notes, before, body, ending })
}

impl DecisionRecord {
    /// Returns the status of a record that names none in a known word: what says nothing was decided; what says it in
    /// other words, such as "on hold", may still be open.
    pub(crate) fn assumed_status(&self) -> Option<&'static str> {
        let outline = Outline::read(&self.body);
        let is_in_text = section_named(&outline, "status").is_some_and(|text| !text.is_empty());
        let is_kept = self.notes.iter().any(|(name, _)| name == KEPT_STATUS);
        match (&self.status, is_in_text || is_kept) {
            (Some(_), _) => None,
            (None, false) => Some("active"),
            (None, true) => Some("proposed"),
        }
    }

    /// Returns the file of the record: its title, its fields, its text. A day that the record does not name is given.
    pub(crate) fn written(&self, date: Option<&str>, supersedes: &[SectionId]) -> String {
        let mut lines = String::new();
        let mut field = |name: &str, value: &str| lines += &format!("- **{name}:** {value}\n");
        if let Some(date) = self.date.as_deref().or(date) {
            field("Date", date);
        }
        if let Some(status) = &self.status {
            field("Status", status.word);
        }
        supersedes.iter().for_each(|id| field("Supersedes", id.as_str()));
        self.notes.iter().for_each(|(name, value)| field(name, value));
        let lines = if lines.is_empty() { lines } else { format!("\n{lines}") };
        let body = if self.body.is_empty() { String::new() } else { format!("\n{}", self.body) };
        let text = format!("{}# {}\n{lines}{body}", self.before, self.title);
        self.ending.apply(&text)
    }
}

/// Tells whether the headings are those of a record.
fn has_form(outline: &Outline<'_>) -> bool {
    let has = |names: &[&str]| {
        let mut sections = outline.sections().iter();
        sections.any(|section| names.contains(&name_of(section).as_str()))
    };
    has(&WHAT) && (has(&WHY) || has(&["status"]))
}

/// Tells whether a heading is that of a part of a record, and no title.
fn is_part(section: &Section) -> bool {
    let name = name_of(section);
    name == "status" || WHY.contains(&name.as_str()) || WHAT.contains(&name.as_str())
}

fn name_of(section: &Section) -> String {
    section.heading.text.trim_end_matches(':').to_lowercase()
}

fn section_named<'a>(outline: &Outline<'a>, name: &str) -> Option<&'a str> {
    let found = outline.sections().iter().find(|section| name_of(section) == name)?;
    Some(outline.body(found))
}

/// Returns the text below a title of a level, with its headings at level 2 and deeper.
pub(super) fn leveled(rest: &str, title: u8) -> String {
    let outline = Outline::read(rest);
    let highest = outline.sections().iter().map(|section| section.heading.level).min();
    let level = |level: u8| i8::try_from(level).unwrap_or(1);
    match highest {
        Some(1) => shifted(rest, 1),
        Some(highest) if title > 1 => shifted(rest, 2 - level(highest.min(title + 1))),
        Some(_) | None => rest.to_owned(),
    }
}

pub(super) fn joined(head: &str, rest: &str) -> String {
    let head = head.trim_matches('\n');
    match head.is_empty() {
        true => rest.trim_start_matches('\n').to_owned(),
        false if rest.is_empty() => format!("{head}\n"),
        false => format!("{head}\n\n{rest}"),
    }
}

/// Keeps the word of a status that the schema has another word for.
fn kept_status(said: &Option<String>, status: &Option<DecisionStatus>) -> Vec<(String, String)> {
    let Some(said) = said.as_deref().map(str::trim).filter(|said| !said.is_empty()) else {
        return Vec::new();
    };
    let is_same = status.as_ref().is_some_and(|status| said.eq_ignore_ascii_case(status.word));
    if is_same { Vec::new() } else { vec![(KEPT_STATUS.to_owned(), said.to_owned())] }
}

/// The name under which a record keeps its own word for its status.
const KEPT_STATUS: &str = "ADR status";

/// Keeps a date that is no day.
fn kept_date(said: &Option<String>, date: &Option<String>) -> Option<(String, String)> {
    let said = said.as_deref()?;
    let is_read = day_of(said).is_some() && day_of(said) == *date;
    (!is_read).then(|| ("ADR date".to_owned(), said.to_owned()))
}

#[cfg(test)]
mod tests;
