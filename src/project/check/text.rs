//! Looks at the text of a file, whatever it is: secrets, hidden characters, conflicts, line ends.

use super::finding::Remark;
use super::rule::Rule;
use super::settings::Rulebook;
use crate::contract::ContentHash;
use crate::markdown::{Outline, find_conflict};
use crate::project::injection::find_injections;
use crate::secrets::{ALLOW, allow_regions};
use crate::text::{contains, find_conflict_marker, find_hidden, read_roughly};

const BYTE_ORDER_MARK: char = '\u{feff}';

struct TextPiece<'a> {
    text: &'a str,
    /// Line of the file on which it begins, from 1.
    line: usize,
    section: Option<String>,
}

/// Checks the text of a file; findings come with their section. `allows` if a marker stands in it that lets
/// secrets pass.
pub(super) fn check(
    path: &str,
    outline: &Outline<'_>,
    allows: bool,
    rulebook: &Rulebook,
) -> Vec<Remark> {
    let text = outline.text();
    let mut remarks = secrets(path, outline, allows, rulebook);
    let shown = text.trim_start_matches(BYTE_ORDER_MARK);
    // A code block holds examples, and only Markdown has any.
    let find = if path.ends_with(".md") { find_conflict } else { find_conflict_marker };
    let (hides, conflicts) = (find_hidden(shown).is_some(), find(text).is_some());
    if hides || conflicts {
        for piece in pieces(outline) {
            remarks.extend(hidden(path, &piece));
            remarks.extend(find(piece.text).map(|line| conflict(path, &piece, line)));
        }
    }
    remarks.extend(injections(path, outline, rulebook));
    remarks.extend(line_ends(path, text));
    remarks
}

/// Checks a file that is read where it is: its form is its own, but nothing may be hidden in it.
pub(crate) fn check_read_file(path: &str, text: &str, rulebook: &Rulebook) -> Vec<Remark> {
    let outline = Outline::read(text);
    let mut remarks = secrets(path, &outline, contains(text, ALLOW), rulebook);
    remarks.extend(pieces(&outline).iter().filter_map(|piece| hidden(path, piece)));
    remarks.extend(injections(path, &outline, rulebook));
    remarks
}

pub(super) fn secrets(
    path: &str,
    outline: &Outline<'_>,
    allows: bool,
    rulebook: &Rulebook,
) -> Vec<Remark> {
    let text = outline.text();
    // Without a byte order mark UTF-16 is text with zeros in it.
    let plain = if contains(text, "\0") { read_roughly(text.as_bytes()) } else { text.into() };
    let text = &*plain;
    let findings = rulebook.scanner.scan(text).into_iter().map(|finding| Remark {
        column: Some(finding.column),
        // Whatever the settings are: it must be the same in two versions of a store.
        secret: ContentHash::of(text[finding.range].as_bytes()).to_string(),
        ..Remark::new(Rule::Secret, path, format!("this looks like a secret ({})", finding.rule))
            .at(finding.line)
            .about(finding.rule)
            .within(title_at(outline, finding.line))
    });
    let problem = allows.then(|| allow_regions(text).err()).flatten();
    let markers = problem.map(|problem| {
        Remark::new(Rule::SectionMalformed, path, format!("{problem}, so nothing is allowed"))
            .about(ALLOW)
    });
    findings.chain(markers).collect()
}

/// Finds what speaks to the agent, in Markdown.
fn injections(path: &str, outline: &Outline<'_>, rulebook: &Rulebook) -> Vec<Remark> {
    if !path.ends_with(".md") {
        return Vec::new();
    }
    let found = find_injections(outline.text()).into_iter().map(|injection| {
        let told = rulebook.scanner.redact(&injection.told()).into_owned();
        Remark::new(Rule::PromptInjection, path, format!("this is {told}"))
            .at(injection.line)
            .about(told)
            .within(title_at(outline, injection.line))
    });
    found.collect()
}

/// Returns the title of the section that holds a line.
fn title_at(outline: &Outline<'_>, line: usize) -> Option<String> {
    outline.section_at(line).map(|index| outline.sections()[index].title().to_owned())
}

fn hidden(path: &str, piece: &TextPiece<'_>) -> Option<Remark> {
    let found = find_hidden(piece.text)?;
    let remark = Remark::new(
        Rule::HiddenCharacter,
        path,
        format!("the hidden character {} stands here", found.code_point()),
    );
    let remark = remark.at(piece.line + found.line - 1).about(found.code_point());
    Some(Remark { column: Some(found.column), ..remark.within(piece.section.clone()) })
}

fn conflict(path: &str, piece: &TextPiece<'_>, line: usize) -> Remark {
    let remark = Remark::new(
        Rule::ConflictMarker,
        path,
        "a git conflict was not resolved; the sections of the file are not checked until it is",
    );
    remark.at(piece.line + line - 1).within(piece.section.clone())
}

fn pieces<'a>(outline: &Outline<'a>) -> Vec<TextPiece<'a>> {
    let text = outline.text();
    let preamble = outline.preamble().trim_start_matches(BYTE_ORDER_MARK);
    let first = TextPiece { text: preamble, line: 1, section: None };
    let others = outline.sections().iter().map(|section| TextPiece {
        text: text[section.heading_bytes.start..section.own_end]
            .trim_start_matches(BYTE_ORDER_MARK),
        line: section.line,
        section: Some(section.title().to_owned()),
    });
    std::iter::once(first).chain(others).collect()
}

/// Finds the first line that ends in another way than the first one does.
fn line_ends(path: &str, text: &str) -> Option<Remark> {
    if !contains(text, "\r\n") {
        return None;
    }
    let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).zip(1..);
    let crlf = lines.next()?.0.ends_with("\r\n");
    let (_, number) = lines.find(|(line, _)| line.ends_with("\r\n") != crlf)?;
    let (these, those) = if crlf { ("CRLF", "LF") } else { ("LF", "CRLF") };
    let message = format!("this line ends in {those}, those before it in {these}");
    Some(Remark::new(Rule::SectionMalformed, path, message).at(number).about("line-ends"))
}
