//! Which records one says to replace, or to be replaced by.

use super::status::{day_of, visible};
use crate::markdown::{Outline, link_targets};

/// The other records that one replaces, or that replace it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    pub supersedes: Vec<OtherRecord>,
    pub superseded_by: Vec<OtherRecord>,
}

/// How a record names another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OtherRecord {
    /// By a link to its file.
    File(String),
    /// By its number, as in `ADR-0005`.
    Number(u32),
}

/// Reads which records a text says to replace, or to be replaced by.
pub(super) fn read_relations(text: &str, relations: &mut Relations) {
    for line in visible(text) {
        let plain = line.to_lowercase();
        let is_replaced =
            ["superseded by", "superceded by", "replaced by"].iter().any(|it| plain.contains(it));
        let replaces = ["supersedes", "supercedes", "replaces"].iter().any(|it| plain.contains(it));
        let list = match (is_replaced, replaces) {
            (true, _) => &mut relations.superseded_by,
            (false, true) => &mut relations.supersedes,
            (false, false) => continue,
        };
        for other in others_in(line) {
            if !list.contains(&other) {
                list.push(other);
            }
        }
    }
}

/// Returns the records that a line links; without a link those that it names by number.
fn others_in(line: &str) -> Vec<OtherRecord> {
    let outline = Outline::read(line);
    let links = link_targets(&outline).into_iter();
    let links: Vec<_> = links.map(|link| OtherRecord::File(line[link.bytes].to_owned())).collect();
    if !links.is_empty() {
        return links;
    }
    let number = |word: &str| {
        let is_one =
            !word.is_empty() && word.len() <= 5 && word.bytes().all(|b| b.is_ascii_digit());
        is_one.then(|| word.parse().ok())?.map(OtherRecord::Number)
    };
    // A day has numbers, too.
    let words = line.split_whitespace().filter(|word| day_of(word).is_none());
    let parts = words.flat_map(|word| word.split(|c: char| !c.is_ascii_digit()));
    parts.filter_map(number).collect()
}
