//! What the part of a link behind `#` means in a note: an id, or a heading in the form that forges and editors link.

use std::collections::{BTreeMap, BTreeSet};

use crate::contract::{SectionId, is_date};
use crate::markdown::{Outline, decoded, heading_anchor};

#[derive(Debug)]
pub(super) struct NoteAnchors {
    pub(super) ids: BTreeSet<SectionId>,
    /// The ids of headings, by the heading itself and by its anchor; the first of equal headings has it.
    named: BTreeMap<String, SectionId>,
    /// By the anchor of the title alone: without a day before it, and a mark of Obsidian after it.
    by_title: BTreeMap<String, SectionId>,
}

impl NoteAnchors {
    pub(super) fn of(outline: &Outline<'_>) -> Self {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let (ids, named, by_title) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        let mut anchors = Self { ids, named, by_title };
        for section in outline.sections() {
            let anchor = heading_anchor(&section.heading.text);
            let count = seen.entry(anchor.clone()).and_modify(|count| *count += 1).or_insert(0);
            let anchor = if *count == 0 { anchor } else { format!("{anchor}-{count}") };
            let Some(id) = &section.id else { continue };
            anchors.ids.insert(id.clone());
            for name in [anchor, section.heading.text.clone()] {
                anchors.named.entry(name).or_insert_with(|| id.clone());
            }
            let title = heading_anchor(title_in(&section.heading.text));
            anchors.by_title.entry(title).or_insert_with(|| id.clone());
        }
        anchors
    }

    pub(super) fn has(&self, id: &str) -> bool {
        SectionId::parse(id).is_some_and(|id| self.ids.contains(&id))
    }

    /// Returns the id that a fragment means; the fragment itself if that is not known.
    pub(super) fn id_for(&self, fragment: &str) -> String {
        if self.has(fragment) {
            return fragment.to_owned();
        }
        // Obsidian names a heading with the one above it: `#First#Second`.
        let plain = decoded(fragment.rsplit('#').next().unwrap_or(fragment));
        let anchor = heading_anchor(&plain);
        let named = self.named.get(&plain).or_else(|| self.named.get(&anchor));
        let found = named.or_else(|| self.by_title.get(&anchor));
        found.map_or_else(|| fragment.to_owned(), ToString::to_string)
    }
}

/// Returns the title in a heading such as `2026-05-06 - Title ^mark`.
fn title_in(heading: &str) -> &str {
    let marked = heading.rsplit_once(" ^").filter(|(_, mark)| !mark.contains(' '));
    let heading = marked.map_or(heading, |(title, _)| title);
    let behind_day = heading.split_once(' ').filter(|(day, _)| is_date(day.trim_end_matches(':')));
    behind_day.map_or(heading, |(_, title)| title.trim_start_matches([' ', '-', '–', '—', ':']))
}
