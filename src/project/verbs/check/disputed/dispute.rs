//! A proposal of which one branch applied what another rejected: which operations, and which files tell so.

use crate::project::check::Content;
use crate::project::request::{ProposalId, Request};
use crate::project::store::is_about;
use crate::project::store::staging::{APPLIED, DecisionMark, Disputed, REJECTED, disputed};
use crate::project::verbs::check::side::Side;
use crate::project::verbs::kept_request::kept_request;

pub(super) struct Dispute {
    pub(super) id: ProposalId,
    pub(super) disputed: Disputed,
    /// None where no file holds it, or none that can be read.
    pub(super) request: Option<Request>,
    marks: Vec<DecisionMark>,
    /// The files of its rejections.
    rejections: Vec<String>,
}

impl Dispute {
    /// Reads how a proposal was decided; none where its marks agree.
    pub(super) fn read(side: &Side<'_>, id: ProposalId, marks: Vec<DecisionMark>) -> Option<Self> {
        let disputed = disputed(&marks)?;
        let paths = side.paths().into_iter().filter(|path| is_about(path, &id, None));
        let rejections = paths.map(str::to_owned).collect();
        Some(Self { request: request(side, &id), id, disputed, marks, rejections })
    }

    /// Returns what is disputed: each operation by its number from 1, or all as one.
    pub(super) fn parts(&self) -> Vec<Option<usize>> {
        match &self.disputed {
            Disputed::Whole => vec![None],
            Disputed::Operations(numbers) => numbers.iter().copied().map(Some).collect(),
        }
    }

    /// Returns the marks of a decision about a part.
    pub(super) fn marks(&self, decision: &str, part: Option<usize>) -> Vec<String> {
        let is_it = |mark: &&DecisionMark| {
            mark.decision == decision && (mark.operation.is_none() || mark.operation == part)
        };
        self.marks.iter().filter(is_it).map(|mark| mark.path(&self.id)).collect()
    }

    /// Returns the files that hold the reasons why a part was rejected.
    pub(super) fn rejections(&self, part: Option<usize>) -> impl Iterator<Item = &str> {
        let paths = self.rejections.iter().map(String::as_str);
        paths.filter(move |path| is_about(path, &self.id, part))
    }

    /// Returns the files that go where the text of a part stays.
    pub(super) fn telling_rejected(&self, part: Option<usize>) -> Vec<String> {
        let rejections = self.rejections(part).map(str::to_owned);
        self.marks(REJECTED, part).into_iter().chain(rejections).collect()
    }

    /// Returns the files that go where the text of a part goes.
    pub(super) fn telling_applied(&self, part: Option<usize>) -> Vec<String> {
        self.marks(APPLIED, part)
    }
}

/// Reads the request that is kept beside the decisions; none where there are several, as it may have been edited between.
fn request(side: &Side<'_>, id: &ProposalId) -> Option<Request> {
    let own = format!("decided/{id}.json");
    let paths = side.paths();
    let mut kept = paths.iter().filter(|path| path.starts_with(&own));
    let (Some(path), None) = (kept.next(), kept.next()) else { return None };
    let Content::Bytes(bytes) = side.read_one(path) else { return None };
    kept_request(std::str::from_utf8(&bytes).ok()?, id)
}
