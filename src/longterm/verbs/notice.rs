//! What people are shown of a change, and what caches are told.

use crate::longterm::request::{
    MemoryEvent, MemoryNotice, MemoryOwner, MemoryRow, NoticeFooter, People, ToolData, preview_of,
};
use crate::longterm::sqlite::NotedChange;

/// Returns what an answer says of a memory and of its change; where nothing changed, the same was there already.
pub(super) fn data_of(
    event: MemoryEvent,
    row: &MemoryRow,
    people: People<'_>,
    noted: Option<NotedChange>,
) -> ToolData {
    let person = match &row.owner {
        MemoryOwner::Server(_) => None,
        MemoryOwner::Person(id) => Some(id.clone()),
    };
    let content = Some(row.content.clone());
    let (is_deleted, duplicate) = (event == MemoryEvent::Deleted, noted.is_none());
    let (invalidated, change) =
        noted.map(|noted| (noted.raised, Some(noted.event))).unwrap_or_default();
    ToolData {
        scope: Some(row.owner.scope()),
        memory_id: Some(row.number),
        content_saved: content.clone().filter(|_| !is_deleted),
        content_deleted: content.filter(|_| is_deleted),
        duplicate,
        notification: (!duplicate).then(|| notice(event, row, people)),
        invalidated,
        change,
        target_user: person,
        ..ToolData::default()
    }
}

fn notice(event: MemoryEvent, row: &MemoryRow, people: People<'_>) -> MemoryNotice {
    let (person, footer) = match &row.owner {
        MemoryOwner::Server(_) => (None, NoticeFooter::Shared),
        MemoryOwner::Person(id) => (Some(people.name(id)), footer(id, people)),
    };
    let (preview, truncated) = preview_of(&row.content);
    MemoryNotice {
        event,
        color: event.color(),
        scope: row.owner.scope(),
        persona: people.context.persona_name.clone(),
        person,
        memory_id: row.number,
        content: row.content.clone(),
        preview,
        truncated,
        footer,
    }
}

/// Says whether what is remembered of a person is used.
fn footer(person: &str, people: People<'_>) -> NoticeFooter {
    if people.is_blacklisted(person) {
        NoticeFooter::UserBlacklisted
    } else if !people.uses_personal_memories() {
        NoticeFooter::PersonalizationDisabled
    } else {
        NoticeFooter::Manage
    }
}
