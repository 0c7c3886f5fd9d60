//! Finds groups of memories that belong together by their relations.

use std::collections::HashMap;

/// Memories that make a group at least.
const SMALLEST: usize = 3;

/// Returns the groups that pairs make, the largest first; a group is sorted.
pub(crate) fn clusters(pairs: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut leaders = Leaders::default();
    for (one, other) in pairs {
        leaders.join(*one, *other);
    }
    let rows: Vec<i64> = leaders.0.keys().copied().collect();
    let mut groups: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in rows {
        groups.entry(leaders.of(row)).or_default().push(row);
    }
    let mut groups: Vec<Vec<i64>> =
        groups.into_values().filter(|group| group.len() >= SMALLEST).collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    groups
}

/// The leader of each memory: the same for all of a group.
#[derive(Debug, Default)]
struct Leaders(HashMap<i64, i64>);

impl Leaders {
    fn of(&mut self, row: i64) -> i64 {
        let mut leader = row;
        while let Some(next) = self.0.get(&leader).copied().filter(|next| *next != leader) {
            leader = next;
        }
        // What was passed on the way leads there directly from now on, so that no way gets long.
        let mut at = row;
        while at != leader {
            at = self.0.insert(at, leader).unwrap_or(leader);
        }
        self.0.entry(leader).or_insert(leader);
        leader
    }

    fn join(&mut self, one: i64, other: i64) {
        let (first, second) = (self.of(one), self.of(other));
        self.0.insert(first.max(second), first.min(second));
    }
}

#[cfg(test)]
mod tests {
    use super::clusters;

    #[test]
    fn what_is_related_through_others_is_one_group() {
        assert_eq!(clusters(&[(1, 2), (3, 4), (2, 3)]), [[1, 2, 3, 4]]);
    }

    #[test]
    fn a_pair_is_no_group_and_the_largest_group_is_first() {
        let pairs = [(1, 2), (5, 6), (6, 7), (10, 11), (11, 12), (13, 12)];
        assert_eq!(clusters(&pairs), [vec![10, 11, 12, 13], vec![5, 6, 7]]);
        assert_eq!(clusters(&[(1, 1), (1, 2)]), Vec::<Vec<i64>>::new());
    }
}
