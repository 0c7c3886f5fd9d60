//! Which part of a proposal a person wants.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::project::pipeline::Amendment;
use crate::project::request::{Answer, Reason, Refusal};
use crate::text::count;

/// Which part of a proposal a person wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Selection {
    #[default]
    All,
    /// Some operations, numbered from 0; the others are rejected.
    Operations(BTreeSet<usize>),
    /// All of it, with the texts of the approver.
    Amended(Amendment),
    /// Some operations, and of those some pieces; the other operations are rejected.
    Pieces { operations: BTreeSet<usize>, texts: Amendment },
}

impl Selection {
    /// Returns the request with only the wanted operations.
    pub(super) fn of(&self, request: &Value) -> Answer<Value> {
        let mut request = request.clone();
        let (Some(wanted), Some(operations)) =
            (self.operations(), request["operations"].as_array_mut())
        else {
            return Ok(request);
        };
        if let Some(beyond) = wanted.iter().find(|number| **number >= operations.len()) {
            let message = format!(
                "the proposal has {} and no operation {}",
                count(operations.len(), "operation"),
                beyond + 1
            );
            let hint = match operations.len() {
                1 => "apply it without `--only`",
                _ => "`agent-memory review ID` numbers them",
            };
            return Err(Refusal::new(Reason::InvalidOperation, message, hint));
        }
        let mut numbers = 0..;
        operations.retain(|_| numbers.next().is_some_and(|number| wanted.contains(&number)));
        Ok(request)
    }

    /// Returns what belongs to the wanted ones of some operations.
    pub(super) fn part_of<T: Clone>(&self, of_operations: &[T]) -> Vec<T> {
        let all = of_operations.iter().enumerate();
        all.filter(|(number, _)| self.takes(*number)).map(|(_, each)| each.clone()).collect()
    }

    /// Tells whether an operation is wanted.
    pub fn takes(&self, number: usize) -> bool {
        self.operations().is_none_or(|wanted| wanted.contains(&number))
    }

    /// Returns the wanted operations; none where no other is rejected.
    pub fn operations(&self) -> Option<&BTreeSet<usize>> {
        match self {
            Self::All | Self::Amended(_) => None,
            Self::Operations(operations) | Self::Pieces { operations, .. } => Some(operations),
        }
    }

    /// Returns the texts that replace the result of the operations.
    pub fn texts(&self) -> Option<&Amendment> {
        match self {
            Self::All | Self::Operations(_) => None,
            Self::Amended(texts) | Self::Pieces { texts, .. } => Some(texts),
        }
    }
}
