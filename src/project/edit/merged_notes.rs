//! Joins the evidence of a section with that of an operation which leaves its text.

use super::file::{FileEdit, TouchedPart};
use crate::markdown::SourceNote;

/// The evidence that a section has afterwards.
pub(super) struct MergedNotes {
    pub(super) notes: Vec<SourceNote>,
    /// Which newer evidence of the section stays, for people.
    pub(super) told: Vec<String>,
}

impl FileEdit<'_> {
    /// Joins the evidence of a section with that of the operation. The pin of a pending request does not replace one that
    /// was written since: a person may have read the source again.
    pub(super) fn merged_notes(&self, index: usize) -> MergedNotes {
        let (old, edit) = (&self.outline.sections()[index].sources, self.edit);
        let mut told = Vec::new();
        let replaces = |new: &SourceNote, old: &SourceNote| edit.replaces(new, old);
        let notes = merge_notes(old, edit.notes, replaces, |new, old| {
            let is_since =
                edit.has_changed(new) && !edit.had(&self.touch(index, TouchedPart::Presence), old);
            told.extend(is_since.then(|| self.told_kept(index, old)));
            is_since
        });
        MergedNotes { notes, told }
    }

    fn told_kept(&self, index: usize, kept: &SourceNote) -> String {
        let SourceNote { kind, reference, date, .. } = kept;
        let (path, id, blob) =
            (self.edit.path, self.id_of(index), kept.blob.as_deref().unwrap_or("-"));
        format!(
            "`{path}#{id}` keeps the {kind} `{reference}` as {blob} of {date}: that was cited after this was proposed"
        )
    }
}

/// Joins old and new evidence; a source that is cited again, or of which the lines moved, replaces its old notes. A note that is newer and as sure stays,
/// and another pin that was written since: `is_since` tells that of a new note and an old one.
fn merge_notes(
    old: &[SourceNote],
    new: &[SourceNote],
    replaces: impl Fn(&SourceNote, &SourceNote) -> bool,
    mut is_since: impl FnMut(&SourceNote, &SourceNote) -> bool,
) -> Vec<SourceNote> {
    let mut merged = old.to_vec();
    for note in new {
        let Some(at) = merged.iter().position(|each| replaces(note, each)) else {
            merged.push(note.clone());
            continue;
        };
        let place = &mut merged[at];
        if (is_newer_pin(place, note) && is_since(note, place)) || is_superseded(note, place) {
            continue;
        }
        *place = note.clone();
        let mut number = 0..;
        // Two citations may have moved to one place.
        merged.retain(|each| {
            let is_other = number.next().is_some_and(|it| it > at);
            !(is_other && replaces(note, each))
        });
    }
    merged
}

/// Dates are compared as texts, as they are `YYYY-MM-DD`.
fn is_newer_pin(old: &SourceNote, note: &SourceNote) -> bool {
    old.blob != note.blob && old.date >= note.date
}

fn is_superseded(note: &SourceNote, by: &SourceNote) -> bool {
    by.date > note.date && !by.confidence.is_weaker_than(note.confidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(rest: &str) -> SourceNote {
        SourceNote::read(&format!("<!-- @source: file a.rs {rest} -->")).expect("a good note")
    }

    #[track_caller]
    fn check(old: &str, new: &str, is_since: bool, expected: &str) {
        let merged = merge_notes(&[note(old)], &[note(new)], |_, _| true, |_, _| is_since);
        assert_eq!(merged, [note(expected)]);
    }

    #[test]
    fn a_source_that_was_confirmed_since_keeps_its_newer_note() {
        let newer = "aaaaaaaaaaaa confirmed 2026-11-21";
        let newest = "bbbbbbbbbbbb confirmed 2026-11-22";
        check(newer, "bbbbbbbbbbbb confirmed 2026-11-20", false, newer);
        check(newer, "bbbbbbbbbbbb inferred 2026-11-20", false, newer);
        check(newer, newest, false, newest);
        let surer = "bbbbbbbbbbbb confirmed 2026-11-20";
        check("aaaaaaaaaaaa inferred 2026-11-21", surer, false, surer);
    }

    #[test]
    fn a_pin_that_was_written_since_stays() {
        let (now, then) = ("aaaaaaaaaaaa inferred 2026-11-20", "bbbbbbbbbbbb confirmed 2026-11-20");
        check(now, then, true, now);
        check(now, then, false, then);
        // The same pin with more confidence, or one of an earlier day, gives way.
        check(now, "aaaaaaaaaaaa confirmed 2026-11-20", true, "aaaaaaaaaaaa confirmed 2026-11-20");
        check(now, "bbbbbbbbbbbb inferred 2026-11-21", true, "bbbbbbbbbbbb inferred 2026-11-21");
    }
}
