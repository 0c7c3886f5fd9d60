//! What a disk may hold after a power cut.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::disk::{Disk, Operation, Promise, apply_name};

/// Bytes that a disk keeps or loses as a whole.
const PAGE: usize = 4096;

/// What became of the writes to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Fate {
    /// So many of them are there.
    Writes(usize),
    /// So many of them are there, and the length of all: the rest is zeros.
    Zeros(usize),
    /// So many of them are there, and half of the next.
    Half(usize),
    /// All are there, but this page is as it was when the file was last synced.
    OldPage(usize),
}

/// A power cut, and what of the operations before it was not yet durable.
#[derive(Debug)]
pub(super) struct Cut {
    /// The operations before it.
    pub(super) before: usize,
    /// The names that may be lost, by operation.
    pub(super) names: Vec<usize>,
    /// For each file with writes that may be lost, how many are durable, and how many there are.
    pub(super) files: BTreeMap<usize, (usize, usize)>,
}

/// What is kept of all that might be lost.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kept {
    /// The names, by operation.
    pub(super) names: BTreeSet<usize>,
    /// The files of which not all is kept.
    pub(super) files: BTreeMap<usize, Fate>,
}

/// What stands where after a power cut.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Node {
    /// A folder, and when a name in it last came or went.
    Folder(i64),
    /// A file.
    File(usize, Fate),
}

impl Kept {
    /// Keeps the first half of the names, and all that was written.
    pub(super) fn half_of_the_names(cut: &Cut) -> Self {
        let names = cut.names[..cut.names.len() / 2].iter().copied().collect();
        Self { names, files: BTreeMap::new() }
    }
}

impl Cut {
    /// Cuts the power after so many operations.
    pub(super) fn after(disk: &Disk, before: usize, promise: Promise) -> Self {
        let (mut names, mut synced) = (BTreeSet::new(), BTreeMap::new());
        for (number, operation) in disk.operations[..before].iter().enumerate() {
            match operation {
                Operation::Name { .. } => drop(names.insert(number)),
                Operation::Sync { inode } => {
                    synced.insert(*inode, number);
                    keep_names(disk, *inode, promise, &mut names);
                }
                Operation::Write { .. }
                | Operation::Cut { .. }
                | Operation::Say
                | Operation::End => {}
            }
        }
        let mut files = BTreeMap::new();
        for inode in 0..disk.inodes.len() {
            let writes = disk.writes(inode, before);
            let last = synced.get(&inode).copied();
            let durable = writes.iter().filter(|number| last.is_some_and(|s| **number < s)).count();
            if durable < writes.len() {
                files.insert(inode, (durable, writes.len()));
            }
        }
        Self { before, names: names.into_iter().collect(), files }
    }

    /// Returns what may have become of a file.
    pub(super) fn fates(&self, disk: &Disk, inode: usize) -> Vec<Fate> {
        let Some((durable, all)) = self.files.get(&inode).copied() else { return Vec::new() };
        let mut fates: Vec<Fate> = (durable..all).map(Fate::Writes).collect();
        fates.extend((durable..all).map(Fate::Zeros));
        fates.extend((durable..all).map(Fate::Half));
        let pages = disk.content(inode, all).len().div_ceil(PAGE);
        fates.extend((0..pages).filter(|_| pages > 1).map(Fate::OldPage));
        fates
    }

