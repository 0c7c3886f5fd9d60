//! Files and folders: a folder that is held open, and what lies in it.
//!
//! It knows no word of any system.

mod draft;
pub mod files;
pub mod folder;
pub mod outside;
mod random;

pub use draft::Draft;
pub use folder::{Folder, Spot, leads_out};
pub use random::random;
