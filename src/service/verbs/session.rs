//! As whom, and when, a verb works.

use std::sync::Arc;

use serde_json::Value;

use super::events::ServiceEvent;
use super::service_store::ServiceStore;
use super::tenant_key::TenantKey;
use crate::contract::Timestamp;
use crate::error::Result;
use crate::service::relevance::relevance;
use crate::service::request::{
    EventKind, Memory, MemoryDocument, ServiceRefusal, redact_texts, refuse_what_must_not_stay,
};
use crate::service::sqlite::{TenantView, ViewChanges};
use crate::service::tags::prefixes;

/// As whom, and when, a verb works.
#[derive(Debug, Clone)]
pub struct ServiceSession {
    /// The open database.
    pub store: Arc<ServiceStore>,
    /// Whose memories.
    pub tenant: TenantKey,
    /// Who acts, for the log: `http`, `mcp`, `cli`.
    pub actor: String,
    /// The time of the call.
    pub now: Timestamp,
}

/// Makes a new session for each call: in a server the time changes.
pub type ServiceSessions = Arc<dyn Fn() -> Result<ServiceSession> + Send + Sync>;

/// An answer, or why the request is refused.
pub type ServiceAnswer<T> = Result<std::result::Result<T, Box<ServiceRefusal>>>;

impl ServiceSession {
    /// Reads the tenant's part of the database, in one view.
    pub(super) fn read<T>(&self, read: impl FnOnce(&TenantView<'_>) -> Result<T>) -> Result<T> {
        let tenant = self.tenant.0;
        self.store.database.read(|view| read(&TenantView::new(view, tenant)))
    }

    /// Changes the tenant's part of the database, all or nothing; what is refused changes nothing. What the log has of it is
    /// told to those who listen.
    pub(super) fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&TenantView<'_>) -> ServiceAnswer<T> + Send + 'static,
    ) -> ServiceAnswer<T> {
        let tenant = self.tenant.0;
        let change = move |connection: &_| {
            let changes = ViewChanges::default();
            let answer = change(&TenantView::noting(connection, tenant, &changes))?;
            Ok(answer.map(|answer| (answer, changes.into_events())))
        };
        let written = self.store.database.write_unless_refused(change)?;
        Ok(written.map(|(answer, events)| {
            self.store.tell_all(self.tenant, &events, self.now);
            answer
        }))
    }

    /// Tells those who listen what was done that the log does not have.
    pub(super) fn tell(&self, kind: EventKind, data: Value) {
        let data = data.as_object().cloned().unwrap_or_default();
        self.store.tell(&ServiceEvent { tenant: self.tenant, kind, time: self.now, data });
    }

    /// Reads a body in which no secret stays: it is taken out, or refused, as the settings say.
    pub(super) fn screened<T>(
        &self,
        mut body: Value,
        read: impl FnOnce(&Value) -> std::result::Result<T, Box<ServiceRefusal>>,
    ) -> std::result::Result<T, Box<ServiceRefusal>> {
        let scanner = &self.store.scanner;
        if self.store.settings.redacts {
            redact_texts(&mut body, scanner);
        }
        let read = read(&body)?;
        refuse_what_must_not_stay(&body, scanner).map(|()| read)
    }

    pub(super) fn note_accesses(&self, rows: &[i64]) {
        self.store.note_accesses(self.tenant.0, rows, self.now);
    }

    /// Returns a memory as a client reads it.
    pub(super) fn document(&self, memory: &Memory) -> MemoryDocument {
        let said = memory.said.clone();
        let summary = memory.derived.as_ref().map(|derived| derived.summary.clone());
        MemoryDocument {
            relevance_score: relevance(memory, self.now, self.store.settings.rates),
            tag_prefixes: prefixes(said.tags.iter().map(String::as_str)),
            entities: memory.entities(),
            derived_tags: memory.derived_tags(),
            enriched: memory.derived.is_some(),
            enriched_at: memory.derived.as_ref().map(|derived| derived.at),
            processed: memory.derived.is_some(),
            last_accessed: memory.last_accessed,
            summary,
            id: said.id,
            content: said.content,
            kind: said.kind,
            confidence: said.confidence,
            importance: said.importance,
            tags: said.tags,
            metadata: said.metadata,
            timestamp: said.timestamp,
            updated_at: said.updated_at,
            t_valid: said.t_valid,
            t_invalid: said.t_invalid,
        }
    }
}
