//! Warns of text in a change that speaks to the agent which will read it. It is never refused: a note may be about it.

use super::planned_file::PlannedFile;
use super::screen::Screened;
use crate::project::injection::find_injections;
use crate::project::request::Change;
use crate::text::count;

/// How many places of a section are told.
const TOLD: usize = 3;

/// Says for each section what comes into it that speaks to the agent.
pub(super) fn injections(screened: &Screened<'_>, files: &[PlannedFile]) -> Vec<String> {
    let mut warnings = Vec::new();
    for file in files {
        let (old, new) = (file.former(), file.outline());
        for change in &file.changes {
            let Some(section) = change.index.map(|index| &new.sections()[index]) else { continue };
            if change.change == Change::Archived {
                continue;
            }
            let mut found = find_injections(new.own(section));
            if found.is_empty() {
                continue;
            }
            let former = change.former.map(|index| old.own(&old.sections()[index]));
            let known = former.map(find_injections).unwrap_or_default();
            found.retain(|it| !known.iter().any(|known| known.is_as(it)));
            let path = &file.path;
            let name = match &section.id {
                Some(id) => format!("{path}#{id}"),
                None => path.to_string(),
            };
            warnings.extend(found.iter().take(TOLD).map(|injection| {
                format!("`{name}` holds {}", screened.rules.scanner.redact(&injection.told()))
            }));
            if let Some(more @ 1..) = found.len().checked_sub(TOLD) {
                warnings.push(format!(
                    "`{name}` holds {} more that speak to the agent",
                    count(more, "place")
                ));
            }
        }
    }
    warnings
}
