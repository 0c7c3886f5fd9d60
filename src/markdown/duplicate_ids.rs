//! Finds sections of a file that have the same id.

use std::collections::BTreeMap;

use super::outline::Outline;
use super::section::Section;
use crate::contract::SectionId;

/// A section with an id that is taken already.
#[derive(Debug, Clone, Copy)]
pub struct DuplicateId<'o> {
    pub id: &'o SectionId,
    /// Line of the first section that has it, from 1.
    pub first_line: usize,
    pub section: &'o Section,
}

impl Outline<'_> {
    /// Returns the sections with an id that one before them has, in order.
    pub fn duplicate_ids(&self) -> impl Iterator<Item = DuplicateId<'_>> {
        let mut lines = BTreeMap::new();
        self.sections().iter().filter_map(move |section| {
            let id = section.id.as_ref()?;
            let first_line = *lines.entry(id).or_insert(section.line);
            (first_line < section.line).then_some(DuplicateId { id, first_line, section })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_that_stands_twice_is_named() {
        let text = "## A\n<!-- @id: x -->\n## B\n## C\n<!-- @id: x -->\n## D\n<!-- @id: x -->\n";
        let outline = Outline::read(text);
        let lines: Vec<[usize; 2]> =
            outline.duplicate_ids().map(|it| [it.first_line, it.section.line]).collect();
        assert_eq!(lines, [[1, 4], [1, 6]]);
    }

    #[test]
    fn a_file_of_very_many_ids_takes_no_time() {
        let text: String = (0..60_000).map(|n| format!("## a\n<!-- @id: a-{n} -->\n")).collect();
        assert_eq!(Outline::read(&text).duplicate_ids().count(), 0);
    }
}
