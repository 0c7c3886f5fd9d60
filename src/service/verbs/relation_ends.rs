//! The two memories that a relation joins.

use crate::error::Result;
use crate::service::request::NewRelation;
use crate::service::sqlite::TenantView;

/// The numbers of the memories that a relation joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RelationEnds {
    pub(super) source: i64,
    pub(super) target: i64,
}

impl RelationEnds {
    /// Finds them; nothing where one is missing or deleted.
    pub(super) fn find(view: &TenantView<'_>, relation: &NewRelation) -> Result<Option<Self>> {
        let ends = view.live_row(relation.source)?.zip(view.live_row(relation.target)?);
        Ok(ends.map(|(source, target)| Self { source, target }))
    }
}
