//! Notes that an earlier run took in, and whose files are gone since: renamed, or deleted.

use std::collections::BTreeSet;

use super::note_folder::{GoneNote, NoteFolder};
use super::pieces::{Piece, PieceText};
use crate::contract::FileState;
use crate::error::Result;
use crate::project::adopt::{ORIGINS, Origins, is_note, likeness};
use crate::project::schema::Catalog;
use crate::project::store::Store;
use crate::text::excerpt;

impl NoteFolder {
    /// Finds the notes of the record whose files are gone.
    pub(super) fn gone_notes(
        &self,
        store: Option<&Store>,
        origins: &Origins,
        catalog: &Catalog,
    ) -> Result<Vec<GoneNote>> {
        let Some(store) = store else { return Ok(Vec::new()) };
        let there: BTreeSet<String> = self.paths.iter().map(|path| self.origin_of(path)).collect();
        let mut gone = Vec::new();
        for (origin, to) in origins.notes() {
            let file = file_of(origin);
            if there.contains(file) || !self.is_gone(file) || !catalog.is_tracked(to.as_str()) {
                continue;
            }
            let FileState::Text(text) = store.read_any(to.as_str())? else { continue };
            let (from, likeness) =
                (self.path_of(origin).map(str::to_owned), likeness(&text, catalog));
            let (origin, to) = (origin.to_owned(), to.to_string());
            gone.push(GoneNote { from, origin, to, text, likeness });
        }
        Ok(gone)
    }

    /// Returns the path in the folder of a note that is known by a whole path.
    fn path_of<'o>(&self, origin: &'o str) -> Option<&'o str> {
        let prefix = self.prefix.as_deref().unwrap_or_default();
        let is_elsewhere = origin.starts_with("../") && !prefix.starts_with("../");
        origin.strip_prefix(prefix).filter(|_| !is_elsewhere)
    }

    /// Tells whether nothing has a whole path. Of a folder outside of the repository that is not known.
    fn is_gone(&self, origin: &str) -> bool {
        let is_inside = !origin.starts_with("../");
        self.path_of(origin).is_some() || (is_inside && !self.folders.has(origin))
    }

    /// Returns the text of a piece as far as it is known before all paths are.
    pub(super) fn text_of_piece(&self, piece: &Piece) -> Option<String> {
        match &piece.text {
            PieceText::AsItIs => self.text_of(&piece.from),
            PieceText::Changed(text) => Some(text.clone()),
            PieceText::Record(record) => Some(record.written(None, &[])),
        }
    }

    /// Says of a new note that it has the text of one that is gone: it was renamed, and would come in twice.
    pub(super) fn renaming_of(&self, piece: &Piece, catalog: &Catalog) -> Option<String> {
        // Most runs know of none, and read nothing.
        if self.gone.is_empty() {
            return None;
        }
        let from = &piece.from;
        let like = likeness(&self.text_of_piece(piece)?, catalog);
        let before = self.gone.iter().find(|it| !like.is_empty() && it.likeness == like)?;
        let (old, new) = (excerpt(&before.origin), excerpt(&(self.origin_of(from) + &piece.part)));
        Some(format!(
            "it has the text of `{old}`, which is gone and was adopted as `{}`: if it was renamed, write `{new}` for `{old}` in `{ORIGINS}`; if it is another note, remove the line of `{old}` there; then run the same command again",
            before.to
        ))
    }
}

/// Returns the path of the file of which an origin may name a part, as in `decisionLog.md#2025-01-02-use-x`.
fn file_of(origin: &str) -> &str {
    let file = origin.rsplit_once('#').map(|(file, _)| file).filter(|file| is_note(file));
    file.filter(|_| !is_note(origin)).unwrap_or(origin)
}
