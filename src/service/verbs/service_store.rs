//! The open database of the service, and how it is set.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::events::{EventListener, ServiceEvent, StoreListener, events_of};
use super::tenant_key::TenantKey;
use super::tenant_name::checked;
use crate::contract::{ContentHash, Timestamp};
use crate::database::DurableDatabase;
use crate::error::Result;
use crate::secrets::{Scanner, Settings};
use crate::service::recall::RecallSettings;
use crate::service::relevance::RelevanceRates;
use crate::service::sqlite::{MIGRATIONS, MemoryEvent, Tenant, TenantView};

/// How the service is set; the door reads it from the environment of the person's own process.
#[derive(Debug, Clone)]
pub struct ServiceSettings {
    /// Numbers of a vector; `None` takes those of the tenant's first.
    pub vector_size: Option<usize>,
    /// Relations of an answer at most.
    pub relation_limit: usize,
    /// The largest `limit` of a recall.
    pub recall_limit: usize,
    /// Whether secrets are replaced by their kind, and not refused.
    pub redacts: bool,
    pub(crate) recall: RecallSettings,
    pub(crate) rates: RelevanceRates,
}

impl ServiceSettings {
    /// Takes what is set by name, such as `VECTOR_SIZE`, and the default of all else.
    pub fn named(setting: impl Fn(&str) -> Option<String>) -> Self {
        let whole = |name: &str| setting(name).and_then(|text| text.trim().parse::<usize>().ok());
        Self {
            vector_size: whole("VECTOR_SIZE").filter(|size| *size > 0),
            relation_limit: whole("RECALL_RELATION_LIMIT").unwrap_or(5).min(200),
            recall_limit: whole("RECALL_MAX_LIMIT").filter(|limit| *limit > 0).unwrap_or(100),
            redacts: false,
            recall: RecallSettings::named(&setting),
            rates: RelevanceRates::named(&setting),
        }
    }
}

/// The open database of the service.
#[derive(Debug)]
pub struct ServiceStore {
    pub(super) database: DurableDatabase,
    pub(super) settings: ServiceSettings,
    pub(super) scanner: Scanner,
    /// Reads that are not noted in the database yet.
    accesses: Mutex<HashMap<(i64, i64), Timestamp>>,
    /// Whether the write-ahead log may have what was erased.
    has_traces: AtomicBool,
    listener: StoreListener,
}

/// The tenant of `AUTOMEM_API_TOKEN` and of the command line.
pub const DEFAULT_TENANT: &str = "default";

/// The file of the database, in the folder of all data.
const FILE: &str = "service.sqlite";

impl ServiceStore {
    /// Opens the database in the folder of all data; makes it if there is none.
    pub fn open(data: &Path, settings: ServiceSettings) -> Result<Self> {
        let database = DurableDatabase::open(&data.join(FILE), MIGRATIONS)?;
        let scanner = Scanner::new(Settings::default());
        Ok(Self {
            database,
            settings,
            scanner,
            accesses: Mutex::default(),
            has_traces: AtomicBool::new(false),
            listener: StoreListener::default(),
        })
    }

    /// Tells a listener what happens from now on; there is one at most.
    pub fn listen(&self, listener: EventListener) {
        self.listener.set(listener);
    }

    pub(super) fn tell(&self, event: &ServiceEvent) {
        self.listener.tell(event);
    }

    /// Tells what happened to memories of a tenant.
    pub(super) fn tell_all(&self, tenant: TenantKey, happened: &[MemoryEvent], time: Timestamp) {
        events_of(tenant, happened, time).iter().for_each(|event| self.tell(event));
    }

    /// Returns the path of the database.
    pub fn path(&self) -> PathBuf {
        self.database.path().to_owned()
    }

    /// Finds the tenant that a token belongs to.
    pub fn tenant_of_token(&self, token: &str) -> Result<Option<TenantKey>> {
        let hash = ContentHash::digest(token.as_bytes());
        self.database.read(|view| Ok(Tenant::of_token(view, &hash)?.map(TenantKey)))
    }

    /// Finds a tenant by its name, or makes it.
    pub fn tenant(&self, name: &str, now: Timestamp) -> Result<TenantKey> {
        let name = checked(name)?;
        let found = self.database.read(|view| Tenant::find(view, &name))?;
        let make = || self.database.write(move |view| Tenant::find_or_make(view, &name, now));
        found.map_or_else(make, Ok).map(TenantKey)
    }

    /// Returns the name of a tenant.
    pub fn tenant_name(&self, TenantKey(tenant): TenantKey) -> Result<String> {
        self.database.read(|view| tenant.name(view))
    }

    /// Empties the write-ahead log, which has what was erased; where a reader keeps it, that is done behind the answers.
    pub(super) fn erase_traces(&self) -> Result<()> {
        // Noted first: what was erased is durable, whatever becomes of its traces.
        self.has_traces.store(true, Ordering::Relaxed);
        self.erase_traces_again()
    }

    /// Tries again what `erase_traces` could not do.
    pub(super) fn erase_traces_again(&self) -> Result<()> {
        if self.has_traces.load(Ordering::Relaxed) && self.database.empty_write_ahead_log()? {
            self.has_traces.store(false, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Notes that memories were read; it is written behind the answer.
    pub(super) fn note_accesses(&self, tenant: Tenant, rows: &[i64], now: Timestamp) {
        let mut accesses = self.accesses.lock().unwrap_or_else(PoisonError::into_inner);
        accesses.extend(rows.iter().map(|row| ((tenant.number(), *row), now)));
    }

    /// Writes what was read since the last time.
    pub(super) fn write_accesses(&self) -> Result<()> {
        let noted =
            std::mem::take(&mut *self.accesses.lock().unwrap_or_else(PoisonError::into_inner));
        if noted.is_empty() {
            return Ok(());
        }
        let mut of_tenants: HashMap<i64, Vec<(i64, Timestamp)>> = HashMap::new();
        for ((tenant, row), at) in noted {
            of_tenants.entry(tenant).or_default().push((row, at));
        }
        self.database.write(move |connection| {
            of_tenants.iter().try_for_each(|(tenant, rows)| {
                TenantView::new(connection, Tenant::numbered(*tenant)).note_accesses(rows)
            })
        })
    }
}
