//! Finds the time zone that `TZ` names, else that of the machine.
//!
//! `jiff` reads the file that `TZ` names to its end. A device has no end, and a pipe may have no writer.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use jiff::tz::TimeZone;

use crate::contract::{UTC, Zone};
use crate::disk::outside;

/// What the environment says of the zone.
pub(super) struct NamedZone {
    /// The value of `TZ`.
    pub(super) name: Option<OsString>,
    /// The folder of zones: `TZDIR`.
    pub(super) folder: Option<PathBuf>,
}

/// A file of a zone is a few kilobytes.
const LARGEST_ZONE: u64 = 1 << 20;

/// Where machines keep the zones that have a name.
const ZONES: [&str; 4] = [
    "/usr/share/zoneinfo/",
    "/usr/share/lib/zoneinfo/",
    "/etc/zoneinfo/",
    "/var/db/timezone/zoneinfo/",
];

/// Where a machine has the zone that it is set to.
#[cfg(unix)]
const OF_MACHINE: &str = "/etc/localtime";

impl NamedZone {
    /// Returns the zone; UTC where the machine has none, or does not know the one that is named.
    pub(super) fn find(&self) -> Zone {
        match &self.name {
            Some(name) => self.named(name).map_or_else(Zone::assumed, Zone::of),
            // A machine without a zone, such as a container, has the clock of UTC.
            None => Self::of_machine().map_or_else(|| UTC.clone(), Zone::of),
        }
    }

    #[cfg(unix)]
    fn of_machine() -> Option<TimeZone> {
        Self::in_file(Path::new(OF_MACHINE))
    }

    #[cfg(not(unix))]
    fn of_machine() -> Option<TimeZone> {
        TimeZone::try_system().ok()
    }

    /// Reads a rule (`CET-1CEST`), the name of a zone, or the absolute path of a file. A relative path would be another
    /// file in each folder.
    fn named(&self, name: &OsStr) -> Option<TimeZone> {
        let name = name.to_str()?;
        if name.is_empty() {
            return Some(TimeZone::UTC);
        }
        let Some(name) = name.strip_prefix(':') else {
            return TimeZone::posix(name).ok().or_else(|| self.with_name(name));
        };
        self.with_name(name)
    }

    fn with_name(&self, name: &str) -> Option<TimeZone> {
        let path = Path::new(name);
        if path.is_absolute() { Self::in_file(path) } else { self.known(name) }
    }

    /// Returns a zone that the machine has under a name.
    fn known(&self, name: &str) -> Option<TimeZone> {
        match &self.folder {
            _ if !is_plain(name) => None,
            // `jiff` would list all that lies below it.
            Some(folder) => read_zone(name, &outside::real_path(&folder.join(name))?),
            None => TimeZone::get(name).ok(),
        }
    }

    /// Returns the zone of a file; where it is one of those that have a name, with that name.
    fn in_file(path: &Path) -> Option<TimeZone> {
        let real = outside::real_path(path)?;
        let text = real.to_str()?;
        let name_in = |path| ZONES.iter().find_map(|folder| str::strip_prefix(path, *folder));
        let name = [text, path.to_str()?].into_iter().find_map(name_in);
        read_zone(name.filter(|name| is_plain(name)).unwrap_or(text), &real)
    }
}

/// Tells whether a name leads to no other folder.
fn is_plain(name: &str) -> bool {
    Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

fn read_zone(name: &str, real: &Path) -> Option<TimeZone> {
    let is_plain = outside::is_plain(real) && outside::length(real) > 0;
    let read = || outside::read_up_to(Some(real), LARGEST_ZONE + 1).ok();
    let bytes = is_plain.then(read).flatten()?;
    let is_small = bytes.len() as u64 <= LARGEST_ZONE;
    is_small.then(|| TimeZone::tzif(name, &bytes).ok()).flatten()
}
