//! Tells whether what a proposal writes stands in the files of a side.

use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::check::Content;
use crate::project::pipeline::Submission;
use crate::project::request::{Action, Operation, ProposalId, Request, Selector};
use crate::project::schema::Catalog;
use crate::project::store::sections::is_memory;
use crate::project::verbs::check::side::Side;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    In,
    Out,
    /// A part of it, another text in its section, or not known.
    Unclear,
}

/// A memory file as it is.
struct MemoryText {
    path: String,
    text: String,
}

pub(super) fn presence(side: &Side<'_>, catalog: &Catalog, id: &ProposalId) -> Result<Presence> {
    let Some(request) = request(side, id) else { return Ok(Presence::Unclear) };
    // What was archived later stands in no file that speaks of today.
    let is_today = |path: &&str| {
        is_memory(path) && catalog.owner_of(path).is_none_or(|owner| !owner.write_once)
    };
    let today: Vec<&str> = side.paths().into_iter().filter(is_today).collect();
    let texts = side.map(&today, |path, content| {
        let Content::Bytes(bytes) = content else { return None };
        let text = std::str::from_utf8(bytes).ok()?.to_owned();
        Some(MemoryText { path: path.to_owned(), text })
    })?;
    let texts: Vec<MemoryText> = texts.into_iter().flatten().collect();
    let mut all = request.operations.iter().filter_map(|operation| of_one(operation, &texts));
    let first = all.next().unwrap_or(Presence::Unclear);
    Ok(if all.all(|each| each == first) { first } else { Presence::Unclear })
}

/// Reads the request that is kept beside the decision.
fn request(side: &Side<'_>, id: &ProposalId) -> Option<Request> {
    let own = format!("decided/{id}.");
    let paths = side.paths();
    let mut kept = paths.iter().filter(|path| path.starts_with(&own) && path.ends_with(".json"));
    kept.find_map(|path| {
        let Content::Bytes(bytes) = side.read_one(path) else { return None };
        let kept: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
        let request = kept["request"].to_string().into_bytes();
        // The time matters for the files of a day alone, which have no decisions.
        let read = Submission::new(request, id.submitted_at()?, String::new()).parse().ok()?;
        Some(read.request().clone())
    })
}

/// Returns how it stands with an operation; none for one that brings no text.
fn of_one(operation: &Operation, texts: &[MemoryText]) -> Option<Presence> {
    let is_in = |is_in: bool| Some(if is_in { Presence::In } else { Presence::Out });
    match &operation.action {
        Action::RenameHeading { new_heading, .. } => is_in(has_heading(texts, new_heading)),
        Action::ArchiveSection { target, .. } | Action::RemoveSection { target, .. } => {
            let is_meant = |section: &Section| match &target.selector {
                Selector::Id(id) => section.id.as_ref() == Some(id),
                Selector::Heading { text, .. } => section.heading.text == *text,
            };
            let path = operation.path.as_ref().map(|path| path.as_str());
            let mut files = texts.iter().filter(|file| path.is_none_or(|path| path == file.path));
            let is_there = |file: &MemoryText| {
                let outline = Outline::read(&file.text);
                let mut sections = outline.sections().iter();
                sections.any(|section| is_meant(section) && !section.archived)
            };
            is_in(!files.any(is_there))
        }
        Action::AppendSection { heading, content, .. } => {
            let presence = of_lines(content, texts)?;
            let is_edited = presence == Presence::Out && has_heading(texts, heading);
            Some(if is_edited { Presence::Unclear } else { presence })
        }
        Action::CreateFile { content, .. }
        | Action::ReplaceSection { content, .. }
        | Action::ReplaceSectionContent { content, .. }
        | Action::AppendToSection { content, .. } => of_lines(content, texts),
    }
}

fn has_heading(texts: &[MemoryText], heading: &str) -> bool {
    let has = |file: &MemoryText| {
        let outline = Outline::read(&file.text);
        outline.sections().iter().any(|section| section.heading.text == heading.trim())
    };
    texts.iter().any(has)
}

/// Compares by lines: the levels of headings and the comments below them change as a text is written.
fn of_lines(content: &str, texts: &[MemoryText]) -> Option<Presence> {
    let wanted: Vec<&str> = lines(content).collect();
    if wanted.is_empty() {
        return None;
    }
    let has = |file: &MemoryText, line: &str| lines(&file.text).any(|there| there == line);
    if texts.iter().any(|file| wanted.iter().all(|line| has(file, line))) {
        return Some(Presence::In);
    }
    // Each decision has its status, and two texts may share a line.
    let telling: Vec<&&str> = wanted.iter().filter(|line| !line.starts_with("- **")).collect();
    let is_mostly_in = |file: &MemoryText| {
        2 * telling.iter().filter(|line| has(file, line)).count() > telling.len()
    };
    Some(if texts.iter().any(is_mostly_in) { Presence::Unclear } else { Presence::Out })
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(|line| line.trim().trim_start_matches('#').trim_start());
    lines.filter(|line| !line.is_empty() && !line.starts_with("<!-- @"))
}
