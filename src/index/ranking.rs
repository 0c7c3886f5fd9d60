//! Keeps documents in the order of their scores.

use std::collections::BinaryHeap;

/// Documents, each with how well it answers.
pub(super) type Scores = Vec<(i64, f64)>;

/// Keeps the best `count` and all that are as good as the last of them, in no order: which of equals
/// comes first is not for the numbers of the documents to decide, as these depend on history.
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

/// Documents in the order of their scores, the best first; those with the same score come together.
#[derive(Debug)]
pub(super) struct ScoreQueue(BinaryHeap<(u64, i64)>);

impl ScoreQueue {
    pub(super) fn of(scores: &Scores) -> Self {
        Self(scores.iter().map(|(document, score)| (key(*score), *document)).collect())
    }

    pub(super) fn add(&mut self, document: i64, score: f64) {
        self.0.push((key(score), document));
    }

    pub(super) fn next(&mut self) -> Option<(f64, Vec<i64>)> {
        let best = self.0.peek()?.0;
        let mut equals = Vec::new();
        while self.0.peek().is_some_and(|(score, _)| *score == best) {
            equals.extend(self.0.pop().map(|(_, document)| document));
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

    #[test]
    fn equals_of_the_last_one_are_kept() {
        let mut kept = vec![(1, 1.0), (2, 3.0), (3, 2.0), (4, 2.0)];
        keep_best(&mut kept, 2);
        kept.sort_unstable_by_key(|(document, _)| *document);
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
