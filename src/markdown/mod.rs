//! Finds sections by syntax: [`Outline`] reads a file once, and its parts cover every byte once.

mod anchors;
mod bounds;
mod bullets;
mod conflicts;
mod duplicate_ids;
mod headings;
mod html;
mod ids;
mod levels;
mod line_ending;
mod line_letters;
mod link_html;
mod link_paths;
mod link_targets;
mod losses;
mod names;
mod nesting;
mod open_elements;
mod outline;
mod page;
mod parts;
mod ranges;
mod reach;
mod readable;
mod rendered;
mod section;

pub(crate) use anchors::{SourceNote, archived_line, find_reserved, id_line};
pub(crate) use bounds::{BYTE_ORDER_MARK, last_text_byte};
pub(crate) use bullets::{gap, is_list, stands_in, without_repeats};
pub(crate) use conflicts::{brings_marker, find_conflict, is_written_by_git};
pub(crate) use duplicate_ids::DuplicateId;
pub(crate) use ids::{foreign_ids, ids_to_be, with_ids, with_marks, with_these_ids};
pub(crate) use levels::shifted;
pub(crate) use line_ending::LineEnding;
pub(crate) use line_letters::line_letters;
pub(crate) use link_paths::{
    decoded, file_name, heading_anchor, joined, link_to, relative, resolved, split_target, stem,
};
pub(crate) use link_targets::{LinkTarget, link_targets, with_new_targets};
pub(crate) use losses::{LostParts, lost_parts};
pub(crate) use names::SectionIds;
pub use outline::Outline;
pub use page::ShownText;
pub(crate) use parts::{FilePart, part_title, parts};
pub(crate) use reach::reaching;
pub(crate) use readable::{EXAMPLE, LineStarts, LinkAddress, PlacedText, Readable};
pub use rendered::{Rendered, rendered};
pub(crate) use section::Heading;
pub use section::{HeadingStyle, Section};
