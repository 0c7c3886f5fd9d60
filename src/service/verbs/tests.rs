//! A database in a temp folder, for the tests of verbs.

use std::sync::Arc;

use serde_json::{Value, json};

use super::service_store::{DEFAULT_TENANT, ServiceSettings, ServiceStore};
use super::session::ServiceSession;
use super::store::store;
use super::work::work;
use crate::contract::Timestamp;
use crate::service::request::{MemoryId, QueryParameters};

/// An open database without a memory, and a session on it.
pub(super) struct Sample {
    pub(super) session: ServiceSession,
    _folder: tempfile::TempDir,
}

impl Sample {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = ServiceSettings::named(|_| None);
        let store = Arc::new(ServiceStore::open(folder.path(), settings).expect("it opens"));
        let now = Timestamp::parse("2026-11-20T10:00:00Z").expect("a time");
        let tenant = store.tenant(DEFAULT_TENANT, now).expect("it is made");
        let session = ServiceSession { store, tenant, actor: "test".to_owned(), now };
        Self { session, _folder: folder }
    }

    /// Returns a session of another tenant on the same database.
    pub(super) fn of_another(&self) -> ServiceSession {
        let Self { session, .. } = self;
        let tenant = session.store.tenant("other", session.now).expect("it is made");
        ServiceSession { tenant, ..session.clone() }
    }

    /// Stores a memory and does what is due behind the answer.
    pub(super) fn store(&self, memory: Value) -> MemoryId {
        let answer = store(&self.session, memory, None).expect("it answers");
        let id = answer.expect("it is stored").memory_id;
        while work(&self.session.store, self.session.now).expect("it works") > 0 {}
        id
    }

    /// Stores a memory that was made some minutes after the first hour of the day.
    pub(super) fn say(&self, content: &str, minutes: u32) -> MemoryId {
        let time = format!("2026-11-20T01:{minutes:02}:00Z");
        self.store(json!({"content": content, "timestamp": time}))
    }
}

/// Returns a query with one parameter.
pub(super) fn query(name: &str, value: &str) -> QueryParameters {
    QueryParameters(vec![(name.to_owned(), value.to_owned())])
}
