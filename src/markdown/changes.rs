//! Names what is different between two states of a file, section by section.

use std::collections::BTreeMap;

use super::outline::{Outline, Section};
use crate::contract::{AffectedSection, Change, MemoryPath, SectionId};

/// A section that two states of a file do not have alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionChange {
    /// Its number in the state after, if it is there.
    pub index: Option<usize>,
    /// Its id, if it has one.
    pub id: Option<SectionId>,
    /// What happened to it.
    pub change: Change,
    /// Its hash in the state after, if it is there.
    pub hash: Option<String>,
}

impl SectionChange {
    /// Returns the change as the answer to a request names it.
    pub fn affected(&self, file: &MemoryPath) -> AffectedSection {
        AffectedSection {
            file: file.to_string(),
            section_id: self.id.clone(),
            change: self.change,
            hash: self.hash.clone(),
        }
    }
}

/// Returns the sections that are new, different or gone; those that are gone come last.
pub fn changes(before: &Outline<'_>, after: &Outline<'_>) -> Vec<SectionChange> {
    let mut old = keyed(before);
    let mut changes = Vec::new();
    for (key, index) in order(after) {
        let section = &after.sections()[index];
        let change = match old.remove(&key) {
            None => Change::Added,
            Some(former) => match compare(before, &before.sections()[former], after, section) {
                None => continue,
                Some(change) => change,
            },
        };
        let hash = Some(after.hash(section).to_string());
        changes.push(SectionChange { index: Some(index), id: section.id.clone(), change, hash });
    }
    let mut gone: Vec<usize> = old.into_values().collect();
    gone.sort_unstable();
    // A section that was given its first anchor is the one that it was.
    for change in changes.iter_mut().filter(|change| change.change == Change::Added) {
        let Some(section) = change.index.map(|index| &after.sections()[index]) else { continue };
        let same = |number: &usize| {
            let former = &before.sections()[*number];
            former.id.is_none()
                && (former.heading == section.heading || before.body(former) == after.body(section))
        };
        if let Some(place) = gone.iter().position(same) {
            let former = &before.sections()[gone.remove(place)];
            change.change = compare(before, former, after, section).unwrap_or(Change::Changed);
        }
    }
    changes.extend(gone.into_iter().map(|index| SectionChange {
        index: None,
        id: before.sections()[index].id.clone(),
        change: Change::Removed,
        hash: None,
    }));
    changes
}

fn compare(
    before: &Outline<'_>,
    old: &Section,
    after: &Outline<'_>,
    new: &Section,
) -> Option<Change> {
    if before.own(old) == after.own(new) {
        return None;
    }
    if new.archived && !old.archived {
        return Some(Change::Archived);
    }
    let renamed = old.heading != new.heading && before.body(old) == after.body(new);
    Some(if renamed { Change::Renamed } else { Change::Changed })
}

/// What a section is known by: its id, or its heading and which of several it is.
type Key = (Option<SectionId>, String, usize);

fn order(outline: &Outline<'_>) -> Vec<(Key, usize)> {
    let mut seen: BTreeMap<(Option<SectionId>, String), usize> = BTreeMap::new();
    let sections = outline.sections().iter().enumerate();
    sections
        .map(|(index, section)| {
            let heading = match &section.id {
                Some(_) => String::new(),
                None => format!("{} {}", section.heading.level, section.heading.text),
            };
            let count = seen.entry((section.id.clone(), heading.clone())).or_insert(0);
            *count += 1;
            ((section.id.clone(), heading, *count), index)
        })
        .collect()
}

fn keyed(outline: &Outline<'_>) -> BTreeMap<Key, usize> {
    order(outline).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, expected: &[(&str, Change)]) {
        let found: Vec<(String, Change)> = changes(&Outline::read(before), &Outline::read(after))
            .into_iter()
            .map(|each| (each.id.map_or_else(String::new, |id| id.to_string()), each.change))
            .collect();
        let expected: Vec<(String, Change)> =
            expected.iter().map(|(id, change)| ((*id).to_owned(), *change)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_section_is_known_by_its_id() {
        let before = "## A\n<!-- @id: a -->\n\ntext\n\n## B\n<!-- @id: b -->\n";
        let after =
            "## B\n<!-- @id: b -->\n\n## Z\n<!-- @id: a -->\n\ntext\n\n## C\n<!-- @id: c -->\n";
        check(before, after, &[("a", Change::Renamed), ("c", Change::Added)]);
    }

    #[test]
    fn a_parent_is_not_different_because_a_child_is() {
        let before = "## A\n<!-- @id: a -->\n\n### B\n<!-- @id: b -->\n";
        check(
            before,
            "## A\n<!-- @id: a -->\n\n### B\n<!-- @id: b -->\n\nx\n",
            &[("b", Change::Changed)],
        );
        check(before, "## A\n<!-- @id: a -->\n", &[("b", Change::Removed)]);
    }
}
