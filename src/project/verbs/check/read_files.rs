//! Looks at the files that are read where they are: `[[read]]` in `config.toml`.

use super::scope::CheckScope;
use crate::contract::FileState;
use crate::error::Result;
use crate::project::check::{Remark, Rule, Rulebook, check_read_file};
use crate::project::store::{Layout, ReadFiles, Seat};

/// What is hidden in files that are read where they are, and which of them are left out.
pub(super) struct ReadFindings {
    pub(super) remarks: Vec<Remark>,
    pub(super) notes: Vec<String>,
}

/// Looks at the files; where a change is checked, only at those that it touches.
pub(super) fn read_files(
    layout: &Layout,
    rulebook: &Rulebook,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<ReadFindings> {
    let (rules, scanner, repository) =
        (&rulebook.config.reads, &rulebook.scanner, seat.repository());
    let found = ReadFiles::of(rules, layout, &repository, scanner, |_, _| true)?;
    let mut remarks = Vec::new();
    for path in found.paths() {
        if !scope.reaches_beside(path) {
            continue;
        }
        let beside = format!("../{path}");
        match found.read(path).transpose()? {
            Some(FileState::Text(text)) => {
                remarks.extend(check_read_file(&beside, &text, rulebook));
            }
            Some(FileState::Unusable(why)) => {
                remarks.push(Remark::new(Rule::FileUnreadable, &beside, why));
            }
            Some(FileState::Absent) | None => {}
        }
    }
    let notes = if scope.since.is_none() { found.warnings } else { Vec::new() };
    Ok(ReadFindings { remarks, notes })
}
