//! The memory service, seen from outside: over HTTP with a server of its own for each test, and by its commands.

#[cfg(feature = "http")]
mod access;
mod cli;
mod cli_transfer;
#[cfg(feature = "http")]
mod client_requests;
#[cfg(feature = "http")]
mod durability;
#[cfg(feature = "http")]
mod errors;
#[cfg(feature = "http")]
mod fake_server;
#[cfg(feature = "http")]
mod longterm;
#[cfg(feature = "http")]
mod memories;
#[cfg(feature = "http")]
mod observed;
#[cfg(feature = "http")]
mod recall;
#[cfg(feature = "http")]
mod remote;
#[cfg(feature = "http")]
mod remote_failures;
#[cfg(feature = "http")]
mod routes;
#[cfg(feature = "http")]
mod server;
mod stand;
#[cfg(feature = "http")]
mod stream;
#[cfg(feature = "http")]
mod timing;
#[cfg(feature = "http")]
mod undo;
