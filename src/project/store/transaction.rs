//! Makes a change of many files visible as a whole or not at all.
//!
//! [`Locked::prepare`] writes all new bytes to temp files; [`Prepared::commit`] records the steps in the journal
//! with one sync, whatever their number, and carries them out. Bytes that must leave no trace are written
//! aside only behind the record, which the next command, a reader too, brings to its end. Steps are data and
//! may be carried out any number of times, so recovery is: do them again.

mod aside;

use std::borrow::Cow;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Locked;
use super::journal::Record;
use super::layout::{Layout, copied_from};
use super::replace::{hash, is_still};
use crate::contract::ContentHash;
use crate::disk::files;
use crate::disk::folder::leads_out;
use crate::error::{Error, ErrorKind, Result, Strange};
use aside::Aside;

/// One step of a change; paths are relative to the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// Gives a file a text.
    Write {
        /// The file.
        path: String,
        /// Its text before; none if there was no file.
        before: Option<Former>,
        /// Its text after.
        after: String,
    },
    /// Makes a folder with files, by one rename.
    Folder {
        /// The folder.
        path: String,
        /// The files in it, each with its text.
        files: Vec<(String, String)>,
    },
    /// Moves a file or folder.
    Move {
        /// From where.
        from: String,
        /// To where.
        to: String,
        /// What it is, for a file that a person may edit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<Former>,
    },
    /// Adds a line to the log, which only grows.
    Append {
        /// The file.
        path: String,
        /// Where the line begins.
        offset: u64,
        /// The line, with its end.
        line: String,
    },
    /// Cuts a line without an end off the log.
    Cut {
        /// The file.
        path: String,
    },
}

/// What is known of a file before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// SHA-256 of its bytes, 64 hex digits.
    pub(super) hash: String,
    /// When it was written, in nanoseconds since 1970.
    pub(super) modified: Option<i64>,
}

impl Former {
    /// Notes what a file holds.
    pub(super) fn of(text: &str) -> Self {
        Self { hash: hash(text.as_bytes()), modified: None }
    }
}

/// A change that is ready to be recorded; nothing of it is visible.
#[derive(Debug)]
#[must_use = "call `commit`; dropped, it never happened"]
pub struct Prepared<'l, 'a> {
    locked: &'l mut Locked<'a>,
    steps: Vec<Step>,
    trace: Trace,
    aside: Aside,
}

/// A file that is not what the change was planned on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedMeanwhile {
    /// The file, relative to the store.
    pub path: String,
}

impl<'a> Locked<'a> {
    /// Makes a change ready, unless a file was edited since the change was planned.
    pub fn prepare<'l>(
        &'l mut self,
        mut steps: Vec<Step>,
        trace: Trace,
    ) -> Result<std::result::Result<Prepared<'l, 'a>, EditedMeanwhile>> {
        let layout = self.layout().clone();
        if !self.lock.is_in_place(&layout) {
            // Its journal is gone as well, and another process may be writing.
            let message = "the lock was taken away while it was held:";
            let hint = "nothing was written; do it again";
            return Err(Error::new(ErrorKind::Io, message).at(&layout.lock()).hint(hint));
        }
        if let Some(refused) = steps.iter().find_map(|step| step.refused_to(self.verb)) {
            return Err(Error::new(ErrorKind::Io, refused).at(layout.store()));
        }
        refuse_hopeless(&steps, &layout)?;
        let mut aside = Aside::new(self.journal.next());
        if trace == Trace::Kept {
            aside.put(&steps, &layout)?;
        }
        // The last look before the commit point, so that the time in which an edit can fall is short.
        for step in &mut steps {
            let (path, before) = match step {
                Step::Write { path, before, .. } => (path, before),
                Step::Move { from, before: before @ Some(_), .. } => (from, before),
                Step::Folder { .. }
                | Step::Move { before: None, .. }
                | Step::Append { .. }
                | Step::Cut { .. } => continue,
            };
            let target = layout.inside(path);
            let (now, seen) = files::read_seen(&target, u64::MAX)?.unzip();
            if !is_still(before.as_ref(), now.as_deref()) {
                return Ok(Err(EditedMeanwhile { path: path.clone() }));
            }
            if let Some(former) = before {
                former.modified = seen.map(|seen| seen.modified);
            }
        }
        Ok(Ok(Prepared { locked: self, steps, trace, aside }))
    }

    fn mark_done(&mut self, record: &Record) -> Result<()> {
        let now = self.lock.now();
        let at = now.map_err(|error| Error::io("write", &self.layout.lock(), error))?;
        self.journal.done(record, at)
    }
}

impl Prepared<'_, '_> {
    /// Records the steps and carries them out; returns what had to be said about it.
    ///
    /// Past the record there is only forward: if a step fails, the next command that takes the lock
    /// finishes it.
    pub fn commit(self) -> Result<Vec<String>> {
        let Self { locked, steps, trace, mut aside } = self;
        let layout = locked.layout().clone();
        let verb = locked.verb;
        let mode = mode_of_copies(&steps, &layout);
        files::narrow(&layout.journal(), mode)?;
        let record = locked.journal().commit(verb, steps, trace)?;
        let hint = "the change is recorded; the next command finishes it as soon as that works";
        if trace == Trace::Wiped {
            // A process that died before the record would leave them where no reader looks.
            aside.put(&record.steps, &layout).map_err(|error| error.hint(hint))?;
        }
        let carried = aside.into_place(&record, &layout);
        files::narrow(&layout.undo(), mode)?;
        let mut warnings = carried.map_err(|error| error.hint(hint))?;
        match trace {
            Trace::Kept => {
                // All is done: without the mark the next command looks at it once more.
                let marked = locked.mark_done(&record);
                warnings.extend(marked.err().map(|error| format!("{error}; the change is made")));
            }
            // Marked as done first, the record of a process that dies here would stay for good.
            Trace::Wiped => {
                if let Err(error) = locked.checkpoint() {
                    return Err(error.hint(hint).warn(warnings));
                }
            }
        }
        Ok(warnings)
    }
}

