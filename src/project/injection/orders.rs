//! Finds orders in prose.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use regex::{Regex, RegexSet};

use super::clauses::{Clause, clauses, plain};
use super::order_table::{LEAD, LEAVING, ORDERS, OTHER_PLACE, OWN_PLACES, OrderRow, UNSEEN};
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

static LEAVING_PATTERN: LazyLock<Regex> = LazyLock::new(|| pattern(&LEAVING.expression()));

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
    let says = |row: usize| {
        let OrderRow { is_leading, .. } = ORDERS[row];
        let pattern = INDEX.patterns[row].get_or_init(|| pattern(&ORDERS[row].expression()));
        pattern.is_match(if is_leading { &order } else { text })
    };
    rows.into_iter().any(says) || (LEAVING.stands_in(text) && leaves_its_orders(&order))
}

/// Tells whether an order is to leave what was said before, and not what stands in another document.
fn leaves_its_orders(order: &str) -> bool {
    let Some(found) = LEAVING_PATTERN.find(order) else { return false };
    let place = OTHER_PLACES.captures(&order[found.end()..]);
    place.is_none_or(|place| OWN_PLACES.contains(&&place["place"]))
}

/// Returns what speaks to the agent in a text that is not shown, if anything does.
pub(super) fn in_unseen(text: &str) -> Option<String> {
    let order = clauses(text).into_iter().find(is_order).map(|clause| clause.shown);
    order.or_else(|| UNSEEN_ORDERS.is_match(&plain(text)).then(|| text.to_owned()))
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the table has patterns")
}
