//! Makes files of a store out of a folder of notes for `init --from`, and reports what became of each.

mod given_fields;
mod note_folder;
mod origin;
mod report;
mod store_paths;

use std::collections::BTreeMap;

use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, with_ids, with_marks};
use crate::project::adopt::{
    GivenFields, IdRenames, LinkRewriter, MovedNote, RenamedId, missing_fields, with_fields,
};
use crate::project::check::{Content, Depth, Rulebook, check_file};
use crate::project::store::Store;
use crate::project::store::sections::memory_files;
pub(super) use note_folder::NoteFolder;
pub(crate) use report::{Adopted, AdoptedFile};
use store_paths::AdoptedNote;

/// What the caller wants of an adoption.
#[derive(Debug, Clone, Copy)]
pub(super) struct AdoptionTarget<'a> {
    pub(super) store: Option<&'a Store>,
    /// `NAME=VALUE` for required fields that entries lack.
    pub(super) fields: &'a [String],
}

impl NoteFolder {
    /// Finds a path in the store for each note; returns the texts by path, and the report.
    pub(super) fn adopt(
        mut self,
        target: AdoptionTarget<'_>,
        rulebook: &Rulebook,
    ) -> Result<(BTreeMap<String, String>, Adopted)> {
        let mut told = Adopted {
            refused: std::mem::take(&mut self.refused),
            understood: std::mem::take(&mut self.translated.understood),
            not_understood: std::mem::take(&mut self.translated.left),
            ..Adopted::default()
        };
        told.not_understood.extend(self.tell_hidden(&rulebook.scanner));
        let given = given_fields::read(target.fields, rulebook)?;
        let notes = self.assign_paths(target.store, rulebook, &mut told)?;
        let others = target.store.map(|store| ids_beside(store, &notes)).transpose()?;
        let notes = give_ids(notes, others.unwrap_or_default());
        // What an earlier run wrote: it had no given fields, and linked the notes that it knew.
        let was_known = |note: &NamedNote| note.adopted.is_known;
        let earlier = fill_and_link(&notes, was_known, rulebook, &GivenFields::new());
        let now = fill_and_link(&notes, |_| true, rulebook, &given);
        let earlier = earlier.into_iter().map(|note| note.text);
        let finished = now.into_iter().zip(earlier).collect();
        Ok((self.report(notes, finished, rulebook, &mut told), told))
    }

    /// Reports each note, with its text and the one that an earlier run made; returns the texts by path.
    fn report(
        &self,
        notes: Vec<NamedNote>,
        finished: Vec<(FinishedNote, String)>,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for (note, (now, earlier)) in notes.into_iter().zip(finished) {
            let FinishedNote { text, links, new_fields } = now;
            let AdoptedNote { from, to, origin, text: former, is_known: _ } = note.adopted;
            let content = Content::Bytes(text.clone().into_bytes());
            told.findings += check_file(&to, &content, rulebook, Depth::Rules).remarks.len();
            told.in_place.extend((self.is_store && from == to).then(|| (to.clone(), former)));
            if earlier != text {
                told.earlier.insert(to.clone(), earlier);
            }
            told.origins.extend(origin.map(|origin| (to.clone(), origin)));
            let rules = rulebook.catalog.owner_of(&to).and_then(|owner| owner.section.as_ref());
            let missing = rules.map(|rules| missing_fields(&Outline::read(&text), rules));
            texts.insert(to.clone(), text);
            told.adopted.push(AdoptedFile {
                from,
                to,
                new_ids: note.new_ids,
                marked_headings: note.marked_headings,
                renamed_ids: note.renamed_ids,
                renamed_links: note.renamed_links + links,
                new_fields,
                missing_fields: missing.unwrap_or_default(),
            });
        }
        told.adopted.sort_by(|a, b| a.from.cmp(&b.from));
        texts
    }
}

/// A note whose sections all have ids.
struct NamedNote {
    adopted: AdoptedNote,
    text: String,
    new_ids: usize,
    marked_headings: usize,
    renamed_ids: Vec<RenamedId>,
    renamed_links: usize,
}

/// The text of a note as the store is to have it.
struct FinishedNote {
    text: String,
    links: usize,
    new_fields: usize,
}

/// Writes fields into the notes, and rewrites the links to those that `is_linked` tells of.
fn fill_and_link(
    notes: &[NamedNote],
    is_linked: impl Fn(&NamedNote) -> bool,
    rulebook: &Rulebook,
    given: &GivenFields,
) -> Vec<FinishedNote> {
    let filled = notes.iter().map(|note| {
        let owner = rulebook.catalog.owner_of(&note.adopted.to);
        match owner.and_then(|owner| owner.section.as_ref()) {
            Some(rules) => with_fields(&Outline::read(&note.text), rules, given),
            None => (note.text.clone(), 0),
        }
    });
    let filled: Vec<_> = filled.collect();
    let moved = notes.iter().zip(&filled).map(|(note, (text, _))| {
        let moved = MovedNote { from: &note.adopted.from, to: &note.adopted.to, text };
        (moved, is_linked(note))
    });
    let moved: Vec<_> = moved.collect();
    let linked = moved.iter().filter_map(|(note, is_linked)| is_linked.then_some(*note));
    let rewriter = LinkRewriter::of(&linked.collect::<Vec<_>>());
    let finished = moved.iter().zip(&filled).map(|((note, _), (_, new_fields))| {
        let (text, links) = rewriter.apply(note);
        FinishedNote { text, links, new_fields: *new_fields }
    });
    finished.collect()
}

/// Gives ids to the sections of all notes.
fn give_ids(notes: Vec<AdoptedNote>, others: Vec<SectionId>) -> Vec<NamedNote> {
    let marked: Vec<_> = notes.iter().map(|n| with_marks(&Outline::read(&n.text))).collect();
    let marked_texts: Vec<_> = marked.iter().map(|(text, _)| text.as_str()).collect();
    let renames = IdRenames::of(&marked_texts, others);
    let named = notes.into_iter().zip(marked).map(|(adopted, (marked, marked_headings))| {
        let renamed = renames.apply(&marked);
        let (text, ids) = with_ids(&Outline::read(&renamed.text));
        NamedNote {
            adopted,
            text,
            new_ids: ids.len(),
            marked_headings,
            renamed_ids: renamed.ids,
            renamed_links: renamed.links,
        }
    });
    named.collect()
}

/// Returns the ids of store files that no note is for. The others were mostly made from these notes by an earlier run.
fn ids_beside(store: &Store, notes: &[AdoptedNote]) -> Result<Vec<SectionId>> {
    let mut paths = memory_files(store.layout().folder())?;
    paths.retain(|path| notes.iter().all(|note| note.to != *path));
    let mut ids = Vec::new();
    for path in paths {
        if let FileState::Text(text) = store.read_any(&path)? {
            let outline = Outline::read(&text);
            ids.extend(outline.sections().iter().filter_map(|section| section.id.clone()));
        }
    }
    Ok(ids)
}
