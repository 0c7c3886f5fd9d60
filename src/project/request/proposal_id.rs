//! The id of a proposal: when, about what, and four digits.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::contract::{ContentHash, Moment, SectionId, hex};
use crate::text::slug;

/// The name of a proposal: `YYYYMMDD-HHMMSS-<slug>-<4 hex>`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
#[schemars(extend("pattern" = "^[0-9]{8}-[0-9]{6}-[a-z0-9-]+-[0-9a-f]{4}$"))]
pub struct ProposalId(String);

const SLUG_LIMIT: usize = 24;

impl ProposalId {
    /// Makes the id of a proposal; `seed` decides the last four digits.
    pub fn new(submitted: Moment, subject: &str, seed: &[u8]) -> Self {
        let subject = match slug(subject, SLUG_LIMIT) {
            empty if empty.is_empty() => "proposal".to_owned(),
            subject => subject,
        };
        let tail = &hex(&ContentHash::digest(seed))[..4];
        Self(format!("{}-{subject}-{tail}", submitted.compact()))
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let (day, time, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let (subject, tail) = rest.rsplit_once('-')?;
        let digits = |part: &str, n| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
        let fits = digits(day, 8)
            && digits(time, 6)
            && SectionId::parse(subject).is_some()
            && tail.len() == 4
            && tail.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        fits.then(|| Self(text.to_owned()))
    }

    /// Returns when the proposal was made; none if its digits name no point in time.
    pub fn submitted_at(&self) -> Option<Moment> {
        Moment::parse_compact(self.0.get(..15)?)
    }

    /// Finds the one id that a person means: in full, by a prefix or by a part; else all that fit.
    pub fn choose<'i>(ids: &[&'i Self], wanted: &str) -> Result<&'i Self, Vec<&'i Self>> {
        if let Some(exact) = ids.iter().find(|id| id.as_str() == wanted) {
            return Ok(exact);
        }
        // An empty word fits everything: `apply "$ID"` with nothing in it means nothing.
        let fitting = |fits: &dyn Fn(&str) -> bool| -> Vec<&'i Self> {
            ids.iter().copied().filter(|id| !wanted.is_empty() && fits(id.as_str())).collect()
        };
        let mut found = fitting(&|id| id.starts_with(wanted));
        if found.is_empty() {
            found = fitting(&|id| id.contains(wanted));
        }
        match found.as_slice() {
            [only] => Ok(only),
            _ => Err(found),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProposalId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proposal_id_is_read_back() {
        let moment = Moment::parse("2026-11-20T10:11:12Z").expect("a moment");
        let id = ProposalId::new(moment, "Rotate tokens!", b"seed");
        assert!(id.as_str().starts_with("20261120-101112-rotate-tokens-"), "{id}");
        assert_eq!(ProposalId::parse(id.as_str()), Some(id.clone()));
        assert_eq!(id.submitted_at(), Some(moment));
        let never = ProposalId::parse("20261399-101112-x-abcd").expect("of the form");
        assert_eq!(never.submitted_at(), None);
        assert_eq!(ProposalId::parse("20261120-101112-../x-abcd"), None);
        assert_eq!(ProposalId::parse("tmp"), None);
    }
}
