//! Reads and edits the front matter of a Markdown file: YAML between two lines of `---`.
//!
//! An edit is a splice: [`set`] changes the bytes of one value, and all others stay as they were. It
//! then reads its own result, and refuses where another key would have got another value.

mod edit;
mod fields;
mod nodes;
mod scalar;
mod split;
pub(crate) mod yaml;

pub(crate) use edit::{Spelling, set};
pub(crate) use fields::{FrontMatter, KeyPath};
pub(crate) use scalar::scalar;
pub(crate) use split::{Split, split};
