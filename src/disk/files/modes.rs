//! Copies and narrows the permissions of files.

use std::fs::File;
use std::io;

use super::missing::if_there;
use crate::disk::folder::StorePath;
use crate::error::{Error, Result};

pub(crate) fn copy_mode(from: &StorePath, to: &File) -> Result<()> {
    from.copy_mode(to).map_err(|error| Error::io("copy the permissions of", from, error))
}

/// Removes the read permissions that `mode` does not have; a missing file needs nothing.
pub(crate) fn narrow(path: &StorePath, mode: u32) -> Result<()> {
    // Nearly all files are readable by all.
    if mode & READABLE == READABLE {
        return Ok(());
    }
    let narrowed = if_there(path.narrow(mode));
    narrowed.map(drop).map_err(|error| Error::io("set the permissions of", path, error))
}

/// The read bits of group and others.
const READABLE: u32 = 0o044;

/// Returns the permissions of a file: all for a missing one, the owner's alone for one without metadata.
pub(crate) fn mode(path: &StorePath) -> u32 {
    match path.metadata() {
        Ok(metadata) => metadata.mode,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0o777,
        Err(_) => 0o600,
    }
}
