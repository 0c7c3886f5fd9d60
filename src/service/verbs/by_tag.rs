//! Reads or deletes the memories with a tag.

use super::delete::to_trash;
use super::relate::relation_documents;
use super::session::{ServiceAnswer, ServiceSession};
use crate::error::Result;
use crate::service::recall::MatchType;
use crate::service::request::{
    ByTag, DeletedByTag, Memory, QueryParameters, RecallResult, ServiceRefusal, TaggedMemory,
};

/// Memories of a page at most, and where nothing is said.
const PAGE: std::ops::RangeInclusive<usize> = 1..=200;
const LIMIT: usize = 50;

/// Memories that one change deletes at most, so that other writers wait only briefly.
const DELETED: usize = 500;

/// Answers `GET /memory/by-tag`.
pub fn by_tag(session: &ServiceSession, query: &QueryParameters) -> ServiceAnswer<ByTag> {
    let tags = match wanted_tags(query) {
        Ok(tags) => tags,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let limit = query.whole("limit", LIMIT, PAGE);
    let offset = query.whole("offset", 0, 0..=usize::MAX);
    let most = session.store.settings.relation_limit;
    let (found, has_more) = session.read(|view| {
        let (memories, has_more) = view.by_tag(&tags, limit, offset)?;
        let related = memories.into_iter().map(|memory| {
            let relations = relation_documents(view, memory.row, most)?;
            Ok((memory, relations))
        });
        Ok((related.collect::<Result<Vec<_>>>()?, has_more))
    })?;
    let rows: Vec<i64> = found.iter().map(|(memory, _)| memory.row).collect();
    session.note_accesses(&rows);
    let memories: Vec<TaggedMemory> = found
        .iter()
        .map(|(memory, relations)| TaggedMemory {
            memory: session.document(memory),
            score: memory.said.importance,
            relations: relations.clone(),
        })
        .collect();
    let results = found.iter().zip(&memories).map(|((memory, _), told)| result(memory, told));
    let results = results.collect();
    let count = memories.len();
    let status = "success";
    Ok(Ok(ByTag { status, tags, count, limit, offset, has_more, memories, results }))
}

fn result(memory: &Memory, told: &TaggedMemory) -> RecallResult {
    let score = memory.said.importance;
    RecallResult {
        id: memory.said.id,
        score,
        final_score: score,
        match_score: score,
        original_score: score,
        match_type: MatchType::Tag.name(),
        source: "graph",
        memory: told.memory.clone(),
        relations: told.relations.clone(),
        score_components: serde_json::json!({ "importance": score }),
        asked: String::new(),
        deduped_from: Vec::new(),
        related_to: Vec::new(),
        relation_score: None,
        expanded_from_entity: None,
        outside_tag_scope: false,
        state_replaces: None,
    }
}

/// Answers `DELETE /memory/by-tag`.
pub fn delete_by_tag(
    session: &ServiceSession,
    query: &QueryParameters,
) -> ServiceAnswer<DeletedByTag> {
    let tags = match wanted_tags(query) {
        Ok(tags) => tags,
        Err(refusal) => return Ok(Err(refusal)),
    };
    if query.one(&["forget"]).is_some() {
        let message = "'forget' is not for tags";
        let detail = "forget memories one by one: `DELETE /memory/<id>?forget=true`";
        return Ok(Err(ServiceRefusal::of_field("forget", message, detail)));
    }
    let mut deleted_count = 0;
    loop {
        let (wanted, actor, now) = (tags.clone(), session.actor.clone(), session.now);
        let deleted = session.write(move |view| {
            let (memories, _) = view.by_tag(&wanted, DELETED, 0)?;
            memories.iter().try_for_each(|memory| to_trash(view, memory, &actor, now))?;
            Ok(Ok(memories.len()))
        })?;
        let deleted = deleted.unwrap_or_default();
        deleted_count += deleted;
        if deleted < DELETED {
            return Ok(Ok(DeletedByTag { status: "success", tags, deleted_count }));
        }
    }
}

fn wanted_tags(query: &QueryParameters) -> std::result::Result<Vec<String>, Box<ServiceRefusal>> {
    let tags = query.all("tags");
    if tags.is_empty() {
        let message = "'tags' query parameter is required";
        return Err(ServiceRefusal::of_field(
            "tags",
            message,
            "send `?tags=a&tags=b` or `?tags=a,b`",
        ));
    }
    Ok(tags)
}
