//! Takes off the score of a section what speaks against it, whatever words it holds.

use super::query::Weights;
use super::signals::Part;
use crate::provenance::Freshness;

/// What a section loses by.
#[derive(Debug)]
pub(super) struct Flaws<'t> {
    pub(super) body: &'t str,
    pub(super) is_log: bool,
    pub(super) archived: bool,
    pub(super) freshness: Option<Freshness>,
}

/// The share of its score that a section loses that was archived, or whose evidence has changed or is gone.
pub(super) const ARCHIVED: f64 = 0.5;
const STALE: f64 = 0.2;
const MISSING: f64 = 0.3;

/// The share that a heading without text loses: it says nothing, and as short as it is, it would stand first.
const EMPTY: f64 = 0.7;

impl Flaws<'_> {
    /// Adds to the parts of a score what the section loses.
    pub(super) fn take_off(&self, parts: &mut Vec<Part>, weights: &Weights) {
        let text = self.body.trim_end_matches(|c: char| c.is_whitespace() || "\"')*_".contains(c));
        let asks = self.is_log && text.ends_with(['?', '？']);
        let worn = match self.freshness {
            Some(Freshness::Stale) => STALE,
            Some(Freshness::Missing) => MISSING,
            Some(Freshness::Fresh) | None => 0.0,
        };
        let asks = if asks { weights.asks } else { 0.0 };
        let empty = if text.contains(char::is_alphanumeric) { 0.0 } else { EMPTY };
        let archived = if self.archived { ARCHIVED } else { 0.0 };
        let shares = [("asks", asks), ("empty", empty), ("stale", worn), ("archived", archived)];
        let losses = shares.into_iter().filter(|(_, share)| *share > 0.0);
        for (name, share) in losses {
            let sum: f64 = parts.iter().map(|(_, value)| value).sum();
            parts.push((name, -share * sum));
        }
    }
}
