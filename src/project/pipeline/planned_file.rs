//! A file as a change leaves it, and the sections that the change builds on.

use serde::Serialize;

use crate::contract::ContentHash;
use crate::markdown::{Outline, Section, SourceNote};
use crate::project::edit::{SectionChange, changes};
use crate::project::provenance::cited_file;
use crate::project::request::{AffectedSection, Change, MemoryPath};
use crate::project::reversal::Reversal;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: MemoryPath,
    /// The text before; none if there was no file.
    pub before: Option<String>,
    pub after: String,
    hashes: (Option<ContentHash>, ContentHash),
    /// Whether a section of the text after looks like a secret; it stood there before, or the change is refused.
    pub(super) holds_secret: bool,
    pub(super) changes: Vec<SectionChange>,
    sections: (Vec<Section>, Vec<Section>),
}

/// A source that a section cites with less confidence than before.
#[derive(Debug, Serialize)]
pub(super) struct WeakerSource {
    section: String,
    now: String,
    then: String,
    /// For people.
    #[serde(skip)]
    pub(super) told: String,
}

#[derive(Debug, Default)]
pub(super) struct SectionsRead {
    pub(super) before: Option<Vec<Section>>,
    pub(super) after: Option<Vec<Section>>,
}

impl PlannedFile {
    pub(super) fn new(
        path: &MemoryPath,
        before: Option<&str>,
        after: &str,
        known: SectionsRead,
    ) -> Self {
        let old = Outline::known_or_read(before.unwrap_or_default(), known.before);
        let new = Outline::known_or_read(after, known.after);
        let hash = |text: &str| ContentHash::of(text.as_bytes());
        Self {
            path: path.clone(),
            before: before.map(str::to_owned),
            after: after.to_owned(),
            hashes: (before.map(hash), hash(after)),
            holds_secret: false,
            changes: changes(&old, &new),
            sections: (old.into_sections(), new.into_sections()),
        }
    }

    /// Returns the hash of the text before; none if there was no file.
    pub fn before_hash(&self) -> Option<&ContentHash> {
        self.hashes.0.as_ref()
    }

    pub fn after_hash(&self) -> &ContentHash {
        &self.hashes.1
    }

    /// Returns the text that is left; none if the file goes, as nothing is left in it.
    pub fn left(&self) -> Option<&str> {
        text_left(self.before.as_deref(), &self.after)
    }

    pub fn holds_secret(&self) -> bool {
        self.holds_secret
    }

    pub fn outline(&self) -> Outline<'_> {
        Outline::known(&self.after, &self.sections.1)
    }

    pub(super) fn former(&self) -> Outline<'_> {
        Outline::known(self.before.as_deref().unwrap_or_default(), &self.sections.0)
    }

    /// Finds the sources that sections cite with less confidence than before.
    pub(super) fn weakened(&self) -> Vec<WeakerSource> {
        let (old, new) = (self.former(), self.outline());
        let cited = |change: &SectionChange| {
            let (former, now) = (&old.sections()[change.former?], &new.sections()[change.index?]);
            Some((change.id.clone()?, former.sources.clone(), now.sources.clone()))
        };
        let mut found = Vec::new();
        for (id, former, now) in self.changes.iter().filter_map(cited) {
            for then in &former {
                let is_kept = now.iter().any(|now| now.has_source_of(then));
                let is_weaker = |now: &&SourceNote| {
                    let is_new = || !former.iter().any(|former| former.has_source_of(now));
                    let is_it = now.has_source_of(then)
                        || (!is_kept && is_new() && is_of_same_file(now, then));
                    is_it && now.confidence.is_weaker_than(then.confidence)
                };
                let Some(now) = now.iter().find(is_weaker) else { continue };
                found.push(WeakerSource {
                    section: format!("{}#{id}", self.path),
                    now: now.line(),
                    then: then.line(),
                    told: format!(
                        "`{}#{id}` cites the {} `{}` as `{}`, and before as `{}`",
                        self.path, now.kind, now.reference, now.confidence, then.confidence
                    ),
                });
            }
        }
        found
    }

    pub fn reversal(&self) -> Reversal {
        let before = self.before.is_some().then(|| self.former());
        Reversal::of(self.path.as_str(), before.as_ref(), &self.outline(), self.after_hash())
    }
}

/// Returns the text that a change leaves of a file; none if the file goes, as nothing is left in it.
pub(crate) fn text_left<'t>(before: Option<&str>, after: &'t str) -> Option<&'t str> {
    let goes = before.is_some() && after.is_empty();
    (!goes).then_some(after)
}

pub(super) fn affected_sections(file: &PlannedFile) -> Vec<AffectedSection> {
    // The title of a new file has no id, and is not a part of the request.
    let named = |change: &&SectionChange| change.id.is_some() || change.change != Change::Added;
    file.changes.iter().filter(named).map(|change| change.affected(&file.path)).collect()
}

/// Tells whether two notes are about the same file, of which the cited lines may have moved.
fn is_of_same_file(one: &SourceNote, other: &SourceNote) -> bool {
    let path = |note: &SourceNote| cited_file(&note.reference).map(|cited| cited.path.to_owned());
    one.kind.is_file() && one.kind == other.kind && path(one).is_some() && path(one) == path(other)
}
