//! The bytes of a file, as far as they were read.

use crate::contract::LARGEST_FILE;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// More bytes than a person writes: only secrets are searched in them.
    TooLarge(Vec<u8>),
    Unreadable(String),
}

/// A file with more bytes is not read, as all of it would be held in memory.
const LARGEST_SCANNED: u64 = 256 * 1024 * 1024;

impl Content {
    /// Tells whether a file of this size is read, or why not.
    pub(crate) fn fits(bytes: u64) -> Result<(), Self> {
        match bytes {
            ..=LARGEST_SCANNED => Ok(()),
            _ => {
                let why =
                    format!("it has {bytes} bytes, at most {LARGEST_SCANNED} are looked into");
                Err(Self::Unreadable(why))
            }
        }
    }

    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        match bytes.len() as u64 {
            ..=LARGEST_FILE => Self::Bytes(bytes),
            _ => Self::TooLarge(bytes),
        }
    }
}
