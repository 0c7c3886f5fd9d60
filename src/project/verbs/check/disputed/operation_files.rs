//! The files in which the text of an operation may stand now.

use crate::error::Result;
use crate::project::check::Content;
use crate::project::request::{Intent, Operation};
use crate::project::schema::Catalog;
use crate::project::store::sections::is_memory;
use crate::project::verbs::check::side::Side;
use crate::project::verbs::kept_request::may_hold;

pub(super) struct OperationFiles<'a> {
    pub(super) side: &'a Side<'a>,
    pub(super) catalog: &'a Catalog,
    pub(super) intent: Intent,
    pub(super) operation: &'a Operation,
}

impl OperationFiles<'_> {
    /// Reads the files that the operation may have written, and those to which `doctor --split` moved their entries.
    pub(super) fn current(&self) -> Result<Vec<String>> {
        self.texts(|path| may_hold(self.catalog, self.intent, self.operation, path))
    }

    /// Reads the archive.
    pub(super) fn archived(&self) -> Result<Vec<String>> {
        self.texts(|path| self.catalog.owner_of(path).is_some_and(|owner| owner.write_once))
    }

    fn texts(&self, is_meant: impl Fn(&str) -> bool) -> Result<Vec<String>> {
        let paths = self.side.paths().into_iter();
        let paths: Vec<&str> = paths.filter(|path| is_memory(path) && is_meant(path)).collect();
        let texts = self.side.map(&paths, |_, content| {
            let Content::Bytes(bytes) = content else { return None };
            Some(std::str::from_utf8(bytes).ok()?.to_owned())
        })?;
        Ok(texts.into_iter().flatten().collect())
    }
}
