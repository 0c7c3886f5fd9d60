//! Makes a change of many files visible as a whole or not at all.
//!
//! [`Locked::prepare`] writes all new bytes aside; [`Prepared::commit`] records the steps in the journal
//! with one sync, whatever their number, and carries them out. Steps are data and may be carried out any
//! number of times, so recovery is: do them again.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Locked;
use super::files;
use super::journal::{Open, Record};
use super::layout::Layout;
use crate::contract::ContentHash;
use crate::error::Result;

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
    },
    /// Adds a line to a file that only grows.
    Append {
        /// The file.
        path: String,
        /// Where the line begins.
        offset: u64,
        /// The line, with its end.
        line: String,
    },
}

/// What is known of a file before a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// SHA-256 of its bytes, 64 hex digits.
    hash: String,
    /// When it was written, in nanoseconds since 1970.
    modified: Option<i64>,
}

/// A change whose bytes are written aside; nothing of it is visible.
#[derive(Debug)]
#[must_use = "call `commit`; dropped, it never happened"]
pub struct Prepared<'l, 'a> {
    locked: &'l mut Locked<'a>,
    steps: Vec<Step>,
    aside: Aside,
}

/// A file that is not what the change was planned on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedMeanwhile {
    /// The file, relative to the store.
    pub path: String,
}

impl<'a> Locked<'a> {
    /// Writes the new bytes aside, unless somebody edited a file since it was planned on.
    pub fn prepare<'l>(
        &'l mut self,
        mut steps: Vec<Step>,
    ) -> Result<std::result::Result<Prepared<'l, 'a>, EditedMeanwhile>> {
        let layout = self.layout().clone();
        let mut aside = Aside { folder: layout.temporary(), files: Vec::new() };
        for step in &mut steps {
            if let Step::Write { path, before, .. } = step {
                let target = layout.inside(path);
                if files::read(&target)?.map(|bytes| hash(&bytes))
                    != before.as_ref().map(|b| b.hash.clone())
                {
                    return Ok(Err(EditedMeanwhile { path: path.clone() }));
                }
                if let Some(former) = before {
                    former.modified = files::modified(&target);
                }
            }
            aside.put(step)?;
        }
        Ok(Ok(Prepared { locked: self, steps, aside }))
    }

    /// Finishes what a process that died had committed, and forgets what it had not.
    pub(super) fn recover(&mut self, open: Vec<Open>) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        let layout = self.layout().clone();
        let mut renewed = Vec::new();
        let rebooted = open.iter().any(|each| each.done);
        for Open { record, done } in open {
            let redo = Redo { layout: &layout, done };
            for step in &record.steps {
                redo.step(step, &mut renewed, &mut warnings)?;
            }
            if !done {
                self.journal().done(&record)?;
            }
        }
        files::discard(&layout.temporary())?;
        if rebooted || self.journal().is_long() {
            self.checkpoint()?;
        }
        Ok(warnings)
    }

    /// Makes everything durable that the journal speaks of, and empties it.
    fn checkpoint(&mut self) -> Result<()> {
        let layout = self.layout().clone();
        let records = self.journal().records()?;
        let mut paths: Vec<PathBuf> = records
            .iter()
            .flat_map(|record| &record.steps)
            .flat_map(|step| step.places(&layout))
            .collect();
        paths.push(layout.store().to_path_buf());
        paths.sort();
        paths.dedup();
        paths.iter().try_for_each(|path| files::sync(path))?;
        self.journal().clear()
    }
}

impl Prepared<'_, '_> {
    /// Records the steps and carries them out. Past the record there is only forward: if a step fails,
    /// the next command that takes the lock finishes it.
    pub fn commit(self) -> Result<()> {
        let Self { locked, steps, aside } = self;
        let record = locked.journal().commit(steps)?;
        aside.into_place(&record, locked.layout()).map_err(|error| {
            error.hint("the change is recorded; the next command finishes it as soon as that works")
        })?;
        locked.journal().done(&record)
    }
}

impl Step {
    /// Makes the step that gives a file a text.
    pub fn write(path: &str, before: Option<&str>, after: String) -> Self {
        let before = before.map(|text| Former { hash: hash(text.as_bytes()), modified: None });
        Self::Write { path: path.to_owned(), before, after }
    }

    /// Returns everything that must be synced before the step may be forgotten.
    fn places(&self, layout: &Layout) -> Vec<PathBuf> {
        let with_parent = |path: &str| {
            let path = layout.inside(path);
            let parent = path.parent().unwrap_or(layout.store()).to_path_buf();
            vec![path, parent]
        };
        match self {
            Self::Write { path, .. } | Self::Append { path, .. } => with_parent(path),
            Self::Folder { path, files } => {
                let inner =
                    files.iter().flat_map(|(name, _)| with_parent(&format!("{path}/{name}")));
                with_parent(path).into_iter().chain(inner).collect()
            }
            Self::Move { from, to } => [with_parent(from), with_parent(to)].concat(),
        }
    }
}

/// New bytes that lie beside their place.
#[derive(Debug)]
struct Aside {
    folder: PathBuf,
    files: Vec<Option<PathBuf>>,
}

