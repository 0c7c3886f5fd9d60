//! Finishes what a process that died had committed, and forgets what it had not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::journal::{Done, Journal, Open, Record};
use super::layout::Layout;
use super::lock::Turn;
use super::replace::{
    Replacement, hash, is_still, is_torn, look_at_moved, move_if_there, replace, rescue,
};
use super::transaction::{Former, Step};
use super::{Locked, log};
use crate::disk::files;
use crate::disk::folder::Spot;
use crate::error::Result;

impl Locked<'_> {
    /// Carries out the records that are not known to be in the files; returns what had to be said.
    pub(super) fn recover(&mut self, open: Vec<Open>, turn: Turn) -> Result<Vec<String>> {
        let mut warnings = rescue(self.layout(), &open)?;
        // What was set aside is said now or never.
        match self.redo(&open, turn, &mut warnings) {
            Ok(()) => Ok(warnings),
            Err(error) => Err(error.warn(warnings)),
        }
    }

    fn redo(&mut self, open: &[Open], turn: Turn, warnings: &mut Vec<String>) -> Result<()> {
        let layout = self.layout().clone();
        // What a process that died left there would be in the way.
        files::empty(&layout.temporary())?;
        if open.iter().any(|each| each.done.is_none()) {
            // Who wrote it may have died before the sync: a power cut now would take it, and leave what it began.
            self.journal.sync()?;
        }
        let mut redo = Redo::new(&layout, &mut self.journal, (open, warnings));
        for Open { record, done } in open {
            redo.done = done.clone().or(redo.was_carried_out(record)?);
            for (number, step) in record.steps.iter().enumerate() {
                redo.place = layout.aside(record.number, number);
                redo.step(step)?;
            }
        }
        // Nothing is marked as done. After a kill only who died knew whether the record may stay; and after
        // a reboot a mark might survive another power cut that takes half of what was just put back: the
        // other half has times that no later record noted, and would pass for somebody's edit.
        // Nobody who only reads waits for the disk without need.
        if !open.is_empty() || (turn == Turn::Awaited && self.journal().is_ripe()) {
            self.checkpoint()?;
        }
        Ok(())
    }

    /// Makes everything durable that the journal speaks of, and empties it.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let layout = self.layout().clone();
        let named = self.journal().named()?;
        let mut spots = vec![layout.inside(""), layout.log_end()];
        for path in named.paths.iter().chain(&named.moved) {
            // A file is there if every folder above it is.
            spots.extend(layout.inside(path).ancestors());
        }
        spots.sort_by(|a, b| a.relative().cmp(b.relative()));
        spots.dedup_by(|a, b| a.relative() == b.relative());
        spots.iter().try_for_each(files::sync)?;
        // What was moved may itself be too young to be durable.
        for spot in named.moved.iter().flat_map(|path| files::walk(&layout.inside(path))) {
            match files::sync(&spot) {
                // Nor was it written by us.
                Err(error) if error.is_forbidden() => {}
                synced => synced?,
            }
        }
        self.journal().clear()
    }
}

/// Carries out steps that may have been carried out before, in part or in full.
struct Redo<'a> {
    layout: &'a Layout,
    journal: &'a mut Journal,
    open: &'a [Open],
    /// Where the new bytes of the step at hand lie before they come to their place.
    place: Spot,
    /// The mark that the record at hand was carried out, in an earlier run of the operating system,
    /// which may have lost what it wrote.
    done: Option<Done>,
    /// The files that were put back, and the times of those and their folders from before that.
    renewed: BTreeSet<String>,
    times: BTreeMap<PathBuf, Option<i64>>,
    /// Whether the journal says that something is being put back.
    reopened: bool,
    warnings: &'a mut Vec<String>,
}

/// What became of a file after a change to it was committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The change is not in it.
    Lost,
    /// Somebody edited it since.
    Edited,
}

