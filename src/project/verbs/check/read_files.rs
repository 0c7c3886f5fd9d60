//! Looks at the files that are read where they are: `[[read]]` in `config.toml`.

use super::scope::CheckScope;
use crate::contract::FileState;
use crate::error::Result;
use crate::project::check::{Remark, Rule, Rulebook, check_read_file};
use crate::project::store::{Layout, ReadFiles, Seat};

/// Returns what is hidden in them; where a change is checked, only in those that it touches.
pub(super) fn read_files(
    layout: &Layout,
    rulebook: &Rulebook,
    scope: &CheckScope,
    seat: &Seat,
) -> Result<Vec<Remark>> {
    let (rules, scanner, repository) =
        (&rulebook.config.reads, &rulebook.scanner, seat.repository());
    let found = ReadFiles::of(rules, layout, &repository, scanner, |_, _| true)?;
    let warning = |said: &String| Remark::new(Rule::FileUnreadable, "config.toml", said);
    let mut remarks: Vec<Remark> = match scope.since {
        None => found.warnings.iter().map(warning).collect(),
        Some(_) => Vec::new(),
    };
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
    Ok(remarks)
}
