//! Reads a folder of notes for `init --from`: what of it fits into a store, and what is wrong with the rest.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use crate::contract::{FileState, SectionId};
use crate::disk::{Folder, outside};
use crate::error::Result;
use crate::markdown::{Outline, with_ids, with_marks};
use crate::project::adopt::{
    IdRenames, MANIFEST, NotePlaces, RenamedId, SCHEMA, SHARED_THERE, Translated, Understood,
    translate,
};
use crate::project::check::{
    CheckFinding, Content, Depth, Levels, Remark, Rule, Rulebook, check_file, is_setting, rulebook,
    settle,
};
use crate::project::request::MemoryPath;
use crate::project::store::sections::memory_files;
use crate::project::store::{Store, list_files, read_content};
use crate::project::verbs::{attributes, gitignore};
use crate::secrets::Scanner;
use crate::text::{count, excerpt};

#[derive(Debug, Clone, Default, Serialize, schemars::JsonSchema)]
pub struct Adopted {
    pub adopted: Vec<AdoptedFile>,
    pub refused: Vec<RefusedFile>,
    /// Files that the store already has, with another text.
    pub kept: Vec<String>,
    pub understood: Vec<Understood>,
    pub not_understood: Vec<String>,
    /// What `check` will find in the notes that were taken.
    pub findings: usize,
    /// The files that stay where they are, with their text before they got ids.
    #[serde(skip)]
    pub(super) in_place: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct AdoptedFile {
    pub from: String,
    /// Relative to the store.
    pub to: String,
    pub new_ids: usize,
    /// Underlined headings that were rewritten with `#`: only those can have an id.
    pub marked_headings: usize,
    /// Sections whose old id is not valid here.
    pub renamed_ids: Vec<RenamedId>,
    pub renamed_links: usize,
}

#[derive(Debug, Clone, Serialize, schemars::JsonSchema)]
pub struct RefusedFile {
    pub from: String,
    pub findings: Vec<CheckFinding>,
}

/// A folder of notes, as far as it was read.
pub(super) struct NoteFolder {
    folder: Folder,
    paths: Vec<String>,
    /// Hidden files, and hidden folders with the number of their files.
    hidden: BTreeMap<String, usize>,
    /// The settings of the other tool, in our words.
    pub(super) translated: Translated,
    pub(super) is_store: bool,
    refused: Vec<RefusedFile>,
}

/// Rules that keep a file out of the store.
const REFUSED: [Rule; 4] =
    [Rule::Secret, Rule::HiddenCharacter, Rule::FileUnreadable, Rule::ConflictMarker];

impl NoteFolder {
    /// Reads the file names of a folder, and the settings of another tool.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let folder = outside::open_folder(path)?;
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
            let looked = check_file(path, &content, &strict, Depth::Rules);
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

    /// Notes whether the folder is the store, or contains it: a store is not reported as hidden.
    pub(super) fn find_in_it(&mut self, store: &Path) {
        let folder = self.folder.path();
        self.is_store = outside::is_same(store, folder);
        self.hidden.retain(|part, _| !outside::is_same(store, folder.join(part)));
    }

    /// Reports the hidden files, except those of git.
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

    /// Finds a path in the store for each note; returns the texts by path, and the report.
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
        let mut places = NotePlaces::new(&rulebook.catalog);
        let mut notes = Vec::new();
        let (own, others): (Vec<_>, Vec<_>) =
            self.paths.iter().partition(|path| places.is_own(path));
        for from in own.into_iter().chain(others) {
            let place = if from.ends_with(".md") { places.give(from) } else { None };
            // A note that is in the store already is not copied inside it.
            let is_copy =
                |to: &MemoryPath| self.is_store && to.as_str() != from && from != SHARED_THERE;
            match place.filter(|to| !is_copy(to)).map(|to| to.to_string()) {
                Some(to) => {
                    let text = self.read_note(from, &to, rulebook, &mut told);
                    notes.extend(text.map(|text| PlacedNote { from: from.clone(), to, text }));
                }
                None if self.is_store && is_setting(from) => {}
                None => told.not_understood.push(rulebook.scanner.redact(from).into_owned()),
            }
        }
        let others = store.map(|store| ids_beside(store, &notes)).transpose()?;
        let texts = self.give_ids(notes, others.unwrap_or_default(), rulebook, &mut told);
        Ok((texts, told))
    }

    fn read_note(
        &self,
        from: &str,
        to: &str,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> Option<String> {
        let content = read_content(&self.folder, from);
        let looked = check_file(to, &content, rulebook, Depth::Rules);
        if let Some(file) = wrong(looked.remarks, from, rulebook) {
            told.refused.push(file);
            return None;
        }
        let Content::Bytes(bytes) = content else { return None };
        String::from_utf8(bytes).ok()
    }

    /// Gives ids to the sections of all notes; returns the texts by path.
    fn give_ids(
        &self,
        notes: Vec<PlacedNote>,
        others: Vec<SectionId>,
        rulebook: &Rulebook,
        told: &mut Adopted,
    ) -> BTreeMap<String, String> {
        let marked: Vec<_> = notes.iter().map(|n| with_marks(&Outline::read(&n.text))).collect();
        let marked_texts: Vec<_> = marked.iter().map(|(text, _)| text.as_str()).collect();
        let renames = IdRenames::of(&marked_texts, others);
        let mut texts = BTreeMap::new();
        for (PlacedNote { from, to, text: former }, (marked, marked_headings)) in
            notes.into_iter().zip(marked)
        {
            let renamed = renames.apply(&marked);
            let (text, ids) = with_ids(&Outline::read(&renamed.text));
            let now = Content::Bytes(text.clone().into_bytes());
            told.findings += check_file(&to, &now, rulebook, Depth::Rules).remarks.len();
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

struct PlacedNote {
    from: String,
    to: String,
    text: String,
}

/// Returns the ids of store files that no note is for. The others were mostly made from these notes by an earlier run.
fn ids_beside(store: &Store, notes: &[PlacedNote]) -> Result<Vec<SectionId>> {
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

fn hidden_part(path: &str) -> Option<&str> {
    let mut end = 0;
    path.split_inclusive('/').find_map(|part| {
        end += part.len();
        part.starts_with('.').then(|| &path[..end])
    })
}

impl Adopted {
    /// Reports settings that were translated in vain, as the store has that file already.
    pub(super) fn keep_settings(&mut self, path: String) {
        let is_for_it = |key: &mut Understood| key.file.as_deref() == Some(&path);
        let void = self.understood.extract_if(.., is_for_it);
        self.not_understood
            .extend(void.map(|void| format!("{} (`{path}` is there already)", void.key)));
        self.kept.push(path);
    }
}

/// Returns the findings that keep a file out of the store, under the name of the original file.
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
