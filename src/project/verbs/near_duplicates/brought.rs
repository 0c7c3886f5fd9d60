//! The texts that operations bring, as they are compared.

use crate::index::NearText;
use crate::markdown::Outline;
use crate::project::pipeline::Screened;
use crate::project::rejection::without_fields;
use crate::project::schema::Catalog;

/// Sections of one proposal that are compared; a file of more is no note.
const MOST_SECTIONS: usize = 16;

/// A text that an operation brings.
#[derive(Debug)]
pub(super) struct BroughtText {
    /// Numbered from 0.
    pub(super) operation: usize,
    /// One section, without its heading.
    pub(super) body: String,
    pub(super) text: NearText,
}

/// Reads what the operations of a proposal bring, section by section.
pub(super) fn brought_texts(screened: &Screened<'_>) -> Vec<BroughtText> {
    let contents = screened.operations().enumerate();
    let contents = contents.filter_map(|(number, (it, _))| Some((number, it.action.content()?)));
    section_texts(contents, screened.catalog())
}

/// Reads the sections of numbered texts that are long enough to be compared.
pub(super) fn section_texts<'t>(
    contents: impl Iterator<Item = (usize, &'t str)>,
    catalog: &Catalog,
) -> Vec<BroughtText> {
    let texts = contents.flat_map(|(operation, content)| {
        let outline = Outline::read(content);
        let bodies = outline.sections().iter().map(|section| outline.body(section));
        let bodies: Vec<&str> = std::iter::once(outline.preamble()).chain(bodies).collect();
        bodies.into_iter().filter_map(move |body| {
            let text = near_text(body, catalog)?;
            Some(BroughtText { operation, body: body.to_owned(), text })
        })
    });
    texts.take(MOST_SECTIONS).collect()
}

/// Reads the text of one section.
pub(super) fn near_text(body: &str, catalog: &Catalog) -> Option<NearText> {
    NearText::read(&without_fields(body, catalog))
}
