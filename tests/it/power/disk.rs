//! A disk behind a cache: what was done to it, and what of that may be missing after a power cut.
//!
//! Every file has a list of writes, every folder a list of names that came and went. A sync makes a part
//! of them durable; of the others any may be lost that the [`Promise`] of the file system does not tie to
//! one that is kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::journal::Translation;
use super::kind::StoreKind;
use super::record::Event;

/// Nanoseconds between two operations by the clock of the model.
const TICK: i64 = 1_000;

/// How much a file system promises beyond what it was asked to sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Promise {
    /// Names come and go in the order in which it was asked for, and syncing a file keeps its name: ext4,
    /// xfs, btrfs. The bytes of a file may come at any time, before its name or after it.
    Journaled,
    /// Only what was synced itself is kept: a name needs a sync of its folder. Names in one folder keep
    /// their order, those in several do not.
    Posix,
}

/// A name in a folder.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) folder: usize,
    pub(super) name: String,
}

/// What was done to a disk.
#[derive(Debug)]
pub(super) enum Operation {
    /// Bytes were written to a file.
    Write { offset: usize, bytes: Vec<u8> },
    /// A file was cut or stretched.
    Cut { length: usize },
    /// A name went, or came, or both at once; where a file is set, it has the name that went.
    Name { gone: Option<Entry>, come: Option<(Entry, usize)>, back: Option<usize> },
    /// A file or folder was made durable.
    Sync { inode: usize },
    /// A part of the answer was printed.
    Say,
    /// A command ended.
    End,
}

/// A file or folder.
#[derive(Debug)]
pub(super) struct Inode {
    /// The names in it before anything was recorded; none of a file.
    pub(super) names: Option<BTreeMap<String, usize>>,
    /// Its bytes before anything was recorded.
    pub(super) bytes: Vec<u8>,
    /// When it was made, or last written before anything was recorded.
    pub(super) time: i64,
}

/// A disk, with all that was done to it.
#[derive(Debug)]
pub(super) struct Disk {
    pub(super) inodes: Vec<Inode>,
    pub(super) operations: Vec<Operation>,
    pub(super) kind: &'static StoreKind,
    pub(super) translation: Translation,
    start: i64,
    /// The names of each folder by now.
    now: Vec<BTreeMap<String, usize>>,
    /// The operations that write to each file.
    writes: Vec<Vec<usize>>,
}

impl Disk {
    /// Takes a folder as it is; all that is in it is durable. The clock starts at a time, in nanoseconds.
    pub(super) fn of(kind: &'static StoreKind, folder: &Path, start: i64) -> Self {
        let mut disk = Self {
            inodes: Vec::new(),
            operations: Vec::new(),
            kind,
            translation: Translation::in_folder(kind, folder),
            start,
            now: Vec::new(),
            writes: Vec::new(),
        };
        disk.add_folder(folder);
        disk
    }

    /// Returns when an operation was done, in nanoseconds.
    pub(super) fn time(&self, operation: usize) -> i64 {
        self.start + TICK * i64::try_from(operation + 1).unwrap()
    }

