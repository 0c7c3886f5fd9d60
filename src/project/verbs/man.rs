//! `man`: puts the pages of the manual into a folder.

use std::path::Path;

use crate::error::Result;
use crate::project::store::write_outside;

/// A page of the manual.
#[derive(Debug)]
pub struct Page {
    /// The name of its file.
    pub name: String,
    /// What `man` reads.
    pub text: Vec<u8>,
}

/// Writes pages into a folder, which is made where it is missing.
pub fn write_pages(folder: &Path, pages: &[Page]) -> Result<()> {
    pages.iter().try_for_each(|page| write_outside(&folder.join(&page.name), &page.text))
}
