//! The table of routes that answer with JSON.

mod knowledge;
mod memories;
mod parameter;
mod route;
mod upkeep;

pub(super) use route::{Body, Route};

/// Returns all routes that answer with JSON.
pub(super) fn all() -> impl Iterator<Item = &'static Route> {
    memories::ROUTES.iter().chain(knowledge::ROUTES).chain(upkeep::ROUTES)
}