    /// Returns what stands where.
    pub(super) fn tree(&self, disk: &Disk, kept: &Kept) -> BTreeMap<String, Node> {
        let mut found = Folders::before_anything(disk);
        for (number, operation) in disk.operations[..self.before].iter().enumerate() {
            let Operation::Name { gone, come, back } = operation else { continue };
            let lost = self.names.binary_search(&number).is_ok() && !kept.names.contains(&number);
            let possible = come.as_ref().is_none_or(|(entry, _)| {
                // Nothing moves to a folder that is not there.
                let there = gone.is_none() || found.named[entry.folder];
                found.open[entry.folder] && there
            });
            if lost || !possible {
                come.iter().for_each(|(entry, _)| found.open[entry.folder] = false);
                continue;
            }
            apply_name(&mut found.names, gone.as_ref(), come.as_ref(), *back);
            let entries = gone.iter().chain(come.iter().map(|(entry, _)| entry));
            entries.for_each(|entry| found.times[entry.folder] = disk.time(number));
            come.iter().for_each(|(_, inode)| found.named[*inode] = true);
        }
        let mut tree = BTreeMap::new();
        let mut folders = vec![(0, String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            for (name, inode) in &found.names[folder] {
                let path = format!("{prefix}{name}");
                let node = match disk.inodes[*inode].names {
                    Some(_) => {
                        folders.push((*inode, format!("{path}/")));
                        Node::Folder(found.times[*inode])
                    }
                    None => Node::File(*inode, self.fate(disk, kept, *inode)),
                };
                tree.insert(path, node);
            }
        }
        tree
    }

    fn fate(&self, disk: &Disk, kept: &Kept, inode: usize) -> Fate {
        let all = Fate::Writes(disk.writes(inode, self.before).len());
        kept.files.get(&inode).copied().unwrap_or(all)
    }

    /// Puts what is left into a folder, with the times that it has.
    pub(super) fn write(&self, disk: &Disk, tree: &BTreeMap<String, Node>, folder: &Path) {
        disk.translation.key();
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).unwrap();
        for (path, node) in tree {
            let Node::File(inode, fate) = node else {
                fs::create_dir_all(folder.join(path)).unwrap();
                continue;
            };
            let target = folder.join(path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            let (mut bytes, time) = self.look_up(disk, *inode, *fate);
            if *path == disk.kind.journal() {
                bytes = disk.translation.reboot(&bytes);
            }
            fs::write(&target, bytes).unwrap();
            set_time(&target, time);
        }
        for (path, node) in tree {
            if let Node::Folder(time) = node {
                set_time(&folder.join(path), *time);
            }
        }
    }

    /// Returns what a file holds, and when it was written.
    fn look_up(&self, disk: &Disk, inode: usize, fate: Fate) -> (Vec<u8>, i64) {
        let writes = disk.writes(inode, self.before);
        let (durable, all) = self.files.get(&inode).copied().unwrap_or((0, writes.len()));
        let (bytes, count) = match fate {
            Fate::Writes(count) => (disk.content(inode, count), count),
            Fate::Zeros(count) => {
                let mut bytes = disk.content(inode, count);
                bytes.resize(disk.content(inode, all).len(), 0);
                (bytes, all)
            }
            Fate::Half(count) => (disk.content_and_half(inode, count), count + 1),
            Fate::OldPage(page) => {
                let (mut bytes, mut old) = (disk.content(inode, all), disk.content(inode, durable));
                let page = page * PAGE..bytes.len().min((page + 1) * PAGE);
                old.resize(bytes.len(), 0);
                bytes[page.clone()].copy_from_slice(&old[page]);
                (bytes, all)
            }
        };
        let last = count.checked_sub(1).map(|last| disk.time(writes[last]));
        (bytes, last.unwrap_or(disk.inodes[inode].time))
    }
}

/// The folders of a disk while names come and go.
struct Folders {
    names: Vec<BTreeMap<String, usize>>,
    times: Vec<i64>,
    /// Whether names can still come: they keep their order, so after one that was lost no other can.
    open: Vec<bool>,
    /// Whether it has a name itself.
    named: Vec<bool>,
}

impl Folders {
    fn before_anything(disk: &Disk) -> Self {
        let mut named = vec![true; disk.inodes.len()];
        for operation in &disk.operations {
            if let Operation::Name { gone: None, come: Some((_, inode)), .. } = operation {
                named[*inode] = false;
            }
        }
        Self {
            names: disk.inodes.iter().map(|i| i.names.clone().unwrap_or_default()).collect(),
            times: disk.inodes.iter().map(|inode| inode.time).collect(),
            open: vec![true; disk.inodes.len()],
            named,
        }
    }
}

impl Disk {
    /// Returns the bytes of a file after so many writes.
    fn content(&self, inode: usize, count: usize) -> Vec<u8> {
        let mut content = self.inodes[inode].bytes.clone();
        for number in &self.writes(inode, usize::MAX)[..count] {
            apply_write(&mut content, &self.operations[*number], |bytes| bytes);
        }
        content
    }

    fn content_and_half(&self, inode: usize, count: usize) -> Vec<u8> {
        let mut content = self.content(inode, count);
        if let Some(next) = self.writes(inode, usize::MAX).get(count) {
            apply_write(&mut content, &self.operations[*next], |bytes| &bytes[..bytes.len() / 2]);
        }
        content
    }
}

fn apply_write(content: &mut Vec<u8>, operation: &Operation, part: impl Fn(&[u8]) -> &[u8]) {
    match operation {
        Operation::Write { offset, bytes, .. } => {
            let end = offset + part(bytes).len();
            content.resize(content.len().max(end), 0);
            content[*offset..end].copy_from_slice(part(bytes));
        }
        Operation::Cut { length, .. } => content.resize(*length, 0),
        Operation::Name { .. } | Operation::Sync { .. } | Operation::Say | Operation::End => {}
    }
}

/// Takes from the names that may be lost those which a sync has made durable.
fn keep_names(disk: &Disk, synced: usize, promise: Promise, names: &mut BTreeSet<usize>) {
    let concerns = |number: &usize| {
        let Operation::Name { gone, come, back } = &disk.operations[*number] else { return false };
        let folders = gone.iter().chain(come.iter().map(|(entry, _)| entry));
        let in_folder = folders.into_iter().any(|entry| entry.folder == synced);
        let named = come.iter().map(|(_, inode)| inode).chain(back);
        let its_own = named.into_iter().any(|inode| *inode == synced);
        in_folder || (its_own && promise == Promise::Journaled)
    };
    match promise {
        Promise::Posix => names.retain(|number| !concerns(number)),
        Promise::Journaled => {
            let last = names.iter().copied().filter(concerns).max();
            names.retain(|number| last.is_none_or(|last| *number > last));
        }
    }
}

fn set_time(path: &Path, time: i64) {
    let time = UNIX_EPOCH + Duration::from_nanos(u64::try_from(time).unwrap());
    File::open(path).unwrap().set_modified(time).unwrap();
}
