//! Changes files of other programs together: all new bytes are in temp files before the first file is replaced.
//!
//! Old and new file are exchanged in one step, and the old one is checked after that: a save at the same moment is put
//! back. Where the file system cannot exchange, the check comes first.

use std::io::Write;
use std::path::Path;

use super::other_file::OtherFile;
use crate::disk::files;
use crate::disk::folder::StorePath;
use crate::error::{Error, ErrorKind, Result};

/// The change of a file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: OtherFile,
    /// `None` if it was missing.
    pub(crate) before: Option<Vec<u8>>,
    /// `None` if it is removed.
    pub(crate) after: Option<Vec<u8>>,
}

/// Changes that are in temp files, and not applied.
#[derive(Debug)]
#[must_use = "nothing is in its place before it is carried out"]
pub(crate) struct Laid<'a>(&'a [Change]);

/// Writes all new bytes to temp files, and checks the files; nothing is left if one fails. Old temp files are replaced.
pub(crate) fn lay_aside(changes: &[Change]) -> Result<Laid<'_>> {
    let laid = changes.iter().try_for_each(Change::lay);
    if let Err(error) = laid.and_then(|()| changes.iter().try_for_each(Change::must_still_be)) {
        clear(changes);
        return Err(error);
    }
    Ok(Laid(changes))
}

/// Removes temp files, if possible: the next run finds the rest.
fn clear<'a>(changes: impl IntoIterator<Item = &'a Change>) {
    for change in changes {
        let _ = change.file.clear_aside();
    }
}

impl Laid<'_> {
    /// Applies all changes, then removes the old files. If one fails, the later ones stay as they were, and the hint
    /// names the earlier ones.
    pub(crate) fn carry_out(self) -> Result<()> {
        for (at, change) in self.0.iter().enumerate() {
            let Err(error) = change.carry_out() else { continue };
            clear(self.0[..at].iter().chain(&self.0[at + 1..]));
            let written = self.0[..at].iter().map(|each| format!("`{}`", each.path().display()));
            let written = written.collect::<Vec<_>>().join(", ");
            let hint = match written.is_empty() {
                true => "nothing was written; do it again".to_owned(),
                false => format!("already written: {written}; do it again for the rest"),
            };
            return Err(error.hint(hint));
        }
        let cleared = self.0.iter().try_for_each(|change| change.file.clear_aside());
        cleared
            .map_err(|error| error.hint("all is written; do it again to remove what lies beside"))
    }
}

/// Where the replaced file is.
#[derive(Debug, PartialEq, Eq)]
enum Out {
    /// In the temp file, to be checked.
    Aside,
    /// Removed; it was checked before.
    Gone,
}

impl Change {
    fn lay(&self) -> Result<()> {
        let Some(after) = &self.after else { return Ok(()) };
        let aside = self.file.aside();
        let mut file = files::write(&aside, b"")?;
        // The permissions first: the text may be private.
        files::copy_mode(&self.file.0, &file)?;
        let written = file.write_all(after).and_then(|()| file.sync_all());
        written.map_err(|error| Error::io("write", &aside, error))
    }

    fn must_still_be(&self) -> Result<()> {
        match self.file.read()? == self.before {
            true => Ok(()),
            false => Err(self.was_edited().hint("nothing was written; do it again")),
        }
    }

    fn carry_out(&self) -> Result<()> {
        let aside = self.file.aside();
        if self.after.is_none() {
            files::rename(&self.file.0, &aside)?;
        } else if self.replace(&aside).inspect_err(|_| clear([self]))? == Out::Gone {
            return Ok(());
        }
        // An unreadable file may be a person's work too.
        if files::read(&aside).is_ok_and(|out| out == self.before) {
            return Ok(());
        }
        self.take_back(&aside)?;
        clear([self]);
        Err(self.was_edited())
    }

    fn replace(&self, aside: &StorePath) -> Result<Out> {
        let place = &self.file.0;
        if files::exchange(aside, place, self.before.is_some())?.is_some() {
            return Ok(Out::Aside);
        }
        self.must_still_be()?;
        files::rename(aside, place).map(|()| Out::Gone)
    }

    /// Puts the replaced file back; what comes out then is ours, or a later save, which is kept.
    fn take_back(&self, aside: &StorePath) -> Result<()> {
        let place = &self.file.0;
        if !files::is_there(aside)? {
            files::rename(place, aside)?;
        } else if files::exchange(aside, place, self.after.is_some())?.is_none() {
            files::rename_beside(aside, place)?;
        }
        match files::is_there(aside)? && files::read(aside)? != self.after {
            true => self.file.keep_aside().map(drop),
            false => Ok(()),
        }
    }

    fn path(&self) -> &Path {
        self.file.0.relative()
    }

    fn was_edited(&self) -> Error {
        Error::new(ErrorKind::Io, "it was edited at the same moment:").at(&self.file.0)
    }
}

#[cfg(test)]
mod tests;
