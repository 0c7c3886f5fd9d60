//! Lists and reads the files of a store, or of a folder that is to be one: whatever stands there, nothing
//! is written.

use std::collections::BTreeMap;

use crate::contract::LARGEST;
use crate::disk::files::read_open;
use crate::disk::folder::{Access, Folder, Kind, Spot};
use crate::error::{Error, Result};
use crate::project::check::{Content, is_setting};

/// Folders that belong to this machine alone; what git keeps of them is told by name.
const OWN: [&str; 2] = ["state", ".git"];

const DEEPEST: usize = 16;

/// Tells whether a path of the store belongs to this machine alone.
pub fn is_own(path: &str) -> bool {
    OWN.contains(&path.split('/').next().unwrap_or(path))
}

/// Lists everything in a store that is no folder, relative to it, in order.
pub fn list_files(folder: &Folder) -> Result<Vec<String>> {
    let root = folder.spot("");
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

fn collect(spot: &Spot, path: String, kind: Kind, found: &mut Vec<String>) {
    if kind != Kind::Folder {
        found.push(path);
        return;
    }
    match spot.names() {
        Ok(names) if path.split('/').count() < DEEPEST => {
            // A folder that is called like a file is something to tell about.
            if path.ends_with(".md") || path.ends_with(".toml") {
                found.push(path.clone());
            }
            for (name, kind) in names {
                let path = format!("{path}/{}", name.display());
                collect(&spot.join(name), path, kind, found);
            }
        }
        // Reading it says why.
        Ok(_) | Err(_) => found.push(path),
    }
}

/// Reads how a store decides, its configuration and its schemas; takes no longer in a large store.
pub fn read_settings(folder: &Folder) -> BTreeMap<String, Content> {
    let names = folder.spot("schemas").names().unwrap_or_default();
    let schemas = names.into_iter().map(|(name, _)| format!("schemas/{}", name.display()));
    let config = folder.spot("config.toml").look().is_ok().then(|| "config.toml".to_owned());
    let paths = schemas.chain(config).filter(|path| is_setting(path));
    paths.map(|path| (path.clone(), read_content(folder, &path))).collect()
}

/// Reads a file of a store, or says why it cannot be read.
pub fn read_content(folder: &Folder, path: &str) -> Content {
    let unreadable = |why: &str| Content::Unreadable(why.to_owned());
    if path.contains(char::REPLACEMENT_CHARACTER) {
        return unreadable("its name is not UTF-8");
    }
    let (file, seen) = match folder.spot(path).open(Access::Read) {
        Ok(opened) => opened,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return unreadable("it is gone");
        }
        Err(error) => return unreadable(&error.to_string()),
    };
    if let Err(too_large) = Content::fits(seen.size) {
        return too_large;
    }
    // It may grow meanwhile: what is beyond the limit by a byte is too large already.
    match read_open(file, seen, seen.size.max(LARGEST) + 1) {
        Ok(bytes) => Content::of(bytes),
        Err(error) => unreadable(&error.to_string()),
    }
}
