//! Makes room for a file where a folder or another file is in its way.

use super::files;
use super::folder::{FileKind, StorePath};
use crate::error::Result;

/// Removes a file, or moves a folder into the trash, so that a new file can be made there.
pub(crate) fn make_room(path: &StorePath, trash: &StorePath) -> Result<()> {
    let is_folder = path.metadata().is_ok_and(|metadata| metadata.kind == FileKind::Folder);
    let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| is_folder) else {
        return files::remove_plain(path);
    };
    let mut rooms = numbered(name.to_owned()).map(|name| trash.join(name));
    let room = rooms.find(|room| !files::exists(room));
    files::rename(path, &room.expect("a folder has fewer entries than there are numbers"))
}

/// Returns a name, then its numbered successors.
pub(crate) fn numbered(path: String) -> impl Iterator<Item = String> {
    let others = (2_u32..).map({
        let path = path.clone();
        move |number| format!("{path}.{number}")
    });
    std::iter::once(path).chain(others)
}
