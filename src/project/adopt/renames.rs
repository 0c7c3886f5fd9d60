//! Gives ids that a store cannot hold a form that it can, and takes the links to them along.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use crate::contract::SectionId;
use crate::markdown::{LinkTarget, Outline, SectionIds, foreign_ids, ids_to_be, link_targets};
use crate::text::composed;

/// What ids of other notes are called here: the same everywhere, and no two alike. Known by their composed form (NFC).
#[derive(Debug, Default)]
pub(crate) struct IdRenames(BTreeMap<String, SectionId>);

#[derive(Debug, Default)]
pub(crate) struct Renamed {
    pub text: String,
    pub ids: Vec<RenamedId>,
    /// How many links were changed to lead to such an id.
    pub links: usize,
}

/// An id that is another one now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct RenamedId {
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: SectionId,
}

impl IdRenames {
    /// Finds new names for all notes together, as `[[id]]` may lead into any of them: no new name is an id of a
    /// section, nor one that a section without an id is to be given, nor one of `others`.
    pub(crate) fn of(texts: &[&str], others: Vec<SectionId>) -> Self {
        let outlines = || texts.iter().map(|text| Outline::read(text));
        let held = outlines().flat_map(|outline| ids_to_be(&outline));
        let mut names: SectionIds = held.chain(others).collect();
        let mut renames = BTreeMap::new();
        for outline in outlines() {
            for id in foreign_ids(&outline) {
                let id = composed(&outline.text()[id]).into_owned();
                renames.entry(id).or_insert_with_key(|id| names.give(id));
            }
        }
        Self(renames)
    }

    /// Renames ids and links in a note; every other byte stays.
    pub(crate) fn apply(&self, text: &str) -> Renamed {
        let outline = Outline::read(text);
        let anchors = foreign_ids(&outline).into_iter().map(|bytes| (bytes, true));
        let links = link_targets(&outline).into_iter().filter_map(|link| id_in(text, &link));
        let mut renamable: Vec<_> = anchors.chain(links.map(|bytes| (bytes, false))).collect();
        renamable.sort_unstable_by_key(|(bytes, _)| bytes.start);
        let (mut renamed, mut copied) = (Renamed::default(), 0);
        for (bytes, is_anchor) in renamable {
            let Some(to) = self
                .0
                .get(composed(&text[bytes.clone()]).as_ref())
                .filter(|_| bytes.start >= copied)
            else {
                continue;
            };
            renamed.text += &text[copied..bytes.start];
            renamed.text += to.as_str();
            copied = bytes.end;
            if is_anchor {
                let from = text[bytes].to_owned();
                renamed.ids.push(RenamedId { from, to: to.clone() });
            } else {
                renamed.links += 1;
            }
        }
        renamed.text += &text[copied..];
        renamed
    }
}

fn id_in(text: &str, link: &LinkTarget) -> Option<Range<usize>> {
    let target = &text[link.bytes.clone()];
    let start = match target.split_once('#') {
        Some((file, id)) if link.is_wiki || is_note(file) => link.bytes.end - id.len(),
        None if link.is_wiki => link.bytes.start,
        Some(_) | None => return None,
    };
    Some(start..link.bytes.end)
}

/// Tells whether a link leads into a note; a fragment alone leads into the note that it stands in.
fn is_note(file: &str) -> bool {
    file.is_empty() || (file.ends_with(".md") && !file.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(notes: [&str; N], expected: [&str; N]) {
        let renames = IdRenames::of(&notes, Vec::new());
        assert_eq!(notes.map(|note| renames.apply(note).text), expected);
        assert_eq!(IdRenames::of(&expected, Vec::new()).0, BTreeMap::new());
    }

    #[test]
    fn two_ids_that_would_be_one_stay_two_in_all_notes() {
        check(
            [
                "## A\n<!-- @id: Use_PG.v2 -->\n\n## B\r\n\r\n<!--@id:use pg v2-->\r\n",
                "## C\n<!-- @id: use-pg-v2 -->\n[[Use_PG.v2]] [[use pg v2|b]] [[use-pg-v2]]\n",
            ],
            [
                "## A\n<!-- @id: use-pg-v2-2 -->\n\n## B\r\n\r\n<!--@id:use-pg-v2-3-->\r\n",
                "## C\n<!-- @id: use-pg-v2 -->\n[[use-pg-v2-2]] [[use-pg-v2-3|b]] [[use-pg-v2]]\n",
            ],
        );
    }

    #[test]
    fn a_new_id_is_none_that_a_heading_gives() {
        check(
            [
                "## O\n<!-- @id: use_pg -->\n\n## Use S\n<!-- @id: use_s -->\n[[use_pg]] [[use_s]]\n",
                "## Use pg\n",
            ],
            [
                "## O\n<!-- @id: use-pg-2 -->\n\n## Use S\n<!-- @id: use-s -->\n[[use-pg-2]] [[use-s]]\n",
                "## Use pg\n",
            ],
        );
    }

    #[test]
    fn every_form_of_a_link_follows_and_nothing_else_does() {
        check(
            [
                "# T\n<!-- @id: ADR_1 -->\n\nÜ `x` [[ADR_1]] [[#ADR_1]] [[a b#ADR_1|w]] ![p](../t.md#ADR_1 \"q\") [x](#ADR_1)\n",
                "## A\n<!-- @id: é -->\n`[[ADR_1]]` <!-- [[ADR_1]] --> [[é]] \\[[ADR_1]] ADR_1 [[ADR_12]] [x](https://x.org/t.md#ADR_1)\n```\n[[ADR_1]]\n```\n\n[r]: t.md#ADR_1 \"q\"\n",
            ],
            [
                "# T\n<!-- @id: adr-1 -->\n\nÜ `x` [[adr-1]] [[#adr-1]] [[a b#adr-1|w]] ![p](../t.md#adr-1 \"q\") [x](#adr-1)\n",
                "## A\n<!-- @id: e -->\n`[[ADR_1]]` <!-- [[ADR_1]] --> [[e]] \\[[ADR_1]] ADR_1 [[ADR_12]] [x](https://x.org/t.md#ADR_1)\n```\n[[ADR_1]]\n```\n\n[r]: t.md#adr-1 \"q\"\n",
            ],
        );
    }

    #[test]
    fn an_id_is_the_same_in_either_unicode_form() {
        check(
            ["## A\n<!-- @id: caf\u{e9} -->\n[[cafe\u{301}]]\n", "[x](a.md#cafe\u{301})\n"],
            ["## A\n<!-- @id: cafe -->\n[[cafe]]\n", "[x](a.md#cafe)\n"],
        );
    }

    #[test]
    fn only_what_stands_below_a_heading_is_an_id() {
        let text = "<!-- @id: A_1 -->\n\n## A\n\ntext\n<!-- @id: A_2 -->\n\n## B\n<!-- @id: -->\n[[A_1]]\n";
        check([text], [text]);
    }
}
