//! scratch
pub mod config;
pub mod contract;
pub mod diff;
pub mod error;
pub mod markdown;
pub mod policy;
pub mod provenance;
pub mod rejection;
pub mod schema;
pub mod text;
