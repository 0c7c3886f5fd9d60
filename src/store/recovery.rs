//! Finishes what a process that died had committed, and forgets what it had not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::folder::Spot;
use super::journal::{Done, Journal, Open, Record};
use super::layout::Layout;
use super::transaction::{Former, Step, is_still, keep, move_if_there, renew_contents};
use super::{Locked, Store, files, log};
use crate::error::Result;

impl Locked<'_> {
    /// Carries out the records that are not known to be in the files; returns what had to be said.
    pub(super) fn recover(&mut self, open: Vec<Open>) -> Result<Vec<String>> {
        let layout = self.layout().clone();
        // What a process that died left there would be in the way.
        files::empty(&layout.temporary())?;
        let rebooted = open.iter().any(|each| each.done.is_some());
        let foreign = open.iter().any(|each| !self.journal.wrote(&each.record));
        let mut redo = Redo::new(&layout, &mut self.journal, &open);
        for Open { record, done } in &open {
            redo.done = done.clone().or(redo.was_carried_out(record)?);
            record.steps.iter().try_for_each(|step| redo.step(step))?;
        }
        let warnings = redo.warnings;
        if foreign {
            self.renew_contents()?;
        }
        let unmarked = open.iter().filter(|each| each.done.is_none());
        unmarked.map(|each| &each.record).try_for_each(|record| self.journal.done(record))?;
        if rebooted || self.journal().is_ripe() {
            self.checkpoint()?;
        }
        Ok(warnings)
    }

    /// Makes the table of contents anew from the files, as a power cut may have torn it. Where the store
    /// cannot be understood it stays as it is, and `doctor` says why.
    fn renew_contents(&self) -> Result<()> {
        let store = Store::at(self.layout.clone());
        let (Ok(config), Ok(catalog)) = (store.config(), store.catalog()) else { return Ok(()) };
        match store.contents(&catalog, &config.scanner()) {
            Ok(Some(contents)) if contents.is_renewable() => {
                put(self.layout, contents.path.as_str(), &contents.after)
            }
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Makes everything durable that the journal speaks of, and empties it.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let layout = self.layout().clone();
        let records = self.journal().records()?;
        let steps = records.iter().flat_map(|record| &record.steps);
        let mut spots: Vec<Spot> = steps.flat_map(|step| step.places(&layout)).collect();
        spots.push(layout.inside(""));
        spots.sort_by(|a, b| a.relative().cmp(b.relative()));
        spots.dedup_by(|a, b| a.relative() == b.relative());
        spots.iter().try_for_each(files::sync)?;
        self.journal().clear()
    }
}

