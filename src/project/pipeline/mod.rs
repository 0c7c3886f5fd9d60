//! The one corridor from a request to the disk.
//!
//! `Submission → Proposal → Screened → Planned → Routed`: each is made only by a consuming method of the
//! one before. An agent's `propose` and a person's `apply` walk it alike; the person merely carries an
//! [`Approval`].

mod amend;
mod claims;
mod digest;
mod forms;
mod injections;
mod inspect;
mod levels;
mod losses;
mod operations;
mod parse;
mod parse_intent;
mod parse_sources;
mod place;
mod plan;
mod plan_builder;
mod planned_file;
mod record;
mod record_path;
mod request_text;
mod route;
mod screen;
mod section_path;
mod snapshot;
mod surroundings;
mod verify;
mod writers;

pub(crate) use amend::Amendment;
pub(crate) use claims::{Claims, last_words};
pub use parse::Submission;
pub(crate) use parse::{Proposal, REQUEST_BYTES};
pub(crate) use place::Placed;
pub use plan::Planned;
pub(crate) use planned_file::{PlannedFile, text_left};
pub use route::Approval;
pub(crate) use route::{Destination, Routed};
pub(crate) use screen::Screened;
pub use snapshot::Snapshot;
pub use surroundings::{Branch, Rules, Surroundings};
