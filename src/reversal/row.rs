//! Parts in a row, of which some are taken out and others put between: looking through all of them for each would take
//! quadratic time.

use std::borrow::Cow;
use std::collections::HashMap;

/// Texts in an order, each with a key.
#[derive(Debug, Default)]
pub(super) struct Row<'t> {
    links: Vec<Link<'t>>,
    by_key: HashMap<&'t str, usize>,
    first: Option<usize>,
    last: Option<usize>,
}

#[derive(Debug)]
struct Link<'t> {
    /// None once it was taken out; its link stays, so that the row holds together.
    text: Option<Cow<'t, str>>,
    next: Option<usize>,
}

/// Where a text is put.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place<'k> {
    Start,
    /// Behind the text of a key; at the end where there is none.
    Behind(&'k str),
    End,
}

impl<'t> Row<'t> {
    pub(super) fn insert(&mut self, place: Place<'_>, key: &'t str, text: Cow<'t, str>) {
        let before = match place {
            Place::Start => None,
            Place::Behind(key) => self.by_key.get(key).copied().or(self.last),
            Place::End => self.last,
        };
        let new = self.links.len();
        let follows = match before {
            None => &mut self.first,
            Some(before) => &mut self.links[before].next,
        };
        let next = follows.replace(new);
        if next.is_none() {
            self.last = Some(new);
        }
        self.links.push(Link { text: Some(text), next });
        self.by_key.entry(key).or_insert(new);
    }

    /// Returns the text of a key.
    pub(super) fn find(&mut self, key: &str) -> Option<&mut Cow<'t, str>> {
        self.links[*self.by_key.get(key)?].text.as_mut()
    }

    pub(super) fn remove(&mut self, key: &str) {
        if let Some(link) = self.by_key.remove(key) {
            self.links[link].text = None;
        }
    }

    /// Returns the texts in their order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let links = std::iter::successors(self.first, |link| self.links[*link].next);
        links.filter_map(|link| self.links[link].text.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEYS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

    proptest! {
        #[test]
        fn a_row_is_as_a_list_in_which_all_are_looked_through(
            steps in proptest::collection::vec((0..3_usize, 0..6_usize, 0..6_usize), 0..30),
        ) {
            let (mut row, mut list) = (Row::default(), Vec::<&str>::new());
            for (step, key, behind) in steps {
                let (key, behind) = (KEYS[key], KEYS[behind]);
                let here = list.iter().position(|each| *each == key);
                prop_assert_eq!(row.find(key).is_some(), here.is_some());
                match (here, step) {
                    (Some(here), _) => {
                        row.remove(key);
                        list.remove(here);
                    }
                    (None, 0) => {
                        row.insert(Place::Start, key, key.into());
                        list.insert(0, key);
                    }
                    (None, 1) => {
                        row.insert(Place::Behind(behind), key, key.into());
                        let before = list.iter().position(|each| *each == behind);
                        list.insert(before.map_or(list.len(), |before| before + 1), key);
                    }
                    (None, _) => {
                        row.insert(Place::End, key, key.into());
                        list.push(key);
                    }
                }
                prop_assert_eq!(row.texts().collect::<Vec<_>>(), &list[..]);
            }
        }
    }
}
