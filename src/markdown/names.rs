//! Gives sections ids that no other section of the file has.

use std::collections::{HashMap, HashSet};

use crate::contract::SectionId;

#[derive(Debug, Clone, Default)]
pub(crate) struct SectionIds {
    taken: HashSet<SectionId>,
    /// The number to try next for a word; without it, many equal headings would take quadratic time.
    next: HashMap<SectionId, usize>,
}

impl SectionIds {
    /// Reserves an id; false if another section has it.
    pub(crate) fn reserve(&mut self, id: &SectionId) -> bool {
        self.taken.insert(id.clone())
    }

    /// Makes an id from a heading and reserves it.
    pub(crate) fn give(&mut self, heading: &str) -> SectionId {
        let plain = SectionId::from_heading(heading);
        let next = self.next.entry(plain.clone()).or_insert(1);
        loop {
            let id = plain.numbered(*next);
            *next += 1;
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

impl FromIterator<SectionId> for SectionIds {
    fn from_iter<I: IntoIterator<Item = SectionId>>(ids: I) -> Self {
        Self { taken: ids.into_iter().collect(), next: HashMap::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_get_a_number() {
        let mut names = SectionIds::default();
        assert_eq!(names.give("Auth").as_str(), "auth");
        assert!(names.reserve(&SectionId::parse("auth-2").expect("an id")));
        assert_eq!(names.give("Auth!").as_str(), "auth-3");
        assert!(!names.reserve(&SectionId::parse("auth-3").expect("an id")));
    }
}
