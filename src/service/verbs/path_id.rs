//! Reads the id in a path.

use crate::service::request::{MemoryId, ServiceRefusal};
use crate::text::excerpt;

/// Reads the id in a path, which must be a UUID.
pub fn path_id(id: &str) -> Result<MemoryId, Box<ServiceRefusal>> {
    MemoryId::parse(id).ok_or_else(|| {
        let detail = format!("found `{}`, allowed is an id such as a recall returns", excerpt(id));
        ServiceRefusal::of_field("memory_id", "memory_id must be a valid UUID", detail)
    })
}
