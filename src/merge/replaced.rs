//! Knows a section again of which both sides changed the heading, where no id tells that it is the same.

use std::collections::BTreeSet;

use similar::{Algorithm, capture_diff_slices, diff_ratio};

use crate::markdown::Part;

/// Of so many words the same, two sections are one with another heading.
const ALIKE: f32 = 0.75;

/// Gives what took the place of a section on both sides, under headings that differ, the key of that section.
pub(super) fn follow_headings(base: &[Part<'_>], sides: [&mut Vec<Part<'_>>; 2]) {
    let [ours, theirs] = sides;
    let kept: BTreeSet<String> =
        ours.iter().chain(theirs.iter()).map(|part| part.key.clone()).collect();
    let has_no_id = |part: &&Part<'_>| part.level > 0 && !part.key.starts_with('#');
    let is_gone = |part: &&Part<'_>| !kept.contains(&part.key);
    for part in base.iter().filter(has_no_id).filter(is_gone) {
        let [our, their] = [&*ours, &*theirs].map(|side| replacement(part, base, side));
        if let (Some(our), Some(their)) = (our, their)
            && ours[our].key != theirs[their].key
        {
            ours[our].key.clone_from(&part.key);
            theirs[their].key.clone_from(&part.key);
        }
    }
}

/// Finds what took the place of a section that is gone: what is new, and says the same. A file has one title.
pub(super) fn replacement(gone: &Part<'_>, base: &[Part<'_>], side: &[Part<'_>]) -> Option<usize> {
    let is_title = |part: &Part<'_>, file: &[Part<'_>]| {
        part.level == 1 && file.iter().find(|part| part.level > 0) == Some(part)
    };
    let is_new = |part: &Part<'_>| !base.iter().any(|before| before.key == part.key);
    side.iter().position(|part| {
        let is_same = || (is_title(gone, base) && is_title(part, side)) || is_alike(gone, part);
        part.level == gone.level && is_new(part) && is_same()
    })
}

fn is_alike(one: &Part<'_>, other: &Part<'_>) -> bool {
    let [one, other] = [one, other].map(|part| words(part.text));
    let ratio = || {
        let changes = capture_diff_slices(Algorithm::Myers, &one, &other);
        diff_ratio(&changes, one.len(), other.len())
    };
    !one.is_empty() && !other.is_empty() && ratio() >= ALIKE
}

/// Returns the words below a heading and its anchors.
fn words(text: &str) -> Vec<&str> {
    let below = text.lines().skip(1).filter(|line| !line.starts_with("<!-- @"));
    below.flat_map(str::split_whitespace).collect()
}
