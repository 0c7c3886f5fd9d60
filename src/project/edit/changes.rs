//! Names what is different between two states of a file, section by section.

use std::collections::{BTreeSet, HashMap, VecDeque};

use crate::contract::SectionId;
use crate::markdown::{Heading, Outline, Section};
use crate::project::request::{AffectedSection, Change, MemoryPath};

/// A section that two states of a file do not have alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionChange {
    /// Its number in the state after, if it is there.
    pub index: Option<usize>,
    /// Its number in the state before, if it was there.
    pub former: Option<usize>,
    pub id: Option<SectionId>,
    pub change: Change,
    /// Its full hash in the state after, if it is there.
    pub hash: Option<String>,
}

impl SectionChange {
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
    let (kept, known) = alike(before, after);
    let mut old: HashMap<SectionKey<'_>, usize> = order(before, &kept).into_iter().collect();
    let mut changes = Vec::new();
    for (key, index) in order(after, &known) {
        let section = &after.sections()[index];
        let former = old.remove(&key);
        let change = match former {
            None => Change::Added,
            Some(former) => match compare(before, &before.sections()[former], after, section) {
                None => continue,
                Some(change) => change,
            },
        };
        let (id, hash) = (section.id.clone(), Some(after.full_hash(section).to_string()));
        changes.push(SectionChange { index: Some(index), former, id, change, hash });
    }
    let mut gone = Gone::of(before, old.into_values());
    // A section that was given its first anchor is the one that it was.
    for change in changes.iter_mut().filter(|change| change.change == Change::Added) {
        let Some(section) = change.index.map(|index| &after.sections()[index]) else { continue };
        change.former = gone.remove_same(&section.heading, after.body(section));
        if let Some(former) = change.former {
            let former = &before.sections()[former];
            change.change = compare(before, former, after, section).unwrap_or(Change::Changed);
        }
    }
    changes.extend(gone.numbers.into_iter().map(|index| SectionChange {
        index: None,
        former: Some(index),
        id: before.sections()[index].id.clone(),
        change: Change::Removed,
        hash: None,
    }));
    changes
}

/// The sections that are gone, and what those without an id may be known again by: looking through all
/// of them for each new one would take quadratic time.
struct Gone<'t> {
    before: &'t Outline<'t>,
    numbers: BTreeSet<usize>,
    by_heading: HashMap<&'t Heading, BTreeSet<usize>>,
    by_body: HashMap<&'t str, BTreeSet<usize>>,
}

impl<'t> Gone<'t> {
    fn of(before: &'t Outline<'t>, numbers: impl Iterator<Item = usize>) -> Self {
        let numbers = numbers.collect();
        let (by_heading, by_body) = (HashMap::new(), HashMap::new());
        let mut gone = Self { before, numbers, by_heading, by_body };
        for number in &gone.numbers {
            let section = &before.sections()[*number];
            if section.id.is_none() {
                gone.by_heading.entry(&section.heading).or_default().insert(*number);
                gone.by_body.entry(before.body(section)).or_default().insert(*number);
            }
        }
        gone
    }

    /// Removes the first section with this heading or this body; returns its number.
    fn remove_same(&mut self, heading: &Heading, body: &str) -> Option<usize> {
        let first = |numbers: Option<&BTreeSet<usize>>| numbers?.first().copied();
        let same = [first(self.by_heading.get(heading)), first(self.by_body.get(body))];
        let number = same.into_iter().flatten().min()?;
        let section = &self.before.sections()[number];
        self.numbers.remove(&number);
        self.by_heading.entry(&section.heading).or_default().remove(&number);
        self.by_body.entry(self.before.body(section)).or_default().remove(&number);
        Some(number)
    }
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

/// Returns the sections without an id that are the same in both states, by their numbers in each. They tell which
/// of several sections with the same heading has changed.
fn alike(before: &Outline<'_>, after: &Outline<'_>) -> (BTreeSet<usize>, BTreeSet<usize>) {
    let nameless = |outline: &Outline<'_>| {
        let sections = outline.sections().iter().enumerate();
        let nameless = sections.filter(|(_, section)| section.id.is_none());
        nameless.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let mut texts: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for index in nameless(before) {
        texts.entry(before.own(&before.sections()[index])).or_default().push_back(index);
    }
    let (mut kept, mut known) = (BTreeSet::new(), BTreeSet::new());
    for index in nameless(after) {
        let same = texts.get_mut(after.own(&after.sections()[index]));
        if let Some(former) = same.and_then(VecDeque::pop_front) {
            kept.insert(former);
            known.insert(index);
        }
    }
    (kept, known)
}

/// What a section is known by: its id, or its level and heading; and which of several it is.
type SectionKey<'t> = (Option<&'t SectionId>, (u8, &'t str), usize);

fn order<'t>(outline: &'t Outline<'_>, but: &BTreeSet<usize>) -> Vec<(SectionKey<'t>, usize)> {
    let mut seen = HashMap::with_capacity(outline.sections().len());
    let sections = outline.sections().iter().enumerate();
    sections
        .filter(|(index, _)| !but.contains(index))
        .map(|(index, section)| {
            let id = section.id.as_ref();
            let heading = match id {
                Some(_) => Default::default(),
                None => (section.heading.level, section.heading.text.as_str()),
            };
            let count = seen.entry((id, heading)).or_insert(0);
            *count += 1;
            ((id, heading, *count), index)
        })
        .collect()
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

    #[test]
    fn a_section_that_is_given_an_anchor_is_the_one_that_it_was() {
        let before = "## A\n\none\n\n## B\n\ntwo\n\n## A\n\ntwo\n";
        let (renamed, changed) = (Change::Renamed, Change::Changed);
        check(
            before,
            "## A\n<!-- @id: a -->\n\nx\n",
            &[("a", changed), ("", Change::Removed), ("", Change::Removed)],
        );
        let after = "## Z\n<!-- @id: z -->\n\ntwo\n\n## A\n<!-- @id: a -->\n\ntwo\n\n## C\n<!-- @id: c -->\n\ntwo\n";
        check(before, after, &[("z", renamed), ("a", changed), ("c", renamed)]);
    }

    #[test]
    fn of_several_with_the_same_heading_only_the_changed_one_is_named() {
        let before =
            "## 1\n\n### Added\n\n- a\n\n## 2\n\n### Added\n\n- b\n\n## 3\n\n### Added\n\n- c\n";
        check(before, &before.replace("- a", "- a\n- d"), &[("", Change::Changed)]);
        check(before, &before.replacen("### Added", "### New", 1), &[("", Change::Renamed)]);
        check(before, &before.replace("### Added\n\n- a\n\n", ""), &[("", Change::Removed)]);
    }

    #[test]
    fn a_file_with_other_sections_throughout_takes_no_time() {
        let section = |number: usize, id: &str, body: &str| {
            format!("## {body}{number}\n{id}\n\n{body}{number}\n")
        };
        let before: String = (0..40_000).map(|number| section(number, "", "a")).collect();
        let after: String = (0..40_000)
            .map(|number| section(number, &format!("<!-- @id: b-{number} -->"), "b"))
            .collect();
        assert_eq!(changes(&Outline::read(&before), &Outline::read(&after)).len(), 80_000);
    }
}
