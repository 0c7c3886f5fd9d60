//! What people wrote: memory files and what they refused.

use std::collections::BTreeMap;

use super::{Level, Report};
use crate::contract::SectionId;
use crate::error::Result;
use crate::markdown::Outline;
use crate::ops::Workspace;
use crate::pipeline::FileState;
use crate::store::index::memory_files;
use crate::store::{Layout, damaged_rejections};
use crate::text::{find_conflict_marker, find_hidden};

pub(super) fn check_files(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("files");
    for name in memory_files(workspace.store.layout().folder())? {
        let text = match workspace.store.read_any(&name)? {
            FileState::Text(text) => text,
            FileState::Absent => continue,
            FileState::Unusable(why) => {
                report.add(
                    Level::Warning,
                    format!("`{name}` is left out: {why}"),
                    "make it a plain UTF-8 file".to_owned(),
                );
                continue;
            }
        };
        if workspace.catalog()?.owner_of(&name).is_none() {
            let hint = "move it to a path that a schema names, or add a schema".to_owned();
            report.add(Level::Warning, format!("no category owns `{name}`"), hint);
        }
        check_text(workspace, &name, &text, report);
    }
    Ok(())
}

fn check_text(workspace: &Workspace, name: &str, text: &str, report: &mut Report) {
    for (id, [first, second]) in twins(text) {
        let message = format!("`{name}` has the id `{id}` on lines {first} and {second}");
        report.add(Level::Error, message, "give one of them another id".to_owned());
    }
    for finding in workspace.scanner.scan(text) {
        let message = format!(
            "`{name}` line {} holds what looks like a secret ({})",
            finding.line, finding.rule
        );
        let hint = "take it out, revoke it, and remove it from git's history".to_owned();
        report.add(Level::Error, message, hint);
    }
    if let Some(hidden) = find_hidden(text.trim_start_matches('\u{feff}')) {
        let message = format!(
            "`{name}` line {} holds the hidden character {}",
            hidden.line,
            hidden.code_point()
        );
        report.add(Level::Warning, message, "write only what a person can see".to_owned());
    }
    if let Some(line) = find_conflict_marker(text) {
        let message = format!("`{name}` line {line} is a git conflict marker");
        report.add(Level::Error, message, "resolve the conflict".to_owned());
    }
}

/// Returns the ids that stand more than once: the line of the first, and of each other one.
fn twins(text: &str) -> Vec<(SectionId, [usize; 2])> {
    let outline = Outline::read(text);
    let mut lines = BTreeMap::new();
    let sections = outline.sections().iter();
    let pairs = sections.filter_map(|section| {
        let id = section.id.as_ref()?;
        let first = *lines.entry(id).or_insert(section.line);
        (first < section.line).then(|| (id.clone(), [first, section.line]))
    });
    pairs.collect()
}

pub(super) fn check_rejections(layout: &Layout, report: &mut Report) -> Result<()> {
    report.begin("rejections");
    for problem in damaged_rejections(layout)? {
        let hint = "correct the file; until then its texts are not recognised again".to_owned();
        report.add(Level::Error, problem, hint);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_id_that_stands_twice_is_named() {
        let text = "## A\n<!-- @id: x -->\n## B\n## C\n<!-- @id: x -->\n## D\n<!-- @id: x -->\n";
        let lines: Vec<[usize; 2]> = twins(text).into_iter().map(|(_, lines)| lines).collect();
        assert_eq!(lines, [[1, 4], [1, 6]]);
    }

    #[test]
    fn a_file_of_very_many_ids_takes_no_time() {
        let text: String = (0..60_000).map(|n| format!("## a\n<!-- @id: a-{n} -->\n")).collect();
        assert_eq!(twins(&text), []);
    }
}
