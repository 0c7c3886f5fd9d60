//! A search query, its filters, and the score penalties of sections with stale sources.

use super::branch_notes::BranchNotes;
use super::source_notes::{SOURCED, read_sources};
use super::standing_notes::Successors;
use crate::contract::{Confidence, Moment, Zone};
use crate::error::Result;
use crate::index::{
    Classify, KeptDocument, Order, Question, SearchHit, SearchIndex, Standing, Weights,
};
use crate::markdown::SourceNote;
use crate::project::provenance::Freshness;
use crate::project::standing::precedence;
use crate::project::store::other_stores::IndexPath;

/// A search query.
#[derive(Debug, Clone, Copy)]
pub struct Query<'a> {
    /// Any text; there is no syntax in it.
    pub text: &'a str,
    /// Whether the text is an expression of FTS5 instead.
    pub raw: bool,
    /// How many sections to return at most.
    pub limit: usize,
    /// How many of the first sections to leave out.
    pub offset: usize,
    /// What comes first.
    pub order: Order,
    /// Only files of this category.
    pub category: Option<&'a str>,
    /// Only files whose path is this, or matches it where it holds `*`, `?`, `[…]` or `{…,…}`.
    pub file: Option<&'a str>,
    /// Only sections of this time or newer; `Stretch` parses it, and a day counts from its start.
    pub since: Option<&'a str>,
    /// Only sections of this time or older.
    pub until: Option<&'a str>,
    /// Only sections with at least one source of this confidence.
    pub confidence: Option<Confidence>,
    /// Only sections whose cited files have this freshness.
    pub freshness: Option<Freshness>,
    /// Whether archived sections are found too, ranked down.
    pub include_archived: bool,
    /// Whether notes of other branches are found too.
    pub all_branches: bool,
    /// Where these are, so that they are left out.
    pub notes: Option<&'a BranchNotes>,
    /// Which stores are asked.
    pub stores: AskedStores,
    /// The current time, for words such as `yesterday`.
    pub now: Moment,
    /// The zone in which days begin.
    pub zone: &'a Zone,
    /// The weight of each signal.
    pub weights: &'a Weights,
}

/// Which stores are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedStores {
    /// This one, and those that it reads.
    All,
    /// This one.
    Own,
    /// Those that this one reads.
    Others,
}

/// What is known today of the files that sections cite.
pub(crate) struct CitedToday<'a> {
    pub(crate) freshness: &'a dyn Fn(&[SourceNote]) -> Option<Freshness>,
    /// Tells whether the work has changed one of them.
    pub(crate) is_changed: &'a dyn Fn(&[SourceNote]) -> bool,
    /// Is given the sources of many sections at once, before it is asked about each.
    pub(crate) look_ahead: &'a dyn Fn(&[SourceNote]),
}

impl AskedStores {
    fn has(self, is_own: bool) -> bool {
        match self {
            Self::All => true,
            Self::Own => is_own,
            Self::Others => !is_own,
        }
    }
}

/// The share of its score that a section loses if a cited file has changed.
const STALE: f64 = 0.2;

/// The share of its score that a section loses if a cited file is missing.
const MISSING: f64 = 0.3;

/// The share of its score that a section loses if it says that it does not hold any more, or another one says so.
const OUTDATED: f64 = 0.3;

impl<'a> Query<'a> {
    /// Asks for the ten best answers, with nothing that narrows them.
    pub fn new(text: &'a str, now: Moment, zone: &'a Zone) -> Self {
        Self {
            text,
            raw: false,
            limit: 10,
            offset: 0,
            order: Order::Score,
            category: None,
            file: None,
            since: None,
            until: None,
            confidence: None,
            freshness: None,
            include_archived: false,
            all_branches: false,
            notes: None,
            stores: AskedStores::All,
            now,
            zone,
            weights: &Weights::TUNED,
        }
    }

    /// Returns the question as the index takes it; freshness is not in it, as that changes with the files that are cited.
    pub(crate) fn question(&self) -> Question<'a> {
        let Self { text, raw, limit, offset, order, file, since, until, include_archived, .. } =
            *self;
        let flag = self.confidence.map(Confidence::name).or(self.freshness.map(|_| SOURCED));
        let (kind, now, zone, weights) = (self.category, self.now, self.zone, self.weights);
        Question {
            text,
            raw,
            limit,
            offset,
            order,
            kind,
            file,
            since,
            until,
            flag,
            include_archived,
            now,
            zone,
            weights,
        }
    }

    /// Runs the query on an index; what the sections cite is compared with the files of today.
    pub(crate) fn ask(
        &self,
        index: &SearchIndex,
        cited: &CitedToday<'_>,
    ) -> Result<Vec<SearchHit>> {
        let successors = Successors::read(index)?;
        let of_others = self.notes.filter(|_| !self.all_branches);
        let standing = |kept: &KeptDocument| {
            if of_others.is_some_and(|notes| notes.other_branch(&kept.file).is_some()) {
                return None;
            }
            let is_own = IndexPath::read(&kept.file).is_own();
            if !self.stores.has(is_own) {
                return None;
            }
            let sources = read_sources(&kept.note);
            let stale = self.loss((cited.freshness)(&sources))?;
            let instead = successors.of(kept);
            let outdated = instead.is_some().then_some(("outdated", OUTDATED));
            let is_in_scope = is_own && outdated.is_none() && (cited.is_changed)(&sources);
            Some(Standing {
                loss: outdated.or(stale),
                gain: is_in_scope.then_some(("changed", self.weights.changed)),
                successors: instead.unwrap_or_default(),
                precedence: precedence(is_own, is_in_scope),
            })
        };
        let trust = |file: &str, note: &str| match IndexPath::read(file).is_own() {
            true => read_sources(note).first().map_or(1, |it| it.confidence.strength() + 1),
            false => 0,
        };
        let ahead = |notes: &[String]| {
            let sources: Vec<_> = notes.iter().flat_map(|note| read_sources(note)).collect();
            (cited.look_ahead)(&sources);
        };
        index.search(
            &self.question(),
            &Classify { standing: &standing, trust: &trust, ahead: &ahead, some_pass: true },
        )
    }

    /// Returns what a section loses because of its cited files; none if it is not asked for. If the query filters by
    /// freshness, no result loses score: all of them have the same freshness.
    fn loss(&self, found: Option<Freshness>) -> Option<Option<(&'static str, f64)>> {
        match (self.freshness, found) {
            (None, Some(Freshness::Stale)) => Some(Some(("stale", STALE))),
            (None, Some(Freshness::Missing)) => Some(Some(("stale", MISSING))),
            (Some(wanted), found) if found != Some(wanted) => None,
            (None, Some(Freshness::Fresh | Freshness::Moved | Freshness::Unchecked) | None)
            | (Some(_), _) => Some(None),
        }
    }
}
