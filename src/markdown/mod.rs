//! Finds sections by syntax and changes them by splice; all other bytes stay as they were.
//!
//! [`Outline`] reads a file once; [`edit`] turns one operation into a new text and proves that every
//! section it did not name is the same before and after.

mod anchors;
mod breach;
mod bullets;
mod changes;
mod compose;
mod containment;
mod edit;
mod headings;
mod ids;
mod names;
mod nesting;
mod outline;
mod parts;
mod section;
mod target;
mod twins;

pub use anchors::SourceNote;
pub use bullets::{dropped, is_list};
pub use changes::{SectionChange, changes};
pub use compose::{LineEnding, new_file};
pub use containment::closes_itself;
pub use edit::{Edit, Edited, Scope, Touched, create, edit, titled};
pub use ids::{foreign_ids, ids_to_be, with_ids, with_marks, with_these_ids};
pub use names::Names;
pub use outline::Outline;
pub use parts::{Keys, Part, part_title, parts};
pub use section::{Heading, HeadingStyle, Section};
pub use target::find_target;
pub use twins::Twin;
