//! What lies where in the database of long-term memories.
//!
//! A view belongs to one tenant, and no method of it takes another: each statement names the tenant.
//!
//! - `tables`: the tables; `view`: one tenant's part, as it is at one time; `tenants`: who they are
//! - `memories`, `trash`: what is remembered, and what was
//! - `directory`: what is known of people and servers
//! - `changes`: generations and the log, which each change has

mod changes;
mod directory;
mod memories;
mod tables;
mod tenants;
mod trash;
mod view;

pub(crate) use changes::{ChangeNote, NotedChange};
pub(crate) use tables::MIGRATIONS;
pub(crate) use tenants::LongtermTenant;
pub(crate) use view::LongtermView;
