//! Routes that tell how the service is, and set its work going.

use axum::http::StatusCode;

use super::route::Route;
use crate::error::Result;
use crate::server::http::access::Needs;
use crate::server::http::call::{Call, Reply};
use crate::service::request::{
    ConsolidateAnswer, ConsolidateForm, ConsolidateStatus, EmbedForm, EnrichmentStatus, IdsForm,
    ReembedAnswer, ReprocessAnswer, ServiceHealth, SyncAnswer,
};
use crate::service::verbs;

pub(super) const ROUTES: &[Route] = &[
    Route::get::<ServiceHealth>("/health", health)
        .about("Tell whether the service works; numbers of the tenant whose token is sent")
        .needs(Needs::Nothing),
    Route::get::<EnrichmentStatus>("/enrichment/status", enrichment_status)
        .about("Tell what is to be done behind the answers"),
    Route::post::<ReprocessAnswer>("/enrichment/reprocess", reprocess)
        .about("Enrich memories again")
        .takes::<IdsForm>()
        .answers(&[202])
        .needs(Needs::AdminToken),
    Route::post::<ConsolidateAnswer>("/consolidate", consolidate)
        .about("Compute relevance, find what belongs together")
        .may_take::<ConsolidateForm>(),
    Route::get::<ConsolidateStatus>("/consolidate/status", |_| {
        Reply::always(Ok(verbs::consolidate_status()))
    })
    .about("Tell when that happens by itself"),
    Route::post::<ReembedAnswer>("/admin/reembed", reembed)
        .about("Make vectors again")
        .may_take::<EmbedForm>()
        .needs(Needs::AdminToken),
    Route::post::<SyncAnswer>("/admin/sync", sync)
        .about("Compare memories and vectors")
        .may_take::<EmbedForm>()
        .needs(Needs::AdminToken),
];

fn health(call: Call) -> Result<Reply> {
    Reply::always(verbs::health(&call.session.store, call.tenant, call.session.now))
}

fn enrichment_status(call: Call) -> Result<Reply> {
    Reply::always(verbs::enrichment_status(&call.session))
}

fn reprocess(call: Call) -> Result<Reply> {
    Reply::of(StatusCode::ACCEPTED, verbs::reprocess(&call.session, &call.body))
}

fn consolidate(call: Call) -> Result<Reply> {
    Reply::ok(verbs::consolidate(&call.session, &call.body))
}

fn reembed(call: Call) -> Result<Reply> {
    Reply::ok(verbs::admin_reembed(&call.session, &call.body))
}

fn sync(call: Call) -> Result<Reply> {
    Reply::ok(verbs::admin_sync(&call.session, &call.body))
}
