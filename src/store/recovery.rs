//! Finishes what a process that died had committed, and forgets what it had not.

use std::path::PathBuf;

use super::Locked;
use super::files;
use super::journal::{Done, Open, Record};
use super::layout::Layout;
use super::transaction::{Former, Step, is_still, keep, move_if_there, renew_contents};
use crate::error::{Error, ErrorKind, Result};

impl Locked<'_> {
    /// Carries out the records that are not known to be in the files; returns what had to be said.
    pub(super) fn recover(&mut self, open: Vec<Open>) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        let layout = self.layout().clone();
        let mut renewed = Vec::new();
        let rebooted = open.iter().any(|each| each.done.is_some());
        for Open { record, done } in open {
            let carried = self.was_carried_out(&record)?;
            let redo = Redo { layout: &layout, done: done.as_ref().or(carried.as_ref()) };
            refuse_links(&layout, &record)?;
            for step in &record.steps {
                redo.step(step, &mut renewed, &mut warnings)?;
            }
            if done.is_none() {
                self.journal().done(&record)?;
            }
        }
        files::discard(&layout.temporary())?;
        if rebooted || self.journal().is_ripe() {
            self.checkpoint()?;
        }
        Ok(warnings)
    }

    /// Tells whether a record was carried out although it is not marked so: its line in the log comes
    /// last. Whatever stands in its files now was put there afterwards.
    fn was_carried_out(&mut self, record: &Record) -> Result<Option<Done>> {
        let layout = self.layout().clone();
        let last = record.steps.iter().rev().find_map(|step| match step {
            Step::Append { path, line, .. } => Some((path, line)),
            Step::Write { .. }
            | Step::Contents { .. }
            | Step::Folder { .. }
            | Step::Move { .. } => None,
        });
        let Some((path, line)) = last.filter(|_| self.journal().wrote(record)) else {
            return Ok(None);
        };
        let log = files::read(&layout.inside(path))?.unwrap_or_default();
        let found = log.split_inclusive(|byte| *byte == b'\n').any(|each| each == line.as_bytes());
        Ok(found.then(|| Done { done: record.number, boot: record.boot.clone(), at: i64::MIN }))
    }

    /// Makes everything durable that the journal speaks of, and empties it.
    pub(super) fn checkpoint(&mut self) -> Result<()> {
        let layout = self.layout().clone();
        let records = self.journal().records()?;
        let steps = records.iter().flat_map(|record| &record.steps);
        let mut paths: Vec<PathBuf> = steps.flat_map(|step| step.places(&layout)).collect();
        paths.push(layout.store().to_path_buf());
        paths.sort();
        paths.dedup();
        paths.iter().try_for_each(|path| files::sync(path))?;
        self.journal().clear()
    }
}

/// Refuses a record that would write through a link: a folder of the store that leads elsewhere.
fn refuse_links(layout: &Layout, record: &Record) -> Result<()> {
    let paths = record.steps.iter().flat_map(|step| step.places(layout));
    match paths.into_iter().find(|path| files::is_linked(layout.store(), path)) {
        None => Ok(()),
        Some(path) => {
            Err(Error::new(ErrorKind::StoreDamaged, "the journal leads through a link to")
                .at(&path)
                .hint("put a folder in the place of the link, then run the command again"))
        }
    }
}

/// Carries out steps that may have been carried out before, in part or in full.
struct Redo<'a> {
    layout: &'a Layout,
    /// The mark that they were, in an earlier run of the operating system, which may have lost them.
    done: Option<&'a Done>,
}

