//! What lies where in the database of the service.
//!
//! A view belongs to one tenant, and no method of it takes another: rows are found with the tenant in the condition, and only
//! rows that were found so are read or changed by their number.
//!
//! - `tables`: the tables, from the first version on
//! - `view`: one tenant's part of the database, as it is at one time
//! - what was said: `memories`, `tagged`, `relations`, `vectors`, `repeats`
//! - who and when: `tenants`, `tokens`, `log`, `accesses`
//! - what was derived: `words`, `derived`, `neighbors`
//! - what many of them say together: `graph_rows`, `statistics`
//! - what is to be done: `jobs`

mod accesses;
mod counts;
mod derived;
mod graph_rows;
mod jobs;
mod log;
mod memories;
mod neighbors;
mod relations;
mod repeats;
mod statistics;
mod tables;
mod tagged;
mod tenants;
mod tokens;
mod vectors;
mod view;
mod words;

pub(crate) use derived::CountedEntity;
pub(crate) use jobs::{ATTEMPTS, Job};
pub(crate) use log::{EntityMerge, LoggedChange, MemoryChange};
pub(crate) use memories::MemoryOrder;
pub(crate) use relations::Relation;
pub(crate) use repeats::Repeat;
pub(crate) use statistics::MemoryLevel;
pub(crate) use tables::MIGRATIONS;
pub(crate) use tagged::TagFilter;
pub(crate) use tenants::Tenant;
pub(crate) use view::{MemoryEvent, TenantView, ViewChanges};
