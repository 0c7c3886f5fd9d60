//! scratch
pub mod cli;
pub mod config;
pub mod contents;
pub mod contract;
pub mod diff;
pub mod error;
pub mod markdown;
pub mod ops;
pub mod pipeline;
pub mod policy;
pub mod provenance;
pub mod rejection;
pub mod schema;
pub mod secrets;
pub mod store;
pub mod text;
