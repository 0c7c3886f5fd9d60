//! The one corridor from a request to the disk.
//!
//! `Submission → Proposal → Screened → Planned → Routed`: each is made only by a consuming method of the
//! one before. An agent's `propose` and a person's `apply` walk it alike; the person merely carries an
//! [`Approval`].

mod amend;
mod claims;
mod desk;
mod inspect;
mod json;
mod operations;
mod parse;
mod place;
mod plan;
mod route;
mod screen;
mod snapshot;
mod verify;
mod writers;

pub use amend::Amendment;
pub use claims::{Claims, last_words};
pub(crate) use json::read as read_json;
pub use parse::{Proposal, REQUEST_BYTES, Submission};
pub use place::Placed;
pub use plan::{Planned, PlannedFile, TouchedSection};
pub use route::{Approval, Destination, Routed};
pub use screen::{Branch, Rules, Screened, Surroundings};
pub use snapshot::Snapshot;
