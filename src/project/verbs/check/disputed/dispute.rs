//! A proposal that branches did not decide alike: which operations are meant, and which files tell so.

use std::path::Path;

use crate::project::check::Content;
use crate::project::rejection::{FingerprintInput, Rejection};
use crate::project::request::{MemoryPath, Operation, ProposalId, Request};
use crate::project::schema::Catalog;
use crate::project::store::decided_path;
use crate::project::store::staging::{APPLIED, APPLIED_IN_PART, REJECTED};
use crate::project::verbs::check::side::Side;
use crate::project::verbs::kept_request::kept_request;
use crate::text::excerpt;

pub(super) struct Dispute {
    pub(super) id: ProposalId,
    /// As the marks in `decided/` tell them.
    pub(super) decisions: Vec<&'static str>,
    /// None where no file holds it, or none that can be read.
    pub(super) request: Option<Request>,
    rejections: Vec<OwnRejection>,
}

/// A rejection of the proposal or of a part of it.
struct OwnRejection {
    path: String,
    reason: String,
    /// For each operation of the request, whether it is rejected.
    covers: Vec<bool>,
}

impl OwnRejection {
    /// Tells whether it is of the rest, where a part was applied.
    fn is_of_a_part(&self) -> bool {
        self.covers.contains(&true) && self.covers.contains(&false)
    }

    fn covers(&self, number: usize) -> bool {
        self.covers.get(number) == Some(&true)
    }
}

impl Dispute {
    /// Reads how a proposal was decided; none where all branches decided alike.
    pub(super) fn read(
        side: &Side<'_>,
        catalog: &Catalog,
        id: ProposalId,
        decisions: Vec<&'static str>,
    ) -> Option<Self> {
        let rejections = own_rejections(side, &id);
        // Most proposals are decided once; two parts have two rests.
        let may_differ =
            decisions.len() > 1 || decisions == [APPLIED_IN_PART] && rejections.len() > 1;
        if !may_differ {
            return None;
        }
        let request = request(side, &id);
        let covers = |rejection: &Rejection| -> Vec<bool> {
            let operations = request.iter().flat_map(|request| &request.operations);
            operations.map(|operation| is_rejected(operation, catalog, rejection)).collect()
        };
        let own = rejections.into_iter().map(|(path, rejection)| OwnRejection {
            reason: excerpt(&rejection.reason),
            covers: covers(&rejection),
            path,
        });
        let dispute = Self { rejections: own.collect(), id, decisions, request };
        (dispute.decisions.len() > 1 || !dispute.operations().is_empty()).then_some(dispute)
    }

    /// Returns the numbers of the operations that one branch applied and another rejected; none where that is not known.
    pub(super) fn operations(&self) -> Vec<usize> {
        let parts = || self.rejections.iter().filter(|each| each.is_of_a_part());
        let is_applied = |number| self.was(APPLIED) || parts().any(|rest| !rest.covers(number));
        let is_rejected = |number| self.was(REJECTED) || parts().any(|rest| rest.covers(number));
        let count = self.request.as_ref().map_or(0, |request| request.operations.len());
        (0..count).filter(|number| is_applied(*number) && is_rejected(*number)).collect()
    }

    pub(super) fn was(&self, decision: &str) -> bool {
        self.decisions.contains(&decision)
    }

    /// Returns the files that go where the text stays: what rejects it.
    pub(super) fn against(&self) -> Vec<String> {
        let is_less = self.was(APPLIED) && self.was(APPLIED_IN_PART);
        let marks = [(APPLIED_IN_PART, is_less), (REJECTED, self.was(REJECTED))];
        let marks = marks.into_iter().filter(|(_, goes)| *goes);
        let marks = marks.map(|(decision, _)| decided_path(&self.id, decision));
        let disputed = self.operations();
        let is_meant = |rejection: &&OwnRejection| {
            disputed.is_empty() || disputed.iter().any(|number| rejection.covers(*number))
        };
        let texts = self.rejections.iter().filter(is_meant).map(|rejection| rejection.path.clone());
        marks.chain(texts).collect()
    }

    /// Returns the files that go where the text goes: what approves it.
    pub(super) fn in_favour(&self) -> Vec<String> {
        let marks = [
            (APPLIED, self.was(APPLIED)),
            (APPLIED_IN_PART, self.was(APPLIED_IN_PART) && self.was(REJECTED)),
        ];
        let marks = marks.into_iter().filter(|(_, goes)| *goes);
        marks.map(|(decision, _)| decided_path(&self.id, decision)).collect()
    }

    /// Returns each decision with the file that came with it, and its reason, which may be empty.
    pub(super) fn reasons(&self) -> Vec<(&'static str, String, &str)> {
        let mut told = Vec::new();
        for decision in &self.decisions {
            let is_own = |rejection: &&OwnRejection| match *decision {
                APPLIED_IN_PART => rejection.is_of_a_part(),
                REJECTED => !rejection.is_of_a_part(),
                _ => false,
            };
            let own = self.rejections.iter().filter(is_own);
            let before = told.len();
            told.extend(own.map(|each| (*decision, each.path.clone(), each.reason.as_str())));
            if told.len() == before {
                told.push((decision, decided_path(&self.id, decision), ""));
            }
        }
        told
    }
}

/// Reads the request that is kept beside the decisions.
fn request(side: &Side<'_>, id: &ProposalId) -> Option<Request> {
    let own = format!("decided/{id}.");
    let paths = side.paths();
    let mut kept = paths.iter().filter(|path| path.starts_with(&own) && path.ends_with(".json"));
    kept.find_map(|path| kept_request(&text_of(side, path)?, id))
}

fn own_rejections(side: &Side<'_>, id: &ProposalId) -> Vec<(String, Rejection)> {
    let own = format!("rejections/{id}.");
    let paths = side.paths().into_iter();
    let own = paths.filter(|path| path.starts_with(&own) && path.ends_with(".toml"));
    let read = own.filter_map(|path| {
        let read = Rejection::parse(&text_of(side, path)?, Path::new(path)).ok()?;
        Some((path.to_owned(), read))
    });
    read.collect()
}

fn text_of(side: &Side<'_>, path: &str) -> Option<String> {
    let Content::Bytes(bytes) = side.read_one(path) else { return None };
    Some(std::str::from_utf8(&bytes).ok()?.to_owned())
}

fn is_rejected(operation: &Operation, catalog: &Catalog, rejection: &Rejection) -> bool {
    // A text that says enough is known wherever it stands. Of a shorter one without a path it is not known.
    let path = operation.path.clone().or_else(|| MemoryPath::parse("conventions.md").ok());
    path.is_some_and(|path| {
        rejection.covers(&FingerprintInput::of(&path, catalog, &operation.action))
    })
}
