//! Keeps the files that others took the place of, in `state/former/`, and looks at them again.
//!
//! A program that opened a file before a change took its place goes on writing to the former one; what it saved would go
//! with the last name of that file. So it keeps a name for a minute, which says when it was written last. One that
//! somebody wrote to since goes to the trash, and that is said.

use super::files;
use super::folder::{Seen, Spot};
use super::journal::boot_id;
use super::layout::{Layout, edited_path};
use super::replace::hash;
use super::transaction::is_inside;
use crate::check::LARGEST;
use crate::contract::Moment;
use crate::error::Result;

/// Nanoseconds for which a file is kept: a minute. Editors write as soon as they have opened a file; a machine under
/// load can make seconds of that.
const LONG: i64 = 60_000_000_000;

/// Files that are kept however many others come, the youngest: as many as one process changes in .03 s.
const MOST: usize = 64;

/// Bytes that are kept in all.
const BYTES: u64 = 4 * 1024 * 1024;

/// While one change follows the other so many pass between two looks.
pub(super) const BETWEEN: u64 = 64;

/// After a file of so many bytes there is a look at once, so that no more than [`BYTES`] come together between two.
const LARGE: u64 = BYTES / BETWEEN;

/// Bytes that a name has room for on every file system.
const NAME: usize = 255;

/// Digits of a hash in a name.
const HASH: usize = 16;

/// Digits of a run of the operating system in a name.
const BOOT: usize = 8;

/// What stands in a name where the run of the operating system cannot be told.
const UNKNOWN: &str = "00000000";

/// A file that another took the place of.
#[derive(Debug, PartialEq, Eq)]
struct Former {
    /// When it came out of its place, in nanoseconds since 1970.
    since: i64,
    /// When it was written last by then, in nanoseconds since 1970.
    modified: i64,
    /// The beginning of the name of the run of the operating system in which that was.
    boot: String,
    /// The beginning of the SHA-256 of what was in it.
    hash: String,
    /// Where it was, relative to the store.
    path: String,
}

/// What becomes of a former file.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// It is kept on.
    Stays,
    /// It was kept long enough.
    Goes,
    /// Somebody wrote to it, and this is in it.
    Edited(Vec<u8>),
}

/// Keeps a file that came out of `path` and lies at `place`, with the write lock held; returns what has to be said of
/// others.
pub(super) fn keep(
    layout: &Layout,
    (place, seen): (&Spot, Seen),
    (path, hash): (&str, &str),
) -> Result<Vec<String>> {
    if seen.is_linked {
        // It is found by its other name.
        return files::remove_plain(place).map(|()| Vec::new());
    }
    let former = Former {
        since: seen.changed,
        modified: seen.modified,
        boot: boot().to_owned(),
        hash: hash[..HASH].to_owned(),
        path: path.to_owned(),
    };
    match files::rename(place, &layout.former().join(former.name())) {
        Ok(()) if seen.size >= LARGE => Ok(look(layout, seen.changed)),
        Ok(()) => Ok(Vec::new()),
        // On a full disk there may be no room for one more name, and the change must land all the same.
        Err(_) => files::remove_plain(place).map(|()| Vec::new()),
    }
}

/// Looks at every former file once more, with the write lock held; returns what has to be said. `now` is by the clock of
/// the file system, in nanoseconds since 1970.
pub(super) fn look(layout: &Layout, now: i64) -> Vec<String> {
    // A file that cannot be taken away keeps nobody from writing.
    look_and_keep(layout, now, MOST).unwrap_or_else(|error| {
        let said = error.warnings().iter().cloned();
        said.chain([error.to_string()]).collect()
    })
}

/// Looks at every former file for the last time, as one may hold what should not be copied.
pub(super) fn forget(layout: &Layout) -> Result<Vec<String>> {
    look_and_keep(layout, 0, 0)
}

/// Tells without the lock whether there is something that is to be done with it.
pub(super) fn is_due(layout: &Layout, now: Moment) -> bool {
    let mut is_due = false;
    let judged = judge(layout, now.unix().saturating_mul(1_000_000_000), MOST, |_, _, verdict| {
        is_due |= verdict != Verdict::Stays;
        Ok(())
    });
    // What a reader cannot list is for the next writer to look at.
    judged.is_ok() && is_due
}

