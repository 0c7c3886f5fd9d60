//! Keeps the files that others took the place of, in `state/replaced/`, and looks at them again.
//!
//! A program that opened a file before a change took its place goes on writing to the one that was there; what it saved
//! would go with the last name of that file. So it keeps a name for a minute, which says when it was written
//! last. One that somebody wrote to since goes to the trash, and that is said.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::folder::{Kind, Seen, Spot};
use super::journal::boot_id;
use super::layout::Layout;
use super::replace::{hash, keep_edited};
use super::transaction::is_inside;
use super::{background, files};
use crate::check::LARGEST;
use crate::contract::Moment;
use crate::error::Result;

/// Nanoseconds for which a file is kept: a minute. Editors write as soon as they have opened a file; a machine under
/// load can make seconds of that.
const LONG: u64 = 60_000_000_000;

/// Changes of which the files are kept however many others come, the youngest: as many as one process makes in .03 s.
const MOST: usize = 64;

/// Bytes that are kept in all.
const BYTES: u64 = 4 * 1024 * 1024;

/// Where no other thread clears the surplus behind each change so many pass between two looks, as to list the folder takes
/// .05 ms. Few, too, as ext4 without a journal passes by each file that went in an earlier second, for minutes, whenever it
/// makes one (`recently_deleted` in Linux).
pub(super) const BETWEEN: u64 = 3;

/// After a change of so many bytes there is a look at once, so that no more than [`BYTES`] come together between two.
pub(super) const LARGE: u64 = BYTES / BETWEEN;

/// Bytes that a name has room for on most file systems.
const NAME: usize = 255;

/// Digits of a hash in a name.
const HASH: usize = 16;

/// Digits of a run of the operating system in a name.
const BOOT: usize = 8;

/// What stands in a name where the run of the operating system cannot be told.
const UNKNOWN: &str = "00000000";

/// The stores in which another thread passed by a surplus file, as somebody wrote to it: their next change looks at it.
static PASSED_BY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file that another took the place of.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replaced {
    /// When it came out of its place, in nanoseconds since 1970.
    since: i64,
    /// The number of the record that replaced it.
    record: u64,
    /// Its bytes by then.
    size: u64,
    /// When it was written last by then, in nanoseconds since 1970.
    modified: i64,
    /// The beginning of the name of the run of the operating system in which that was.
    boot: String,
    /// The beginning of the SHA-256 of what was in it.
    hash: String,
    /// Where it was, relative to the store.
    path: String,
}

/// What becomes of such a file.
#[derive(Debug, PartialEq, Eq)]
enum Fate {
    /// It is kept on.
    Stays,
    /// It was kept long enough.
    Goes,
    /// Somebody wrote to it, and this is in it.
    Edited(Vec<u8>),
}

/// Which of the files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that are to go, for their number or size.
    Surplus,
    /// All, with the time by the clock of the file system, if it is known, in nanoseconds since 1970.
    All(Option<i64>),
}

/// Looks at replaced files once more, with the write lock held; returns what has to be said.
pub(super) fn look(layout: &Layout, which: Which) -> Vec<String> {
    let mut warnings = Vec::new();
    judge(layout, which, |replaced, spot, fate| match fate {
        Fate::Stays => {}
        // What cannot be removed is in nobody's way.
        Fate::Goes => drop(files::remove_plain(spot)),
        Fate::Edited(bytes) => {
            // Who is still at it goes on writing there.
            let kept = keep_edited(layout, spot, &replaced.path, &bytes);
            let said = kept.map(|kept| was_saved(&replaced.path, &kept));
            warnings.push(said.unwrap_or_else(|error| error.to_string()));
        }
    });
    warnings
}

/// Lets another thread remove the surplus, if it is free: to remove a file takes ext4 .05 ms, in which that thread has
/// nothing else to do once a change is made. Tells whether it does.
pub(super) fn leave_surplus(layout: &Layout) -> bool {
    let layout = layout.clone();
    background::leave(move || {
        if clear_surplus(&layout) {
            passed_by().insert(layout.store().to_path_buf());
        }
    })
}

/// Tells, once, whether another thread passed by a file that has to be looked at.
pub(super) fn was_passed_by(layout: &Layout) -> bool {
    passed_by().remove(layout.store())
}

fn passed_by() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // Who panics puts nothing in.
    PASSED_BY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes surplus files that nobody wrote to; tells whether others are left, for a look. It does without the lock: no name
/// is given twice, and what goes was read and is as it was. What somebody saves between that and the end of the file is
/// lost, as it would be under the lock, which no editor takes.
fn clear_surplus(layout: &Layout) -> bool {
    let mut are_others_left = false;
    judge(layout, Which::Surplus, |_, spot, fate| match fate {
        Fate::Stays => {}
        Fate::Goes => drop(files::remove_plain(spot)),
        Fate::Edited(_) => are_others_left = true,
    });
    are_others_left
}

