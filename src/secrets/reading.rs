//! Searches a text and every form in which it could be read.

use std::ops::Range;

use crate::secrets::entropy::looks_random;
use crate::secrets::harmless::is_harmless;
use crate::secrets::rule::Shape;
use crate::secrets::rules::RULES;
use crate::secrets::search;
use crate::secrets::views::{RuleChoice, TextView, ViewKind};

/// How many forms may lie in one another: base64 of base64 with escapes. Each is at most as long as what it was made of, or a
/// small multiple, so that hostile nesting costs a multiple too.
const DEPTH: usize = 3;

/// Every value that a rule accepts in a form of the text, with the row of the rule and the place in the text.
pub(super) fn find(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut found = all(text);
    add_forms(text, ViewKind::ALL, DEPTH, &mut found);
    found
}

fn add_forms(text: &str, kinds: &[ViewKind], depth: usize, found: &mut Vec<(usize, Range<usize>)>) {
    for kind in kinds {
        let view = kind.view(text);
        if view.is_empty() {
            continue;
        }
        let mut inside = match view.rules {
            RuleChoice::All => all(view.text()),
            RuleChoice::Forms => forms(&view),
        };
        if depth > 1 {
            add_forms(view.text(), kind.then(), depth - 1, &mut inside);
        }
        let told = inside.into_iter().map(|(row, range)| (row, view.origin(&range)));
        found.extend(told.filter(|(_, range)| !range.is_empty()));
    }
}

fn all(text: &str) -> Vec<(usize, Range<usize>)> {
    let mut found = search::find(text, |_| true);
    found.retain(|(row, range)| !is_harmless(text, *row, range));
    found
}

/// Words that were put together by mistake have the beginning of a token now and then, but do not look random.
fn forms(view: &TextView) -> Vec<(usize, Range<usize>)> {
    let is_form = |row: usize| !matches!(RULES[row].shape, Shape::Assignment(_));
    let mut found = search::find(view.text(), is_form);
    let is_drawn =
        |value: &str| looks_random(value) || value.split(['_', '-', '.']).any(looks_random);
    found.retain(|(row, range)| {
        is_drawn(&view.text()[range.clone()]) && !is_harmless(view.text(), *row, range)
    });
    found
}
