//! Markdown: a page a memory, to be read by people.

use crate::service::request::{MemoryId, RelationType, SavedMemory};

/// A relation from a memory to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedRelation {
    pub(crate) kind: RelationType,
    pub(crate) target: MemoryId,
}

/// Returns the page of a memory: its text between a heading and a list of what else was said.
pub(crate) fn page_of(memory: &SavedMemory, relations: &[NamedRelation]) -> String {
    let said = &memory.said;
    let day: String = said.timestamp.to_string().chars().take(10).collect();
    let mut page = format!("# {}, {day}\n\n{}\n\n", said.kind, said.content.trim_end());
    let mut item = |name: &str, value: &str| page += &format!("- {name}: {value}\n");
    item("id", &said.id.to_string());
    if !said.tags.is_empty() {
        item("tags", &said.tags.join(", "));
    }
    item("importance", &said.importance.to_string());
    item("confidence", &said.confidence.to_string());
    item("made", &said.timestamp.to_string());
    if said.updated_at != said.timestamp {
        item("changed", &said.updated_at.to_string());
    }
    if let Some(end) = said.t_invalid {
        item("holds until", &end.to_string());
    }
    for (name, value) in &said.metadata {
        item(&format!("metadata `{name}`"), &format!("`{value}`"));
    }
    for NamedRelation { kind, target } in relations {
        item(kind.name(), &target.to_string());
    }
    page
}
