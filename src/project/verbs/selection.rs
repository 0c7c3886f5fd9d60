//! Which part of a proposal a person wants.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::contract::{Answer, Reason, Refusal};
use crate::project::pipeline::Amendment;

/// Which part of a proposal a person wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Selection {
    /// All of it.
    #[default]
    All,
    /// Some operations, numbered from 0; the others are refused with the proposal.
    Operations(BTreeSet<usize>),
    /// All of it, in the words that the person wrote over those of the proposal.
    Amended(Amendment),
    /// Some operations, and of those the pieces that the person took; the other operations are refused.
    Pieces {
        /// The operations of which something is wanted.
        operations: BTreeSet<usize>,
        /// The files as they are with what was taken.
        texts: Amendment,
    },
}

impl Selection {
    /// Returns the request with the operations that are wanted.
    pub(super) fn of(&self, request: &Value) -> Answer<Value> {
        let mut request = request.clone();
        let (Some(wanted), Some(operations)) =
            (self.operations(), request["operations"].as_array_mut())
        else {
            return Ok(request);
        };
        if let Some(beyond) = wanted.iter().find(|number| **number >= operations.len()) {
            let message =
                format!("there is no operation {}, it has {}", beyond + 1, operations.len());
            let hint = "`agent-memory review ID` numbers them";
            return Err(Refusal::new(Reason::InvalidOperation, message, hint));
        }
        let mut numbers = 0..;
        operations.retain(|_| numbers.next().is_some_and(|number| wanted.contains(&number)));
        Ok(request)
    }

    /// Tells whether the operation with a number is wanted.
    pub fn takes(&self, number: usize) -> bool {
        self.operations().is_none_or(|wanted| wanted.contains(&number))
    }

    /// Returns the operations that are wanted; none where no other is refused.
    pub fn operations(&self) -> Option<&BTreeSet<usize>> {
        match self {
            Self::All | Self::Amended(_) => None,
            Self::Operations(operations) | Self::Pieces { operations, .. } => Some(operations),
        }
    }

    /// Returns the texts that stand in the place of what the operations would make of the files.
    pub fn texts(&self) -> Option<&Amendment> {
        match self {
            Self::All | Self::Operations(_) => None,
            Self::Amended(texts) | Self::Pieces { texts, .. } => Some(texts),
        }
    }
}
