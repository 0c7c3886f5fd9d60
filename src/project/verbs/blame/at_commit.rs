//! The sections of a file in a commit, to find there those of today.

use std::collections::HashMap;

use crate::markdown::Outline;

/// The identity of a section: its id, or its headings where it has none.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Name {
    Id(String),
    Headings(Vec<String>),
}

impl Name {
    fn of(outline: &Outline<'_>, number: usize) -> Self {
        match &outline.sections()[number].id {
            Some(id) => Self::Id(id.to_string()),
            None => {
                let headings = outline.heading_path(number).into_iter();
                Self::Headings(headings.map(str::to_owned).collect())
            }
        }
    }
}

#[derive(Debug)]
pub(super) struct CommittedSection {
    pub(super) line: usize,
    /// Its text up to the next heading.
    pub(super) own: String,
}

/// The sections of a file in a commit, indexed so that large files stay fast.
#[derive(Debug)]
pub(super) struct AtCommit(HashMap<Name, Option<CommittedSection>>);

impl AtCommit {
    pub(super) fn read(text: &str) -> Self {
        let outline = Outline::read(text);
        let mut all = HashMap::new();
        for (number, section) in outline.sections().iter().enumerate() {
            let name = Name::of(&outline, number);
            let is_named = section.id.is_some();
            let section =
                CommittedSection { line: section.line, own: outline.own(section).to_owned() };
            // The first section with an id counts; sections with equal headings are ambiguous.
            let known = all.entry(name);
            known
                .and_modify(|known: &mut Option<_>| *known = known.take().filter(|_| is_named))
                .or_insert(Some(section));
        }
        Self(all)
    }

    pub(super) fn find(&self, outline: &Outline<'_>, number: usize) -> Option<&CommittedSection> {
        self.0.get(&Name::of(outline, number))?.as_ref()
    }
}
