//! Routes that store, read, change, recall, relate and delete memories.

use axum::http::StatusCode;

use super::parameter::{Parameter, flag, header, number, numbers, text, texts, time, whole, word};
use super::route::Route;
use crate::error::Result;
use crate::server::http::call::{Call, Reply};
use crate::service::request::{
    AssociateForm, AssociatedForm, BatchForm, BatchStored, ByTag, Deleted, DeletedByTag, GotMemory,
    History, NewMemoryForm, PatchForm, RecallAnswer, RecallSort, RecencyBias, Related,
    RestoreAnswer, ServiceRefusal, StartupRecall, StateMode, Stored, Trash, UndoAnswer, Updated,
};
use crate::service::verbs::{self, Associated, Deletion};

pub(super) const ROUTES: &[Route] = &[
    Route::post::<Stored>("/memory", store)
        .about("Store a memory")
        .takes::<NewMemoryForm>()
        .with(&[KEY])
        .answers(&[201, 200]),
    Route::post::<BatchStored>("/memory/batch", store_batch)
        .about("Store up to 500 memories, all or none")
        .takes_list::<BatchForm>()
        .with(&[KEY])
        .answers(&[201]),
    Route::get::<ByTag>("/memory/by-tag", by_tag)
        .about("List the memories that have any of some tags, the most important first")
        .with(&[TAGS.required(), LIMIT, OFFSET]),
    Route::new::<DeletedByTag>("DELETE", "/memory/by-tag", delete_by_tag)
        .about("Delete all memories that have any of some tags")
        .with(&[TAGS.required()]),
    Route::get::<GotMemory>("/memory/{id}", get).about("Read a memory"),
    Route::new::<Updated>("PATCH", "/memory/{id}", update)
        .about("Change a memory; what is absent stays")
        .takes::<PatchForm>(),
    Route::new::<Deleted>("DELETE", "/memory/{id}", delete)
        .about("Delete a memory; it stays in the trash for 30 days")
        .with(&[flag("forget", "Erase text, vector and history for good")]),
    Route::get::<History>("/memory/{id}/history", history)
        .about("List the changes of a memory, oldest first")
        .with(PAGE),
    Route::post::<UndoAnswer>("/memory/{id}/undo", undo)
        .about("Take back the last change of a memory"),
    Route::get::<Trash>("/trash", trash)
        .about("List the deleted memories, the last deleted first")
        .with(PAGE),
    Route::post::<RestoreAnswer>("/trash/{id}/restore", restore)
        .about("Take a memory out of the trash, with its relations"),
    Route::get::<RecallAnswer>("/recall", recall)
        .about("Find the memories that answer a question best")
        .with(RECALL),
    Route::get::<StartupRecall>("/startup-recall", startup_recall)
        .about("List the lessons and rules that a session begins with"),
    Route::post::<AssociatedForm>("/associate", associate)
        .about("Relate two memories, or up to 500 pairs")
        .takes_list::<AssociateForm>()
        .answers(&[201, 207]),
    Route::get::<Related>("/memories/{id}/related", related)
        .about("List the memories that a memory is related to")
        .with(&[
            texts(
                "relationship_types",
                "Types, repeated or with commas; those that people set, if absent",
            ),
            whole("max_depth", "Most hops, 1 to 3"),
            whole("limit", "1 to 200; 5 if absent"),
        ]),
];

const TAGS: Parameter = texts("tags", "Tags, repeated or with commas");
const LIMIT: Parameter = whole("limit", "1 to 200; 50 if absent");
const OFFSET: Parameter = whole("offset", "How many to pass over");
const PAGE: &[Parameter] = &[LIMIT, OFFSET];

const KEY: Parameter = header(
    "Idempotency-Key",
    "A name of the request: the same one is answered with what was stored",
);

