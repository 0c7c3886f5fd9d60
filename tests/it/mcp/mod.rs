//! `mcp`: the protocol as a client sees it, line by line, in both eras.

pub(crate) mod client;
mod eras;
mod ids;
mod lifetime;
mod personal;
mod reading;
mod service;
mod service_agent;
mod service_recall;
mod service_store;
mod tools;
mod what_clients_send;

pub(crate) use client::{Client, Era};
#[cfg(feature = "http")]
pub(crate) use service_agent::Agent;
