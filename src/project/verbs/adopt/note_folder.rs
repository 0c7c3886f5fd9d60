//! A folder of notes: its files, the settings of another tool in it, and what must not come into a store.

use std::collections::BTreeMap;
use std::path::Path;

use super::folders::{AdoptionFolders, RealFolders};
use super::origin;
use super::report::RefusedFile;
use crate::disk::{Folder, outside};
use crate::error::Result;
use crate::project::adopt::{FileNames, MANIFEST, SCHEMA, Translated, is_note, translate};
use crate::project::check::{
    Content, Depth, Levels, Remark, Rule, Rulebook, check_file, rulebook, settle,
};
use crate::project::store::{list_files, read_content};
use crate::project::verbs::{attributes, gitignore};
use crate::secrets::Scanner;
use crate::text::{count, excerpt};

/// A folder of notes, as far as it was read.
pub(in crate::project::verbs) struct NoteFolder {
    pub(super) folder: Folder,
    /// Whether one file of it was named, and no other is read.
    is_one_file: bool,
    pub(super) paths: Vec<String>,
    /// Hidden files, and hidden folders with the number of their files.
    hidden: BTreeMap<String, usize>,
    /// The settings of the other tool, in our words.
    pub(in crate::project::verbs) translated: Translated,
    pub(in crate::project::verbs) is_store: bool,
    /// What stands before the path of a note, to make the path by which it is known.
    pub(super) prefix: Option<String>,
    /// What stands before the path of a note where sources name it; none outside of the folder that the store is in.
    pub(super) cited_prefix: Option<String>,
    pub(super) folders: AdoptionFolders,
    /// Whether the settings of another tool lie there.
    pub(super) has_settings: bool,
    pub(super) refused: Vec<RefusedFile>,
    /// Notes that only the store has still.
    pub(super) gone: Vec<GoneNote>,
}

/// A note of which only the text in the store is left.
pub(super) struct GoneNote {
    /// The path in the folder of notes, if it was there.
    pub(super) from: Option<String>,
    pub(super) origin: String,
    pub(super) to: String,
    pub(super) text: String,
    /// What its text has in common with the note that it was made of.
    pub(super) likeness: String,
}

/// Rules that keep a file out of the store.
const REFUSED: [Rule; 4] =
    [Rule::Secret, Rule::HiddenCharacter, Rule::FileUnreadable, Rule::ConflictMarker];

impl NoteFolder {
    /// Reads what `--from` names: a folder of notes, or one file.
    pub(in crate::project::verbs) fn read(path: &Path) -> Result<Self> {
        match outside::open_around(path)? {
            Some((folder, file)) => Ok(Self::of_file(folder, file)),
            None => Self::of_folder(outside::open_folder(path)?),
        }
    }

