//! Files and folders: a folder that is held open, and the files in it.
//!
//! This room knows no word of any system.

mod draft;
pub(crate) mod files;
pub(crate) mod folder;
pub(crate) mod outside;
mod random;

pub use draft::Draft;
pub(crate) use folder::{Folder, Spot, leads_out};
pub(crate) use random::random;