/// Tells without the lock whether a look would find something to do.
pub(super) fn is_due(layout: &Layout, now: Moment) -> bool {
    let mut is_due = false;
    let now = now.unix().saturating_mul(1_000_000_000);
    judge(layout, Which::All(Some(now)), |_, _, fate| is_due |= fate != Fate::Stays);
    is_due
}

/// Judges replaced files, the youngest first. A folder that cannot be listed is for `doctor` to name.
fn judge(layout: &Layout, which: Which, mut act: impl FnMut(&Replaced, &Spot, Fate)) {
    let Ok(Some(folder)) = files::enter_if_there(&layout.replaced()) else { return };
    let names = files::list(&folder.spot("")).unwrap_or_default();
    let (mut bytes, mut changes) = (0_u64, BTreeSet::new());
    // The names begin with the time.
    for (name, replaced) in names.iter().rev().filter_map(Replaced::of) {
        changes.insert(replaced.record);
        bytes = bytes.saturating_add(replaced.size);
        let is_surplus = changes.len() > MOST || (bytes > BYTES && bytes > replaced.size);
        let is_old = match which {
            Which::Surplus if !is_surplus => continue,
            Which::Surplus | Which::All(None) => false,
            // The clock may have been set back.
            Which::All(Some(now)) => now.abs_diff(replaced.since) > LONG,
        };
        let spot = folder.spot(name);
        match spot.look() {
            Ok(seen) if seen.kind == Kind::File => {
                let fate = replaced.fate(&spot, seen, is_old || is_surplus);
                act(&replaced, &spot, fate);
            }
            // Who reads without the lock may come too late, and what is no file is none of ours.
            Ok(_) | Err(_) => {}
        }
    }
}

impl Replaced {
    /// Notes what is known of a file that a record has just replaced.
    pub(super) fn by(record: u64, seen: Seen, path: &str, hash: &str) -> Self {
        Self {
            since: seen.changed,
            record,
            size: seen.size,
            modified: seen.modified,
            boot: boot().to_owned(),
            hash: hash[..HASH].to_owned(),
            path: path.to_owned(),
        }
    }

    /// Keeps the file, which lies at `place`, with the write lock held.
    pub(super) fn keep(&self, layout: &Layout, place: &Spot) -> Result<()> {
        match files::rename(place, &layout.replaced().join(self.name())) {
            Ok(()) => Ok(()),
            // On a full disk there may be no room for one more name, and the change must land all the same.
            Err(_) => files::remove_plain(place),
        }
    }

    /// Makes a name of what is known of it; a path that is too long loses its end.
    fn name(&self) -> String {
        let Self { since, record, size, modified, boot, hash, path } = self;
        let [since, modified] = [since, modified].map(|time| time.cast_unsigned());
        let path = path.replace('%', "%25").replace('/', "%2F");
        let (record, size) = (format!("{record:x}"), format!("{size:x}"));
        let mut name = format!("{since:016x}-{record}-{size}-{modified:016x}-{boot}-{hash}-{path}");
        while name.len() > NAME {
            name.pop();
        }
        name
    }

    /// Reads a name; nothing where it is none of ours.
    fn of(name: &String) -> Option<(&String, Self)> {
        let mut parts = name.splitn(7, '-');
        let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
        let (since, record, size, modified) = (number()?, number()?, number()?, number()?);
        let [since, modified] = [since, modified].map(u64::cast_signed);
        let mut digits = |count| parts.next().filter(|part| part.len() == count).map(str::to_owned);
        let (boot, hash) = (digits(BOOT)?, digits(HASH)?);
        let path = parts.next()?.replace("%2F", "/").replace("%25", "%");
        // It will stand in a line that is shown.
        let is_fit = is_inside(&path) && !path.contains(char::is_control);
        is_fit.then_some((name, Self { since, record, size, modified, boot, hash, path }))
    }

    fn fate(&self, spot: &Spot, seen: Seen, is_over: bool) -> Fate {
        // After a power cut nobody has it open, and it may have lost bytes that nobody ever missed.
        let is_of_this_run = self.boot == boot() && self.boot != UNKNOWN;
        if !is_of_this_run && seen.modified <= self.modified {
            return Fate::Goes;
        }
        let is_over = is_over || !is_of_this_run;
        // Two writes of one tick of the clock leave the same time: before it goes it is read.
        if !is_over && seen.modified == self.modified {
            return Fate::Stays;
        }
        let bytes = match files::read_seen(spot, LARGEST + 1) {
            Ok(Some((bytes, _))) => bytes,
            // Another has just cleared it.
            Ok(None) => return Fate::Stays,
            // What cannot be read may be somebody's work all the same.
            Err(_) => Vec::new(),
        };
        match hash(&bytes).starts_with(&self.hash) {
            true if is_over => Fate::Goes,
            true => Fate::Stays,
            false => Fate::Edited(bytes),
        }
    }
}

fn was_saved(path: &str, kept: &str) -> String {
    format!(
        "`{path}` was saved by a program that had it open since before a change; what it saved is kept in `{kept}`"
    )
}

/// Returns the beginning of the name of this run of the operating system.
fn boot() -> &'static str {
    boot_id().get(..BOOT).unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests;