    fn of_file(folder: Folder, file: String) -> Self {
        Self {
            folder,
            is_one_file: true,
            paths: vec![file],
            hidden: BTreeMap::new(),
            translated: Translated::default(),
            is_store: false,
            prefix: None,
            cited_prefix: None,
            folders: AdoptionFolders::default(),
            has_settings: false,
            refused: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Reads the file names of a folder, and the settings of another tool.
    fn of_folder(folder: Folder) -> Result<Self> {
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
            let checked = check_file(path, &content, &strict, Depth::Rules);
            let Content::Bytes(bytes) = content else { return None };
            match wrong(checked.remarks, path, &strict) {
                None => String::from_utf8(bytes).ok(),
                Some(file) => {
                    refused.push(file);
                    None
                }
            }
        };
        let (manifest, schema) = (setting(MANIFEST), setting(SCHEMA));
        let translated = translate(manifest.as_deref(), schema.as_deref());
        let all = paths.len();
        paths.retain(|path| path != MANIFEST && path != SCHEMA);
        let has_settings = paths.len() < all;
        Ok(Self {
            folder,
            is_one_file: false,
            paths,
            hidden,
            translated,
            is_store: false,
            prefix: None,
            cited_prefix: None,
            folders: AdoptionFolders::default(),
            has_settings,
            refused,
            gone: Vec::new(),
        })
    }

    /// Returns the file that was named, if it was no folder.
    pub(super) fn one_file(&self) -> Option<&str> {
        self.paths.first().filter(|_| self.is_one_file).map(String::as_str)
    }

    /// Sets where the folder lies, seen from the root of the store: by that its notes are known, and their links followed.
    pub(in crate::project::verbs) fn locate(&mut self, root: &Path) {
        if let Some(real) = RealFolders::of(self.folder.path(), root) {
            self.prefix = origin::prefix_of(&real);
            self.cited_prefix = origin::cited_prefix_of(&real);
            let files = FileNames::of(self.paths.iter().map(String::as_str));
            self.folders = AdoptionFolders::of(real, files);
        }
    }

    /// Sets whether the folder is the store. A store inside the folder is not reported as hidden.
    pub(in crate::project::verbs) fn detect_store(&mut self, store: &Path) {
        let folder = self.folder.path();
        self.is_store = !self.is_one_file && outside::is_same(store, folder);
        self.hidden.retain(|part, _| !outside::is_same(store, folder.join(part)));
    }

    /// Says that there is nothing to adopt.
    pub(in crate::project::verbs) fn warn_of_no_note(&self) -> Option<String> {
        let is_empty =
            !self.is_one_file && !self.has_settings && !self.paths.iter().any(|path| is_note(path));
        let message =
            "no note was found in the folder of `--from`: a note is a file such as `team.md`";
        is_empty.then(|| message.to_owned())
    }

    /// Reports the hidden files, except those of git.
    pub(super) fn tell_hidden(&self, scanner: &Scanner) -> Vec<String> {
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

    /// Reads a note; refuses one with what must not come into a store.
    pub(super) fn read_note(
        &self,
        from: &str,
        to: &str,
        rulebook: &Rulebook,
        refused: &mut Vec<RefusedFile>,
    ) -> Option<String> {
        let content = read_content(&self.folder, from);
        let checked = check_file(to, &content, rulebook, Depth::Rules);
        if let Some(file) = wrong(checked.remarks, from, rulebook) {
            refused.push(file);
            return None;
        }
        let Content::Bytes(bytes) = content else { return None };
        String::from_utf8(bytes).ok()
    }
}

fn hidden_part(path: &str) -> Option<&str> {
    let mut end = 0;
    path.split_inclusive('/').find_map(|part| {
        end += part.len();
        part.starts_with('.').then(|| &path[..end])
    })
}

/// Returns the findings that keep a file out of the store, under the name of the original file.
fn wrong(mut remarks: Vec<Remark>, from: &str, rulebook: &Rulebook) -> Option<RefusedFile> {
    let scanner = &rulebook.scanner;
    remarks.retain(|remark| REFUSED.contains(&remark.rule()));
    let is_unreadable = remarks.iter().any(|remark| remark.rule() == Rule::FileUnreadable);
    let in_name = scanner.scan(from);
    let mend = match (is_unreadable, in_name.is_empty()) {
        (_, false) => "give the original file another name",
        (true, true) => "make the original file a readable UTF-8 text",
        (false, true) => "remove what the findings name from the original file",
    };
    remarks.extend(in_name.first().map(|found| {
        let message = format!("its name looks like a secret ({})", found.rule);
        Remark::new(Rule::Secret, from, message)
    }));
    let mut findings = settle(remarks, "".into(), &Levels::default(), scanner);
    let from = excerpt(&scanner.redact(from));
    findings.iter_mut().for_each(|finding| finding.path.clone_from(&from));
    let hint = format!("{mend}, then run the same command again");
    (!findings.is_empty()).then_some(RefusedFile { from, findings, hint })
}
