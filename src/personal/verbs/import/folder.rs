//! Finds the Markdown files of a folder, in the order of its index, and names their entries.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{ImportItem, ItemContent};
use crate::disk::Folder;
use crate::disk::files;
use crate::disk::folder::{FileKind, StorePath};
use crate::error::Error;
use crate::markdown::BYTE_ORDER_MARK;
use crate::personal::index_file::{listed, without_entries};
use crate::personal::request::{EntryName, EntryReason, EntryRefusal};
use crate::personal::sources::EntryNames;
use crate::personal::verbs::stop::EarlyEnd;
use crate::text::count;

/// Files and folders that are looked at, at most: ten times as many as the entries of any person.
const MOST: usize = 100_000;

/// A Markdown file below the folder.
struct FoundFile {
    /// The folder that it is in, relative to the source: empty at the top.
    folder: String,
    /// Its name without the ending.
    stem: String,
    path: StorePath,
    kind: FileKind,
}

/// What the index of a folder says of its files: position and description, by stem.
type Descriptions = BTreeMap<String, (usize, String)>;

/// Lists what can be imported, and warnings. What begins with a dot belongs to other programs.
pub(super) fn items_in(folder: &Folder) -> Result<(Vec<ImportItem>, Vec<String>), EarlyEnd> {
    let mut search = FileSearch::default();
    search.find_files(folder)?;
    let FileSearch { mut files, indexes, mut warnings, .. } = search;
    warnings.extend(indexes.iter().filter_map(|(folder, index)| left_out(folder, index, &files)));
    let descriptions: BTreeMap<&String, Descriptions> =
        indexes.iter().map(|(folder, index)| (folder, descriptions_in(index))).collect();
    let line_of = |file: &FoundFile| descriptions.get(&file.folder)?.get(&file.stem);
    files.sort_by_cached_key(|file| {
        let position = line_of(file).map_or(usize::MAX, |(position, _)| *position);
        (file.folder.clone(), position, file.path.relative().to_owned())
    });
    let mut names = EntryNames::default();
    // A file that has the name of an entry keeps it, whatever another one is called.
    let own: Vec<Option<EntryName>> = files.iter().map(|file| file.own_name(&mut names)).collect();
    let items = files.iter().zip(own).map(|(file, own)| {
        let name = own.unwrap_or_else(|| names.give(&file.joined_name(), EntryNames::LONGEST));
        let description = line_of(file).map(|(_, description)| description.clone());
        ImportItem {
            from: file.path.relative().display().to_string(),
            is_renamed: name.as_str() != file.stem,
            name,
            content: ItemContent::File { path: file.path.clone(), kind: file.kind, description },
        }
    });
    Ok((items.collect(), warnings))
}

impl FoundFile {
    fn joined_name(&self) -> String {
        match self.folder.as_str() {
            "" => self.stem.clone(),
            folder => format!("{}-{}", folder.replace('/', "-"), self.stem),
        }
    }

    fn own_name(&self, names: &mut EntryNames) -> Option<EntryName> {
        let name = EntryName::parse(&self.joined_name()).ok()?;
        names.reserve(name.as_str()).then_some(name)
    }
}

#[derive(Default)]
struct FileSearch {
    files: Vec<FoundFile>,
    /// The text of the index, by folder.
    indexes: BTreeMap<String, String>,
    warnings: Vec<String>,
    looked_at: usize,
}

impl FileSearch {
    fn find_files(&mut self, folder: &Folder) -> Result<(), EarlyEnd> {
        let mut to_do = vec![(folder.inside(""), String::new())];
        while let Some((place, prefix)) = to_do.pop() {
            let mut names = match place.names() {
                Ok(names) => names,
                Err(cause) if prefix.is_empty() => {
                    return Err(Error::io("list", &place, cause).into());
                }
                Err(cause) => {
                    self.warnings.push(Error::io("list", &place, cause).to_string());
                    continue;
                }
            };
            self.looked_at += names.len();
            self.refuse_too_many()?;
            // Of two indexes the first is read, on each disk the same.
            names.sort_by(|(one, _), (other, _)| one.cmp(other));
            for (name, kind) in names {
                let path = place.join(&name);
                let name = name.to_string_lossy().into_owned();
                if name.starts_with('.') {
                    continue;
                }
                if kind == FileKind::Folder {
                    let inner = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
                    to_do.push((path, inner));
                } else {
                    self.add_file(&name, path, kind, &prefix);
                }
            }
        }
        Ok(())
    }

    fn add_file(&mut self, name: &str, path: StorePath, kind: FileKind, folder: &str) {
        match stem(name) {
            Some(stem) if stem.eq_ignore_ascii_case("memory") => self.add_index(&path, folder),
            Some(stem) => {
                let (folder, stem) = (folder.to_owned(), stem.to_owned());
                self.files.push(FoundFile { folder, stem, path, kind });
            }
            // It may lead to a folder.
            None if kind == FileKind::Link && !name.contains('.') => {
                self.warnings.push(format!("the link `{name}` is not followed"));
            }
            None => {}
        }
    }

    fn add_index(&mut self, path: &StorePath, folder: &str) {
        // `MEMORY.md` and `memory.md` are two files on some disks.
        if self.indexes.contains_key(folder) {
            let path = path.relative().display();
            self.warnings.push(format!("`{path}` is not read: its folder has another index"));
            return;
        }
        match files::read_text(path) {
            Ok(text) => drop(self.indexes.insert(folder.to_owned(), text.unwrap_or_default())),
            Err(error) => self.warnings.push(format!("the index is not read: {error}")),
        }
    }

    fn refuse_too_many(&self) -> Result<(), Box<EntryRefusal>> {
        if self.looked_at <= MOST {
            return Ok(());
        }
        let message = format!("the folder has more than {MOST} files");
        let hint = "name the folder that has the notes alone";
        Err(EntryRefusal::new(EntryReason::LimitExceeded, message, hint))
    }
}

/// Reads what an index says of the files in its folder.
fn descriptions_in(index: &str) -> Descriptions {
    let mut descriptions = Descriptions::new();
    for (position, line) in listed(index).into_iter().enumerate() {
        descriptions.entry(line.name).or_insert((position, line.hook));
    }
    descriptions
}

/// Warns of what an index says beside its list of files: older tools kept all their notes there.
fn left_out(folder: &str, index: &str, files: &[FoundFile]) -> Option<String> {
    let own = files.iter().filter(|file| file.folder == folder);
    let own: BTreeSet<&str> = own.map(|file| file.stem.as_str()).collect();
    let rest = without_entries(index, |name| own.contains(name));
    let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    let lines = rest.trim_start_matches(BYTE_ORDER_MARK).lines().filter(is_said).count();
    let shown = if folder.is_empty() { "MEMORY.md" } else { &format!("{folder}/MEMORY.md") };
    (lines > 0).then(|| {
        let lines = count(lines, "line");
        format!("what `{shown}` says beside its list of files is not imported: {lines}")
    })
}

/// Returns the name of a Markdown file without its ending.
fn stem(name: &str) -> Option<&str> {
    let (stem, ending) = name.rsplit_once('.')?;
    ending.eq_ignore_ascii_case("md").then_some(stem)
}
