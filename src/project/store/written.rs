//! Asks git for the first text of each write-once file.

use std::collections::BTreeMap;

use super::tree::{Event, WorkTree};
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::check::Content;
use crate::project::edit::moved_text;

impl WorkTree {
    /// Reads the blob with which each file below some paths was first added. A file that `undo` removed counts from its
    /// next addition.
    pub(crate) fn first_blobs(
        &self,
        store: &str,
        paths: &[&str],
    ) -> Result<BTreeMap<String, String>> {
        let mut first = BTreeMap::new();
        let events = self.history(&["--diff-filter=AD"], paths)?;
        for event in events.into_iter().rev() {
            if !event.is_removal() {
                first.entry(event.path).or_insert(event.blob);
            } else if self.is_taken_back(store, &event)? {
                first.remove(&event.path);
            }
        }
        Ok(first)
    }

    /// Tells whether a commit that removes an archive file keeps its section in the memory.
    fn is_taken_back(&self, store: &str, event: &Event) -> Result<bool> {
        let inside = |path: &'_ str| {
            path.strip_prefix(store).unwrap_or(path).trim_start_matches('/').to_owned()
        };
        let tree = self.tree_of(&event.commit, &[store])?;
        let paths: Vec<&str> = tree.paths().filter(|path| path.ends_with(".md")).collect();
        let files = self.read(&tree, &paths)?;
        let files = paths.iter().map(|path| inside(path)).zip(files).collect::<Vec<_>>();
        self.is_kept_in(&inside(&event.path), &event.former, &files)
    }

    /// Tells whether the section of an archive file that is gone stands in another file, as after `undo`, or may, as in a
    /// partial clone. Otherwise its text is lost. Paths are relative to the store.
    pub(crate) fn is_kept_in(
        &self,
        archive: &str,
        blob: &str,
        files: &[(String, Content)],
    ) -> Result<bool> {
        let text = match self.blob(blob)? {
            Some(Content::Bytes(bytes)) => String::from_utf8(bytes).ok(),
            Some(Content::TooLarge(_) | Content::Unreadable(_)) | None => None,
        };
        let Some(text) = text else { return self.is_partial() };
        let outline = Outline::read(&text);
        let Some(section) = outline.sections().first() else { return Ok(false) };
        let archived = ArchivedSection { path: archive, section, text: outline.whole(section) };
        Ok(files.iter().any(|(path, file)| match file {
            Content::Bytes(bytes) => {
                std::str::from_utf8(bytes).is_ok_and(|text| archived.is_of(path, text))
            }
            Content::TooLarge(_) => false,
            Content::Unreadable(_) => true,
        }))
    }
}

/// A section as it stands in a file of the archive.
struct ArchivedSection<'a> {
    path: &'a str,
    section: &'a Section,
    text: &'a str,
}

impl ArchivedSection<'_> {
    /// Tells whether a file has the section of which this is the copy, with its links as they lead from there.
    fn is_of(&self, path: &str, text: &str) -> bool {
        let outline = Outline::read(text);
        let mut sections = outline.sections().iter();
        sections.any(|section| {
            (&section.id, &section.heading) == (&self.section.id, &self.section.heading)
                && moved_text(outline.whole(section), path, self.path) == self.text
        })
    }
}
