//! The sections of a file in a commit, to find there those of today.

use std::collections::HashMap;

use crate::markdown::Outline;

/// What a section is known by: its id, or the headings down to it where it has none.
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

/// A section as a commit has it.
#[derive(Debug)]
pub(super) struct CommittedSection {
    /// The line of its heading, from 1.
    pub(super) line: usize,
    /// Its text up to the next heading.
    pub(super) own: String,
}

/// The sections of a file in a commit. To look for one takes no longer in a large file.
#[derive(Debug)]
pub(super) struct AtCommit(HashMap<Name, Option<CommittedSection>>);

impl AtCommit {
    /// Reads the file as the commit has it.
    pub(super) fn read(text: &str) -> Self {
        let outline = Outline::read(text);
        let mut all = HashMap::new();
        for (number, section) in outline.sections().iter().enumerate() {
            let name = Name::of(&outline, number);
            let is_named = section.id.is_some();
            let section =
                CommittedSection { line: section.line, own: outline.own(section).to_owned() };
            // Of several with one id the first is meant; of several with the same headings, nobody knows which.
            all.entry(name)
                .and_modify(|known| {
                    if !is_named {
                        *known = None;
                    }
                })
                .or_insert(Some(section));
        }
        Self(all)
    }

    /// Finds a section of today.
    pub(super) fn find(&self, outline: &Outline<'_>, number: usize) -> Option<&CommittedSection> {
        self.0.get(&Name::of(outline, number))?.as_ref()
    }
}
