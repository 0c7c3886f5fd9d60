//! Follows lines that changed into a later text, by what is equal around them.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Returns which lines stand in the later text where some lines stood: an empty range if they were taken out.
pub(crate) fn followed<'t>(
    then: &[&'t [u8]],
    today: &[&'t [u8]],
    lines: Range<usize>,
) -> Option<Range<usize>> {
    let steps = capture_diff_slices(Algorithm::Myers, then, today);
    let first = steps.iter().find_map(|step| place_of(step, lines.start, Edge::Start));
    let last = lines.end.checked_sub(1)?;
    let last = steps.iter().find_map(|step| place_of(step, last, Edge::End));
    Some(first?..last?)
}

#[derive(Clone, Copy)]
enum Edge {
    Start,
    End,
}

/// Returns where the text begins today that a step makes of a line, or where it ends; none if the step is about others.
fn place_of(step: &DiffOp, line: usize, edge: Edge) -> Option<usize> {
    let (old, new) = (step.old_range(), step.new_range());
    if !old.contains(&line) {
        return None;
    }
    let is_equal = matches!(step, DiffOp::Equal { .. });
    Some(match (edge, is_equal) {
        (Edge::Start, true) => new.start + (line - old.start),
        (Edge::End, true) => new.start + (line - old.start) + 1,
        (Edge::Start, false) => new.start,
        (Edge::End, false) => new.end,
    })
}