/// Carries out steps that may have been carried out before, in part or in full.
struct Redo<'a> {
    layout: &'a Layout,
    journal: &'a mut Journal,
    open: &'a [Open],
    /// The mark that the record at hand was carried out, in an earlier run of the operating system,
    /// which may have lost what it wrote.
    done: Option<Done>,
    /// The files that were put back, and the times of those and their folders from before that.
    renewed: BTreeSet<String>,
    times: BTreeMap<PathBuf, Option<i64>>,
    /// Whether the journal says that something is being put back.
    reopened: bool,
    warnings: Vec<String>,
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
    fn new(layout: &'a Layout, journal: &'a mut Journal, open: &'a [Open]) -> Self {
        Self {
            layout,
            journal,
            open,
            done: None,
            renewed: BTreeSet::new(),
            times: BTreeMap::new(),
            reopened: false,
            warnings: Vec::new(),
        }
    }

    /// Tells whether a record was carried out although it is not marked so: its line in the log comes
    /// last. Whatever stands in its files now was put there afterwards.
    fn was_carried_out(&self, record: &Record) -> Result<Option<Done>> {
        let last = record.steps.iter().rev().find_map(|step| match step {
            Step::Append { path, line, .. } => Some((path, line)),
            Step::Write { .. }
            | Step::Contents { .. }
            | Step::Folder { .. }
            | Step::Move { .. }
            | Step::Cut { .. } => None,
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
            // After a reboot it is made anew as a whole.
            Step::Contents { .. } if self.done.is_some() => Ok(()),
            Step::Contents { path, blocks } => renew_contents(self.layout, path, blocks),
            Step::Folder { path, files: inner } => match self.find_folder(path) {
                None => self.make_folder(path, inner),
                Some(folder) => inner.iter().try_for_each(|(name, text)| {
                    self.write(&format!("{folder}/{name}"), None, text)
                }),
            },
            // What stands there now came after the move.
            Step::Move { from, .. } if self.is_younger(from) => Ok(()),
            Step::Move { from, to } => move_if_there(self.layout, from, to),
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
        match (self.judge((path, after), before, now.as_deref()), &self.done) {
            (Verdict::Edited, Some(_)) => return Ok(()),
            (Verdict::Edited, None) => {
                let kept = keep(self.layout, path, now.as_deref().unwrap_or_default())?;
                self.warnings.push(kept);
            }
            (Verdict::Lost, Some(_) | None) => {}
        }
        self.begin()?;
        self.renewed.insert(path.to_owned());
        put(self.layout, path, after)
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
            if let Step::Move { from, to } = step
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
        let place = self.layout.temporary().join("again");
        files::discard(&place)?;
        for (name, text) in inner {
            files::write(&place.join(name), text.as_bytes())?;
        }
        files::rename(&place, &self.layout.inside(path))
    }

    fn append(&self, path: &str, offset: u64, line: &str) -> Result<()> {
        let target = self.layout.inside(path);
        let now = files::read(&target)?.unwrap_or_default();
        if now.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes()) {
            return Ok(());
        }
        let there = usize::try_from(offset).ok().and_then(|at| now.get(at..)).unwrap_or_default();
        let there = &there[..there.len().min(line.len())];
        if !there.is_empty() && is_torn(there, line.as_bytes()) {
            // The lines behind it may have reached the disk before it.
            return files::write_over(&target, offset, line);
        }
        let whole = now.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
        files::write_at(&target, whole as u64, line)
    }
}

/// Puts a text in its place.
fn put(layout: &Layout, path: &str, text: &str) -> Result<()> {
    let (place, target) = (layout.temporary().join("again"), layout.inside(path));
    let file = files::write(&place, text.as_bytes())?;
    files::copy_mode(&target, &file)?;
    files::rename(&place, &target)
}

