//! Lists and reads the files of a store, or of a folder that will be one; nothing is written.

use std::collections::BTreeMap;

use super::unexpected::DEEPEST;
use crate::contract::LARGEST_FILE;
use crate::disk::files::read_open;
use crate::disk::folder::{Access, FileKind, Folder, StorePath};
use crate::error::{Error, Result};
use crate::project::check::{Content, is_of_rulebook};
use crate::project::config::READ_LOCK;

/// Folders of this machine alone; files in them that git tracks are reported by name.
const OWN: [&str; 2] = ["state", ".git"];

pub(crate) fn is_own(path: &str) -> bool {
    OWN.contains(&path.split('/').next().unwrap_or(path))
}

/// Lists everything in a store except folders, sorted.
pub(crate) fn list_files(folder: &Folder) -> Result<Vec<String>> {
    let root = folder.inside("");
    let names = root.names().map_err(|cause| Error::io("list", folder.path(), cause))?;
    let mut found = Vec::new();
    for (name, kind) in names {
        let path = name.to_string_lossy().into_owned();
        if !OWN.contains(&path.as_str()) {
            collect(&root.join(name), path, kind, &mut found);
        }
    }
    found.sort_unstable();
    Ok(found)
}

fn collect(spot: &StorePath, path: String, kind: FileKind, found: &mut Vec<String>) {
    if kind != FileKind::Folder {
        found.push(path);
        return;
    }
    match spot.names() {
        Ok(names) if path.split('/').count() < DEEPEST => {
            // A folder with the name of a file is an error to report.
            if path.ends_with(".md") || path.ends_with(".toml") {
                found.push(path.clone());
            }
            for (name, kind) in names {
                let path = format!("{path}/{}", name.display());
                collect(&spot.join(name), path, kind, found);
            }
        }
        // Reading it reports the reason.
        Ok(_) | Err(_) => found.push(path),
    }
}

/// Reads the configuration and the schemas; a large store takes no longer.
pub(crate) fn read_settings(folder: &Folder) -> BTreeMap<String, Content> {
    let names = folder.inside("schemas").names().unwrap_or_default();
    let schemas = names.into_iter().map(|(name, _)| format!("schemas/{}", name.display()));
    let is_there = |name: &&str| folder.inside(name).metadata().is_ok();
    let files = ["config.toml", READ_LOCK].into_iter().filter(is_there).map(str::to_owned);
    let paths = schemas.chain(files).filter(|path| is_of_rulebook(path));
    paths.map(|path| (path.clone(), read_content(folder, &path))).collect()
}

/// Reads a file of a store, or says why it cannot be read.
pub(crate) fn read_content(folder: &Folder, path: &str) -> Content {
    let unreadable = |why: &str| Content::Unreadable(why.to_owned());
    if path.contains(char::REPLACEMENT_CHARACTER) {
        return unreadable("its name is not UTF-8");
    }
    let (file, seen) = match folder.inside(path).open(Access::Read) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return unreadable("it is gone");
        }
        Err(error) => return unreadable(&error.to_string()),
    };
    if let Err(too_large) = Content::fits(seen.size) {
        return too_large;
    }
    // The file may grow: one byte more than the limit is enough to tell.
    match read_open(file, seen, seen.size.max(LARGEST_FILE) + 1) {
        Ok(bytes) => Content::of(bytes),
        Err(error) => unreadable(&error.to_string()),
    }
}
