//! How many numbers a vector has: as it is set, else as the others of the tenant have.

use crate::error::Result;
use crate::service::request::{ServiceRefusal, refuse_size};
use crate::service::sqlite::TenantView;

/// How many numbers a vector has; the first vector says it where nothing else does.
#[derive(Debug, Clone, Copy)]
pub(super) struct VectorSize(Option<usize>);

impl VectorSize {
    /// Takes what is set.
    pub(super) fn set_to(size: Option<usize>) -> Self {
        Self(size)
    }

    /// Takes the size of the tenant's vectors where nothing is set.
    pub(super) fn in_view(self, view: &TenantView<'_>) -> Result<Self> {
        self.0.map_or_else(|| view.vector_size(), |size| Ok(Some(size))).map(Self)
    }

    /// Refuses a vector of another size.
    pub(super) fn check(
        &mut self,
        field: &str,
        vector: &[f32],
    ) -> std::result::Result<(), Box<ServiceRefusal>> {
        refuse_size(field, vector.len(), *self.0.get_or_insert(vector.len()))
    }
}
