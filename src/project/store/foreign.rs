//! Finds files in `state/` that this machine did not sign. Readers treat them as missing; the next writer moves them to
//! the trash.
//!
//! A commit can replace ignored files, so the path of a file proves nothing: each line must be signed.

use super::layout::Layout;
use super::state_in_git::StateInGit;
use crate::contract::Moment;
use crate::disk::files;
use crate::disk::folder::{FileKind, StorePath};
use crate::disk::journal::Journal;
use crate::disk::key::{Key, Purpose};
use crate::disk::lock::WriteLock;
use crate::disk::store_folder::{LOG, UNDO};
use crate::error::{Error, Result};

/// Files in `state/` that do not count, relative to the store.
#[derive(Debug, Default)]
pub(crate) struct ForeignState {
    /// Those that another machine wrote.
    unsigned: Vec<&'static str>,
    /// Whether the journal is one that a newer one of this machine replaced.
    has_older_journal: bool,
}

impl ForeignState {
    pub(crate) fn of(layout: &Layout) -> Result<Self> {
        let (key, own) = (layout.key(), layout.journal_key());
        let mut found = Vec::new();
        let is_open = || Ok::<_, Error>(!Journal::is_settled(layout)?);
        let is_unsigned = is_no_file(&layout.journal()) || Journal::is_foreign(layout)?;
        let has_older_journal =
            !is_unsigned && own.is_known() && is_open()? && Journal::is_older(layout)?;
        found.extend(is_unsigned.then_some(JOURNAL));
        let lists = [(layout.log(), Purpose::LOG, LOG), (layout.undo(), Purpose::UNDO, UNDO)];
        for (place, purpose, name) in lists {
            if is_no_file(&place) || is_foreign(&place, |line| key.signed_line(purpose, line))? {
                found.push(name);
            }
        }
        let is_end_left = found.contains(&LOG) || !files::exists(&layout.log());
        if is_no_file(&layout.log_end())
            || (is_end_left && layout.signed_log().has_foreign_end()?)
        {
            found.push("state/log.end");
        }
        if is_no_file(&layout.inside(ID)) {
            found.push(ID);
        }
        Ok(Self { unsigned: found, has_older_journal })
    }

    /// Returns a warning; `None` if there are no such files.
    pub(crate) fn say(&self, layout: &Layout) -> Option<String> {
        let said = self.said(layout)?;
        if let Key::Missing { why, next } = layout.key() {
            let next = next.as_ref().map(|next| format!("; {next}")).unwrap_or_default();
            let why = format!("{why}{next}");
            return Some(format!("what is in `state/` is not read: it cannot be verified ({why})"));
        }
        let next = match StateInGit::of(layout.git()) {
            StateInGit::Tracked(command) => format!("git tracks `state/`: {command}"),
            StateInGit::Untracked | StateInGit::Unknown(_) => {
                format!("the next command that writes sets this apart{}", self.adoption())
            }
        };
        Some(format!("{said}, and not read; {next}"))
    }

    fn said(&self, layout: &Layout) -> Option<String> {
        let named = |name: &&str| match layout.inside(name).metadata() {
            Ok(seen) if seen.kind != FileKind::File => format!("`{name}` ({})", seen.kind.name()),
            Ok(_) | Err(_) => format!("`{name}`"),
        };
        let names: Vec<String> = self.unsigned.iter().map(named).collect();
        let verb = if names.len() == 1 { "was" } else { "were" };
        let unsigned = (!names.is_empty())
            .then(|| format!("{} {verb} not signed on this machine", names.join(", ")));
        let older = self
            .has_older_journal
            .then(|| format!("`{JOURNAL}` is older than what was carried out here"));
        let said: Vec<String> = unsigned.into_iter().chain(older).collect();
        (!said.is_empty()).then(|| said.join(", "))
    }

    /// Says how to take up what another machine wrote.
    fn adoption(&self) -> &'static str {
        match self.unsigned.is_empty() {
            true => "",
            false => "; `agent-memory doctor --adopt-state` takes it up if it is yours",
        }
    }

    fn paths(&self) -> Vec<&'static str> {
        let older = self.has_older_journal.then_some(JOURNAL);
        self.unsigned.iter().copied().chain(older).collect()
    }
}

pub(super) const JOURNAL: &str = "state/journal";

/// The name of the copies.
const ID: &str = "state/id";

/// Moves foreign files to the trash, under the write lock; returns a warning.
pub(super) fn set_apart(layout: &Layout, lock: &WriteLock) -> Result<Vec<String>> {
    let found = ForeignState::of(layout)?;
    let Some(said) = found.said(layout) else { return Ok(Vec::new()) };
    let seconds = lock.taken().unwrap_or_default() / 1_000_000_000;
    let name = Moment::from_unix(seconds).compact();
    let folder = layout.free(format!("state/trash/foreign-{name}"));
    for path in found.paths() {
        let to = layout.inside(&format!("{folder}/{}", path.trim_start_matches("state/")));
        files::rename(&layout.inside(path), &to)?;
    }
    let is = if found.paths().len() == 1 { "is" } else { "are" };
    let said = format!("{said}, and {is} in `{folder}` now");
    Ok(vec![match StateInGit::of(layout.git()) {
        StateInGit::Tracked(command) => format!("{said}; git tracks `state/`: {command}"),
        StateInGit::Untracked | StateInGit::Unknown(_) => {
            format!("{said}{}", found.adoption())
        }
    }])
}

/// Tells whether something else than a file is at a path, such as a link.
pub(super) fn is_no_file(place: &StorePath) -> bool {
    place.metadata().is_ok_and(|seen| seen.kind != FileKind::File)
}

/// Tells whether a list has lines and none is ours. A signed last line is enough.
fn is_foreign(place: &StorePath, is_ours: impl Fn(&[u8]) -> bool) -> Result<bool> {
    let is_empty = files::lengths(place)? == (0, 0);
    if is_empty || is_ours(&files::read_last_line(place)?) {
        return Ok(false);
    }
    let bytes = files::read(place)?.unwrap_or_default();
    // A power cut may leave zeros in the first line.
    let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.contains(&0));
    let has_lines = lines.clone().any(|line| !line.is_empty());
    // The last line may lack only its end.
    Ok(has_lines && !lines.any(is_ours))
}