/// Tells whether of some bytes a part has reached the disk, and zeros stand for the rest.
fn is_torn(now: &[u8], whole: &[u8]) -> bool {
    let kept_or_zero = |(now, whole): (&u8, &u8)| now == whole || *now == 0;
    now.len() <= whole.len() && now.iter().zip(whole).all(kept_or_zero)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::transaction::Step;

    /// Lays a store with one file, judges a change of it, and returns the verdict.
    fn check(before: Option<&str>, now: Option<&str>, done_at: Option<i64>, expected: Verdict) {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::make_in(folder.path()).expect("a store");
        let target = layout.inside("x.md");
        if let Some(text) = now {
            files::write(&target, text.as_bytes()).expect("a file");
        }
        let Step::Write { before, .. } = Step::write("x.md", before, "new text".to_owned()) else {
            unreachable!("`write` makes a write");
        };
        let done = done_at.map(|at| Done { done: 1, boot: "earlier".to_owned(), at });
        let (mut journal, _) = Journal::open(&layout.journal(), None).expect("a journal");
        let mut redo = Redo { done, ..Redo::new(&layout, &mut journal, &[]) };
        let now = now.map(str::as_bytes);
        let verdict = redo.judge(("x.md", "new text"), before.as_ref(), now);
        assert_eq!(verdict, expected, "{before:?} {now:?} {done_at:?}");
    }

    #[test]
    fn what_a_dead_process_had_not_written_is_lost() {
        check(None, None, None, Verdict::Lost);
        check(Some("old"), Some("old"), None, Verdict::Lost);
        check(Some("old"), Some("\0\0\0"), None, Verdict::Lost);
        check(Some("old"), Some(""), None, Verdict::Lost);
        check(Some("old"), Some("new t"), None, Verdict::Lost);
        check(None, Some("new\0text"), None, Verdict::Lost);
    }

    #[test]
    fn what_a_person_wrote_in_the_meantime_is_an_edit() {
        check(Some("old"), Some("other"), None, Verdict::Edited);
        check(None, Some("other"), None, Verdict::Edited);
        check(Some("old"), None, None, Verdict::Edited);
    }

    #[test]
    fn a_file_that_went_with_its_folder_is_judged_by_the_one_above() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::make_in(folder.path()).expect("a store");
        let (mut journal, _) = Journal::open(&layout.journal(), None).expect("a journal");
        // Whoever removed the folder `sessions` made the store's folder younger than the mark.
        for (at, expected) in [(0, Verdict::Edited), (i64::MAX - 1, Verdict::Lost)] {
            let done = Some(Done { done: 1, boot: "earlier".to_owned(), at });
            let mut redo = Redo { done, ..Redo::new(&layout, &mut journal, &[]) };
            assert_eq!(redo.judge(("sessions/x.md", "new text"), None, None), expected, "{at}");
        }
    }

    #[test]
    fn a_move_does_not_take_away_what_came_after_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::make_in(folder.path()).expect("a store");
        let (mut journal, _) = Journal::open(&layout.journal(), None).expect("a journal");
        files::write(&layout.inside("x.md"), b"new").expect("a file");
        let step = Step::Move { from: "x.md".to_owned(), to: "state/trash/x.md".to_owned() };
        for (at, stays) in [(0, true), (i64::MAX, false)] {
            let done = Some(Done { done: 1, boot: "earlier".to_owned(), at });
            let mut redo = Redo { done, ..Redo::new(&layout, &mut journal, &[]) };
            redo.step(&step).expect("it is carried out");
            assert_eq!(files::exists(&layout.inside("x.md")), stays, "{at}");
        }
    }

    #[test]
    fn a_line_that_was_lost_before_a_later_one_comes_back_in_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::make_in(folder.path()).expect("a store");
        let (mut journal, _) = Journal::open(&layout.journal(), None).expect("a journal");
        let redo = Redo::new(&layout, &mut journal, &[]);
        let torn =
            ["first\n\0\0\0\0\0\0\0third\n", "first\nseco\0\0\0third\n", "first\nsec", "first\n"];
        for torn in torn {
            files::write(&layout.log(), torn.as_bytes()).expect("a log");
            redo.append("state/log.jsonl", 6, "second\n").expect("a line");
            redo.append("state/log.jsonl", 13, "third\n").expect("a line");
            let log = files::read_text(&layout.log()).expect("readable").expect("there");
            assert_eq!(log, "first\nsecond\nthird\n", "{torn:?}");
        }
    }

    #[test]
    fn after_a_reboot_only_what_is_as_old_as_the_power_cut_is_lost() {
        check(None, None, Some(i64::MAX), Verdict::Lost);
        check(None, None, Some(0), Verdict::Edited);
        check(None, Some("new t"), Some(i64::MAX), Verdict::Lost);
        check(None, Some("new t"), Some(0), Verdict::Edited);
        check(Some("old"), Some(""), Some(0), Verdict::Edited);
        // `former.modified` is not known here, so the file counts as put back by a person.
        check(Some("old"), Some("old"), Some(i64::MAX - 1), Verdict::Edited);
        // Somebody began to put everything back, and the power went once more.
        check(Some("old"), Some("old"), Some(i64::MAX), Verdict::Lost);
    }
}
