//! Writes and removes one block between two marks in a Markdown file.

use std::ops::Range;

use super::fault::{Fault, FaultCode};
use crate::text::Fences;

/// The first line of a block of any version begins so.
const BEGINS: &str = "<!-- BEGIN agent-memory";

const BEGIN: &str = "<!-- BEGIN agent-memory v1 -->";

const END: &str = "<!-- END agent-memory -->";

/// Replaces the block of a text, or adds one below a blank line at its end.
///
/// The text ends with a line end only if it did before, so that [`remove`] can restore it.
pub(super) fn insert(text: Option<&str>, body: &str) -> Result<String, Fault> {
    let block = format!("{BEGIN}\n{body}{END}\n");
    let Some(text) = text else { return Ok(block) };
    let eol = eol_of(text);
    let block = with_eol(block.trim_end(), eol);
    if let Some(place) = find(text)? {
        return Ok(format!("{}{block}{}", &text[..place.start], &text[place.end..]));
    }
    if Fences::left_open(text) {
        let message = "a code fence is opened and never closed, so that our block would be code";
        return Err(Fault::new(FaultCode::UnclosedFence, message, "close the fence"));
    }
    Ok(match text.ends_with('\n') {
        true => format!("{text}{eol}{block}{eol}"),
        false => format!("{text}{eol}{eol}{block}"),
    })
}

/// Returns the text without the block, or nothing if there was no file.
pub(super) fn remove(text: &str) -> Result<Option<String>, Fault> {
    let Some(Range { start, end }) = find(text)? else { return Ok(Some(text.to_owned())) };
    let (before, after) = (&text[..start], without_eol(&text[end..], str::strip_prefix));
    if before.is_empty() && after.is_some_and(str::is_empty) {
        return Ok(None);
    }
    let without_last = |text| without_eol(text, str::strip_suffix).unwrap_or(text);
    let once = without_last(before);
    Ok(Some(match after {
        None if end == text.len() => without_last(once).to_owned(),
        after => {
            let is_apart = once.is_empty() || once.ends_with('\n');
            let before = if is_apart { once } else { before };
            format!("{before}{}", after.unwrap_or(&text[end..]))
        }
    }))
}

/// Returns the text with an empty line for each line of the block, so that all others stand where they stood; none where there
/// is no block.
pub(crate) fn blanked(text: &str) -> Option<String> {
    let Range { start, end } = find(text).ok()??;
    let lines = text[start..end].matches('\n').count();
    let rest = format!("{}{}{}", &text[..start], "\n".repeat(lines), &text[end..]);
    let kept = rest.trim_end();
    Some(if kept.is_empty() { String::new() } else { format!("{kept}\n") })
}

/// Returns the line end of the first line.
pub(super) fn eol_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        Some(_) | None => "\n",
    }
}

pub(super) fn with_eol(lines: &str, eol: &str) -> String {
    if eol == "\n" { lines.to_owned() } else { lines.replace('\n', eol) }
}

fn without_eol<'t>(
    text: &'t str,
    strip: impl Fn(&'t str, &'static str) -> Option<&'t str>,
) -> Option<&'t str> {
    strip(text, "\r\n").or_else(|| strip(text, "\n"))
}

/// Tells whether a text has a line outside of our block and of code.
pub(super) fn has_line(text: &str, line: &str) -> Result<bool, Fault> {
    let ours = find(text)?.unwrap_or_default();
    Ok(free_lines(text).any(|(at, each)| each == line && !ours.contains(&at)))
}

/// Returns the range of the block, without its last line end.
fn find(text: &str) -> Result<Option<Range<usize>>, Fault> {
    let marks: Vec<(usize, &str)> =
        free_lines(text).filter(|(_, line)| line.starts_with(BEGINS) || *line == END).collect();
    match marks.as_slice() {
        [] => Ok(None),
        [(start, begin), (end, END)] if *begin != END => Ok(Some(*start..end + END.len())),
        [.., (at, _)] => {
            let message = format!("there are {} marks where one pair belongs", marks.len());
            let hint = format!("leave one `{BEGIN}` with one `{END}` below it, or none of them");
            Err(Fault::new(FaultCode::UnbalancedMarkers, message, hint).at_offset(text, *at))
        }
    }
}

/// Returns the trimmed lines that are not code, each with its offset.
pub(super) fn free_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut fences, mut at) = (Fences::default(), 0);
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at + (line.len() - line.trim_start().len());
        at += line.len();
        (!fences.covers(line.trim_end_matches(['\r', '\n']))).then_some((start, line.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuses(text: &str, code: FaultCode, line: Option<usize>) {
        let fault = insert(Some(text), "x\n").expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (code, line), "{}", fault.message);
    }

    #[test]
    fn an_older_block_is_replaced_where_it_stands() {
        let text = "a\n<!-- BEGIN agent-memory v0 -->\nold\n<!-- END agent-memory -->\nb\n";
        let new = "a\n<!-- BEGIN agent-memory v1 -->\nnew\n<!-- END agent-memory -->\nb\n";
        assert_eq!(insert(Some(text), "new\n").expect("balanced"), new);
    }

    #[test]
    fn marks_that_are_no_pair_are_refused_with_their_line() {
        let code = FaultCode::UnbalancedMarkers;
        refuses("a\n<!-- BEGIN agent-memory v1 -->\nb\n", code, Some(2));
        refuses("<!-- END agent-memory -->\n", code, Some(1));
        refuses("<!-- END agent-memory -->\n<!-- BEGIN agent-memory v1 -->\n", code, Some(2));
        let pair = "<!-- BEGIN agent-memory v1 -->\n<!-- END agent-memory -->\n";
        refuses(&pair.repeat(2), code, Some(4));
    }

    #[test]
    fn marks_in_code_are_text_and_a_fence_must_end() {
        let text = "```\n<!-- BEGIN agent-memory v1 -->\n```\n";
        assert!(insert(Some(text), "x\n").expect("no mark").starts_with(text));
        refuses("```\ncode\n", FaultCode::UnclosedFence, None);
    }

    #[test]
    fn what_is_added_below_the_block_stays_when_it_goes() {
        let installed = insert(Some("a\n"), "x\n").expect("room");
        let text = installed + "\nlater\n";
        assert_eq!(remove(&text).expect("balanced").as_deref(), Some("a\n\nlater\n"));
    }
}
