//! `man`: puts the pages of the manual into a folder.

use std::path::Path;

use crate::disk::outside;
use crate::error::Result;

#[derive(Debug)]
pub(crate) struct Page {
    pub name: String,
    pub text: Vec<u8>,
}

pub(crate) fn write_pages(folder: &Path, pages: &[Page]) -> Result<()> {
    pages.iter().try_for_each(|page| outside::write(&folder.join(&page.name), &page.text))
}
