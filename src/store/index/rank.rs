//! Joins what several ways of finding sections have found into one order.
//!
//! Today there is one way, by words. Another one adds a list of its own and changes nothing else.

use std::collections::{BinaryHeap, HashMap};

/// Sections, each with how well it answers.
pub(super) type Scores = Vec<(i64, f64)>;

/// What one way of finding sections found: sections with scores, higher is better.
#[derive(Debug)]
pub(super) struct Candidates {
    /// How much this way counts beside the others.
    pub(super) weight: f64,
    /// On a scale of its own.
    pub(super) scores: Scores,
}

/// Joins the lists: each section has the weighed mean of its scores, brought to one scale, that of the
/// first list; where a list does not have it, the least of that list.
pub(super) fn fuse(mut lists: Vec<Candidates>) -> Scores {
    if lists.len() == 1 {
        return lists.pop().map(|list| list.scores).unwrap_or_default();
    }
    let scale = lists.first().map_or((0.0, 1.0), |first| scale_of(&first.scores));
    let all: f64 = lists.iter().map(|list| list.weight).sum();
    let mut sums: HashMap<i64, f64> = HashMap::new();
    for list in lists {
        let (least, width) = scale_of(&list.scores);
        for (section, score) in list.scores {
            *sums.entry(section).or_default() += list.weight / all * (score - least) / width;
        }
    }
    sums.into_iter().map(|(section, share)| (section, scale.0 + share * scale.1)).collect()
}

/// Returns the least score, and how far the best one is from it.
fn scale_of(scores: &[(i64, f64)]) -> (f64, f64) {
    let values = || scores.iter().map(|(_, score)| *score);
    let least = values().fold(f64::INFINITY, f64::min);
    let width = values().fold(f64::NEG_INFINITY, f64::max) - least;
    if width > 0.0 { (least, width) } else { (least.min(0.0), 1.0) }
}

/// Keeps the best `count` and all that are as good as the last of them, in no order: which of equals
/// comes first is not for the numbers of the sections to decide, as these depend on history.
pub(super) fn keep_best(scored: &mut Scores, count: usize) {
    if count == 0 {
        scored.clear();
    } else if scored.len() > count {
        let (_, last, _) = scored.select_nth_unstable_by(count - 1, |a, b| b.1.total_cmp(&a.1));
        let least = last.1;
        scored.retain(|(_, score)| *score >= least);
    }
}

/// Leaves out those that are as good as the worst, if enough are better.
pub(super) fn leave_out_worst(scored: &mut Scores, enough: usize) {
    let least = scored.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
    let is_better = |(_, score): &(i64, f64)| *score > least;
    if scored.iter().filter(|each| is_better(each)).count() >= enough {
        scored.retain(is_better);
    }
}

/// Sections that wait for their turn, the best first; those that are as good as one another come together.
#[derive(Debug)]
pub(super) struct Waiting(BinaryHeap<(u64, i64)>);

impl Waiting {
    pub(super) fn of(scores: &Scores) -> Self {
        Self(scores.iter().map(|(section, score)| (key(*score), *section)).collect())
    }

    pub(super) fn add(&mut self, section: i64, score: f64) {
        self.0.push((key(score), section));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn next(&mut self) -> Option<(f64, Vec<i64>)> {
        let best = self.0.peek()?.0;
        let mut equals = Vec::new();
        while self.0.peek().is_some_and(|(score, _)| *score == best) {
            equals.extend(self.0.pop().map(|(_, section)| section));
        }
        Some((f64::from_bits(best), equals))
    }
}

/// No score is negative, and then its bits are in its order.
fn key(score: f64) -> u64 {
    score.max(0.0).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(weight: f64, scores: &[(i64, f64)]) -> Candidates {
        Candidates { weight, scores: scores.to_vec() }
    }

    #[test]
    fn one_list_stays_as_it_is() {
        assert_eq!(fuse(vec![list(3.0, &[(1, 2.0), (2, 1.0)])]), [(1, 2.0), (2, 1.0)]);
    }

    #[test]
    fn lists_of_different_scales_count_alike() {
        let words = list(1.0, &[(1, 8.0), (2, 6.0), (3, 4.0)]);
        let vectors = list(1.0, &[(2, 0.9), (3, 0.7), (4, 0.8)]);
        let mut fused = fuse(vec![words, vectors]);
        fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let sections: Vec<i64> = fused.iter().map(|(section, _)| *section).collect();
        assert_eq!(sections, [2, 1, 4, 3]);
        assert!((fused[0].1 - 7.0).abs() < 1e-9, "{fused:?}");
    }

    #[test]
    fn equals_of_the_last_one_are_kept() {
        let mut kept = vec![(1, 1.0), (2, 3.0), (3, 2.0), (4, 2.0)];
        keep_best(&mut kept, 2);
        kept.sort_unstable_by_key(|(section, _)| *section);
        assert_eq!(kept, [(2, 3.0), (3, 2.0), (4, 2.0)]);
        keep_best(&mut kept, 0);
        assert_eq!(kept, []);
    }

    #[test]
    fn the_worst_are_left_out_where_enough_are_better() {
        let many: Vec<(i64, f64)> = (0..100).map(|n| (n, if n == 7 { 2.0 } else { 1.0 })).collect();
        let kept = |enough: usize| {
            let mut kept = many.clone();
            leave_out_worst(&mut kept, enough);
            kept
        };
        assert_eq!(kept(1), [(7, 2.0)]);
        assert_eq!(kept(2), many);
    }
}
