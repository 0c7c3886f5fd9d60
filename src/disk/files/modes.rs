//! Who may read a file, and a copy of it.

use std::fs::File;
use std::io;

use super::if_there;
use crate::disk::folder::Spot;
use crate::error::{Error, Result};

/// Gives one file the permissions of another, if that is there.
pub(crate) fn copy_mode(from: &Spot, to: &File) -> Result<()> {
    from.copy_mode(to).map_err(|error| Error::io("copy the permissions of", from, error))
}

/// Lets nobody read a file who may not read what it holds a copy of; one that is not there needs nothing.
pub(crate) fn narrow(spot: &Spot, mode: u32) -> Result<()> {
    // Nearly all files may be read by all.
    if mode & READABLE == READABLE {
        return Ok(());
    }
    let narrowed = if_there(spot.narrow(mode));
    narrowed.map(drop).map_err(|error| Error::io("set the permissions of", spot, error))
}

/// Who may read a file, as Unix writes it.
const READABLE: u32 = 0o044;

/// Returns who may do what with a file: everybody all with one that is not there, the owner alone with one that cannot
/// be looked at.
pub(crate) fn mode(spot: &Spot) -> u32 {
    match spot.look() {
        Ok(seen) => seen.mode,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0o777,
        Err(_) => 0o600,
    }
}
