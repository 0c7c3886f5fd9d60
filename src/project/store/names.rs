//! Finds names that some disks cannot tell apart.

use std::collections::BTreeMap;

use super::layout::Layout;
use crate::disk::files;
use crate::project::request::MemoryPath;
use crate::text::fold_name;

/// The names in some folders; each folder is listed once.
#[derive(Debug)]
pub(super) struct Names<'l> {
    layout: &'l Layout,
    known: BTreeMap<String, Vec<String>>,
}

impl<'l> Names<'l> {
    pub(super) fn new(layout: &'l Layout) -> Self {
        Self { layout, known: BTreeMap::new() }
    }

    /// Returns an entry with another spelling of the path: on a disk that ignores case or the form of letters it is the
    /// same file.
    pub(super) fn other_spelling_of(&mut self, path: &MemoryPath) -> Option<String> {
        let mut folder = String::new();
        for part in path.as_str().split('/') {
            if !self.known.contains_key(&folder) {
                // Reading the file reports a folder that cannot be listed.
                let names = files::list(&self.layout.inside(&folder)).unwrap_or_default();
                self.known.insert(folder.clone(), names);
            }
            let is_same = |name: &&String| *name != part && fold_name(name) == part;
            if let Some(other) = self.known[&folder].iter().find(is_same) {
                return Some(join(&folder, other));
            }
            folder = join(&folder, part);
        }
        None
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
