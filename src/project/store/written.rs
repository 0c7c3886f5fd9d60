//! Asks git for the first text of each write-once file.

use std::collections::BTreeMap;

use super::tree::WorkTree;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::check::Content;

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
            } else if self.is_taken_back(store, &event.commit, &event.former)? {
                first.remove(&event.path);
            }
        }
        Ok(first)
    }

    /// Tells whether a commit that removes an archive file has its section in memory again, byte for byte, or may have
    /// it, as in a partial clone. Otherwise the text is lost.
    fn is_taken_back(&self, store: &str, commit: &str, blob: &str) -> Result<bool> {
        let archived = match self.blob(blob)? {
            Some(Content::Bytes(bytes)) => String::from_utf8(bytes).ok(),
            Some(Content::TooLarge(_) | Content::Unreadable(_)) | None => None,
        };
        let Some(archived) = archived else { return self.is_partial() };
        let archived = Outline::read(&archived);
        let Some(section) = archived.sections().first() else { return Ok(false) };
        let text = archived.whole(section);
        let tree = self.tree_of(commit, &[store])?;
        let paths: Vec<&str> = tree.paths().filter(|path| path.ends_with(".md")).collect();
        let files = self.read(&tree, &paths)?;
        let has_it = |file: &Content| match file {
            Content::Bytes(bytes) => std::str::from_utf8(bytes).is_ok_and(|file| holds(file, text)),
            Content::TooLarge(_) | Content::Unreadable(_) => false,
        };
        let is_unread = |file: &Content| matches!(file, Content::Unreadable(_));
        Ok(files.iter().any(|file| has_it(file) || is_unread(file)))
    }
}

/// Tells whether a file has a section with exactly this text.
fn holds(file: &str, text: &str) -> bool {
    let outline = Outline::read(file);
    let mut sections = outline.sections().iter();
    file.contains(text) && sections.any(|section| outline.whole(section) == text)
}
