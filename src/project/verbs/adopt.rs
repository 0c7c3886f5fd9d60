//! Makes files of a store out of a folder of notes for `init --from`, and reports what became of each.

mod adopted_note;
mod folders;
mod given_categories;
mod given_fields;
mod gone_notes;
mod held_parts;
mod note_folder;
mod one_file;
mod origin;
mod pieces;
mod records;
mod report;
mod store_paths;
mod target;

use std::collections::BTreeMap;

use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, with_ids, with_marks};
use crate::project::adopt::{
    BrokenLink, FieldSources, GivenFields, IdRenames, LinkFolders, LinkRewriter, LinkedNote,
    MovedNote, OriginalFile, RenamedId, missing_fields, section_lines, with_fields, with_sources,
};
use crate::project::check::{Content, Depth, Rulebook, check_file};
use crate::project::schema::SectionRules;
use crate::project::store::Store;
use crate::project::store::sections::memory_files;
use crate::text::excerpt;
use adopted_note::AdoptedNote;
use folders::KnownFiles;
use note_folder::GoneNote;
pub(super) use note_folder::NoteFolder;
use pieces::PieceLines;
pub(crate) use report::{Adopted, AdoptedFile};
pub(super) use target::AdoptionTarget;

/// How many links that lead nowhere are named for a note.
const NAMED_LINKS: usize = 20;

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
        let notes = self.assign_paths(target, rulebook, &mut told)?;
        let others = target.store.map(|store| ids_beside(store, &notes)).transpose()?;
        let notes = give_ids(notes, others.unwrap_or_default(), rulebook);
        // What an earlier run wrote: it gave the fields that the store has, and linked the notes that it knew. Where that is
        // the text in the store, no person changed more than the value of a field, which stays.
        let was_known = |note: &NamedNote| note.adopted.is_known;
        let none = GivenFields::new();
        let filled = fill(&notes, rulebook, FilledWith { fields: &none, target, has_new: false });
        let earlier = self.link(&notes, filled, was_known, &KnownFiles::Earlier);
        let filled = fill(&notes, rulebook, FilledWith { fields: &given, target, has_new: true });
        let absent_notes = told.refused_notes.iter().map(String::as_str).collect();
        let now = self.link(&notes, filled, |_| true, &KnownFiles::Now { absent_notes });
        let earlier = earlier.into_iter().map(|note| note.linked.text);
        let finished = now.into_iter().zip(earlier).collect();
        if !given.contains_key(STATUS) {
            let is_new = |note: &&NamedNote| !note.adopted.stored.has_field(STATUS);
            for status in notes.iter().filter(is_new).filter_map(NamedNote::assumed_status) {
                *told.assumed_status.entry(status).or_default() += 1;
            }
        }
        Ok((self.report(notes, finished, rulebook, &mut told), told))
    }

    /// Rewrites the links of notes: to the notes that `is_linked` tells of, and to files of the repository.
    fn link(
        &self,
        notes: &[NamedNote],
        filled: Vec<FilledNote>,
        is_linked: impl Fn(&NamedNote) -> bool,
        known: &KnownFiles<'_>,
    ) -> Vec<FinishedNote> {
        let moved = notes.iter().zip(&filled).map(|(note, FilledNote { text, .. })| {
            let moved = MovedNote { from: &note.adopted.from, to: &note.adopted.to, text };
            (moved, is_linked(note))
        });
        let linked = moved.clone().filter_map(|(note, is_linked)| is_linked.then_some(note));
        // Links to a note that is gone lead to what the store has of it.
        let gone = self.gone.iter().filter_map(|GoneNote { from, to, text, .. }| {
            Some(MovedNote { from: from.as_deref()?, to, text })
        });
        let rewriter = LinkRewriter::of(&linked.chain(gone).collect::<Vec<_>>());
        let finished = notes.iter().zip(moved).zip(&filled).map(|((note, (moved, _)), filled)| {
            let apply = |folders: &LinkFolders<'_>| rewriter.apply(&moved, folders);
            let linked = self.folders.with(known, &note.adopted.stored.targets, apply);
            FinishedNote { linked, new_fields: filled.new_fields }
        });
        finished.collect()
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
            let FinishedNote { linked: LinkedNote { text, links, broken }, new_fields } = now;
            let AdoptedNote { from, to, origin, text: former, .. } = note.adopted;
            let content = Content::Bytes(text.clone().into_bytes());
            told.findings += check_file(&to, &content, rulebook, Depth::Rules).remarks.len();
            told.in_place.extend((self.is_store && from == to).then(|| (to.clone(), former)));
            if earlier != text {
                told.earlier.insert(to.clone(), earlier);
            }
            told.origins.extend(origin.map(|origin| (to.clone(), origin)));
            let rules = entry_rules(rulebook, &to);
            let missing = rules.map(|rules| missing_fields(&Outline::read(&text), rules));
            texts.insert(to.clone(), text);
            told.adopted.push(AdoptedFile {
                tracked: rulebook.catalog.is_tracked(&to),
                from,
                to,
                new_ids: note.new_ids,
                marked_headings: note.marked_headings,
                renamed_ids: note.renamed_ids,
                renamed_links: note.renamed_links + links,
                broken_links: broken.len(),
                first_broken_links: shown_links(broken, rulebook),
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

/// A note whose sections have the fields that could be written.
struct FilledNote {
    text: String,
    new_fields: usize,
}

/// A note as the store is to have it.
struct FinishedNote {
    linked: LinkedNote,
    new_fields: usize,
}

/// Returns the level of the entries of a file, and their rules.
fn entry_rules<'r>(rulebook: &'r Rulebook, path: &str) -> Option<(u8, &'r SectionRules)> {
    let owner = rulebook.catalog.owner_of(path)?;
    Some((owner.entry_level(path), owner.section.as_ref()?))
}

/// What is written into notes besides what the store has.
#[derive(Clone, Copy)]
struct FilledWith<'a> {
    fields: &'a GivenFields,
    target: AdoptionTarget<'a>,
    /// Whether the original becomes the source of entries for which the store has none.
    has_new: bool,
}

impl FilledWith<'_> {
    /// Returns the fields for a note.
    fn given_for(&self, note: &NamedNote) -> GivenFields {
        let mut given = self.fields.clone();
        if let Some(status) = note.assumed_status().filter(|_| self.has_new) {
            given.entry(STATUS.to_owned()).or_insert_with(|| status.to_owned());
        }
        given
    }
}

