//! The folder of a store, held open: every file in it is reached through this handle, and never through a link.
//!
//! On Unix the kernel resolves a path at the moment of use, relative to the held folder, and a link in any part of it
//! is an error. A process that swaps a folder for a link between a check and a write causes an error, or a write into
//! the original folder. On other systems every part is checked before the path is used: a link is refused, but one that
//! is put there at the same moment is followed.

mod access;
mod metadata;
#[cfg(any(not(unix), test))]
mod plain;
mod store_path;
#[cfg(unix)]
mod unix;
mod way;

pub(crate) use access::{Access, Manner};
pub(crate) use metadata::{FileKind, PathMetadata};
pub(crate) use store_path::is_strange;
pub(crate) use store_path::{Folder, StorePath};
pub(crate) use way::leads_out;

#[cfg(all(test, unix))]
mod tests;
