//! What one file becomes, such as `CLAUDE.md` or `.cursorrules`: sections of a file of the store, or an entry for each.

use std::collections::{BTreeMap, BTreeSet};

use super::held_parts::HeldParts;
use super::note_folder::NoteFolder;
use super::pieces::{Piece, PieceFinder, PieceLines, PieceText, Pieces};
use crate::clients::without_install_block;
use crate::error::Result;
use crate::project::adopt::{
    NoteForm, NoteForms, Origins, RulesEntry, Wish, as_entries, as_sections,
};
use crate::project::schema::{Catalog, Category};
use crate::project::store::Store;
use crate::text::count;

/// The category of what tells agents how to work.
const RULES: &str = "conventions";

impl PieceFinder<'_> {
    /// Divides a file by its headings. Its name says nothing of its form: an agent reads it whatever it is called.
    pub(super) fn find_in_file(&self, folder: &NoteFolder, from: &str) -> Result<Pieces> {
        let mut found = Pieces { pieces: Vec::new(), left: Vec::new() };
        // A file that cannot be read is refused later, with the reason.
        let original = folder.text_of(from).unwrap_or_default();
        // What `install` wrote there says how this memory is used.
        let text = without_install_block(&original).unwrap_or_else(|| original.clone());
        if text.is_empty() && !original.is_empty() {
            found.left.push(format!("{from} (it has only what `agent-memory install` wrote)"));
            return Ok(found);
        }
        let texts = BTreeMap::from([(from.to_owned(), text.clone())]);
        let category = match NoteForms::of(&texts, self.given).form_of(from) {
            form @ (NoteForm::Record { .. } | NoteForm::Log { .. }) => {
                self.add(&mut found, from, &text, form)?;
                return Ok(found);
            }
            NoteForm::Of { category, .. } => category,
            NoteForm::Plain | NoteForm::Guide => {
                self.given.get(from).cloned().unwrap_or_else(|| RULES.to_owned())
            }
        };
        let name = name_of(from);
        match self.category(&category) {
            None => found.pieces.push(Piece::whole(from, Wish::Module(name.to_owned()))),
            Some(category) if category.paths.has_records() => {
                add_entries(&mut found, (from, name, &text), category);
                return Ok(found);
            }
            Some(category) => self.add_to(&mut found, (from, &text), category, name.to_owned())?,
        }
        let divided = as_sections(name, &text);
        if let Some(piece) = found.pieces.last_mut().filter(|_| divided.text != original) {
            piece.text = PieceText::Changed(divided.text);
            piece.lines = divided.lines.map_or(PieceLines::AsInText, PieceLines::All);
        }
        Ok(found)
    }
}

impl NoteFolder {
    /// Leaves out of one file what the memory has word for word, and tells it.
    pub(super) fn leave_out_held(
        &self,
        found: &mut Pieces,
        (store, catalog): (Option<&Store>, &Catalog),
        origins: &Origins,
    ) -> Result<()> {
        let (Some(from), Some(store)) = (self.one_file(), store) else { return Ok(()) };
        let pieces = std::mem::take(&mut found.pieces);
        let texts: Vec<String> =
            pieces.iter().map(|piece| self.text_of_piece(piece).unwrap_or_default()).collect();
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut held =
            HeldParts::among((store, catalog), &self.folders, (self.origin_of(from), &all))?;
        let left = pieces.into_iter().zip(&texts).filter_map(|(piece, text)| {
            let is_known = origins.path_of(&(self.origin_of(from) + &piece.part)).is_some();
            held.without_held(piece, text, is_known)
        });
        found.pieces = left.collect();
        found.left.extend(held.told(from));
        Ok(())
    }
}

/// Adds an entry for each part of a file.
fn add_entries(found: &mut Pieces, (from, name, text): (&str, &str, &str), category: &Category) {
    let (entries, other_lines) = as_entries(name, text);
    let mut parts = BTreeSet::new();
    for RulesEntry { id, text, lines } in entries {
        let mut names = (1..).map(|number| format!("#{}", id.numbered(number)));
        let part = names.find(|name| parts.insert(name.clone())).unwrap_or_default();
        let wish = Wish::Record { category: category.name.clone(), id };
        let (text, lines) = (PieceText::Changed(text), PieceLines::All(lines));
        found.pieces.push(Piece { from: from.to_owned(), part, wish, text, lines });
    }
    if other_lines > 0 {
        let lines = count(other_lines, "line");
        found.left.push(format!("{from} ({lines} outside of its sections)"));
    }
}

/// Returns the name of a file without its ending, or the dot of a hidden one.
fn name_of(from: &str) -> &str {
    let name = from.trim_start_matches('.');
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
