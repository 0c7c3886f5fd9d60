//! Gathers pieces of memory for a pack, and what had to be left out.

use std::collections::{BTreeMap, BTreeSet};

use super::outdated::{SupersededIds, without_outdated};
use super::subject::Subject;
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::pack::{LeftOut, PackPiece, Why, piece_at, pieces};
use crate::project::provenance::Freshness;
use crate::project::request::OtherPath;
use crate::project::store::sections::{AskedStores, Query};
use crate::project::store::{ChangedFiles, CitedFiles, sources_seen_from_here};
use crate::project::verbs::project::Project;
use crate::project::verbs::search::{Answers, find};
use crate::project::verbs::toc::left_out_warning;

/// The pieces for the pack, the best first.
pub(super) struct Gathered<'w> {
    pub(super) project: &'w Project,
    cited: CitedFiles<'w>,
    changed: ChangedFiles<'w>,
    pub(super) pieces: Vec<PackPiece>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) warnings: Vec<String>,
}

const HITS: usize = 24;

/// Of other stores.
const HITS_OF_OTHERS: usize = 8;

/// A section with less than this part of the best score is left out.
const FIT: f64 = 0.2;

impl<'w> Gathered<'w> {
    pub(super) fn new(project: &'w Project) -> Self {
        let cited = CitedFiles::of(&project.repository);
        let changed = ChangedFiles::of(&project.repository, project.store.layout());
        Self {
            project,
            cited,
            changed,
            pieces: Vec::new(),
            left_out: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn add_answers(
        &mut self,
        question: &str,
        all_branches: bool,
    ) -> Result<Vec<String>> {
        let session = &self.project.session;
        let query = Query {
            limit: HITS,
            stores: AskedStores::Own,
            include_archived: true,
            all_branches,
            ..Query::new(question, session.now, &session.zone)
        };
        let Answers { mut found, warnings, .. } = find(self.project, &query)?;
        if !self.project.config.stores.is_empty() {
            // Asked apart, they take no room of ours.
            let query = Query { limit: HITS_OF_OTHERS, stores: AskedStores::Others, ..query };
            found.extend(find(self.project, &query)?.found);
            found.sort_by(|one, other| other.score.total_cmp(&one.score));
        }
        let best = found.first().map_or(0.0, |hit| hit.score);
        found.retain(|hit| hit.score >= best - best.abs() * (1.0 - FIT));
        let paths: BTreeSet<&str> = found.iter().map(|hit| hit.path.as_str()).collect();
        let mut texts = BTreeMap::new();
        for path in paths {
            texts.extend(self.read(path)?.map(|text| (path, text)));
        }
        let outlines: BTreeMap<&str, Outline<'_>> =
            texts.iter().map(|(path, text)| (*path, Outline::read(text))).collect();
        let mut answers = Vec::new();
        for hit in &found {
            // The file may have been changed or removed since the search.
            let Some(outline) = outlines.get(hit.path.as_str()) else { continue };
            let Some(mut piece) = piece_at(&hit.path, outline, hit.line) else { continue };
            piece.outdated = hit.outdated;
            piece.superseded_by.clone_from(&hit.superseded_by);
            piece.branch.clone_from(&hit.branch);
            piece.is_in_scope = hit.is_in_scope;
            answers.push(seen_from_here(piece));
        }
        answers.sort_by_key(|piece| !piece.is_in_scope);
        self.with_freshness(answers).into_iter().for_each(|piece| self.add(piece));
        Ok(warnings)
    }

    /// Returns the pieces that rest on what the work has changed.
    pub(super) fn resting_on_changes<'p>(&mut self, rules: &'p [Vec<PackPiece>]) -> Vec<PackPiece> {
        let cited = |piece: &'p PackPiece| piece.sources.iter().chain(&piece.sources_inside);
        self.changed.look_ahead(rules.iter().flatten().flat_map(cited));
        let not_known = self.changed.not_known();
        not_known.into_iter().for_each(|said| self.warn(said));
        let found = rules.iter().flatten();
        let found = found.filter(|piece| self.changed.are_cited_by(cited(piece))).cloned();
        let found = found.map(PackPiece::in_scope).collect();
        let mut found = self.with_freshness(found);
        found.sort_by_key(rank);
        found
    }

    /// Adds the sections that cite a subject, then those that name one, without those that do not hold any more.
    pub(super) fn add_concerned(
        &mut self,
        subjects: &[Subject],
        superseded: &SupersededIds,
    ) -> Result<()> {
        let (mut citing, mut naming) = (Vec::new(), Vec::new());
        let notes = self.project.branch_notes().ok().flatten();
        let is_of_others =
            |path: &str| notes.as_ref().is_some_and(|it| it.other_branch(path).is_some());
        for path in self.project.files_to_read()?.into_iter().filter(|path| !is_of_others(path)) {
            let Some(text) = self.read(&path)? else { continue };
            let is_of_module = subjects.iter().any(|subject| subject.is_of_module(&path));
            let is_named = |text: &str| subjects.iter().any(|subject| subject.is_named_in(text));
            let current = without_outdated(pieces(&path, &Outline::read(&text)));
            for piece in superseded.removed_from(current) {
                if subjects.iter().any(|subject| subject.is_cited_by(&piece)) {
                    citing.push(piece);
                } else if is_of_module || is_named(&piece.text) {
                    naming.push(piece);
                }
            }
        }
        for group in [citing, naming] {
            let mut group = self.with_freshness(group);
            group.sort_by_key(rank);
            group.into_iter().for_each(|piece| self.add(piece.in_scope()));
        }
        Ok(())
    }

    /// Adds a piece, unless it holds a secret.
    pub(super) fn add(&mut self, piece: PackPiece) {
        if !self.project.is_secret(&piece.text) {
            return self.pieces.push(piece);
        }
        let left_out = piece.left_out(Why::Secret);
        if !self.left_out.contains(&left_out) {
            self.left_out.push(left_out);
        }
    }

    pub(super) fn read(&mut self, path: &str) -> Result<Option<String>> {
        match self.project.read(path)? {
            FileState::Text(text) => Ok(Some(text)),
            FileState::Absent => Ok(None),
            FileState::Unusable(why) => {
                self.warn(left_out_warning(path, &why));
                Ok(None)
            }
        }
    }

    /// A file may be read for several reasons.
    pub(super) fn warn(&mut self, said: String) {
        if !self.warnings.contains(&said) {
            self.warnings.push(said);
        }
    }

    /// Reads at once what pieces cite.
    pub(super) fn look_ahead<'p>(&self, pieces: impl IntoIterator<Item = &'p PackPiece>) {
        self.cited.look_ahead(pieces.into_iter().flat_map(|piece| &piece.sources));
    }

    /// Adds to pieces the worst freshness of the files that each cites, and where its lines moved.
    pub(super) fn with_freshness(&self, pieces: Vec<PackPiece>) -> Vec<PackPiece> {
        self.look_ahead(&pieces);
        let told = pieces.into_iter().map(|mut piece| {
            piece.freshness = self.cited.freshness(&piece.sources);
            piece.moved = piece.sources.iter().map(|source| self.cited.moved_to(source)).collect();
            piece
        });
        told.collect()
    }
}

/// Marks a piece of another store, where its sources count for less.
pub(super) fn seen_from_here(mut piece: PackPiece) -> PackPiece {
    if OtherPath::parse(&piece.path).is_some() {
        piece.is_other = true;
        piece.sources = sources_seen_from_here(&piece.sources);
    }
    piece
}

/// Archived pieces come last, stale ones before them.
pub(super) fn rank(piece: &PackPiece) -> (bool, bool) {
    (piece.archived, piece.freshness >= Some(Freshness::Stale))
}
