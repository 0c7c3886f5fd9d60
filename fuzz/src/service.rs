//! Bodies and query strings of the memory service: whatever they hold, it answers, and what it refuses changes nothing.

use std::sync::{Arc, LazyLock};

use agent_memory::contract::Timestamp;
use agent_memory::service::request::QueryParameters;
use agent_memory::service::verbs::{
    self, DEFAULT_TENANT, ServiceSession, ServiceSettings, ServiceStore,
};
use tempfile::TempDir;

/// A store with one memory.
struct ServiceStage {
    session: ServiceSession,
    id: String,
    _folder: TempDir,
}

static STAGE: LazyLock<ServiceStage> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = ServiceSettings::named(|_| None);
    let store = ServiceStore::open(folder.path(), settings).expect("it is made");
    let now = Timestamp::parse("2026-11-20T10:00:00Z").expect("a time");
    let tenant = store.tenant(DEFAULT_TENANT, now).expect("it is made");
    let session = ServiceSession { store: Arc::new(store), tenant, actor: "fuzz".to_owned(), now };
    let body = serde_json::json!({"content": "Tokens rotate daily", "tags": ["auth"]});
    let stored = verbs::store(&session, body, None).expect("it answers").expect("it is stored");
    ServiceStage { session, id: stored.memory_id.to_string(), _folder: folder }
});

fn count() -> usize {
    verbs::stats(&STAGE.session).expect("it answers").memories
}

/// Sends a body to every route that takes one.
pub fn service_body(bytes: &[u8]) {
    let Ok(body) = serde_json::from_slice::<serde_json::Value>(bytes) else { return };
    let (session, id) = (&STAGE.session, &STAGE.id);
    let before = count();
    let stored = verbs::store(session, body.clone(), None).expect("it answers");
    let batch = verbs::store_batch(session, body.clone(), None).expect("it answers");
    if stored.is_err() && batch.is_err() {
        assert_eq!(count(), before, "what is refused changes nothing");
    }
    let _ = verbs::update(session, id, body.clone()).expect("it answers");
    let _ = verbs::associate(session, body.clone()).expect("it answers");
    let _ = verbs::consolidate(session, &body).expect("it answers");
    let _ = verbs::reprocess(session, &body).expect("it answers");
    let memory = verbs::get(session, id).expect("it answers").expect("it is there").memory;
    assert!((0.0..=1.0).contains(&memory.importance) && !memory.content.is_empty());
}

/// Asks with a query string, as the door reads it.
pub fn service_query(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let pairs = text.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let query = QueryParameters(pairs);
    let session = &STAGE.session;
    if let Ok(answer) = verbs::recall(session, &query).expect("it answers") {
        assert_eq!(answer.count, answer.results.len());
        assert!(answer.results.iter().all(|result| result.score.is_finite()));
    }
    let _ = verbs::by_tag(session, &query).expect("it answers");
    let _ = verbs::related(session, &STAGE.id, &query).expect("it answers");
    let _ = verbs::graph_snapshot(session, &query).expect("it answers");
}