    /// Does what was recorded of a command.
    pub(super) fn play(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.play_one(event));
        self.operations.push(Operation::End);
    }

    /// Returns the operations before one that write to a file.
    pub(super) fn writes(&self, inode: usize, before: usize) -> &[usize] {
        let writes = &self.writes[inode];
        &writes[..writes.partition_point(|number| *number < before)]
    }

    /// Tells whether the last operation before one wrote to a file, by the name that this has in the end.
    pub(super) fn has_just_written(&self, path: &str, before: usize) -> bool {
        let last = self.find(path).and_then(|inode| self.writes(inode, before).last());
        last.is_some_and(|last| last + 1 == before)
    }

    /// Returns the last name of a file or folder.
    pub(super) fn name_of(&self, inode: usize) -> &str {
        let names = self.operations.iter().rev().filter_map(|operation| match operation {
            Operation::Name { come: Some((entry, named)), .. } if *named == inode => {
                Some(entry.name.as_str())
            }
            _ => None,
        });
        let before = || {
            let folders = self.inodes.iter().flat_map(|inode| &inode.names).flatten();
            folders.filter(|(_, each)| **each == inode).map(|(name, _)| name.as_str()).next()
        };
        names.chain(before()).next().unwrap_or("?")
    }

    fn play_one(&mut self, event: &Event) {
        match event {
            Event::Open { path, empty } => match self.find(path) {
                None => self.make(path, None),
                Some(inode) if *empty => self.write(inode, Operation::Cut { length: 0 }),
                Some(_) => {}
            },
            Event::AskTime => {
                self.translation.asked = Some(self.time(self.operations.len()) - TICK);
            }
            Event::MakeFolder { path } => self.make(path, Some(BTreeMap::new())),
            Event::Write { path, offset, bytes } => {
                if *path == self.kind.journal() {
                    let times = |path: &str| self.find(path).map(|inode| self.modified(inode));
                    let translation = self.translation.of(bytes, &times);
                    self.translation.lines.extend(translation);
                }
                let (inode, offset) = (self.found(path), *offset);
                self.write(inode, Operation::Write { offset, bytes: bytes.clone() });
            }
            Event::Cut { path, length } => {
                let inode = self.found(path);
                self.write(inode, Operation::Cut { length: *length });
            }
            Event::Rename { from, to } => {
                let inode = self.found(from);
                let (gone, come) = (self.entry(from), (self.entry(to), inode));
                self.name(Some(gone), Some(come), None);
            }
            Event::Exchange { from, to } => {
                let (inode, back) = (self.found(from), self.found(to));
                let (gone, come) = (self.entry(from), (self.entry(to), inode));
                self.name(Some(gone), Some(come), Some(back));
            }
            Event::Remove { path } => {
                let gone = self.entry(path);
                self.name(Some(gone), None, None);
            }
            Event::Sync { path } => {
                let inode = self.found(path);
                self.operations.push(Operation::Sync { inode });
            }
            Event::Say => self.operations.push(Operation::Say),
        }
    }

    fn make(&mut self, path: &str, names: Option<BTreeMap<String, usize>>) {
        let time = self.time(self.operations.len());
        let inode = self.add(Inode { names, bytes: Vec::new(), time });
        let entry = self.entry(path);
        self.name(None, Some((entry, inode)), None);
    }

    fn write(&mut self, inode: usize, operation: Operation) {
        self.writes[inode].push(self.operations.len());
        self.operations.push(operation);
    }

    fn name(&mut self, gone: Option<Entry>, come: Option<(Entry, usize)>, back: Option<usize>) {
        apply_name(&mut self.now, gone.as_ref(), come.as_ref(), back);
        self.operations.push(Operation::Name { gone, come, back });
    }

    fn entry(&self, path: &str) -> Entry {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Entry { folder: self.found(folder), name: name.to_owned() }
    }

    fn found(&self, path: &str) -> usize {
        self.find(path).unwrap_or_else(|| panic!("the model has no `{path}`"))
    }

    fn find(&self, path: &str) -> Option<usize> {
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        parts.try_fold(0, |folder, part| self.now[folder].get(part).copied())
    }

    /// Returns when a file was last written, as far as was recorded by now.
    fn modified(&self, inode: usize) -> i64 {
        self.writes[inode].last().map_or(self.inodes[inode].time, |number| self.time(*number))
    }

    fn add_folder(&mut self, folder: &Path) -> usize {
        let inode = self.add(Inode { names: None, bytes: Vec::new(), time: modified(folder) });
        let mut names = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap() {
            let (path, name) = entry.map(|each| (each.path(), each.file_name())).unwrap();
            let child = if path.is_dir() { self.add_folder(&path) } else { self.add_file(&path) };
            names.insert(name.into_string().unwrap(), child);
        }
        self.now[inode].clone_from(&names);
        self.inodes[inode].names = Some(names);
        inode
    }

    fn add_file(&mut self, path: &Path) -> usize {
        self.add(Inode { names: None, bytes: fs::read(path).unwrap(), time: modified(path) })
    }

    fn add(&mut self, inode: Inode) -> usize {
        self.inodes.push(inode);
        self.now.push(BTreeMap::new());
        self.writes.push(Vec::new());
        self.inodes.len() - 1
    }
}

/// Lets a name come and go.
pub(super) fn apply_name(
    names: &mut [BTreeMap<String, usize>],
    gone: Option<&Entry>,
    come: Option<&(Entry, usize)>,
    back: Option<usize>,
) {
    if let Some(gone) = gone {
        names[gone.folder].remove(&gone.name);
        back.map(|back| names[gone.folder].insert(gone.name.clone(), back));
    }
    if let Some((entry, inode)) = come {
        names[entry.folder].insert(entry.name.clone(), *inode);
    }
}

fn modified(path: &Path) -> i64 {
    let time = fs::metadata(path).unwrap().modified().unwrap();
    i64::try_from(time.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos()).unwrap()
}
