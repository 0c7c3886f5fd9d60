//! Leaves out answers that are far worse than others.

use super::candidate::MemoryCandidate;

/// What is left out because of its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScoreFloor {
    /// The least score that the caller wants.
    pub(crate) min_score: Option<f64>,
    /// The score of the last answer before a wide gap; none where there is no such gap.
    pub(crate) adaptive_floor: Option<f64>,
    /// How many answers were left out.
    pub(crate) filtered: usize,
}

/// Of so many answers or fewer none is left out for a gap.
const FEW: usize = 3;

/// The share of the best score that a gap must be wider than.
const GAP: f64 = 0.25;

/// Leaves out sorted answers below the least score and, where `is_adaptive`, those behind a wide gap.
pub(crate) fn cut(
    candidates: &mut Vec<MemoryCandidate>,
    min_score: Option<f64>,
    is_adaptive: bool,
) -> ScoreFloor {
    let count = candidates.len();
    candidates.retain(|candidate| min_score.is_none_or(|least| candidate.score >= least));
    let scores: Vec<f64> = candidates.iter().map(|candidate| candidate.score).collect();
    let kept = if is_adaptive { before_gap(&scores) } else { None };
    let adaptive_floor = kept.map(|kept| {
        candidates.truncate(kept);
        scores[kept - 1]
    });
    ScoreFloor { min_score, adaptive_floor, filtered: count - candidates.len() }
}

/// Returns how many sorted scores stand before the widest gap in the better half, if that is wide and half of them or more
/// stay.
fn before_gap(scores: &[f64]) -> Option<usize> {
    let half = scores.len().div_ceil(2);
    if scores.len() <= FEW {
        return None;
    }
    let gap = |kept: &usize| scores[kept - 1] - scores[*kept];
    let widest = (1..=half).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    (widest * 2 >= scores.len() && gap(&widest) > GAP * scores[0]).then_some(widest)
}

#[cfg(test)]
mod tests {
    use super::before_gap;

    #[test]
    fn what_is_behind_a_wide_gap_in_the_middle_is_left_out() {
        assert_eq!(before_gap(&[1.0, 0.9, 0.5, 0.4]), Some(2));
        assert_eq!(before_gap(&[1.0, 0.9, 0.8, 0.4]), None);
        assert_eq!(before_gap(&[1.0, 0.5, 0.5, 0.5]), None);
        assert_eq!(before_gap(&[1.0, 0.9, 0.1]), None);
        assert_eq!(before_gap(&[1.0, 0.95, 0.9, 0.5, 0.4]), Some(3));
    }
}
