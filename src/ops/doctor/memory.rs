//! What people wrote: memory files and what they refused.

use super::{Level, Report};
use crate::error::Result;
use crate::markdown::{Outline, Twin};
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
    for Twin { id, first_line, section } in Outline::read(text).twins() {
        let message =
            format!("`{name}` has the id `{id}` on lines {first_line} and {}", section.line);
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

pub(super) fn check_rejections(layout: &Layout, report: &mut Report) -> Result<()> {
    report.begin("rejections");
    for problem in damaged_rejections(layout)? {
        let hint = "correct the file; until then its texts are not recognised again".to_owned();
        report.add(Level::Error, problem, hint);
    }
    Ok(())
}