/// Returns who may read a copy of all that some steps hold of memory files.
fn mode_of_copies(steps: &[Step], layout: &Layout) -> u32 {
    let mut mode = 0o777;
    let mut take = |path: &str| mode &= files::mode(&layout.inside(path));
    for step in steps {
        match step {
            Step::Write { path, before: Some(_), .. } => take(path),
            Step::Folder { path, files } => {
                for (name, _) in files {
                    copied_from(&format!("{path}/{name}")).into_iter().for_each(&mut take);
                }
            }
            Step::Write { before: None, .. }
            | Step::Move { .. }
            | Step::Append { .. }
            | Step::Cut { .. } => {}
        }
    }
    mode
}

/// What stays in the journal of a change that is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trace {
    /// Its record, so that nothing needs to be synced now.
    #[default]
    Kept,
    /// Nothing, not even the files before, as one holds or held what should not be copied; the files are synced instead.
    Wiped,
}

impl Trace {
    pub(super) fn is_kept(&self) -> bool {
        *self == Self::Kept
    }
}

impl Step {
    /// Makes the step that gives a file a text.
    pub fn write(path: &str, before: Option<&str>, after: String) -> Self {
        let before = before.map(|text| ContentHash::of(text.as_bytes()));
        Self::write_known(path, before.as_ref(), after)
    }

    /// Makes the same where the hash of its text before is known.
    pub fn write_known(path: &str, before: Option<&ContentHash>, after: String) -> Self {
        let former = |hash: &ContentHash| Former { hash: hash.to_string(), modified: None };
        Self::Write { path: path.to_owned(), before: before.map(former), after }
    }

    /// Makes the step that moves a file with this text to the trash.
    pub fn move_to_trash(layout: &Layout, path: &str, text: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let to = layout.free(format!("state/trash/{name}"));
        Self::Move { from: path.to_owned(), to, before: Some(Former::of(text)) }
    }

    /// Says why a verb may not take the step: a path that it names is none for this verb.
    pub(super) fn refused_to(&self, verb: &str) -> Option<String> {
        let paths: Vec<Cow<'_, str>> = match self {
            Self::Write { path, .. } | Self::Append { path, .. } | Self::Cut { path } => {
                vec![path.into()]
            }
            Self::Folder { path, files } => {
                let inner = files.iter().map(|(name, _)| format!("{path}/{name}").into());
                inner.chain([path.into()]).collect()
            }
            Self::Move { from, to, .. } => vec![from.into(), to.into()],
        };
        paths.iter().find_map(|path| refuse_path(verb, path))
    }
}

/// The verbs that may write how a store decides, and what git does with it.
const WRITE_SETTINGS: [&str; 5] = ["init", "doctor", "doctor --fix", "secrets allow", "config"];

/// Says why no record of a verb names a path, if so. A record is signed; this is for the key that was given away.
fn refuse_path(verb: &str, path: &str) -> Option<String> {
    if !is_inside(path) {
        return Some(format!("`{path}` leads out of the store"));
    }
    // Some disks do not tell `.GIT` from `.git`, or `Config.toml` from `config.toml`.
    let is_of_git = |part: &str| part.get(..4).is_some_and(|it| it.eq_ignore_ascii_case(".git"));
    let name = path.to_ascii_lowercase();
    let files = ["config.toml", ".gitignore", ".gitattributes", "schemas"];
    let is_setting = files.contains(&name.as_str()) || name.starts_with("schemas/");
    match is_setting {
        true if WRITE_SETTINGS.contains(&verb) => None,
        true => Some(format!("`{verb}` does not write `{path}`")),
        false if path.split('/').any(is_of_git) => Some(format!("nothing here writes `{path}`")),
        false => None,
    }
}

/// Tells whether a path names something in the store.
pub(super) fn is_inside(path: &str) -> bool {
    !path.is_empty() && !leads_out(Path::new(path))
}

/// Refuses what renames cannot carry out: past the commit point it would stand half done for ever, and keep every
/// other command from its work.
fn refuse_hopeless(steps: &[Step], layout: &Layout) -> Result<()> {
    for (number, step) in steps.iter().enumerate() {
        let (from, to) = match step {
            Step::Write { path, .. } | Step::Folder { path, .. } => {
                (layout.temporary().join("0"), layout.inside(path))
            }
            Step::Move { from, to, .. } => (layout.inside(from), layout.inside(to)),
            Step::Append { .. } | Step::Cut { .. } => continue,
        };
        if !files::is_one_file_system(&from, &to) {
            return Err(Error::io("rename to", &to, io::ErrorKind::CrossesDevices.into()));
        }
        files::refuse_closed(&to)?;
        if let Step::Move { .. } = step {
            files::refuse_closed(&from)?;
            files::refuse_fixed(&from)?;
        }
        if let Step::Folder { path, .. } | Step::Move { to: path, .. } = step {
            refuse_taken(path, &steps[..number], layout)?;
        }
    }
    Ok(())
}

/// Refuses to put anything where something stands that no earlier step takes away.
fn refuse_taken(path: &str, earlier: &[Step], layout: &Layout) -> Result<()> {
    let goes = |step: &Step| matches!(step, Step::Move { from, .. } if from == path);
    let place = layout.inside(path);
    if !files::exists(&place) || earlier.iter().any(goes) {
        return Ok(());
    }
    let taken = Strange("something stands there already".to_owned());
    Err(Error::io("rename to", &place, io::Error::other(taken)))
}

#[cfg(test)]
mod tests;
