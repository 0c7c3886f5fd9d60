//! Changes files of other programs together: all that is new lies beside them before the first is replaced.
//!
//! Old and new change places in one step, and what comes out is looked at: a save of the same moment goes back
//! to its place. Where the file system cannot do that, the look comes first.

use std::io::Write;
use std::path::Path;

use super::OtherFile;
use crate::disk::files;
use crate::disk::folder::Spot;
use crate::error::{Error, ErrorKind, Result};

/// What becomes of a file.
#[derive(Debug)]
pub struct Change {
    /// The file.
    pub file: OtherFile,
    /// What it was; nothing if it was not there.
    pub before: Option<Vec<u8>>,
    /// What it will be; nothing if it goes.
    pub after: Option<Vec<u8>>,
}

/// Changes of which nothing is in its place yet.
#[derive(Debug)]
#[must_use = "nothing is in its place before it lands"]
pub struct Laid<'a>(&'a [Change]);

/// Lays the new bytes of all changes beside their files, and looks at the files; nothing is left if one cannot be.
/// What lay there before goes.
pub fn lay_aside(changes: &[Change]) -> Result<Laid<'_>> {
    let laid = changes.iter().try_for_each(Change::lay);
    if let Err(error) = laid.and_then(|()| changes.iter().try_for_each(Change::must_still_be)) {
        clear(changes);
        return Err(error);
    }
    Ok(Laid(changes))
}

/// Removes what lies beside files, as far as that can be done: the next run finds the rest.
fn clear<'a>(changes: impl IntoIterator<Item = &'a Change>) {
    for change in changes {
        let _ = change.file.clear_aside();
    }
}

impl Laid<'_> {
    /// Puts all in their places, then removes what was there. Where one fails, those behind it stay as they were,
    /// and the hint names those before.
    pub fn land(self) -> Result<()> {
        for (at, change) in self.0.iter().enumerate() {
            let Err(error) = change.land() else { continue };
            clear(self.0[..at].iter().chain(&self.0[at + 1..]));
            let landed = self.0[..at].iter().map(|each| format!("`{}`", each.path().display()));
            let landed = landed.collect::<Vec<_>>().join(", ");
            let hint = match landed.is_empty() {
                true => "nothing was written; do it again".to_owned(),
                false => format!("already written: {landed}; do it again for the rest"),
            };
            return Err(error.hint(hint));
        }
        let cleared = self.0.iter().try_for_each(|change| change.file.clear_aside());
        cleared
            .map_err(|error| error.hint("all is written; do it again to remove what lies beside"))
    }
}

/// Where a file is that another took the place of.
#[derive(Debug, PartialEq, Eq)]
enum Out {
    /// Where the other was, to be looked at.
    Aside,
    /// Nowhere; it was looked at before.
    Gone,
}

impl Change {
    fn lay(&self) -> Result<()> {
        let Some(after) = &self.after else { return Ok(()) };
        let aside = self.file.aside();
        let mut file = files::write(&aside, b"")?;
        // First the permissions, then the text: it may be nobody else's to read.
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

    fn land(&self) -> Result<()> {
        let aside = self.file.aside();
        if self.after.is_none() {
            files::rename(&self.file.0, &aside)?;
        } else if self.replace(&aside).inspect_err(|_| clear([self]))? == Out::Gone {
            return Ok(());
        }
        // What cannot be read is somebody's work all the same.
        if files::read(&aside).is_ok_and(|out| out == self.before) {
            return Ok(());
        }
        self.take_back(&aside)?;
        clear([self]);
        Err(self.was_edited())
    }

    fn replace(&self, aside: &Spot) -> Result<Out> {
        let place = &self.file.0;
        if files::exchange(aside, place, self.before.is_some())?.is_some() {
            return Ok(Out::Aside);
        }
        self.must_still_be()?;
        files::rename(aside, place).map(|()| Out::Gone)
    }

    /// Gives what came out its place again; what then comes out is ours, or saved a moment later and kept.
    fn take_back(&self, aside: &Spot) -> Result<()> {
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
