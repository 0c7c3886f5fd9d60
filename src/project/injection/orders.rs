//! Finds orders in prose.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

use super::clauses::{Clause, clauses, plain};
use super::order_table::{LEAD, ORDERS, OTHER_PLACE, OWN_PLACES, OrderPlace, UNSEEN};
use super::pattern::pattern;
use super::sign::{Injection, InjectionKind};
use crate::markdown::{PlacedText, Readable};
use crate::text::PatternSet;

static LEADS: LazyLock<Regex> = LazyLock::new(|| pattern(LEAD));
static OTHER_PLACES: LazyLock<Regex> = LazyLock::new(|| pattern(OTHER_PLACE));
static UNSEEN_ORDERS: LazyLock<RegexSet> =
    LazyLock::new(|| RegexSet::new(UNSEEN).expect("the table has patterns"));

/// The rows of the table, found by their words.
struct OrderIndex {
    words: PatternSet,
    /// For each word its row.
    rows: Vec<usize>,
    /// For each row its pattern, once it was needed.
    patterns: Vec<OnceLock<Regex>>,
}

static INDEX: LazyLock<OrderIndex> = LazyLock::new(|| {
    let words =
        ORDERS.iter().zip(0..).flat_map(|(row, at)| row.words.iter().map(move |it| (*it, at)));
    let (words, rows): (Vec<&str>, Vec<usize>) = words.unzip();
    let patterns = ORDERS.iter().map(|_| OnceLock::new()).collect();
    OrderIndex { words: PatternSet::of(words), rows, patterns }
});

pub(super) fn find(readable: &Readable<'_>) -> Vec<Injection> {
    let seen = readable.prose.iter().flat_map(in_piece);
    let unseen = readable.titles.iter().filter_map(|title| {
        let text = in_unseen(&title.text)?;
        Some(Injection::new(title.line, InjectionKind::HiddenText, &text))
    });
    seen.chain(unseen).collect()
}

fn in_piece(piece: &PlacedText) -> Vec<Injection> {
    let orders = clauses(&piece.text).into_iter().filter(is_order);
    let told = |it: Clause| Injection::new(piece.line + it.line, InjectionKind::Order, &it.shown);
    orders.map(told).collect()
}

fn is_order(clause: &Clause) -> bool {
    let text = clause.text.as_str();
    let rows: BTreeSet<usize> =
        INDEX.words.count(text).into_keys().map(|it| INDEX.rows[it]).collect();
    let order = LazyLock::new(|| {
        let lead = LEADS.find(text).map_or(0, |lead| lead.end());
        &text[lead..]
    });
    let says = |at: usize| {
        let row = &ORDERS[at];
        let pattern = INDEX.patterns[at].get_or_init(|| pattern(&row.expression()));
        match row.place {
            OrderPlace::Anywhere => pattern.is_match(text),
            OrderPlace::Leading => pattern.is_match(&order),
            OrderPlace::LeadingAlone => {
                pattern.find(&order).is_some_and(|found| !names_document(&order[found.end()..]))
            }
        }
    };
    rows.into_iter().any(says)
}

/// Tells whether what stands behind an order names another document.
fn names_document(behind: &str) -> bool {
    let place = OTHER_PLACES.captures(behind);
    place.is_some_and(|place| !OWN_PLACES.contains(&&place["place"]))
}

/// Returns what speaks to the agent in a text that is not shown, if anything does.
pub(super) fn in_unseen(text: &str) -> Option<String> {
    let order = clauses(text).into_iter().find(is_order).map(|clause| clause.shown);
    order.or_else(|| UNSEEN_ORDERS.is_match(&plain(text)).then(|| text.to_owned()))
}
