//! Knows a request again that is sent twice.

use serde_json::Value;

use super::store_form::StoreForm;
use crate::contract::{ContentHash, Sha256Digest, Timestamp};
use crate::error::Result;
use crate::service::request::{MemoryId, RefusalStatus, ServiceRefusal};
use crate::service::sqlite::{Repeat, TenantView};

/// Seconds in which the same body stores nothing again: a retry sends it twice.
const SAME_BODY: i64 = 60;

/// Seconds in which the same `Idempotency-Key` stores nothing again: a day.
const SAME_KEY: i64 = 24 * 3_600;

/// What a client sent to name its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub String);

/// What names a request, so that it is known when it comes again.
#[derive(Debug, Clone, Copy)]
pub(super) struct RepeatKey {
    /// The name that the client gave it.
    named: Option<Sha256Digest>,
    body: Sha256Digest,
}

/// What is known of a request.
pub(super) enum KnownRequest {
    /// It was not answered a short time ago.
    New,
    /// It was answered, and made these memories.
    Answered(Vec<MemoryId>),
    /// Its name was that of another body.
    OtherBody,
}

impl RepeatKey {
    pub(super) fn of(body: &Value, key: Option<&IdempotencyKey>, form: StoreForm) -> Self {
        let body = ContentHash::digest(format!("{}\n{body}", form.name()).as_bytes());
        let named =
            key.map(|IdempotencyKey(key)| ContentHash::digest(format!("key\n{key}").as_bytes()));
        Self { named, body }
    }

    /// Looks for the request: by its name, then by its body. Where all memories `have_ids`, these say what is known, and not the
    /// body.
    pub(super) fn find(
        self,
        view: &TenantView<'_>,
        now: Timestamp,
        have_ids: bool,
    ) -> Result<KnownRequest> {
        let since = |seconds: i64| now.plus_seconds(-seconds);
        let named = self.named.map(|name| view.repeat(&name, since(SAME_KEY))).transpose()?;
        if let Some(known) = named.flatten() {
            return Ok(match known.body == self.body {
                true => KnownRequest::Answered(known.ids),
                false => KnownRequest::OtherBody,
            });
        }
        let same = if have_ids { None } else { view.repeat(&self.body, since(SAME_BODY))? };
        Ok(same.map_or(KnownRequest::New, |known| KnownRequest::Answered(known.ids)))
    }

    /// Notes what the request made.
    pub(super) fn note(
        self,
        view: &TenantView<'_>,
        ids: &[MemoryId],
        now: Timestamp,
    ) -> Result<()> {
        view.note_repeat(&Repeat { key: self.body, body: self.body, ids: ids.to_vec() }, now)?;
        self.note_name(view, ids, now)
    }

    /// Notes what the request made by its name alone; by its body it is known already.
    pub(super) fn note_name(
        self,
        view: &TenantView<'_>,
        ids: &[MemoryId],
        now: Timestamp,
    ) -> Result<()> {
        let Some(key) = self.named else { return Ok(()) };
        view.note_repeat(&Repeat { key, body: self.body, ids: ids.to_vec() }, now)
    }
}

pub(super) fn refuse_other_body() -> Box<ServiceRefusal> {
    let message = "Idempotency-Key was used with another body";
    let next = "send another key with another body";
    ServiceRefusal::new(RefusalStatus::Conflict, message, next)
}
