//! Finds memories that have something in common because they name the same.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A name in more memories than this says little about two of them.
const COMMON: usize = 20;

/// Two memories, by their numbers, that have something in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CommonPair {
    pub(crate) one: i64,
    pub(crate) other: i64,
    /// How close they are, 0 to 1.
    pub(crate) similarity: f64,
    /// How sure that is, 0 to 1.
    pub(crate) confidence: f64,
}

/// How close two memories are at least: half of what both name is named by both.
const CLOSE: f64 = 0.5;

/// Returns the pairs that name the same, the surest first. The more names they share the surer it is: of one, that is a
/// half of how close they are.
pub(crate) fn pairs_by_names(named: &[(i64, String)]) -> Vec<CommonPair> {
    let mut names: HashMap<i64, usize> = HashMap::new();
    let mut memories: HashMap<&str, BTreeSet<i64>> = HashMap::new();
    for (row, name) in named {
        if memories.entry(name).or_default().insert(*row) {
            *names.entry(*row).or_default() += 1;
        }
    }
    let mut shared: BTreeMap<(i64, i64), usize> = BTreeMap::new();
    for rows in memories.values().filter(|rows| rows.len() <= COMMON) {
        for one in rows {
            for other in rows.range(one + 1..) {
                *shared.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<CommonPair> = Vec::new();
    for ((one, other), count) in shared {
        let of = |row| names.get(row).copied().unwrap_or_default();
        let similarity = count as f64 / (of(&one) + of(&other) - count) as f64;
        let confidence = similarity * count as f64 / (count + 1) as f64;
        if similarity >= CLOSE {
            pairs.push(CommonPair { one, other, similarity, confidence });
        }
    }
    pairs.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    pairs
}

/// How two memories are related that have something in common, by their types.
pub(crate) fn kind_of_pair(one: &str, other: &str) -> &'static str {
    match (one, other) {
        ("Insight", "Pattern") | ("Pattern", "Insight") => "explains",
        _ => "shares_theme",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(named: &[(i64, &str)], expected: &[(i64, i64)]) {
        let named: Vec<(i64, String)> =
            named.iter().map(|(row, name)| (*row, (*name).to_owned())).collect();
        let pairs: Vec<(i64, i64)> =
            pairs_by_names(&named).iter().map(|pair| (pair.one, pair.other)).collect();
        assert_eq!(pairs, expected);
    }

    #[test]
    fn who_shares_more_names_comes_first() {
        check(&[(1, "ada"), (2, "ada"), (5, "x"), (5, "y"), (6, "x"), (6, "y")], &[(5, 6), (1, 2)]);
    }

    #[test]
    fn one_of_many_names_makes_no_pair() {
        check(&[(1, "ada"), (1, "x"), (2, "ada"), (2, "y"), (3, "z")], &[]);
    }

    #[test]
    fn a_name_that_is_everywhere_makes_no_pair() {
        let everywhere: Vec<(i64, &str)> = (1..=21).map(|row| (row, "docker")).collect();
        check(&everywhere, &[]);
    }
}
