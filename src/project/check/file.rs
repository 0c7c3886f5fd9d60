//! Looks at one file: what is wrong with it, and what others need to know of it.

use super::checked_file::{CheckedFile, Depth, EvidenceNote, RecordName};
use super::content::Content;
use super::finding::Remark;
use super::links::links;
use super::rule::Rule;
use super::settings::Rulebook;
use super::{sections, text};
use crate::contract::LARGEST_FILE;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::request::is_reserved;
use crate::project::toc::{FORMER_PATH, is_former};
use crate::secrets::ALLOW;
use crate::text::{contains, read_roughly};

const FORMER_TOC: &str = "`index.md` was written by an earlier version: `agent-memory doctor --upgrade` takes it out, `agent-memory toc` prints what it said";

pub(crate) fn check_file(
    path: &str,
    content: &Content,
    rulebook: &Rulebook,
    depth: Depth,
) -> CheckedFile {
    let mut checked = CheckedFile::nothing(path, depth);
    let text = match read(content) {
        Ok(text) => text,
        Err(fault) => {
            checked.remarks = unreadable(path, content, fault, rulebook, depth);
            return checked;
        }
    };
    let allows = depth == Depth::Rules && contains(text, ALLOW);
    let is_memory = path.ends_with(".md") && !is_hidden(path) && !is_reserved(path);
    if !is_memory {
        if depth == Depth::Rules {
            let outline = Outline::known(text, Vec::new());
            checked.remarks = text::check(path, &outline, allows, rulebook);
        }
        return checked;
    }
    if path == FORMER_PATH && depth == Depth::Rules && is_former(text) {
        checked.remarks.push(Remark::new(Rule::IndexOutdated, path, FORMER_TOC));
        return checked;
    }
    let outline = Outline::read(text);
    if depth == Depth::Rules {
        checked.remarks = text::check(path, &outline, allows, rulebook);
        // Two versions of a file, one after the other, have no sections to speak of.
        if !checked.remarks.iter().any(|remark| remark.rule == Rule::ConflictMarker) {
            checked.remarks.extend(sections::check(path, &outline, rulebook));
        }
    }
    keep(&outline, &mut checked, rulebook);
    checked
}

/// Says why a file cannot be read, and which secrets are in it all the same.
fn unreadable(
    path: &str,
    content: &Content,
    fault: TextFault,
    rulebook: &Rulebook,
    depth: Depth,
) -> Vec<Remark> {
    let (mut remarks, TextFault { why, line }) = (Vec::new(), fault);
    // The hidden files of a desktop or an editor do no harm.
    if !is_hidden(path) {
        let remark = Remark::new(Rule::FileUnreadable, path, format!("`{path}` {why}"));
        remarks.push(match line {
            Some(line) => remark.at(line),
            None => remark,
        });
    }
    if let (Content::Bytes(bytes) | Content::TooLarge(bytes), Depth::Rules) = (content, depth) {
        // Keys are ASCII: what is no text besides does not hide them.
        let text = read_roughly(bytes);
        let outline = Outline::known(&text, Vec::new());
        remarks.extend(text::secrets(path, &outline, false, rulebook));
    }
    remarks
}

/// Why the content of a file is no text, and the line where that shows.
struct TextFault {
    why: String,
    line: Option<usize>,
}

fn read(content: &Content) -> Result<&str, TextFault> {
    let fault = |why: String| TextFault { why, line: None };
    let bytes = match content {
        Content::Bytes(bytes) => bytes,
        Content::TooLarge(bytes) => {
            let (count, most) = (bytes.len(), LARGEST_FILE >> 20);
            return Err(fault(format!("has {count} bytes and is larger than {most} MiB")));
        }
        Content::Unreadable(why) => return Err(fault(format!("cannot be read: {why}"))),
    };
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        match bytes.contains(&0) {
            true => fault("is binary".to_owned()),
            false => TextFault { why: format!("is not UTF-8 at byte {at}"), line: Some(line) },
        }
    })
}

fn keep(outline: &Outline<'_>, checked: &mut CheckedFile, rulebook: &Rulebook) {
    checked.entries = entries(&checked.path, outline, rulebook);
    checked.sections = outline.sections().len();
    for section in outline.sections() {
        checked.ids.extend(section.id.as_ref().map(ToString::to_string));
        checked.notes.extend(notes(outline, section));
    }
    checked.links = links(outline);
}

fn entries(path: &str, outline: &Outline<'_>, rulebook: &Rulebook) -> Vec<RecordName> {
    let owner = rulebook.catalog.owner_of(path).filter(|owner| owner.paths.has_records());
    let Some(owner) = owner else { return Vec::new() };
    let name = |section: &Section| {
        let (category, id) = (owner.name.clone(), section.id.as_ref()?.to_string());
        Some(RecordName { category, id, line: section.line })
    };
    owner.entries(path, outline).filter_map(name).collect()
}

fn notes(outline: &Outline<'_>, section: &Section) -> Vec<EvidenceNote> {
    if !section.sources.iter().any(|note| note.kind.is_file()) {
        return Vec::new();
    }
    let head = &outline.text()[section.heading_bytes.end..section.body_start];
    let first = section.line + sections::lines_of_heading(outline, section);
    let lines = head.lines().zip(first..);
    lines
        .filter_map(|(line, number)| Some((SourceNote::read(line)?, number)))
        .filter(|(note, _)| note.kind.is_file())
        .map(|(note, line)| EvidenceNote {
            reference: note.reference,
            blob: note.blob,
            line,
            section: section.title().to_owned(),
        })
        .collect()
}

fn is_hidden(path: &str) -> bool {
    path.split('/').any(|part| part.starts_with('.'))
}
