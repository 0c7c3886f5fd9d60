//! The table of answers of the tools: each answer fits the schema that the known clients check it against.

use serde_json::Value;

use super::fields::{
    any_object, flag, list, number, object, object_with, one_of, text, texts, whole,
};

pub(super) fn store() -> Value {
    let fields = [
        ("memory_id", text("")),
        ("memory_ids", texts("")),
        ("superseded_memory_id", text("")),
        ("association_created", flag("")),
        ("stored", whole("")),
        ("type", text("")),
        ("confidence", number("")),
        ("duplicate", flag("The same was stored a moment ago.")),
        ("size_warning", text("")),
        ("qdrant", text("")),
        ("enrichment", text("")),
        ("query_time_ms", number("")),
        ("warnings", texts("")),
        ("message", text("")),
    ];
    object_with(&fields, &["message"])
}

pub(super) fn recall() -> Value {
    let fields = [
        ("count", whole("")),
        ("mode", one_of(&["ranked", "enumeration", "id_fetch"], "")),
        ("has_more", flag("")),
        ("limit", whole("")),
        ("offset", whole("")),
        ("results", list(recalled(), "")),
        ("truncation", any_object("What was left out because the answer is long.")),
        ("dedup_removed", whole("")),
        ("query", text("")),
        ("sort", text("")),
        ("exclude_tags", texts("")),
        ("state_filter", any_object("")),
        ("state_mode", one_of(&["current", "history"], "")),
        ("tag_scope", any_object("")),
        ("scope_fallback", flag("")),
        ("recency_bias", one_of(&["auto", "on", "off"], "")),
        ("score_filter", any_object("")),
        ("queries", texts("")),
        ("vector_search", any_object("")),
        ("query_time_ms", number("")),
        ("warnings", texts("")),
    ];
    object_with(&fields, &["count", "results"])
}

fn recalled() -> Value {
    object(&[
        ("memory_id", text("")),
        ("summary", text("")),
        ("content", text("")),
        ("content_truncated", flag("")),
        ("content_chars", whole("")),
        ("tags", texts("")),
        ("importance", number("")),
        ("final_score", number("")),
        ("match_type", text("")),
        ("created_at", text("")),
        ("updated_at", text("")),
        ("deduped_from", texts("")),
        ("outside_tag_scope", flag("")),
        ("state_replaces", text("")),
    ])
}

pub(super) fn associate() -> Value {
    let fields = [
        ("success", flag("False where a pair failed.")),
        ("message", text("")),
        ("created_count", whole("")),
        ("failed_count", whole("")),
        ("succeeded", list(any_object(""), "")),
        ("failed", list(any_object(""), "")),
        ("summary", text("")),
    ];
    object_with(&fields, &["success", "message"])
}

pub(super) fn update() -> Value {
    let fields = [
        ("memory_id", text("")),
        ("size_warning", text("")),
        ("warnings", texts("")),
        ("message", text("")),
    ];
    object_with(&fields, &["memory_id", "message"])
}

pub(super) fn delete() -> Value {
    let fields = [
        ("memory_id", text("")),
        ("already_deleted", flag("")),
        ("deleted_count", whole("")),
        ("tags", texts("")),
        ("message", text("")),
    ];
    object_with(&fields, &["message"])
}

pub(super) fn health() -> Value {
    let fields = [
        ("status", one_of(&["healthy", "degraded", "error"], "")),
        ("backend", text("")),
        ("statistics", any_object("")),
        ("error", text("")),
    ];
    object_with(&fields, &["status", "backend"])
}