const STATUS: &str = "Status";

impl NamedNote {
    fn assumed_status(&self) -> Option<&'static str> {
        self.adopted.record.as_ref()?.assumed_status()
    }
}

/// Writes sources and fields into the notes.
fn fill(notes: &[NamedNote], rulebook: &Rulebook, more: FilledWith<'_>) -> Vec<FilledNote> {
    let filled = notes.iter().map(|note| {
        let text = cite(note, rulebook, more);
        let (text, new_fields) = match entry_rules(rulebook, &note.adopted.to) {
            Some(rules) => {
                let stored = &note.adopted.stored.fields;
                let given = &more.given_for(note);
                with_fields(&Outline::read(&text), rules, FieldSources { stored, given })
            }
            None => (text, 0),
        };
        FilledNote { text, new_fields }
    });
    filled.collect()
}

/// Returns the text of a note with the sources that its category requires.
fn cite(note: &NamedNote, rulebook: &Rulebook, more: FilledWith<'_>) -> String {
    let AdoptedNote { to, text, cited, lines, stored, .. } = &note.adopted;
    let owner = rulebook.catalog.owner_of(to).filter(|it| it.needs_evidence && it.tracked);
    let Some(owner) = owner else { return note.text.clone() };
    let path = cited.clone().filter(|_| more.has_new);
    let original = path.map(|path| OriginalFile {
        blob: more.target.repository.and_then(|it| it.blob_on_disk(&path)),
        day: more.target.today.to_owned(),
        path,
    });
    let outline = Outline::read(&note.text);
    let lines = match lines {
        PieceLines::AsInText => section_lines(&Outline::read(text)),
        PieceLines::All(lines) => vec![*lines; outline.sections().len()],
        PieceLines::Each(lines) => lines.clone(),
    };
    let level = owner.entry_level(to);
    with_sources(&outline, level, &stored.sources, original.as_ref(), &lines)
}

/// Returns links as they may be shown.
fn shown_links(links: Vec<BrokenLink>, rulebook: &Rulebook) -> Vec<BrokenLink> {
    let shown = links
        .into_iter()
        .take(NAMED_LINKS)
        .map(|link| BrokenLink { target: excerpt(&rulebook.scanner.redact(&link.target)), ..link });
    shown.collect()
}

/// Gives ids to the sections of all notes.
fn give_ids(
    notes: Vec<AdoptedNote>,
    others: Vec<SectionId>,
    rulebook: &Rulebook,
) -> Vec<NamedNote> {
    let marked: Vec<_> = notes.iter().map(|n| with_marks(&Outline::read(&n.text))).collect();
    let marked_texts: Vec<_> = marked.iter().map(|(text, _)| text.as_str()).collect();
    let renames = IdRenames::of(&marked_texts, others);
    let named = notes.into_iter().zip(marked).map(|(adopted, (marked, marked_headings))| {
        let renamed = renames.apply(&marked);
        let (text, mut ids) =
            with_ids(&Outline::read(&renamed.text), rulebook.catalog.id_of_record(&adopted.to));
        ids.retain(|id| !adopted.stored.fields.contains_key(id));
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
