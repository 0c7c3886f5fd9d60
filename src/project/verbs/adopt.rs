//! Reads a folder of notes for `init --from`: what of it fits into a store, and what is wrong with the rest.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::contract::FileState;
use crate::contract::{MemoryPath, SectionId};
use crate::disk::Folder;
use crate::error::Result;
use crate::markdown::{Outline, with_ids, with_marks};
use crate::project::adopt::{
    MANIFEST, Places, RenamedId, Renames, SCHEMA, SHARED_THERE, Translated, Understood, translate,
};
use crate::project::check::{
    Content, Depth, Finding, Levels, Remark, Rule, Rulebook, is_setting, look, rulebook, settle,
};
use crate::project::store::index::memory_files;
use crate::project::store::{Store, is_same, list_files, open_outside, read_content};
use crate::project::verbs::{attributes, gitignore};
use crate::secrets::Scanner;
use crate::text::{count, excerpt};

/// What was taken from another folder, and what was not.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Adopted {
    /// The notes that are files of the store now.
    pub adopted: Vec<AdoptedFile>,
    /// The files in which something must not come into a store.
    pub refused: Vec<RefusedFile>,
    /// Files that the store has already, with another text.
    pub kept: Vec<String>,
    /// Settings that were translated, or hold here anyway.
    pub understood: Vec<Understood>,
    /// What has no meaning here.
    pub not_understood: Vec<String>,
    /// What `check` will find in the notes that were taken.
    pub findings: usize,
    /// Files that stay where they are, with ids: what they held when they were read.
    #[serde(skip)]
    in_place: BTreeMap<String, String>,
}

/// A note that is a file of the store now.
#[derive(Debug, Clone, Serialize)]
pub struct AdoptedFile {
    /// Where it was.
    pub from: String,
    /// Where it is, relative to the store.
    pub to: String,
    /// Sections that had no id and were given one.
    pub new_ids: usize,
    /// Underlined headings, which can have no id, that were written with `#`.
    pub marked_headings: usize,
    /// Sections whose id could not be one here.
    pub renamed_ids: Vec<RenamedId>,
    /// Links that were changed to lead to such a section.
    pub renamed_links: usize,
}

/// A file that was not taken.
#[derive(Debug, Clone, Serialize)]
pub struct RefusedFile {
    /// Where it is.
    pub from: String,
    /// Why.
    pub findings: Vec<Finding>,
}

/// Another folder, as far as it was read.
pub(super) struct Source {
    folder: Folder,
    paths: Vec<String>,
    /// Hidden files, and hidden folders with the number of files in them.
    hidden: BTreeMap<String, usize>,
    /// Its settings in our words.
    pub(super) translated: Translated,
    /// Whether it is the store itself, which becomes ours where it is.
    pub(super) is_store: bool,
    refused: Vec<RefusedFile>,
}

/// What must not come into a store, whatever else is to be said about a file.
const REFUSED: [Rule; 4] =
    [Rule::Secret, Rule::HiddenCharacter, Rule::FileUnreadable, Rule::ConflictMarker];

