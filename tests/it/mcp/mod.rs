//! `mcp`: the protocol as a client sees it, line by line, in both eras.

mod client;
mod eras;
mod lifetime;
mod personal;
mod reading;
mod tools;

pub(crate) use client::{Client, Era};
