//! Leaves out what says the same as a better answer.

use std::collections::HashMap;

use super::candidate::MemoryCandidate;

/// Characters by which two texts are compared.
const COMPARED: usize = 320;

/// Keeps the first of those that are the same memory or begin with the same text; returns how many were left out.
pub(crate) fn remove_duplicates(candidates: &mut Vec<MemoryCandidate>) -> usize {
    let count = candidates.len();
    let mut kept: Vec<MemoryCandidate> = Vec::with_capacity(count);
    let mut places: HashMap<String, usize> = HashMap::new();
    for candidate in candidates.drain(..) {
        let place =
            *places.entry(fingerprint(&candidate.memory.said.content)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(first) => first.deduped_from.push(candidate.memory.said.id),
            None => kept.push(candidate),
        }
    }
    *candidates = kept;
    count - candidates.len()
}

fn fingerprint(content: &str) -> String {
    let words: Vec<String> = content.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ").chars().take(COMPARED).collect()
}
