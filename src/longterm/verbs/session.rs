//! The open database of long-term memories, and as whom and when a verb works.

use std::path::Path;
use std::sync::Arc;

use crate::contract::Timestamp;
use crate::database::DurableDatabase;
use crate::error::Result;
use crate::longterm::request::{Denial, MemoryEvent, ToolData};
use crate::longterm::sqlite::{LongtermTenant, LongtermView, MIGRATIONS};
use crate::longterm::verdict::VerdictRules;
use crate::secrets::{Scanner, Settings};

/// How long-term memories are set, by the person's own configuration.
#[derive(Debug, Clone)]
pub struct LongtermSettings {
    /// Whether only a person writes what is remembered of them, with the model on their behalf.
    pub owners_write: bool,
    /// Days until a deleted memory is erased.
    pub trash_days: u32,
    /// The program that is told of each change by a tool, with its arguments; none where it is empty.
    pub notify: Vec<String>,
}

impl Default for LongtermSettings {
    fn default() -> Self {
        Self { owners_write: false, trash_days: 30, notify: Vec::new() }
    }
}

/// The open database of long-term memories.
#[derive(Debug)]
pub struct LongtermStore {
    database: DurableDatabase,
    scanner: Arc<Scanner>,
    settings: LongtermSettings,
}

/// Lets a door in as a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongtermTenantKey(LongtermTenant);

/// As whom, and when, a verb works.
#[derive(Debug, Clone)]
pub struct LongtermSession {
    /// The open database.
    pub store: Arc<LongtermStore>,
    /// Whose memories.
    pub tenant: LongtermTenantKey,
    /// The name of an operator, for the log; a host's calls are logged by the actor of their context.
    pub operator: String,
    /// The time of the call.
    pub now: Timestamp,
}

/// What a call of a tool did, or why it did nothing.
pub(super) type Decided = std::result::Result<(MemoryEvent, ToolData), Denial>;

/// The file of the database, in the folder of all data.
pub(super) const FILE: &str = "longterm.sqlite";

impl LongtermStore {
    /// Opens the database in the folder of all data; makes it if there is none.
    pub fn open(data: &Path, settings: LongtermSettings) -> Result<Self> {
        let database = DurableDatabase::open(&data.join(FILE), MIGRATIONS)?;
        Ok(Self { database, scanner: Arc::new(Scanner::new(Settings::default())), settings })
    }

    /// Finds a tenant by its name, or makes it.
    pub fn tenant(&self, name: &str, now: Timestamp) -> Result<LongtermTenantKey> {
        let found = self.database.read(|view| LongtermTenant::find(view, name))?;
        let name = name.to_owned();
        let make =
            || self.database.write(move |view| LongtermTenant::find_or_make(view, &name, now));
        found.map_or_else(make, Ok).map(LongtermTenantKey)
    }

    /// Returns all tenants.
    pub(super) fn tenants(&self) -> Result<Vec<LongtermTenantKey>> {
        let tenants = self.database.read(LongtermTenant::all)?;
        Ok(tenants.into_iter().map(LongtermTenantKey).collect())
    }
}

impl LongtermSession {
    /// Reads the tenant's part of the database, in one view.
    pub(super) fn read<T>(&self, read: impl FnOnce(&LongtermView<'_>) -> Result<T>) -> Result<T> {
        let tenant = self.tenant.0;
        self.store.database.read(|view| read(&LongtermView::new(view, tenant)))
    }

    /// Changes the tenant's part of the database, all or nothing.
    pub(super) fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&LongtermView<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let tenant = self.tenant.0;
        self.store.database.write(move |connection| change(&LongtermView::new(connection, tenant)))
    }

    /// Writes the file again, as its pages may have what was erased or moved, and empties the write-ahead log; tells
    /// whether it is empty.
    pub(super) fn erase_traces(&self) -> Result<bool> {
        self.store.database.vacuum()?;
        self.store.database.empty_write_ahead_log()
    }

    pub(super) fn scanner(&self) -> &Scanner {
        &self.store.scanner
    }

    pub(super) fn settings(&self) -> &LongtermSettings {
        &self.store.settings
    }

    /// Changes the tenant's part of the database, unless the answer is a refusal: then nothing of it stays.
    pub(super) fn write_unless_refused<T: Send + 'static, R: Send + 'static>(
        &self,
        change: impl FnOnce(&LongtermView<'_>) -> Result<std::result::Result<T, R>> + Send + 'static,
    ) -> Result<std::result::Result<T, R>> {
        let tenant = self.tenant.0;
        let change = move |connection: &_| change(&LongtermView::new(connection, tenant));
        self.store.database.write_unless_refused(change)
    }

    /// Decides and changes in one transaction; what is denied changes nothing.
    pub(super) fn decide(
        &self,
        change: impl FnOnce(&LongtermView<'_>, VerdictRules<'_>) -> Result<Decided> + Send + 'static,
    ) -> Result<Decided> {
        let scanner = Arc::clone(&self.store.scanner);
        let lets_model_write_of_others = !self.store.settings.owners_write;
        self.write_unless_refused(move |view| {
            change(view, VerdictRules { scanner: &scanner, lets_model_write_of_others })
        })
    }
}