/// What became of a file after a change to it was committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The change is not in it.
    Lost,
    /// Somebody edited it since.
    Edited,
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
                let now = files::read(&self.layout.inside(path))?;
                if now.as_deref() == Some(after.as_bytes()) {
                    return Ok(());
                }
                match self.judge(path, before.as_ref(), now.as_deref(), renewed) {
                    Verdict::Edited if self.done.is_some() => return Ok(()),
                    Verdict::Edited => {
                        warnings.push(keep(self.layout, path, now.as_deref().unwrap_or_default())?);
                    }
                    Verdict::Lost => {}
                }
                renewed.push(path.clone());
                self.put(path, after)
            }
            // After a reboot a person may have brought it up to date; `doctor` says if not.
            Step::Contents { .. } if self.done.is_some() => Ok(()),
            Step::Contents { path, blocks } => renew_contents(self.layout, path, blocks),
            Step::Folder { path, files: inner } => self.make_folder(path, inner),
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
        let target = self.layout.inside(path);
        let lost = match (before, now) {
            // After a power cut the folder is as old as the file that is not in it; a person who
            // deleted the file made the folder younger.
            (None, None) => self.done.is_none_or(|done| {
                let folder = target.parent().and_then(files::modified);
                folder.is_none_or(|modified| modified <= done.at)
            }),
            // The same old text with a new date was put back by a person.
            (Some(former), Some(now)) if is_still(Some(former), Some(now)) => {
                self.done.is_none()
                    || renewed.iter().any(|each| each == path)
                    || former.modified == files::modified(&target)
            }
            // A rename that became durable before the bytes leaves zeros, or nothing at all.
            (_, Some(now)) => now.iter().all(|byte| *byte == 0),
            (Some(_), None) => false,
        };
        if lost { Verdict::Lost } else { Verdict::Edited }
    }

    fn put(&self, path: &str, text: &str) -> Result<()> {
        let (place, target) = (self.layout.temporary().join("again"), self.layout.inside(path));
        files::write(&place, text.as_bytes())?;
        files::copy_mode(&target, &place)?;
        files::rename(&place, &target)
    }

    fn make_folder(&self, path: &str, inner: &[(String, String)]) -> Result<()> {
        let target = self.layout.inside(path);
        let decided = self.layout.inside(&path.replacen("staging/", "state/trash/", 1));
        if files::exists(&target) || (self.done.is_some() && files::exists(&decided)) {
            return Ok(());
        }
        let place = self.layout.temporary().join("again");
        files::discard(&place)?;
        for (name, text) in inner {
            files::write(&place.join(name), text.as_bytes())?;
        }
        files::rename(&place, &target)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::transaction::Step;

    /// Lays a store with one file, judges a change of it, and returns the verdict.
    fn check(before: Option<&str>, now: Option<&str>, done_at: Option<i64>, expected: Verdict) {
        let folder = tempfile::tempdir().expect("a folder");
        let layout = Layout::new_in(folder.path());
        let target = layout.inside("x.md");
        files::make_folder(layout.store()).expect("a store");
        if let Some(text) = now {
            files::write(&target, text.as_bytes()).expect("a file");
        }
        let Step::Write { before, .. } = Step::write("x.md", before, "new".to_owned()) else {
            unreachable!("`write` makes a write");
        };
        let done = done_at.map(|at| Done { done: 1, boot: "earlier".to_owned(), at });
        let redo = Redo { layout: &layout, done: done.as_ref() };
        let now = now.map(str::as_bytes);
        let verdict = redo.judge("x.md", before.as_ref(), now, &[]);
        assert_eq!(verdict, expected, "{before:?} {now:?} {done_at:?}");
    }

    #[test]
    fn what_a_dead_process_had_not_written_is_lost() {
        check(None, None, None, Verdict::Lost);
        check(Some("old"), Some("old"), None, Verdict::Lost);
        check(Some("old"), Some("\0\0\0"), None, Verdict::Lost);
        check(Some("old"), Some(""), None, Verdict::Lost);
    }

    #[test]
    fn what_a_person_wrote_in_the_meantime_is_an_edit() {
        check(Some("old"), Some("other"), None, Verdict::Edited);
        check(None, Some("other"), None, Verdict::Edited);
        check(Some("old"), None, None, Verdict::Edited);
    }

    #[test]
    fn after_a_reboot_only_what_is_as_old_as_the_power_cut_is_lost() {
        check(None, None, Some(i64::MAX), Verdict::Lost);
        check(None, None, Some(0), Verdict::Edited);
        // `former.modified` is not known here, so the file counts as put back by a person.
        check(Some("old"), Some("old"), Some(i64::MAX), Verdict::Edited);
    }
}
