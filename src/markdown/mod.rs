//! Finds sections by syntax and changes them by splice; all other bytes stay as they were.
//!
//! [`Outline`] reads a file once; [`edit`] turns one operation into a new text and proves that every
//! section it did not name is the same before and after.

mod anchors;
mod bounds;
mod breach;
mod bullets;
mod changes;
mod compose;
mod containment;
mod duplicate_ids;
mod edit;
mod headings;
mod ids;
mod names;
mod nesting;
mod outline;
mod parts;
mod section;
mod target;

pub(crate) use anchors::SourceNote;
pub(crate) use bullets::{dropped, is_list};
pub(crate) use changes::SectionChange;
pub use changes::changes;
pub(crate) use compose::{LineEnding, new_file};
pub(crate) use containment::closes_itself;
pub(crate) use duplicate_ids::DuplicateId;
pub use edit::{Edit, Edited, create, edit};
pub(crate) use edit::{Scope, Touched, titled};
pub(crate) use ids::{foreign_ids, ids_to_be, with_ids, with_marks, with_these_ids};
pub(crate) use names::SectionIds;
pub use outline::Outline;
pub(crate) use parts::{FilePart, part_title, parts};
pub use section::{HeadingStyle, Section};
pub(crate) use target::find_target;
