//! The temp files of a change, until its record is durable.

use super::Step;
use crate::disk::files;
use crate::disk::folder::Spot;
use crate::error::Result;
use crate::project::store::journal::Record;
use crate::project::store::layout::{Layout, copied_from};
use crate::project::store::log;
use crate::project::store::replace::{Replacement, check_moved, move_if_there, replace};

/// The temp files of new bytes.
#[derive(Debug)]
pub(super) struct Aside {
    /// The number of the record that will name them.
    record: u64,
    /// One for each step with bytes.
    places: Vec<Option<Spot>>,
}

impl Aside {
    pub(super) fn new(record: u64) -> Self {
        Self { record, places: Vec::new() }
    }

    pub(super) fn put(&mut self, steps: &[Step], layout: &Layout) -> Result<()> {
        steps.iter().try_for_each(|step| self.put_one(step, layout))
    }

    fn put_one(&mut self, step: &Step, layout: &Layout) -> Result<()> {
        let place = layout.aside(self.record, self.places.len());
        // Noted first, so that a part from a full disk is removed.
        let has_bytes = matches!(step, Step::Write { .. } | Step::Folder { .. });
        self.places.push(has_bytes.then(|| place.clone()));
        match step {
            Step::Write { path, after, .. } => {
                let file = files::write(&place, after.as_bytes())?;
                let like = copied_from(path).unwrap_or(path);
                files::copy_mode(&layout.inside(like), &file)
            }
            Step::Folder { path, files: inner } => inner.iter().try_for_each(|(name, text)| {
                let file = files::write(&place.join(name), text.as_bytes())?;
                let like = format!("{path}/{name}");
                let like = copied_from(&like).map(|like| layout.inside(like));
                like.map_or(Ok(()), |like| files::copy_mode(&like, &file))
            }),
            Step::Move { .. } | Step::Append { .. } | Step::Cut { .. } => Ok(()),
        }
    }

    /// Carries out the steps of the record; returns warnings.
    pub(super) fn into_place(mut self, record: &Record, layout: &Layout) -> Result<Vec<String>> {
        let mut warnings = Vec::new();
        // After an error a temp file may be a person's: recovery checks it.
        let places = std::mem::take(&mut self.places);
        let is_needed = places.iter().any(Option::is_some);
        let held = is_needed.then(|| files::enter(&layout.temporary())).transpose()?;
        let places = places.iter().map(|place| {
            let name = place.as_ref()?.file_name()?;
            held.as_ref().map(|folder| folder.spot(name))
        });
        for (step, place) in record.steps.iter().zip(places) {
            match (step, place) {
                (Step::Write { path, before, .. }, Some(place)) => {
                    let expected = before.as_ref().map(|former| former.hash.as_str());
                    let new = Replacement { place: &place, path, expected };
                    warnings.extend(replace(layout, &new)?);
                }
                (Step::Folder { path, .. }, Some(place)) => {
                    files::rename(&place, &layout.inside(path))?;
                }
                (Step::Move { from, to, before }, _) => {
                    move_if_there(layout, from, to)?;
                    warnings.extend(check_moved(layout, (from, to), before.as_ref())?);
                }
                (Step::Append { path, offset, line }, _) => {
                    files::write_at(&layout.inside(path), *offset, line.as_bytes())?;
                    log::renew_end(layout, line)?;
                }
                (Step::Cut { .. }, _) => log::cut_torn(layout)?,
                (Step::Write { .. } | Step::Folder { .. }, None) => {
                    unreachable!("`put` keeps a place for every step with bytes")
                }
            }
        }
        Ok(warnings)
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // The next recovery removes what an error leaves here.
        self.places.iter().flatten().for_each(|place| drop(files::discard(place)));
    }
}
