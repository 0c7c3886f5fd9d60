//! Long-term memories, seen from outside: each row of the contract, through the program.
//!
//! - `world`: the world of the contract; `table_update`, `table_people`, `table_create`: its rows
//! - `commands`: directory, restore, log, watch, lists; `transfer`: import and export; `forget`: what is forgotten
//! - `examples`: those of the document
//! - `failures`: a store that cannot be written, and privacy that cannot be read
//! - `races`: many processes at one time
//! - `random`: random worlds, made by `dice`, against `model`
//! - `mcp`: the tools as an agent's client sees them

mod commands;
mod dice;
mod examples;
mod failures;
mod forget;
#[cfg(feature = "mcp")]
mod mcp;
mod model;
mod races;
mod random;
mod table_create;
mod table_people;
mod table_update;
mod transfer;
pub(crate) mod world;
