//! Turns one operation and the text of a file into the text afterwards, and proves that every section that
//! the operation does not name is the same before and after.

mod body;
mod breach;
mod changes;
mod compose;
mod containment;
mod create;
mod dispatch;
mod edited;
mod file;
mod input;
mod merged_notes;
mod moved_text;
mod operation_result;
mod retire;
mod section;
mod section_traits;
mod target;
mod touched_section;

pub(crate) use changes::SectionChange;
pub use changes::changes;
pub(crate) use compose::new_file;
pub(crate) use containment::closes_itself;
pub use create::create;
pub(crate) use create::titled;
pub use dispatch::edit;
pub use edited::Edited;
pub use input::Edit;
pub(crate) use moved_text::moved_text;
pub(crate) use operation_result::OperationResult;
pub(crate) use target::find_target;
pub(crate) use touched_section::{SectionName, TouchedSection, conflict};
