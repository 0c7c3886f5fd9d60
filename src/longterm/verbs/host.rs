//! Opens the memories of tenants for a server that stays.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::session::{FILE, LongtermSession, LongtermSettings, LongtermStore};
use super::sweep::sweep;
use crate::contract::Timestamp;
use crate::disk::outside;
use crate::error::Result;

/// The data of a server that stays. The database is opened, and made, with the first call: a server that is never asked
/// for long-term memories makes none.
pub struct LongtermHost {
    data: PathBuf,
    settings: fn() -> Result<LongtermSettings>,
    now: fn() -> Result<Timestamp>,
    operator: String,
    store: Mutex<Option<Arc<LongtermStore>>>,
}

/// What a server of one client is started with.
pub struct LongtermMcp {
    /// Opens the memories.
    pub host: LongtermHost,
    /// Whose memories, by name.
    pub tenant: String,
    /// The context of calls that bring none; `null` where there is none.
    pub context: Value,
}

impl LongtermHost {
    /// Takes the folder of all data, and how settings and clock are read.
    pub fn new(
        data: PathBuf,
        settings: fn() -> Result<LongtermSettings>,
        now: fn() -> Result<Timestamp>,
        operator: &str,
    ) -> Self {
        Self { data, settings, now, operator: operator.to_owned(), store: Mutex::default() }
    }

    /// Opens the memories of a tenant, by its name.
    pub fn session(&self, tenant: &str) -> Result<LongtermSession> {
        let (store, now) = (self.store()?, (self.now)()?);
        let tenant = store.tenant(tenant, now)?;
        Ok(LongtermSession { store, tenant, operator: self.operator.clone(), now })
    }

    /// Erases what all tenants deleted long ago; returns how many memories that were.
    pub fn sweep(&self) -> Result<usize> {
        if !outside::exists(&self.data.join(FILE)) {
            return Ok(0);
        }
        let (store, now) = (self.store()?, (self.now)()?);
        let session = |tenant| {
            let (store, operator) = (Arc::clone(&store), self.operator.clone());
            LongtermSession { store, tenant, operator, now }
        };
        store.tenants()?.into_iter().map(|tenant| sweep(&session(tenant))).sum()
    }

    fn store(&self) -> Result<Arc<LongtermStore>> {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = &*store {
            return Ok(Arc::clone(store));
        }
        let opened = Arc::new(LongtermStore::open(&self.data, (self.settings)()?)?);
        *store = Some(Arc::clone(&opened));
        Ok(opened)
    }
}
