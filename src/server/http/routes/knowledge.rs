//! Routes that show what the memories have in common: graph, numbers, entities.

use super::parameter::{flag, number, text, texts, time, whole};
use super::route::Route;
use crate::error::Result;
use crate::server::http::access::Needs;
use crate::server::http::call::{Call, Reply};
use crate::service::request::{
    AnalyzeAnswer, EntitiesAnswer, EntityAnswer, EntityAudit, GraphNeighbors, GraphRelations,
    GraphSnapshot, GraphStats, GraphTypes, MergeAnswer, MergeCandidates, MergeForm,
};
use crate::service::verbs;

pub(super) const ROUTES: &[Route] = &[
    Route::get::<AnalyzeAnswer>("/analyze", |call| Reply::always(verbs::analyze(&call.session)))
        .about("Count memories by type, hour and confidence, and list patterns and preferences"),
    Route::get::<GraphSnapshot>("/graph/snapshot", snapshot)
        .about("List memories and the relations among them, for a drawing")
        .with(&[
            whole("limit", "Memories at most; 500 if absent, 0 for all"),
            number("min_importance", "The least importance"),
            texts("types", "Types, repeated or with commas"),
            time("since", "The oldest time, ISO 8601"),
        ]),
    Route::get::<GraphNeighbors>("/graph/neighbors/{id}", neighbors)
        .about("List what is around a memory, for a drawing")
        .with(&[
            whole("depth", "Most hops, 1 to 3"),
            flag("include_semantic", "Add what has a similar vector; true if absent"),
            whole("semantic_limit", "Such memories at most"),
        ]),
    Route::get::<GraphStats>("/graph/stats", |call| {
        Reply::always(verbs::graph_stats(&call.session))
    })
    .about("Count memories and relations"),
    Route::get::<GraphTypes>("/graph/types", |_| Reply::always(Ok(verbs::graph_types())))
        .about("List the types of memories with their colours"),
    Route::get::<GraphRelations>("/graph/relations", |_| {
        Reply::always(Ok(verbs::graph_relations()))
    })
    .about("List the types of relations with their colours"),
    Route::get::<EntitiesAnswer>("/entities", entities)
        .about("List what the memories name, the most often named first")
        .with(&[text("category", "e.g. `people`"), whole("limit", "1 to 500; 100 if absent")]),
    Route::get::<MergeCandidates>("/entities/merge-candidates", merge_candidates)
        .about("List names that may be one"),
    Route::get::<EntityAudit>("/entities/audit", |call| {
        Reply::always(verbs::entity_audit(&call.session))
    })
    .about("Look for faults in what the memories name")
    .needs(Needs::AdminToken),
    Route::get::<EntityAnswer>("/entity/{id}", |call| {
        Reply::ok(verbs::entity(&call.session, &call.id))
    })
    .about("Read what is known of a name"),
    Route::post::<MergeAnswer>("/entity/{id}/merge", merge)
        .about("Make one name of two")
        .takes::<MergeForm>()
        .needs(Needs::AdminToken),
];

fn snapshot(call: Call) -> Result<Reply> {
    Reply::ok(verbs::graph_snapshot(&call.session, &call.query))
}

fn neighbors(call: Call) -> Result<Reply> {
    Reply::ok(verbs::graph_neighbors(&call.session, &call.id, &call.query))
}

fn entities(call: Call) -> Result<Reply> {
    Reply::always(verbs::entities(&call.session, &call.query))
}

fn merge_candidates(call: Call) -> Result<Reply> {
    Reply::always(verbs::merge_candidates(&call.session))
}

fn merge(call: Call) -> Result<Reply> {
    Reply::ok(verbs::merge_entity(&call.session, &call.id, &call.body))
}