impl<'a> Redo<'a> {
    fn new(
        layout: &'a Layout,
        journal: &'a mut Journal,
        (open, warnings): (&'a [Open], &'a mut Vec<String>),
    ) -> Self {
        Self {
            layout,
            journal,
            open,
            place: layout.temporary().join("again"),
            done: None,
            renewed: BTreeSet::new(),
            times: BTreeMap::new(),
            reopened: false,
            warnings,
        }
    }

    /// Tells whether a record was carried out although it is not marked so: its line in the log comes
    /// last. Whatever stands in its files now was put there afterwards.
    fn was_carried_out(&self, record: &Record) -> Result<Option<Done>> {
        if let Some(mark) = self.journal.known_mark(record) {
            return Ok(Some(mark));
        }
        let last = record.steps.iter().rev().find_map(|step| match step {
            Step::Append { path, line, .. } => Some((path, line)),
            Step::Write { .. } | Step::Folder { .. } | Step::Move { .. } | Step::Cut { .. } => None,
        });
        let Some((path, line)) = last.filter(|_| self.journal.wrote(record)) else {
            return Ok(None);
        };
        let log = files::read(&self.layout.inside(path))?.unwrap_or_default();
        let found = log.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes());
        Ok(found.then(|| Done { done: record.number, boot: record.boot.clone(), at: i64::MIN }))
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Write { path, before, after } => self.write(path, before.as_ref(), after),
            Step::Folder { path, files: inner } => match self.find_folder(path) {
                None => self.make_folder(path, inner),
                Some(folder) => inner.iter().try_for_each(|(name, text)| {
                    self.write(&format!("{folder}/{name}"), None, text)
                }),
            },
            // What stands there now came after the move.
            Step::Move { from, .. } if self.is_past() || self.is_younger(from) => Ok(()),
            Step::Move { from, to, before } => {
                move_if_there(self.layout, from, to)?;
                let before = before.as_ref().filter(|_| self.done.is_none());
                self.warnings.extend(look_at_moved(self.layout, (from, to), before)?);
                Ok(())
            }
            Step::Append { path, offset, line } => {
                self.append(path, *offset, line)?;
                log::renew_end(self.layout, line)
            }
            Step::Cut { .. } => log::cut_torn(self.layout),
        }
    }

    fn write(&mut self, path: &str, before: Option<&Former>, after: &str) -> Result<()> {
        let target = self.layout.inside(path);
        // What somebody put in the place of a file later is theirs, and stops nothing.
        if self.done.is_some() && files::exists(&target) && !files::is_plain(&target) {
            return Ok(());
        }
        let now = files::read(&target)?;
        if now.as_deref() == Some(after.as_bytes()) {
            return Ok(());
        }
        let expected = match (self.judge((path, after), before, now.as_deref()), &self.done) {
            (Verdict::Edited, Some(_)) => return Ok(()),
            (Verdict::Edited, None) => before.map(|former| former.hash.clone()),
            (Verdict::Lost, Some(_) | None) => now.as_deref().map(hash),
        };
        self.begin()?;
        self.renewed.insert(path.to_owned());
        let file = files::write(&self.place, after.as_bytes())?;
        files::copy_mode(&target, &file)?;
        let new = Replacement { place: &self.place, path, expected: expected.as_deref() };
        let said = replace(self.layout, &new)?;
        self.warnings.extend(said);
        Ok(())
    }

    /// Notes the times of all files, and lets the journal know, before the first thing is put back: it
    /// makes its folder younger, and the one above if the folder itself was lost.
    fn begin(&mut self) -> Result<()> {
        if self.done.is_none() || self.reopened {
            return Ok(());
        }
        let (layout, open) = (self.layout, self.open);
        for step in open.iter().flat_map(|each| &each.record.steps) {
            let Step::Write { path, .. } = step else { continue };
            let target = layout.inside(path);
            self.modified(&target);
            self.folder_modified(&target);
        }
        self.journal.reopen(open)?;
        self.reopened = true;
        Ok(())
    }

    /// Tells whether all that stands in the places of the record came after it.
    fn is_past(&self) -> bool {
        self.done.as_ref().is_some_and(|done| done.at == i64::MIN)
    }

    /// Tells whether a file was written after the record was carried out, and not by recovery.
    fn is_younger(&mut self, path: &str) -> bool {
        let file = self.layout.inside(path);
        if self.renewed.contains(path) || !files::is_plain(&file) {
            return false;
        }
        let modified = self.modified(&file);
        self.done.as_ref().zip(modified).is_some_and(|(done, modified)| modified > done.at)
    }

    /// Tells whether a file lost the change, or was edited by somebody after it.
    fn judge(
        &mut self,
        (path, after): (&str, &str),
        before: Option<&Former>,
        now: Option<&[u8]>,
    ) -> Verdict {
        let target = self.layout.inside(path);
        let modified = self.modified(&target);
        let folder = self.folder_modified(&target);
        let untouched = |time: Option<i64>| {
            self.done.as_ref().is_none_or(|done| time.is_none_or(|time| time <= done.at))
        };
        let lost = match (before, now) {
            // After a power cut the folder is as old as the file that is not in it; a person who
            // deleted the file made the folder younger.
            (None, None) => untouched(folder),
            // The same old text with a new date was put back by a person.
            (Some(former), Some(now)) if is_still(Some(former), Some(now)) => {
                let begun = self.done.as_ref().is_none_or(|done| done.at == i64::MAX);
                begun || self.renewed.contains(path) || former.modified == modified
            }
            // A name that became durable before the bytes leaves zeros, a part of them, or nothing.
            (_, Some(now)) => is_torn(now, after.as_bytes()) && untouched(modified),
            (Some(_), None) => false,
        };
        if lost { Verdict::Lost } else { Verdict::Edited }
    }

    /// Returns when the nearest folder above a file that is there was written last: who removed a folder
    /// with all that was in it made the one above it younger.
    fn folder_modified(&mut self, target: &Spot) -> Option<i64> {
        target.ancestors().skip(1).find_map(|folder| self.modified(&folder))
    }

    /// Returns when a file or folder was written last, before anything was put back.
    fn modified(&mut self, spot: &Spot) -> Option<i64> {
        *self.times.entry(spot.to_path_buf()).or_insert_with(|| files::modified(spot))
    }

    /// Finds a folder where it was made, or where decisions have moved it since.
    fn find_folder(&self, path: &str) -> Option<String> {
        let mut places = vec![path];
        let later = self.open.iter().filter(|_| self.done.is_some());
        for step in later.flat_map(|each| &each.record.steps) {
            if let Step::Move { from, to, .. } = step
                && places.contains(&from.as_str())
            {
                places.push(to);
            }
        }
        let found = places.into_iter().find(|place| files::exists(&self.layout.inside(place)));
        found.map(str::to_owned)
    }

    fn make_folder(&mut self, path: &str, inner: &[(String, String)]) -> Result<()> {
        self.begin()?;
        for (name, text) in inner {
            files::write(&self.place.join(name), text.as_bytes())?;
        }
        files::rename(&self.place, &self.layout.inside(path))
    }

    fn append(&self, path: &str, offset: u64, line: &str) -> Result<()> {
        let target = self.layout.inside(path);
        // The log may be long, and after a power cut most of the records are in it.
        if files::has_line_at(&target, offset, line)? {
            return Ok(());
        }
        let now = files::read(&target)?.unwrap_or_default();
        if now.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes()) {
            return Ok(());
        }
        let there = usize::try_from(offset).ok().and_then(|at| now.get(at..)).unwrap_or_default();
        let there = &there[..there.len().min(line.len())];
        if !there.is_empty() && is_torn(there, line.as_bytes()) {
            // The lines behind it may have reached the disk before it.
            return files::write_over(&target, offset, line.as_bytes());
        }
        let whole = now.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        files::write_at(&target, whole as u64, line.as_bytes())
    }
}

#[cfg(test)]
mod tests;