fn look_and_keep(layout: &Layout, now: i64, most: usize) -> Result<Vec<String>> {
    let mut warnings = Vec::new();
    let judged = judge(layout, now, most, |former, spot, verdict| {
        match verdict {
            Verdict::Stays => {}
            Verdict::Goes => files::remove_plain(spot)?,
            Verdict::Edited(bytes) => warnings.push(former.set_aside(layout, spot, &bytes)?),
        }
        Ok(())
    });
    // What was set aside is said now or never.
    match judged {
        Ok(()) => Ok(warnings),
        Err(error) => Err(error.warn(warnings)),
    }
}

/// Judges every former file, the youngest first.
fn judge(
    layout: &Layout,
    now: i64,
    most: usize,
    mut act: impl FnMut(&Former, &Spot, Verdict) -> Result<()>,
) -> Result<()> {
    let Some(folder) = files::enter_if_there(&layout.former())? else { return Ok(()) };
    let names = files::list(&folder.spot(""))?;
    let mut bytes = 0_u64;
    // The names begin with the time.
    for (number, (name, former)) in names.iter().rev().filter_map(Former::of).enumerate() {
        let spot = folder.spot(name);
        // Who reads without the lock may come too late.
        let Ok(seen) = spot.look() else { continue };
        bytes = bytes.saturating_add(seen.size);
        let is_old = now.saturating_sub(former.since) > LONG;
        let is_over = is_old || number >= most || (number > 0 && bytes > BYTES);
        let verdict = former.verdict(&spot, seen, is_over);
        act(&former, &spot, verdict)?;
    }
    Ok(())
}

impl Former {
    /// Makes a name of what is known of it; a path that is too long loses its end.
    fn name(&self) -> String {
        let Self { since, modified, boot, hash, path } = self;
        let path = path.replace('%', "%25").replace('/', "%2F");
        let [since, modified] = [since, modified].map(|time| time.cast_unsigned());
        let mut name = format!("{since:016x}-{modified:016x}-{boot}-{hash}-{path}");
        while name.len() > NAME {
            name.pop();
        }
        name
    }

    /// Reads a name; nothing where it is none of ours.
    fn of(name: &String) -> Option<(&String, Self)> {
        let mut parts = name.splitn(5, '-');
        let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
        let [since, modified] = [number()?, number()?].map(u64::cast_signed);
        let mut digits = |count| parts.next().filter(|part| part.len() == count).map(str::to_owned);
        let (boot, hash) = (digits(BOOT)?, digits(HASH)?);
        let path = parts.next()?.replace("%2F", "/").replace("%25", "%");
        is_inside(&path).then_some((name, Self { since, modified, boot, hash, path }))
    }

    fn verdict(&self, spot: &Spot, seen: Seen, is_over: bool) -> Verdict {
        // After a power cut nobody has it open, and it may have lost bytes that nobody ever missed.
        let is_of_this_run = self.boot == boot() && self.boot != UNKNOWN;
        let is_untouched = match is_of_this_run {
            true => seen.modified == self.modified,
            false => seen.modified <= self.modified,
        };
        let stays = if is_over || !is_of_this_run { Verdict::Goes } else { Verdict::Stays };
        if is_untouched {
            return stays;
        }
        // What cannot be read may be somebody's work all the same.
        let read = files::read_seen(spot, LARGEST + 1).ok().flatten();
        let bytes = read.map(|(bytes, _)| bytes).unwrap_or_default();
        if hash(&bytes).starts_with(&self.hash) { stays } else { Verdict::Edited(bytes) }
    }

    /// Moves to the trash what somebody wrote to; who is still at it goes on there.
    fn set_aside(&self, layout: &Layout, spot: &Spot, bytes: &[u8]) -> Result<String> {
        let path = &self.path;
        let kept = layout.free(edited_path(&hash(bytes), path));
        files::rename(spot, &layout.inside(&kept))?;
        Ok(format!(
            "`{path}` was saved by a program that had it open since before a change; what it saved is kept in `{kept}`"
        ))
    }
}

/// Returns the beginning of the name of this run of the operating system.
fn boot() -> &'static str {
    boot_id().get(..BOOT).unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests;
