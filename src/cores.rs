//! Work on all cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does something with each item, on all cores; the answers come in the order of the items.
pub(crate) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // Most often there is one, as nearly every text is scanned in one part: nothing is paid for the others.
    if items.len() < 2 {
        return items.iter().map(work).collect();
    }
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut answers: Vec<(usize, R)> = thread::scope(|scope| {
        // Where the system gives no thread, this one does all of it.
        let start = |_| thread::Builder::new().spawn_scoped(scope, take).ok();
        let others: Vec<_> = (1..workers).filter_map(start).collect();
        let mut answers = take();
        for other in others {
            answers.extend(other.join().expect("a panic here is one there"));
        }
        answers
    });
    answers.sort_unstable_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn answers_come_in_the_order_of_the_questions() {
        let items: Vec<usize> = (0..1_000).collect();
        let doubled = side_by_side(&items, |item| item * 2);
        assert!(doubled.iter().zip(&items).all(|(answer, item)| *answer == item * 2));
        assert!(side_by_side(&[0_usize; 0], |item| *item).is_empty());
    }
}