/// What `/recall` takes; `docs/memory-service.md` explains each.
pub(super) const RECALL: &[Parameter] = &[
    text("query", "A question in any words"),
    texts("queries", "Several questions, repeated"),
    whole("limit", "Answers at most; 5 if absent"),
    whole("per_query_limit", "Answers to each of several questions"),
    numbers("embedding", "The vector of the question, numbers with commas"),
    TAGS,
    word("tag_mode", &["any", "all"], "Whether one tag is enough"),
    word("tag_match", &["prefix", "exact"], "Whether the begin of a tag is enough"),
    texts("exclude_tags", "Tags that are not wanted"),
    text("time_query", "A stretch of time in words, such as `last 7 days`; `time` is the same"),
    time("start", "The first moment, ISO 8601"),
    time("end", "The last moment, ISO 8601"),
    word("sort", RecallSort::NAMES, "The order; the best first, if absent; `order_by` is the same"),
    flag(
        "expand_relations",
        "Add what is related to the answers; `expand` and `expand_associations` are the same",
    ),
    whole("relation_limit", "Relations of an answer that are followed"),
    whole("expansion_limit", "Memories that are added at most"),
    number("expand_min_importance", "Of what is added"),
    number("expand_min_strength", "Of the relations that are followed"),
    flag("expand_respect_tags", "Add only what has the tags"),
    flag("expand_entities", "Add what names the same; `entity_expansion` is the same"),
    flag("auto_decompose", "Ask for each name in the question too"),
    word(
        "state_mode",
        StateMode::NAMES,
        "What holds now, or all that ever held; the older `current_only` wins",
    ),
    flag("state_debug", "Say what was left out because it does not hold any more"),
    word("recency_bias", RecencyBias::NAMES, "Whether newer memories come first"),
    flag("scope_fallback", "Add answers without the tags where too few have them"),
    number("min_score", "The least score"),
    flag("adaptive_floor", "Leave out what is far worse than others; true if absent"),
    text("context", "What the caller does, such as `coding-style`"),
    text("language", "The language that the caller works in; `lang` is the same"),
    text(
        "active_path",
        "The file that the caller works on; `file_path` and `focus_path` are the same",
    ),
    texts("context_tags", "Tags that come first"),
    texts("context_types", "Types that come first"),
    texts("priority_ids", "Memories that come first"),
];

fn store(call: Call) -> Result<Reply> {
    let answer = verbs::store(&call.session, call.body, call.key.as_ref())?;
    let existed = answer.as_ref().is_ok_and(|stored| stored.existed);
    Reply::of(if existed { StatusCode::OK } else { StatusCode::CREATED }, Ok(answer))
}

fn store_batch(call: Call) -> Result<Reply> {
    Reply::of(StatusCode::CREATED, verbs::store_batch(&call.session, call.body, call.key.as_ref()))
}

fn by_tag(call: Call) -> Result<Reply> {
    Reply::ok(verbs::by_tag(&call.session, &call.query))
}

fn delete_by_tag(call: Call) -> Result<Reply> {
    Reply::ok(verbs::delete_by_tag(&call.session, &call.query))
}

fn get(call: Call) -> Result<Reply> {
    Reply::ok(verbs::get(&call.session, &call.id))
}

fn update(call: Call) -> Result<Reply> {
    Reply::ok(verbs::update(&call.session, &call.id, call.body))
}

fn delete(call: Call) -> Result<Reply> {
    let forgets = call.query.flag(&["forget"]).unwrap_or(false);
    let wanted = call.query.one(&["forget"]).unwrap_or("false").to_lowercase();
    if !["true", "1", "yes", "on", "false", "0", "no", "off"].contains(&wanted.as_str()) {
        let detail = "found another word, allowed are `true` and `false`; nothing was deleted";
        let refusal = ServiceRefusal::of_field("forget", "'forget' must be true or false", detail);
        return Ok(Reply::refused(&refusal));
    }
    let deletion = if forgets { Deletion::Forget } else { Deletion::Soft };
    Reply::ok(verbs::delete(&call.session, &call.id, deletion))
}

fn history(call: Call) -> Result<Reply> {
    Reply::ok(verbs::history(&call.session, &call.id, &call.query))
}

fn undo(call: Call) -> Result<Reply> {
    Reply::ok(verbs::undo(&call.session, &call.id))
}

fn trash(call: Call) -> Result<Reply> {
    Reply::always(verbs::trash(&call.session, &call.query))
}

fn restore(call: Call) -> Result<Reply> {
    Reply::ok(verbs::restore(&call.session, &call.id))
}

fn recall(call: Call) -> Result<Reply> {
    Reply::ok(verbs::recall(&call.session, &call.query))
}

fn startup_recall(call: Call) -> Result<Reply> {
    Reply::always(verbs::startup_recall(&call.session))
}

fn related(call: Call) -> Result<Reply> {
    Reply::always(verbs::related(&call.session, &call.id, &call.query))
}

fn associate(call: Call) -> Result<Reply> {
    Ok(match verbs::associate(&call.session, call.body)? {
        Ok(Associated::One(answer)) => Reply::new(StatusCode::CREATED, &answer),
        Ok(Associated::Batch(answer)) if answer.failed_count == 0 => {
            Reply::new(StatusCode::CREATED, &answer)
        }
        Ok(Associated::Batch(answer)) => Reply::new(StatusCode::MULTI_STATUS, &answer),
        Err(refusal) => Reply::refused(&refusal),
    })
}
