//! The steps of a change: data that may be carried out again.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::folder::leads_out;
use super::store_folder::StoreFolder;
use crate::contract::ContentHash;

/// One step of a change; paths are relative to the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum Step {
    /// Writes a file.
    Write {
        path: String,
        /// `None` if there was no file.
        before: Option<FormerFile>,
        after: String,
    },
    /// Makes a folder with files, by one rename.
    Folder {
        path: String,
        /// Names and texts.
        files: Vec<(String, String)>,
    },
    Move {
        from: String,
        to: String,
        /// For a file that a person may edit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<FormerFile>,
    },
    /// Removes a file that its owner asks to forget.
    Remove { path: String, before: FormerFile },
    /// Appends a line to a log.
    Append {
        path: String,
        offset: u64,
        /// With its line end.
        line: String,
    },
    /// Cuts a torn last line off the log.
    Cut { path: String },
}

/// What is known of a file before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FormerFile {
    /// SHA-256, 64 hex digits.
    pub(crate) hash: String,
    /// Nanoseconds since 1970.
    pub(crate) modified: Option<i64>,
}

impl FormerFile {
    pub(crate) fn of(content: impl AsRef<[u8]>) -> Self {
        Self { hash: ContentHash::of(content.as_ref()).to_string(), modified: None }
    }
}

/// What stays in the journal after a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trace {
    /// Its record, so that nothing needs a sync now.
    #[default]
    Kept,
    /// Nothing, not even the old files, as a text must not be copied; the files are synced instead.
    Wiped,
}

impl Trace {
    pub(super) fn is_kept(&self) -> bool {
        *self == Self::Kept
    }
}

impl Step {
    pub(crate) fn write(path: &str, before: Option<&str>, after: String) -> Self {
        let before = before.map(|text| ContentHash::of(text.as_bytes()));
        Self::write_known(path, before.as_ref(), after)
    }

    /// Does the same with the hash of the old text.
    pub(crate) fn write_known(path: &str, before: Option<&ContentHash>, after: String) -> Self {
        let former = |hash: &ContentHash| FormerFile { hash: hash.to_string(), modified: None };
        Self::Write { path: path.to_owned(), before: before.map(former), after }
    }

    pub(crate) fn move_to_trash(store: &StoreFolder, path: &str, text: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let to = store.free(format!("state/trash/{name}"));
        Self::Move { from: path.to_owned(), to, before: Some(FormerFile::of(text)) }
    }

    pub(super) fn leads_out(&self) -> Option<String> {
        let paths = self.paths();
        let path = paths.iter().find(|path| !is_inside(path))?;
        Some(format!("`{path}` leads out of the store"))
    }

    pub(super) fn paths(&self) -> Vec<Cow<'_, str>> {
        match self {
            Self::Write { path, .. }
            | Self::Remove { path, .. }
            | Self::Append { path, .. }
            | Self::Cut { path } => vec![path.into()],
            Self::Folder { path, files } => {
                let inner = files.iter().map(|(name, _)| format!("{path}/{name}").into());
                inner.chain([path.into()]).collect()
            }
            Self::Move { from, to, .. } => vec![from.into(), to.into()],
        }
    }
}

pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty() && !leads_out(Path::new(path))
}