impl Aside {
    fn put(&mut self, step: &Step) -> Result<()> {
        let place = self.folder.join(self.files.len().to_string());
        let place = match step {
            Step::Write { after, .. } => {
                files::write(&place, after.as_bytes())?;
                Some(place)
            }
            Step::Folder { files: inner, .. } => {
                for (name, text) in inner {
                    files::write(&place.join(name), text.as_bytes())?;
                }
                Some(place)
            }
            Step::Move { .. } | Step::Append { .. } => None,
        };
        self.files.push(place);
        Ok(())
    }

    fn into_place(mut self, record: &Record, layout: &Layout) -> Result<()> {
        for (step, place) in record.steps.iter().zip(self.files.drain(..)) {
            match (step, place) {
                (Step::Write { path, .. } | Step::Folder { path, .. }, Some(place)) => {
                    files::rename(&place, &layout.inside(path))?;
                }
                (Step::Move { from, to }, _) => move_if_there(layout, from, to)?,
                (Step::Append { path, offset, line }, _) => {
                    files::write_at(&layout.inside(path), *offset, line)?;
                }
                (Step::Write { .. } | Step::Folder { .. }, None) => {
                    unreachable!("`put` keeps a place for every step with bytes")
                }
            }
        }
        Ok(())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // What stays behind after an error here is removed by the next recovery.
        self.files.iter().flatten().for_each(|place| drop(files::discard(place)));
    }
}

fn move_if_there(layout: &Layout, from: &str, to: &str) -> Result<()> {
    let (from, to) = (layout.inside(from), layout.inside(to));
    if files::exists(&from) && !files::exists(&to) {
        return files::rename(&from, &to);
    }
    Ok(())
}

/// Carries out steps that may have been carried out before, in part or in full.
struct Redo<'a> {
    layout: &'a Layout,
    done: bool,
}

impl Redo<'_> {
    fn step(
        &self,
        step: &Step,
        renewed: &mut Vec<String>,
        warnings: &mut Vec<String>,
    ) -> Result<()> {
        match step {
            Step::Write { path, before, after } => {
                let target = self.layout.inside(path);
                let now = files::read(&target)?;
                match self.judge(path, before.as_ref(), now.as_deref(), renewed) {
                    _ if now.as_deref() == Some(after.as_bytes()) => return Ok(()),
                    Verdict::Lost => {}
                    Verdict::Edited if self.done => return Ok(()),
                    Verdict::Edited => {
                        warnings.push(self.keep(path, now.as_deref().unwrap_or_default())?)
                    }
                }
                renewed.push(path.clone());
                self.put(&target, after)
            }
            Step::Folder { path, files: inner } => {
                let target = self.layout.inside(path);
                let decided = self.layout.inside(&path.replacen("staging/", "state/trash/", 1));
                if files::exists(&target) || (self.done && files::exists(&decided)) {
                    return Ok(());
                }
                let place = self.layout.temporary().join("again");
                files::discard(&place)?;
                for (name, text) in inner {
                    files::write(&place.join(name), text.as_bytes())?;
                }
                files::rename(&place, &target)
            }
            Step::Move { from, to } => move_if_there(self.layout, from, to),
            Step::Append { path, offset, line } => self.append(path, *offset, line),
        }
    }

    /// Tells whether a file lost the change, or was edited by somebody after it.
    fn judge(
        &self,
        path: &str,
        before: Option<&Former>,
        now: Option<&[u8]>,
        renewed: &[String],
    ) -> Verdict {
        let lost = match (before, now) {
            (None, None) => true,
            (Some(former), Some(now)) if former.hash == hash(now) => {
                // After a reboot, the same old text with a new date was put back by a person.
                let target = self.layout.inside(path);
                !self.done
                    || renewed.iter().any(|each| each == path)
                    || former.modified == files::modified(&target)
            }
            // A rename that became durable before the bytes leaves zeros, or nothing at all.
            (_, Some(now)) => now.iter().all(|byte| *byte == 0),
            (Some(_), None) => false,
        };
        if lost { Verdict::Lost } else { Verdict::Edited }
    }

    /// Puts what a person wrote in the meantime out of harm's way.
    fn keep(&self, path: &str, bytes: &[u8]) -> Result<String> {
        let kept = format!("state/trash/edited-{}/{path}", &hash(bytes)[..12]);
        files::write(&self.layout.inside(&kept), bytes)?;
        Ok(format!(
            "`{path}` was edited while a change was being finished; the edit is kept in `{kept}`"
        ))
    }

    fn put(&self, target: &Path, text: &str) -> Result<()> {
        let place = self.layout.temporary().join("again");
        files::write(&place, text.as_bytes())?;
        files::rename(&place, target)
    }

    fn append(&self, path: &str, offset: u64, line: &str) -> Result<()> {
        let target = self.layout.inside(path);
        let now = files::read(&target)?.unwrap_or_default();
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        if now.get(at..).is_some_and(|tail| tail.starts_with(line.as_bytes())) {
            return Ok(());
        }
        let whole = now.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        let found = now.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes());
        if found { Ok(()) } else { files::write_at(&target, whole as u64, line) }
    }
}

/// What became of a file after a change to it was committed.
enum Verdict {
    Lost,
    Edited,
}

fn hash(bytes: &[u8]) -> String {
    ContentHash::of(bytes).to_string()
}
