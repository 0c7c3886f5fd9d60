//! A database of one system: connect, migrate, read beside a writer, and make many changes durable with one sync.
//!
//! - `connection`: a connection to the file, and how it is set
//! - `failure`: what SQLite says, as an error of ours
//! - `json_column`: reads JSON from a row
//! - `migrations`: brings the tables of an older version up to date
//! - `readers`, `writer`: who reads and who changes
//! - `log_limit`: how long the write-ahead log may become
//! - `durable`: all of them behind one name
//! - `chained_log`: a log whose lines are chained by hash

mod chained_log;
mod connection;
mod durable;
mod failure;
mod json_column;
mod log_limit;
mod migrations;
mod readers;
mod writer;

pub(crate) use chained_log::ChainedLog;
pub(crate) use connection::distrust;
pub(crate) use durable::DurableDatabase;
pub(crate) use json_column::json_column;
pub(crate) use migrations::Migrations;
