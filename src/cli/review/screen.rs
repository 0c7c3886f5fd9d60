//! Writes a proposal for the person who decides.

use anstyle::Style;

use crate::cli::columns::{width, wrap};
use crate::cli::near_duplicates::near_text;
use crate::cli::output::{BAD, CARE, FAINT, GONE, GOOD, STRONG_GONE, STRONG_GOOD, TITLE};
use crate::cli::render::remaining;
use crate::cli::show::{asked, source};
use crate::project::request::Reason;
use crate::project::verbs::{
    DiffLine, DiffPiece, FileDiff, LineKind, Selection, ShownProposal, hunks,
};
use crate::text::{span, visible};

#[derive(Debug, Clone, Copy)]
pub(in crate::cli) struct Position<'a> {
    pub(in crate::cli) number: usize,
    pub(in crate::cli) of: usize,
    /// Its worktree, in a review of several.
    pub(in crate::cli) worktree: Option<&'a str>,
    /// Whether a key can be pressed.
    pub(in crate::cli) is_prompt: bool,
}

impl Position<'_> {
    pub(in crate::cli) const ALONE: Self =
        Self { number: 1, of: 1, worktree: None, is_prompt: false };
}

pub(in crate::cli) fn text(
    shown: &ShownProposal,
    selection: &Selection,
    position: Position<'_>,
    columns: usize,
) -> String {
    let mut text = header(shown, position, columns);
    text += &obstacle(shown, selection, position, columns);
    let operations = shown.operations.as_array().map(Vec::as_slice).unwrap_or_default();
    for (number, operation) in operations.iter().enumerate().filter(|_| operations.len() > 1) {
        let left_out = if selection.takes(number) { "" } else { " (left out)" };
        let name = format!("{}{left_out}", operation_name(operation));
        text += &line(&(number + 1).to_string(), &name, columns);
    }
    let words = match selection {
        Selection::All | Selection::Operations(_) => None,
        Selection::Amended(_) => Some("in your words"),
        Selection::Pieces { .. } => Some("only the parts that you took"),
    };
    if let Some(words) = words {
        text += &format!("{CARE}{}{CARE:#}", line("note", words, columns));
    }
    if shown.diffs.is_empty() {
        text += &asked(&shown.operations);
    }
    shown.diffs.iter().for_each(|file| text += &file_text(file, columns));
    text + &near_text(&shown.near_duplicates, columns)
}

/// Writes e.g. `append_section decisions.md#retry-budget`.
pub(in crate::cli) fn operation_name(operation: &serde_json::Value) -> String {
    let word = |name: &str| operation[name].as_str().unwrap_or_default();
    let section = ["section_id", "heading", "new_heading"].map(word);
    let section = section.into_iter().find(|name| !name.is_empty());
    let place = match (word("path"), section) {
        ("", None) => String::new(),
        ("", Some(section)) => format!(" {section}"),
        (path, None) => format!(" {path}"),
        (path, Some(section)) => format!(" {path}#{section}"),
    };
    format!("{}{place}", word("operation"))
}

fn header(shown: &ShownProposal, position: Position<'_>, columns: usize) -> String {
    let pending = &shown.pending;
    let Position { number, of, worktree, .. } = position;
    let title = format!("[{number}/{of}] {} {}", visible(&pending.intent), pending.id);
    let mut text = format!("{TITLE}{}{TITLE:#}\n", wrap(&title, columns));
    text += &worktree.map(|place| line("in", place, columns)).unwrap_or_default();
    let age = format!("{} ago", span(pending.age_seconds));
    let left = remaining(pending.seconds_left);
    let by = pending.owner.as_deref().unwrap_or("unknown");
    let confidence =
        shown.confidence.as_deref().map(|word| format!(", {word}")).unwrap_or_default();
    text += &line("by", &format!("{by}, {age}, {left}{confidence}"), columns);
    if let Some(rationale) = &pending.rationale {
        text += &line("why", rationale, columns);
    }
    if !shown.sources.is_empty() {
        let sources: Vec<String> = shown.sources.iter().map(source).collect();
        text += &line("from", &sources.join(", "), columns);
    }
    for removal in shown.operations.as_array().into_iter().flatten() {
        // The diff does not show the reason of a removal.
        if let Some(reason) = removal["reason"].as_str() {
            text += &line("gone", reason, columns);
        }
    }
    if let Some(by) = &pending.superseded_by {
        let by = format!("superseded by {by}");
        text += &format!("{CARE}{}{CARE:#}", line("note", &by, columns));
    }
    for warning in &shown.warnings {
        text += &format!("{CARE}{}{CARE:#}", line("note", warning, columns));
    }
    text
}

