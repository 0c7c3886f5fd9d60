//! Puts pending proposals in the order in which they were made.

use super::proposal::StagedProposal;

/// Orders proposals as the log of this store has them: a clock may be set back. Those that became pending elsewhere are
/// not in this log; they come between the others by their time.
pub(crate) fn in_order<P>(proposals: Vec<P>, of: impl Fn(&P) -> &StagedProposal) -> Vec<P> {
    let (mut logged, elsewhere): (Vec<_>, Vec<_>) =
        proposals.into_iter().partition(|each| of(each).arrival.is_some());
    logged.sort_by_key(|each| of(each).arrival);
    // Never earlier than the one before.
    let mut latest = None;
    let logged = logged.into_iter().map(|each| {
        latest = latest.max(Some(of(&each).submitted_at));
        (latest, each)
    });
    let elsewhere = elsewhere.into_iter().map(|each| (Some(of(&each).submitted_at), each));
    let mut all: Vec<_> = elsewhere.chain(logged).collect();
    all.sort_by(|(time, one), (other_time, other)| {
        let (one, other) = (of(one), of(other));
        let key = (time, one.arrival, one.order, &one.id);
        key.cmp(&(other_time, other.arrival, other.order, &other.id))
    });
    all.into_iter().map(|(_, each)| each).collect()
}
