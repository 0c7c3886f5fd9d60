//! The texts that operations bring, as they are compared.

use std::collections::BTreeSet;

use crate::index::NearText;
use crate::markdown::{Outline, Section};
use crate::project::pipeline::Screened;
use crate::project::request::Action;
use crate::project::schema::{Catalog, read_fields};

/// Sections of one proposal that are compared; a file of more is no note.
const MOST_SECTIONS: usize = 16;

/// A text that an operation brings.
#[derive(Debug)]
pub(super) struct BroughtText {
    /// Numbered from 0.
    pub(super) operation: usize,
    /// One section, without its heading.
    pub(super) body: String,
    /// Its heading, if it is a part of an entry.
    pub(super) part: Option<String>,
    pub(super) text: NearText,
}

/// Reads what the operations of a proposal bring, section by section.
pub(super) fn brought_texts(screened: &Screened<'_>) -> Vec<BroughtText> {
    let contents = screened.operations().enumerate().filter_map(|(operation, (it, path))| {
        let level = match it.action {
            // Its entry is the operation itself.
            Action::AppendSection { .. } => 0,
            _ => entry_level(screened.catalog(), path.as_str()),
        };
        Some(BroughtContent { operation, level, content: it.action.content()? })
    });
    section_texts(contents, screened.catalog())
}

/// What an operation brings.
pub(super) struct BroughtContent<'t> {
    pub(super) operation: usize,
    /// The level of the entries in it.
    pub(super) level: u8,
    pub(super) content: &'t str,
}

/// Returns the level of the entries of a file.
pub(super) fn entry_level(catalog: &Catalog, path: &str) -> u8 {
    catalog.owner_of(path).map_or(2, |owner| owner.entry_level(path))
}

/// Returns the heading of a section that is a part of an entry.
pub(super) fn part_of(section: &Section, level: u8) -> Option<String> {
    (section.heading.level > level).then(|| section.heading.text.to_lowercase())
}

/// Tells whether two parts of entries have the same heading, as all entries of one form have: what they say is no news
/// without the entries around them.
pub(super) fn are_of_one_form(one: Option<&String>, other: Option<&String>) -> bool {
    one.is_some() && one == other
}

/// Reads the sections of numbered texts that are long enough to be compared.
pub(super) fn section_texts<'t>(
    contents: impl Iterator<Item = BroughtContent<'t>>,
    catalog: &Catalog,
) -> Vec<BroughtText> {
    let texts = contents.flat_map(|BroughtContent { operation, level, content }| {
        let outline = Outline::read(content);
        let sections = outline.sections().iter();
        let bodies = sections.map(|it| (outline.body(it), part_of(it, level)));
        let bodies: Vec<_> = std::iter::once((outline.preamble(), None)).chain(bodies).collect();
        bodies.into_iter().filter_map(move |(body, part)| {
            let text = near_text(body, catalog)?;
            Some(BroughtText { operation, body: body.to_owned(), part, text })
        })
    });
    texts.take(MOST_SECTIONS).collect()
}

/// Reads the text of one section, without the fields that a category asks for. What is left is no text if all of it is fields.
pub(super) fn near_text(body: &str, catalog: &Catalog) -> Option<NearText> {
    let rules = catalog.categories().iter().filter_map(|category| category.section.as_ref());
    let known: BTreeSet<String> =
        rules.flat_map(|rules| rules.fields.keys().map(|name| name.to_lowercase())).collect();
    let is_known =
        |line: &&str| read_fields(line).iter().any(|it| known.contains(&it.name.to_lowercase()));
    let (fields, rest): (Vec<&str>, Vec<&str>) = body.lines().partition(is_known);
    let is_field = |line: &&str| {
        let is_rule = line.trim().is_empty() || line.trim() == "---";
        is_rule || !read_fields(line).is_empty()
    };
    if !fields.is_empty() && rest.iter().all(is_field) {
        return None;
    }
    NearText::read(&rest.join("\n"))
}
