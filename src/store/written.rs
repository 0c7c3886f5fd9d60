//! Asks git with which text each write-once file came.

use std::collections::BTreeMap;

use super::tree::{Event, WorkTree};
use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::Outline;

impl WorkTree {
    /// Reads with which blob each file below some paths was first added. One that was taken back since, as `undo`
    /// does it, counts from the next time on that it comes.
    pub fn first_blobs(&self, paths: &[&str]) -> Result<BTreeMap<String, String>> {
        let mut first = BTreeMap::new();
        let events = self.history(&["--diff-filter=AD"], paths)?;
        for event in events.into_iter().rev() {
            if event.is_removal() {
                if self.is_taken_back(&event) {
                    first.remove(&event.path);
                }
            } else {
                first.entry(event.path).or_insert(event.blob);
            }
        }
        Ok(first)
    }

    /// Tells whether a commit that removed an archive file has one of its sections in memory again. A file that is
    /// only gone took the text with it.
    fn is_taken_back(&self, removal: &Event) -> bool {
        let Some(archived) = self.blob(&removal.former) else { return false };
        let outline = Outline::read(&archived);
        let ids = outline.sections().iter().filter_map(|section| section.id.as_ref());
        let (folder, _) = removal.path.rsplit_once('/').unwrap_or_default();
        ids.take(1).any(|id| {
            let anchor = format!("<!-- @id: {id} -->");
            let options = ["grep", "-l", "-z", "-F", "-e", &anchor, &removal.commit, "--"];
            // What grep does not find is a no of git's too.
            let holding = self.listed(&options).unwrap_or_default();
            let paths = holding.iter().filter_map(|found| found.split_once(':'));
            let mut others = paths.filter(|(_, path)| !path.starts_with(&format!("{folder}/")));
            others.any(|(commit, path)| {
                let text = self.blob(&format!("{commit}:./{path}"));
                text.is_some_and(|text| holds_live(&text, id))
            })
        })
    }
}

/// Tells whether a text has a section, and not only the note that it was archived.
fn holds_live(text: &str, id: &SectionId) -> bool {
    let outline = Outline::read(text);
    outline.find(id).is_some_and(|number| !outline.sections()[number].archived)
}
