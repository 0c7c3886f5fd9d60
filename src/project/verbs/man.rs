//! `man`: puts the pages of the manual into a folder.

use std::path::Path;

use crate::error::Result;
use crate::project::store::write_outside;

#[derive(Debug)]
pub(crate) struct Page {
    pub name: String,
    pub text: Vec<u8>,
}

pub(crate) fn write_pages(folder: &Path, pages: &[Page]) -> Result<()> {
    pages.iter().try_for_each(|page| write_outside(&folder.join(&page.name), &page.text))
}
