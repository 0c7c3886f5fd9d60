//! Decides what each file of a folder of notes is: a decision, a log of decisions, a part of a memory bank, or a note.

use std::collections::{BTreeMap, BTreeSet};

use super::adr::{DecisionRecord, leveled, read_record};
use super::decision_log::{LogEntry, read_log};
use super::memory_bank::{bank_file, is_bank, is_guide, plain_name};
use super::note_paths::{is_note, stem_of};
use crate::contract::SectionId;
use crate::markdown::{Outline, file_name};

/// Categories by the names of files, as a person gives them: `--map NAME=CATEGORY`.
pub(crate) type GivenCategories = BTreeMap<String, String>;

/// What a file is.
#[derive(Debug)]
pub(crate) enum NoteForm {
    /// A note, which keeps its name.
    Plain,
    /// It has a category: the one that a person gave, or that its name stands for, and a name as a module.
    Of { category: String, module: String },
    /// An entry of the category that has a file of its own.
    Record { category: String, record: Box<DecisionRecord> },
    /// Many decisions.
    Log { entries: Vec<LogEntry>, other_lines: usize },
    /// A template or a guide of the folder.
    Guide,
}

/// The files of a folder of notes, with what they are.
pub(crate) struct NoteForms<'a> {
    texts: &'a BTreeMap<String, String>,
    given: &'a GivenCategories,
    /// Folders with records or a memory bank.
    known: BTreeSet<String>,
    banks: BTreeSet<String>,
}

impl<'a> NoteForms<'a> {
    /// Looks at all notes; a folder is known by the form of its files.
    pub(crate) fn of(texts: &'a BTreeMap<String, String>, given: &'a GivenCategories) -> Self {
        let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in texts.keys().filter(|path| is_note(path)) {
            folders.entry(folder_of(path)).or_default().push(path);
        }
        let is_record = |path: &&str| !is_guide(path) && read_record(path, &texts[*path]).is_some();
        let (mut known, mut banks) = (BTreeSet::new(), BTreeSet::new());
        for (folder, paths) in folders {
            if is_bank(paths.iter().copied()) {
                banks.insert(folder.to_owned());
                known.insert(folder.to_owned());
            } else if paths.iter().any(is_record) {
                known.insert(folder.to_owned());
            }
        }
        Self { texts, given, known, banks }
    }

    /// Returns what a file is.
    pub(crate) fn form_of(&self, path: &str) -> NoteForm {
        let Some(text) = self.texts.get(path).filter(|_| is_note(path)) else {
            return NoteForm::Plain;
        };
        let bank = bank_file(path).filter(|_| self.banks.contains(folder_of(path)));
        let given = [path.to_owned(), plain_name(path)];
        if let Some(category) = given.iter().find_map(|name| self.given.get(name)) {
            let module = bank.map_or_else(|| file_name(path).to_owned(), |it| it.module.to_owned());
            return as_category(path, text, category, module);
        }
        if is_guide(path) && self.is_in_known(path) {
            return NoteForm::Guide;
        }
        if let Some(file) = bank {
            return as_category(path, text, file.category, file.module.to_owned());
        }
        match read_record(path, text) {
            Some(record) => {
                NoteForm::Record { category: "decisions".to_owned(), record: Box::new(record) }
            }
            None => NoteForm::Plain,
        }
    }

    fn is_in_known(&self, path: &str) -> bool {
        let folder = folder_of(path);
        // adr-tools keeps its template in a folder of its own.
        let above = folder_of(folder);
        self.known.contains(folder)
            || (plain_name(path).contains("template") && self.known.contains(above))
    }
}

fn as_category(path: &str, text: &str, category: &str, module: String) -> NoteForm {
    let category = category.to_owned();
    if category != "decisions" {
        return NoteForm::Of { category, module };
    }
    if let Some(record) = read_record(path, text) {
        return NoteForm::Record { category, record: Box::new(record) };
    }
    let log = read_log(text);
    match log.entries.is_empty() {
        true => NoteForm::Of { category, module },
        false => NoteForm::Log { entries: log.entries, other_lines: log.other_lines },
    }
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Makes a note an entry with a file of its own, which has one section of level 1; returns its id and its text.
pub(crate) fn as_entry(path: &str, text: &str) -> (SectionId, String) {
    let outline = Outline::read(text);
    match outline.sections().first().filter(|first| first.heading.level == 1) {
        Some(first) => {
            let of_heading = || SectionId::from_heading(&first.heading.text);
            let (own, rest) = text.split_at(first.own_end);
            (first.id.clone().unwrap_or_else(of_heading), own.to_owned() + &leveled(rest, 1))
        }
        None => {
            let name = file_name(path);
            let title = stem_of(name).unwrap_or(name);
            (SectionId::from_heading(title), format!("# {title}\n\n{text}"))
        }
    }
}