/// Says why a proposal cannot be applied, and which key helps.
fn obstacle(
    shown: &ShownProposal,
    selection: &Selection,
    position: Position<'_>,
    columns: usize,
) -> String {
    let readiness = &shown.pending.readiness;
    let (Some(reason), Some(message)) = (readiness.reason, &readiness.message) else {
        return String::new();
    };
    let key = match (reason, selection.texts()) {
        // The person has edited today's text.
        (Reason::TargetDrift, Some(_)) => return String::new(),
        _ if !position.is_prompt => "",
        // The section is gone, so there is nothing to overwrite.
        (Reason::TargetDrift, _) if shown.diffs.is_empty() => "; b opens what was wanted",
        (Reason::TargetDrift, _) => "; b merges it with today's text, f overwrites that",
        (Reason::StagingExpired, _) => "; f applies it all the same",
        _ => "",
    };
    format!("{BAD}{}{BAD:#}", line("stop", &format!("{reason}: {message}{key}"), columns))
}

fn line(name: &str, value: &str, columns: usize) -> String {
    let value = visible(&value.replace('\n', " ")).into_owned();
    let wrapped = wrap(&format!("{name:<4} {value}"), columns.saturating_sub(2));
    wrapped.lines().map(|line| format!("  {line}\n")).collect()
}

pub(in crate::cli) fn file_text(file: &FileDiff, columns: usize) -> String {
    let before = file.before.as_deref().unwrap_or_default();
    let new = if file.before.is_none() { " (new file)" } else { "" };
    let hunks = hunks(before, &file.after);
    hunks.iter().map(|hunk| piece_text(&file.path, new, hunk, columns)).collect()
}

/// Writes one changed place below its headings.
pub(in crate::cli) fn piece_text(
    path: &str,
    new: &str,
    piece: &DiffPiece,
    columns: usize,
) -> String {
    let headings = piece.heading.join(" > ");
    let title = format!("{path}{new}:{} {headings}", piece.line);
    let mut text = String::from("\n");
    for line in wrap(&visible(title.trim_end()), columns).lines() {
        text += &format!("{TITLE}{line}{TITLE:#}\n");
    }
    piece.lines.iter().for_each(|line| text += &line_text(line, columns));
    text
}

/// Wraps a line, because the person must see all of it.
fn line_text(line: &DiffLine, columns: usize) -> String {
    let (sign, style, strong) = match line.kind {
        LineKind::Same => (' ', FAINT, FAINT),
        LineKind::Gone => ('-', GONE, STRONG_GONE),
        LineKind::New => ('+', GOOD, STRONG_GOOD),
    };
    let mut letters: Vec<(char, Style)> = Vec::new();
    for part in &line.parts {
        let style = if part.is_changed { strong } else { style };
        // The width of a tab is not known.
        letters.extend(visible(&part.text).replace('\t', " ").chars().map(|each| (each, style)));
    }
    let mut text = format!("{style}{sign}{style:#}");
    for (number, row) in rows(&letters, columns.saturating_sub(3).max(8)).into_iter().enumerate() {
        text += if number > 0 { "\n  " } else { " " };
        for run in row.chunk_by(|(_, one), (_, other)| one == other) {
            let (style, words): (_, String) =
                (run[0].1, run.iter().map(|(each, _)| each).collect());
            text += &format!("{style}{words}{style:#}");
        }
    }
    text + "\n"
}

/// Breaks a line behind its blanks, or inside a word that no row holds. A row may end with one blank too many.
fn rows(letters: &[(char, Style)], room: usize) -> Vec<&[(char, Style)]> {
    let mut rows = Vec::new();
    let (mut start, mut used, mut word) = (0, 0, 0);
    for (at, &(letter, _)) in letters.iter().enumerate() {
        let is_blank = letter == ' ';
        if used + width(letter) > room + usize::from(is_blank) {
            let end = if word > start { word } else { at };
            rows.push(&letters[start..end]);
            start = end;
            used = letters[end..at].iter().map(|(each, _)| width(*each)).sum();
        }
        used += width(letter);
        if is_blank {
            word = at + 1;
        }
    }
    rows.extend(Some(&letters[start..]).filter(|row| !row.is_empty()));
    rows
}
