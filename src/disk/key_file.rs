//! The key of a store that is in the store itself, as where no git folder can hold it.

use std::path::Path;

use super::files;
use super::folder::Folder;
use super::key::{KEY_BYTES, Key};
use super::random;
use crate::error::{Error, ErrorKind, Result};

/// Reads the key in the store itself, and makes it if there is none.
pub(crate) fn own_key(store: &Folder) -> Result<Key> {
    let place = store.inside("state/key");
    if let Some(bytes) = files::read_short(&place)? {
        return read_key(&bytes, &place);
    }
    match files::make_once(&place, &random::<KEY_BYTES>()?) {
        Ok(()) => read_key(&files::read_short(&place)?.unwrap_or_default(), &place),
        Err(error) => Ok(Key::missing(error.to_string())),
    }
}

pub(crate) fn read_key(bytes: &[u8], path: &Path) -> Result<Key> {
    <[u8; KEY_BYTES]>::try_from(bytes).map(Key::Known).map_err(|_| {
        let message = format!("a key has {KEY_BYTES} bytes, found {} in", bytes.len());
        let hint =
            "restore it from a backup, or delete it and run `agent-memory doctor --adopt-state`";
        Error::new(ErrorKind::StoreDamaged, message).at(path).hint(hint)
    })
}
