//! `[[read]]` with a `name`: other stores are found, listed, packed and shown, and never changed.

mod commands;
mod fetched;
mod found;
mod hostile;
mod stage;
