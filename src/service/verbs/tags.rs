//! Lists the tags.

use super::session::ServiceSession;
use crate::error::Result;
use crate::service::request::{CountedTag, TagList};

/// Returns the tags of all memories, the most used first.
pub fn tags(session: &ServiceSession, limit: usize) -> Result<TagList> {
    let counts = session.read(|view| view.tag_counts(limit))?;
    let tags: Vec<CountedTag> =
        counts.into_iter().map(|(tag, memories)| CountedTag { tag, memories }).collect();
    Ok(TagList { status: "success", count: tags.len(), tags })
}