impl Source {
    /// Reads the names in a folder, and the settings of a store made by another tool.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let folder = open_outside(path)?;
        let mut paths = list_files(&folder)?;
        let mut hidden = BTreeMap::new();
        for path in paths.extract_if(.., |path| hidden_part(path).is_some()) {
            let part = hidden_part(&path).unwrap_or_default();
            *hidden.entry(part.to_owned()).or_default() += 1;
        }
        let (strict, _) = rulebook(&BTreeMap::new());
        let mut refused = Vec::new();
        let mut setting = |path: &str| {
            let is_there = paths.iter().any(|known| known == path);
            let content = is_there.then(|| read_content(&folder, path))?;
            let looked = look(path, &content, &strict, Depth::Rules);
            let Content::Bytes(bytes) = content else { return None };
            match wrong(looked.remarks, path, &strict) {
                None => String::from_utf8(bytes).ok(),
                Some(file) => {
                    refused.push(file);
                    None
                }
            }
        };
        let (manifest, schema) = (setting(MANIFEST), setting(SCHEMA));
        let translated = translate(manifest.as_deref(), schema.as_deref());
        paths.retain(|path| path != MANIFEST && path != SCHEMA);
        Ok(Self { folder, paths, hidden, translated, is_store: false, refused })
    }

    /// Notes whether the folder is the store itself, or holds it: then it is not one more thing that was hidden.
    pub(super) fn find_in_it(&mut self, store: &Path) {
        let folder = self.folder.path();
        self.is_store = is_same(store, folder);
        self.hidden.retain(|part, _| !is_same(store, folder.join(part)));
    }

    /// Says of what is hidden that it was not taken; what git reads is no note, nor are its settings in a store.
    fn tell_hidden(&self, scanner: &Scanner) -> Vec<String> {
        let is_of_git = |part: &str| {
            matches!(part.rsplit('/').find(|name| !name.is_empty()), Some(".git"))
                || (self.is_store && [gitignore::PATH, attributes::PATH].contains(&part))
        };
        let told = self.hidden.iter().filter(|(part, _)| !is_of_git(part));
        told.map(|(part, files)| match (scanner.redact(part), part.ends_with('/')) {
            (name, true) => format!("{name} (hidden, {})", count(*files, "file")),
            (name, false) => format!("{name} (hidden)"),
        })
        .collect()
    }

    /// Finds a place for each note; returns the texts by place, and what is to be told.
    pub(super) fn adopt(
        mut self,
        store: Option<&Store>,
        rulebook: &Rulebook,
    ) -> Result<(BTreeMap<String, String>, Adopted)> {
        let mut told = Adopted {
            refused: std::mem::take(&mut self.refused),
            understood: std::mem::take(&mut self.translated.understood),
            not_understood: std::mem::take(&mut self.translated.left),
            ..Adopted::default()
        };
        told.not_understood.extend(self.tell_hidden(&rulebook.scanner));
        let mut places = Places::new(&rulebook.catalog);
        let mut notes = Vec::new();
        let (own, others): (Vec<_>, Vec<_>) =
            self.paths.iter().partition(|path| places.is_own(path));
        for from in own.into_iter().chain(others) {
            let place = if from.ends_with(".md") { places.give(from) } else { None };
            // A note that lies in the store already is not copied to another place in it.
            let is_copy =
                |to: &MemoryPath| self.is_store && to.as_str() != from && from != SHARED_THERE;
            match place.filter(|to| !is_copy(to)).map(|to| to.to_string()) {
                Some(to) => {
                    let text = self.read_note(from, &to, rulebook, &mut told);
                    notes.extend(text.map(|text| Note { from: from.clone(), to, text }));
                }
                None if self.is_store && is_setting(from) => {}
                None => told.not_understood.push(rulebook.scanner.redact(from).into_owned()),
            }
        }
        let others = store.map(|store| ids_beside(store, &notes)).transpose()?;
        let texts = self.take(notes, others.unwrap_or_default(), rulebook, &mut told);
        Ok((texts, told))
    }

    /// Reads a note; nothing if it is refused.
    fn read_note(
        &self,
        from: &str,
        to: &str,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> Option<String> {
        let content = read_content(&self.folder, from);
        let looked = look(to, &content, rulebook, Depth::Rules);
        if let Some(file) = wrong(looked.remarks, from, rulebook) {
            told.refused.push(file);
            return None;
        }
        let Content::Bytes(bytes) = content else { return None };
        String::from_utf8(bytes).ok()
    }

    /// Gives the sections of all notes ids; returns the texts by place.
    fn take(
        &self,
        notes: Vec<Note>,
        others: Vec<SectionId>,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> BTreeMap<String, String> {
        let marked: Vec<_> = notes.iter().map(|n| with_marks(&Outline::read(&n.text))).collect();
        let marked_texts: Vec<_> = marked.iter().map(|(text, _)| text.as_str()).collect();
        let renames = Renames::of(&marked_texts, others);
        let mut texts = BTreeMap::new();
        for (Note { from, to, text: former }, (marked, marked_headings)) in
            notes.into_iter().zip(marked)
        {
            let renamed = renames.apply(&marked);
            let (text, ids) = with_ids(&Outline::read(&renamed.text));
            let now = Content::Bytes(text.clone().into_bytes());
            told.findings += look(&to, &now, rulebook, Depth::Rules).remarks.len();
            told.in_place.extend((self.is_store && from == to).then(|| (to.clone(), former)));
            texts.insert(to.clone(), text);
            told.adopted.push(AdoptedFile {
                from,
                to,
                new_ids: ids.len(),
                marked_headings,
                renamed_ids: renamed.ids,
                renamed_links: renamed.links,
            });
        }
        told.adopted.sort_by(|a, b| a.from.cmp(&b.from));
        texts
    }
}

/// A note that has a place.
struct Note {
    from: String,
    to: String,
    text: String,
}

/// Returns the ids in files of the store that no note is for.
///
/// What lies where a note is to be is mostly what an earlier run made of it, which another run is to find.
fn ids_beside(store: &Store, notes: &[Note]) -> Result<Vec<SectionId>> {
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

/// Returns the first hidden file or folder on a path, a folder with its slash.
fn hidden_part(path: &str) -> Option<&str> {
    let mut end = 0;
    path.split_inclusive('/').find_map(|part| {
        end += part.len();
        part.starts_with('.').then(|| &path[..end])
    })
}

impl Adopted {
    /// Returns what a file of the store held when it was read; nothing if it was read from elsewhere.
    pub(super) fn in_place(&self, path: &str) -> Option<&String> {
        self.in_place.get(path)
    }

    /// Notes that a file of settings was there already with another text: what was translated for it holds
    /// nowhere.
    pub(super) fn keep_settings(&mut self, path: String) {
        let is_for_it = |key: &mut Understood| key.file.as_deref() == Some(&path);
        let void = self.understood.extract_if(.., is_for_it);
        self.not_understood
            .extend(void.map(|void| format!("{} (`{path}` is there already)", void.key)));
        self.kept.push(path);
    }
}

/// Returns what must not come into a store, under the name that the file has where it is.
fn wrong(mut remarks: Vec<Remark>, from: &str, rulebook: &Rulebook) -> Option<RefusedFile> {
    let scanner = &rulebook.scanner;
    remarks.retain(|remark| REFUSED.contains(&remark.rule()));
    remarks.extend(scanner.scan(from).first().map(|found| {
        let message = format!("its name looks like a secret ({})", found.rule);
        Remark::new(Rule::Secret, from, message)
    }));
    let mut findings = settle(remarks, "", &Levels::default(), scanner);
    let from = excerpt(&scanner.redact(from));
    findings.iter_mut().for_each(|finding| finding.path.clone_from(&from));
    (!findings.is_empty()).then_some(RefusedFile { from, findings })
}
