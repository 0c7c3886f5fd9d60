//! Searches a text and every view of it.

use crate::secrets::entropy::looks_random;
use crate::secrets::harmless::is_harmless;
use crate::secrets::rule::Shape;
use crate::secrets::rules::RULES;
use crate::secrets::search::{self, RuleMatch};
use crate::secrets::views::{RuleChoice, TextView, ViewKind};

/// How many views may lie in one another: base64 of base64 with escapes. Each is at most as long as what it was made of, or a
/// small multiple, so that hostile nesting costs a multiple too.
const DEPTH: usize = 3;

/// Returns every value that a rule accepts in a text or in a view of it, with its range in the text.
pub(super) fn find(text: &str) -> Vec<RuleMatch> {
    let mut found = by_all_rules(text);
    find_in_views(text, ViewKind::ALL, DEPTH, &mut found);
    found
}

fn find_in_views(text: &str, kinds: &[ViewKind], depth: usize, found: &mut Vec<RuleMatch>) {
    for kind in kinds {
        let view = kind.view(text);
        if view.is_empty() {
            continue;
        }
        let mut inside = match view.rules {
            RuleChoice::All => by_all_rules(view.text()),
            RuleChoice::Tokens => by_rules_of_tokens(&view),
        };
        if depth > 1 {
            find_in_views(view.text(), kind.then(), depth - 1, &mut inside);
        }
        let inside = inside.into_iter();
        let told = inside.map(|it| RuleMatch { row: it.row, range: view.origin(&it.range) });
        found.extend(told.filter(|it| !it.range.is_empty()));
    }
}

fn by_all_rules(text: &str) -> Vec<RuleMatch> {
    let mut found = search::find(text, |_| true);
    found.retain(|it| !is_harmless(text, it.row, &it.range));
    found
}

/// Words that were joined by mistake have the beginning of a token now and then, but do not look random.
fn by_rules_of_tokens(view: &TextView) -> Vec<RuleMatch> {
    let is_of_token = |row: usize| !matches!(RULES[row].shape, Shape::Assignment(_));
    let mut found = search::find(view.text(), is_of_token);
    let is_drawn =
        |value: &str| looks_random(value) || value.split(['_', '-', '.']).any(looks_random);
    found.retain(|it| {
        is_drawn(&view.text()[it.range.clone()]) && !is_harmless(view.text(), it.row, &it.range)
    });
    found
}
