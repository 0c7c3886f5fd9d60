//! Joins what several ways of finding sections have found into one order.
//!
//! Today there is one way, by words. Another one adds a list of its own here and changes nothing else.

use std::collections::HashMap;

/// What one way of finding sections found: sections with scores, higher is better.
#[derive(Debug)]
pub(super) struct Candidates {
    /// How much this way counts; its scores are on a scale of its own.
    pub(super) weight: f64,
    pub(super) scores: Vec<(i64, f64)>,
}

/// How much of its score a section keeps that was moved to the archive.
const ARCHIVED_FACTOR: f64 = 0.5;

/// Joins the lists: each section has the sum of its weighed scores.
pub(super) fn fuse(lists: Vec<Candidates>) -> Vec<(i64, f64)> {
    let mut sums: HashMap<i64, f64> = HashMap::new();
    for list in lists {
        for (section, score) in list.scores {
            *sums.entry(section).or_default() += list.weight * score;
        }
    }
    sums.into_iter().collect()
}

/// Lowers the scores of archived sections.
pub(super) fn demote(scored: &mut [(i64, f64)], is_archived: impl Fn(i64) -> bool) {
    for (section, score) in scored {
        if is_archived(*section) {
            *score *= ARCHIVED_FACTOR;
        }
    }
}

/// Keeps the best `count` and all that are as good as the last of them, in no order: which of equals
/// comes first is not for the numbers of the sections to decide, as these depend on history.
pub(super) fn keep_best(mut scored: Vec<(i64, f64)>, count: usize) -> Vec<(i64, f64)> {
    if count == 0 || scored.len() <= count {
        return if count == 0 { Vec::new() } else { scored };
    }
    let (_, last, _) = scored.select_nth_unstable_by(count - 1, |a, b| b.1.total_cmp(&a.1));
    let least = last.1;
    scored.retain(|(_, score)| *score >= least);
    scored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_that_two_ways_found_has_both_scores() {
        let list = |weight, scores: &[(i64, f64)]| Candidates { weight, scores: scores.to_vec() };
        let mut fused = fuse(vec![list(1.0, &[(1, 2.0), (2, 1.0)]), list(0.5, &[(2, 4.0)])]);
        fused.sort_by_key(|(section, _)| *section);
        assert_eq!(fused, [(1, 2.0), (2, 3.0)]);
    }

    #[test]
    fn equals_of_the_last_one_are_kept() {
        let kept = keep_best(vec![(1, 1.0), (2, 3.0), (3, 2.0), (4, 2.0)], 2);
        let mut sections: Vec<i64> = kept.iter().map(|(section, _)| *section).collect();
        sections.sort_unstable();
        assert_eq!(sections, [2, 3, 4]);
        assert_eq!(keep_best(vec![(1, 1.0)], 0), []);
    }

    #[test]
    fn archived_sections_are_ranked_down() {
        let mut scored = [(1, 3.0), (2, 2.0)];
        demote(&mut scored, |section| section == 1);
        assert_eq!(scored, [(1, 1.5), (2, 2.0)]);
    }
}
