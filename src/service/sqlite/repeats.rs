//! Requests that were answered a short time ago: sent twice by a retry they store nothing twice.

use rusqlite::{OptionalExtension, params};

use super::view::TenantView;
use crate::contract::{Sha256Digest, Timestamp};
use crate::error::Result;
use crate::service::request::MemoryId;

/// What was answered to a request before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Repeat {
    /// Names the request.
    pub(crate) key: Sha256Digest,
    /// SHA-256 of its body.
    pub(crate) body: Sha256Digest,
    /// The memories that it made.
    pub(crate) ids: Vec<MemoryId>,
}

impl TenantView<'_> {
    /// Finds what a request with this key made since a time.
    pub(crate) fn repeat(&self, key: &Sha256Digest, since: Timestamp) -> Result<Option<Repeat>> {
        let sql = "SELECT body, ids FROM repeats WHERE tenant = ?1 AND key = ?2 AND at >= ?3";
        let mut statement = self.connection.prepare_cached(sql)?;
        let found = statement
            .query_row(params![self.tenant, &key[..], since.microseconds()], |row| {
                Ok((row.get::<_, Sha256Digest>(0)?, row.get::<_, String>(1)?))
            });
        let read = |(body, ids): (Sha256Digest, String)| {
            let ids = ids.split(' ').filter_map(MemoryId::parse).collect();
            Repeat { key: *key, body, ids }
        };
        Ok(found.optional()?.map(read))
    }

    pub(crate) fn note_repeat(&self, repeat: &Repeat, now: Timestamp) -> Result<()> {
        let ids: Vec<String> = repeat.ids.iter().map(MemoryId::to_string).collect();
        let sql = "INSERT OR REPLACE INTO repeats(tenant, key, body, ids, at) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.connection.prepare_cached(sql)?.execute(params![
            self.tenant,
            &repeat.key[..],
            &repeat.body[..],
            ids.join(" "),
            now.microseconds(),
        ])?;
        Ok(())
    }

    /// Forgets the requests that were answered before a time.
    pub(crate) fn forget_repeats(&self, before: Timestamp) -> Result<()> {
        let sql = "DELETE FROM repeats WHERE tenant = ?1 AND at < ?2";
        self.connection
            .prepare_cached(sql)?
            .execute(params![self.tenant, before.microseconds()])?;
        Ok(())
    }
}
