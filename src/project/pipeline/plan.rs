//! Screened → planned: every file as it would stand, with nothing written yet.

use serde::{Deserialize, Serialize};

use super::desk::Desk;
use super::screen::Screened;
use super::snapshot::Snapshot;
use super::verify;
use crate::contract::{AffectedSection, Answer, Change, ContentHash, MemoryPath, OperationKind};
use crate::markdown::{Outline, Scope, Section, SectionChange, changes, dropped};
use crate::project::rejection::Rejection;
use crate::project::reversal::Reversal;

/// A change that is known to the byte.
#[derive(Debug)]
#[must_use = "call `route` to learn where it may go"]
pub struct Planned<'a> {
    /// The request it comes from.
    pub screened: Screened<'a>,
    /// The files that would be different, in order.
    pub files: Vec<PlannedFile>,
    /// The sections touched.
    pub affected: Vec<AffectedSection>,
    /// The sections whose former text the change builds on.
    pub touched: Vec<TouchedSection>,
    /// What the caller should know.
    pub warnings: Vec<String>,
    /// Whether a text comes in that is allowed to look like a secret.
    pub(super) new_allow_region: bool,
    /// Whether it writes what stands in a tracked file outside of its entries.
    pub(super) changes_frame: bool,
    pub(super) replacing: Vec<usize>,
    /// What each operation came down to.
    pub(super) effects: Vec<OperationKind>,
    /// The texts that people rejected.
    pub(super) rejections: Vec<Rejection>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedFile {
    pub path: MemoryPath,
    /// The text before; none if there was no file.
    pub before: Option<String>,
    pub after: String,
    hashes: (Option<ContentHash>, ContentHash),
    pub(super) changes: Vec<SectionChange>,
    sections: (Vec<Section>, Vec<Section>),
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

    pub fn outline(&self) -> Outline<'_> {
        Outline::known(&self.after, &self.sections.1)
    }

    pub(super) fn former(&self) -> Outline<'_> {
        Outline::known(self.before.as_deref().unwrap_or_default(), &self.sections.0)
    }

    /// Says which sections come out of a rewrite with fewer bullets.
    pub(super) fn losses(&self) -> Vec<String> {
        let old = self.former();
        let new = self.outline();
        let rewritten = self.changes.iter().filter(|change| change.change == Change::Changed);
        let lost = rewritten.filter_map(|change| {
            let (id, now) = (change.id.as_ref()?, &new.sections()[change.index?]);
            let former = &old.sections()[change.former?];
            let (dropped, of) = dropped(old.body(former), new.body(now))?;
            Some(format!("the rewrite of `{}#{id}` drops {dropped} of {of} bullets", self.path))
        });
        lost.collect()
    }

    pub fn reversal(&self) -> Reversal {
        let before = self.before.is_some().then(|| self.former());
        Reversal::of(self.path.as_str(), before.as_ref(), (&self.outline(), self.after_hash()))
    }
}

/// A section whose former text a change builds on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TouchedSection {
    pub file: String,
    /// The id, or the heading where there is none; empty for the whole file.
    pub section: String,
    pub scope: Scope,
    pub hash: ContentHash,
    /// Hash of the headings above, where these tell it from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<ContentHash>,
}

impl TouchedSection {
    /// Tells whether it is what it was, and still the section that was meant.
    pub fn is_still(&self, then: &Self) -> bool {
        let is_above = self.above.as_ref().zip(then.above.as_ref());
        (&self.file, &self.section, self.scope, &self.hash)
            == (&then.file, &then.section, then.scope, &then.hash)
            && is_above.is_none_or(|(now, then)| now == then)
    }
}

impl<'a> Screened<'a> {
    /// Returns the sections of some files that the operations build on, as far as they can be done there.
    pub fn touches(&self, snapshot: &Snapshot) -> Vec<TouchedSection> {
        let mut desk = Desk::new(snapshot);
        // What cannot be done is for the plan to say.
        let _ = desk.work_all(self);
        desk.touched
    }

    /// Does every operation to a copy of the files and checks the result.
    pub fn plan(self, snapshot: Snapshot) -> Answer<Planned<'a>> {
        let mut desk = Desk::new(&snapshot);
        let refused = desk.work_all(&self);
        let files = desk.files();
        verify::check(&self, &files, &desk.writers, refused)?;
        let new_allow_region = verify::brings_allow_region(&files);
        let changes_frame = files.iter().any(|file| verify::changes_frame(&self, file));
        let affected = files.iter().flat_map(affected_sections).collect();
        let Desk { touched, mut warnings, replacing, effects, .. } = desk;
        warnings.extend(files.iter().flat_map(PlannedFile::losses));
        warnings.extend(self.unknown.iter().cloned());
        if files.is_empty() {
            warnings.push("nothing changes: the files say this already".to_owned());
        }
        Ok(Planned {
            screened: self,
            files,
            affected,
            touched,
            warnings,
            new_allow_region,
            changes_frame,
            replacing,
            effects,
            rejections: snapshot.rejections,
        })
    }
}

impl Planned<'_> {
    /// Returns the hash of all that would be applied: each path with its old and its new bytes.
    pub fn digest(&self) -> ContentHash {
        let mut bytes = Vec::new();
        for file in &self.files {
            bytes.extend_from_slice(file.path.as_str().as_bytes());
            // What goes counts too: the same new text over another old one is another decision.
            let nothing = ContentHash::of(b"");
            for hash in [file.before_hash().unwrap_or(&nothing), file.after_hash()] {
                bytes.push(0);
                bytes.extend_from_slice(hash.as_str().as_bytes());
            }
            bytes.push(b'\n');
        }
        ContentHash::of(&bytes)
    }

    pub(crate) fn listed(&self) -> impl Iterator<Item = &PlannedFile> {
        let catalog = self.screened.rules.catalog;
        self.files.iter().filter(move |file| catalog.is_tracked(file.path.as_str()))
    }
}

pub(super) fn affected_sections(file: &PlannedFile) -> Vec<AffectedSection> {
    // The title of a new file has no id, and is not a part of the request.
    let named = |change: &&SectionChange| change.id.is_some() || change.change != Change::Added;
    file.changes.iter().filter(named).map(|change| change.affected(&file.path)).collect()
}
