//! The proposals that others are compared with: pending ones, and those that a person rejected.

use std::cell::OnceCell;

use super::brought::{BroughtContent, BroughtText, are_of_one_form, entry_level, section_texts};
use super::near_duplicate::{NearDuplicate, NearKind};
use crate::error::Result;
use crate::project::pipeline::Screened;
use crate::project::rejection::{FingerprintInput, Rejection};
use crate::project::request::ProposalId;
use crate::project::schema::Catalog;
use crate::project::store::rejections;
use crate::project::store::staging::{self, KeptTexts};
use crate::project::verbs::kept_request::kept_request;
use crate::project::verbs::project::Project;

/// Pending proposals that are compared, the newest first.
const PENDING: usize = 200;

/// Rejections that are compared, the newest first.
const REJECTED: usize = 100;

/// A proposal whose texts are read once they may be near.
#[derive(Debug)]
pub(super) struct KnownProposal {
    pub(super) kept: KeptTexts,
    /// Those of each operation that brings text.
    texts: OnceCell<Vec<BroughtText>>,
}

/// Two texts that say almost the same: of a known proposal, and of the one that is compared.
type AlikeTexts<'t> = (&'t BroughtText, &'t BroughtText);

/// A proposal that a person rejected, with their reason.
#[derive(Debug)]
pub(super) struct RejectedProposal {
    proposal: KnownProposal,
    rejection: Rejection,
}

/// Reads the pending proposals that may still be applied.
pub(super) fn pending(project: &Project) -> Result<Vec<KnownProposal>> {
    let kept = staging::pending_texts(project.store.layout(), PENDING)?.into_iter();
    let open = kept.filter(|each| each.expires_at.is_some_and(|time| time >= project.session.now));
    Ok(open.map(KnownProposal::new).collect())
}

/// Reads the rejected proposals that are kept on this machine.
pub(super) fn rejected(project: &Project) -> Result<Vec<RejectedProposal>> {
    let layout = project.store.layout();
    let all = rejections(layout)?.into_iter().rev().take(REJECTED);
    let known = all.filter_map(|rejection| {
        let kept = staging::rejected_texts(layout, &ProposalId::parse(&rejection.id)?)?;
        Some(RejectedProposal { proposal: KnownProposal::new(kept), rejection })
    });
    Ok(known.collect())
}

impl KnownProposal {
    fn new(kept: KeptTexts) -> Self {
        Self { kept, texts: OnceCell::new() }
    }

    /// Returns what of it says almost the same as one of some texts.
    pub(super) fn near(
        &self,
        project: &Project,
        screened: &Screened<'_>,
        all: &[BroughtText],
    ) -> Option<NearDuplicate> {
        let alike = self.alike(all, screened.catalog()).into_iter().next()?;
        Some(self.shown(project, NearKind::Pending, alike))
    }

    fn alike<'t>(&'t self, all: &'t [BroughtText], catalog: &Catalog) -> Vec<AlikeTexts<'t>> {
        let may_be_near = |text: &str| {
            let text = text.to_lowercase();
            all.iter().any(|brought| brought.text.may_be_in(&text))
        };
        if !self.kept.texts().any(|(_, text)| may_be_near(text)) {
            return Vec::new();
        }
        let texts = self.texts.get_or_init(|| {
            let contents = self.kept.texts().map(|(operation, content)| {
                let level = self.entry_level(operation, catalog);
                BroughtContent { operation, level, content }
            });
            section_texts(contents, catalog)
        });
        let alike = texts.iter().filter_map(|known| {
            let near = all.iter().find(|brought| {
                !are_of_one_form(brought.part.as_ref(), known.part.as_ref())
                    && brought.text.says_almost(&known.text)
            })?;
            Some((known, near))
        });
        alike.collect()
    }

    /// Returns the level of the entries in what an operation brings.
    fn entry_level(&self, operation: usize, catalog: &Catalog) -> u8 {
        let operation = &self.kept.request["operations"][operation];
        match (operation["operation"].as_str(), operation["path"].as_str()) {
            (Some("append_section"), _) => 0,
            (_, Some(path)) => entry_level(catalog, path),
            (_, None) => 1,
        }
    }

    fn shown(
        &self,
        project: &Project,
        kind: NearKind,
        (known, near): AlikeTexts<'_>,
    ) -> NearDuplicate {
        let text = project.clean(&known.body);
        NearDuplicate::new(kind, self.kept.id.to_string(), near.operation, &text)
    }
}

impl RejectedProposal {
    /// Returns what of it says almost the same as one of some texts, if the person rejected that part, and as it stands.
    pub(super) fn near(
        &self,
        project: &Project,
        brought: &[BroughtText],
        screened: &Screened<'_>,
    ) -> Option<NearDuplicate> {
        let Self { proposal, rejection } = self;
        let alike = proposal.alike(brought, screened.catalog());
        if alike.is_empty() {
            return None;
        }
        let text = serde_json::json!({"request": proposal.kept.request}).to_string();
        let request = kept_request(&text, &proposal.kept.id)?;
        let is_rejected = |(known, near): &AlikeTexts<'_>| {
            // A text of so many words has the same fingerprint in each file.
            let path = screened.operations().nth(near.operation).map(|(_, path)| path);
            let rejected = request.operations.get(known.operation).map(|it| &it.action);
            path.zip(rejected).is_some_and(|(path, action)| {
                rejection.covers(&FingerprintInput::of(path, screened.catalog(), action))
            })
        };
        let alike = alike.into_iter().find(is_rejected)?;
        let said = format!("{}: {}", rejection.date, project.clean(&rejection.reason));
        let shown = proposal.shown(project, NearKind::Rejected, alike);
        Some(NearDuplicate { rejected: Some(said), ..shown })
    }
}
