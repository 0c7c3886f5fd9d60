//! What each file of a folder of notes becomes: one file of the store, several, or none.

use std::collections::{BTreeMap, BTreeSet};

use super::note_folder::NoteFolder;
use super::target::AdoptionTarget;
use crate::contract::SectionId;
use crate::error::Result;
use crate::project::adopt::{
    DecisionRecord, GivenCategories, NoteForm, NoteForms, Wish, as_entry, is_note,
};
use crate::project::schema::{Catalog, Category};
use crate::project::store::Store;
use crate::project::store::sections::memory_files;
use crate::text::{count, slug};

/// A part of the folder that becomes one file of the store.
pub(super) struct Piece {
    pub(super) from: String,
    /// What stands behind the path of the file, where it becomes several files: `#2025-01-02-use-x`.
    pub(super) part: String,
    pub(super) wish: Wish,
    pub(super) text: PieceText,
    pub(super) lines: PieceLines,
}

/// Which lines of the original the sections of a piece cite.
pub(super) enum PieceLines {
    /// Each section those on which it stands in the text.
    AsInText,
    /// Each section all lines of the piece.
    All((usize, usize)),
    /// Each section its own.
    Each(Vec<(usize, usize)>),
}

/// The text of a piece.
pub(super) enum PieceText {
    AsItIs,
    Changed(String),
    Record(Box<DecisionRecord>),
}

/// The pieces, and what was left out with the reason.
pub(super) struct Pieces {
    pub(super) pieces: Vec<Piece>,
    pub(super) left: Vec<String>,
}

/// Decides on the pieces of a folder.
pub(super) struct PieceFinder<'a> {
    pub(super) target: AdoptionTarget<'a>,
    pub(super) catalog: &'a Catalog,
    pub(super) given: &'a GivenCategories,
}

impl Piece {
    pub(super) fn whole(from: &str, wish: Wish) -> Self {
        let (from, part) = (from.to_owned(), String::new());
        Self { from, part, wish, text: PieceText::AsItIs, lines: PieceLines::AsInText }
    }
}

impl PieceFinder<'_> {
    pub(super) fn find(&self, folder: &NoteFolder) -> Result<Pieces> {
        let mut found = Pieces { pieces: Vec::new(), left: Vec::new() };
        if let Some(file) = folder.one_file() {
            return self.find_in_file(folder, file);
        }
        if folder.is_store {
            found.pieces = folder.paths.iter().map(|from| Piece::whole(from, Wish::Own)).collect();
            return Ok(found);
        }
        let notes = folder.paths.iter().filter(|path| is_note(path));
        let texts: BTreeMap<String, String> =
            notes.filter_map(|path| Some((path.clone(), folder.text_of(path)?))).collect();
        let forms = NoteForms::of(&texts, self.given);
        for from in &folder.paths {
            let text = texts.get(from).map(String::as_str).unwrap_or_default();
            self.add(&mut found, from, text, forms.form_of(from))?;
        }
        Ok(found)
    }

    pub(super) fn add(
        &self,
        found: &mut Pieces,
        from: &str,
        text: &str,
        form: NoteForm,
    ) -> Result<()> {
        match form {
            NoteForm::Plain => found.pieces.push(Piece::whole(from, Wish::Own)),
            NoteForm::Guide => {
                found.left.push(format!("{from} (a template or guide of its folder)"));
            }
            NoteForm::Of { category, module } => match self.category(&category) {
                None => found.pieces.push(Piece::whole(from, Wish::Module(module))),
                Some(category) => self.add_to(found, (from, text), category, module)?,
            },
            NoteForm::Record { category, record } if self.has_records(&category) => {
                let id = SectionId::from_heading(&record.title);
                let lines = PieceLines::All((1, text.lines().count().max(1)));
                let (wish, text) = (Wish::Record { category, id }, PieceText::Record(record));
                found.pieces.push(Piece { wish, text, lines, ..Piece::whole(from, Wish::Own) });
            }
            NoteForm::Log { entries, other_lines } if self.has_records("decisions") => {
                let mut parts = BTreeSet::new();
                for entry in entries {
                    let record = Box::new(entry.record);
                    let id = SectionId::from_heading(&record.title);
                    let day = record.date.as_deref().unwrap_or("undated");
                    let mut names = (1..).map(|n| format!("#{day}-{}", id.numbered(n)));
                    let part = names.find(|name| parts.insert(name.clone())).unwrap_or_default();
                    let wish = Wish::Record { category: "decisions".to_owned(), id };
                    let (text, lines) = (PieceText::Record(record), PieceLines::All(entry.lines));
                    found.pieces.push(Piece { from: from.to_owned(), part, wish, text, lines });
                }
                if other_lines > 0 {
                    let lines = count(other_lines, "line");
                    found.left.push(format!("{from} ({lines} outside of its decisions)"));
                }
            }
            // The decisions of this store share a file.
            NoteForm::Record { .. } => found.pieces.push(Piece::whole(from, Wish::Own)),
            NoteForm::Log { .. } => match self.category("decisions") {
                None => found.pieces.push(Piece::whole(from, Wish::Own)),
                Some(category) => self.add_to(found, (from, text), category, "decisions".into())?,
            },
        }
        Ok(())
    }

    /// Adds a note that goes to a category as a whole.
    pub(super) fn add_to(
        &self,
        found: &mut Pieces,
        (from, text): (&str, &str),
        category: &Category,
        module: String,
    ) -> Result<()> {
        let name = slug(module.strip_suffix(".md").unwrap_or(&module), 100);
        if category.paths.has_records() {
            let (id, text) = as_entry(from, text);
            let wish = Wish::Record { category: category.name.clone(), id };
            let text = PieceText::Changed(text);
            found.pieces.push(Piece { text, ..Piece::whole(from, wish) });
            return Ok(());
        }
        let wish = match category.paths.for_new() {
            Some(new) if new.contains("{branch}") => match self.branch_path(new, category)? {
                Ok(path) => Wish::Path { path, module: name },
                Err(why) => {
                    found.left.push(format!("{from} ({why})"));
                    return Ok(());
                }
            },
            Some(new) => {
                Wish::Path { path: new.replace("{date}", self.target.today), module: name }
            }
            None if category.name == "modules" => Wish::Module(name),
            None => Wish::Path { path: category.paths.with_name(&name), module: name },
        };
        found.pieces.push(Piece::whole(from, wish));
        Ok(())
    }

    /// Returns the file of the branch that is checked out, unless the store has notes of another branch.
    fn branch_path(
        &self,
        new: &str,
        category: &Category,
    ) -> Result<std::result::Result<String, &'static str>> {
        let unknown = "git names no branch, after which its file would be named";
        let Some(repository) = self.target.repository else { return Ok(Err(unknown)) };
        let branch = repository.branch_now()?;
        if branch.commit.is_some() {
            return Ok(Err(unknown));
        }
        let path = new.replace("{branch}", &branch.name);
        let Some(store) = self.target.store else { return Ok(Ok(path)) };
        let there = branch_files(store, category)?;
        let is_new = there.is_empty() || there.contains(&path);
        Ok(if is_new { Ok(path) } else { Err("the store has the notes of a branch already") })
    }

    pub(super) fn category(&self, name: &str) -> Option<&Category> {
        self.catalog.named(name)
    }

    fn has_records(&self, name: &str) -> bool {
        self.category(name).is_some_and(|category| category.paths.has_records())
    }
}

fn branch_files(store: &Store, category: &Category) -> Result<Vec<String>> {
    let mut paths = memory_files(store.layout().folder())?;
    paths.retain(|path| category.paths.fits(path));
    Ok(paths)
}
