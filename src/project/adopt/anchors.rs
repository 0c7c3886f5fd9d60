//! What the part of a link behind `#` means in a note: an id, or a heading in the form that forges and editors link.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::SectionId;
use crate::markdown::{Outline, decoded, heading_anchor};

#[derive(Debug)]
pub(super) struct NoteAnchors {
    pub(super) ids: BTreeSet<SectionId>,
    /// The ids of headings, by the heading itself and by its anchor; the first of equal headings has it.
    named: BTreeMap<String, SectionId>,
}

impl NoteAnchors {
    pub(super) fn of(outline: &Outline<'_>) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut anchors = Self { ids: BTreeSet::new(), named: BTreeMap::new() };
        for section in outline.sections() {
            let anchor = heading_anchor(&section.heading.text);
            let count = seen.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
            let anchor = if *count == 0 { anchor } else { format!("{anchor}-{count}") };
            let Some(id) = &section.id else { continue };
            anchors.ids.insert(id.clone());
            for name in [anchor, section.heading.text.clone()] {
                anchors.named.entry(name).or_insert_with(|| id.clone());
            }
        }
        anchors
    }

    fn has(&self, id: &str) -> bool {
        SectionId::parse(id).is_some_and(|id| self.ids.contains(&id))
    }

    /// Returns the id that a fragment means; the fragment itself if that is not known.
    pub(super) fn id_for(&self, fragment: &str) -> String {
        if self.has(fragment) {
            return fragment.to_owned();
        }
        let plain = decoded(fragment);
        let named = self.named.get(&plain).or_else(|| self.named.get(&plain.to_lowercase()));
        named.map_or_else(|| fragment.to_owned(), ToString::to_string)
    }
}
