//! `doctor`: what is wrong with a store, and what to do about it.

use std::collections::BTreeMap;

use serde::Serialize;

use super::reindex::contents_of;
use super::{Place, Workspace};
use crate::contract::{SectionId, words};
use crate::error::Result;
use crate::markdown::Outline;
use crate::pipeline::FileState;
use crate::secrets::{Scanner, Settings};
use crate::store::index::memory_files;
use crate::store::{damaged_rejections, log, read_gitignore, staging};
use crate::text::{find_conflict_marker, find_hidden};

/// What a look at a store says.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// The folder of the store, where one was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// Whether nothing is wrong that keeps the store from working.
    pub healthy: bool,
    /// What was looked at, in order.
    pub checked: Vec<&'static str>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// One thing that a person should know.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub level: Level,
    /// What was looked at.
    pub check: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

words! {
    /// How bad a finding is.
    Level {
        /// Something to look at when there is time.
        Warning = "warning",
        /// Something does not work.
        Error = "error",
    }
}

/// Looks at everything; a store that cannot be opened is a finding too.
pub fn doctor(place: &Place) -> Result<Diagnosis> {
    let mut report = Report::default();
    report.begin("settings");
    let workspace = match Workspace::open(place) {
        Ok(workspace) => workspace,
        Err(error) => {
            let hint = error.next_step().unwrap_or("correct the file").to_owned();
            report.add(Level::Error, error.to_string(), hint);
            return Ok(report.finish(None));
        }
    };
    workspace.notices.iter().for_each(|notice| {
        report.add(
            Level::Warning,
            notice.clone(),
            "look at what was kept and delete it".to_owned(),
        );
    });
    for check in [
        check_files,
        check_contents,
        check_index,
        check_queue,
        check_rejections,
        check_log,
        check_git,
    ] {
        check(&workspace, &mut report)?;
    }
    Ok(report.finish(Some(workspace.shown_folder())))
}

fn check_files(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("files");
    for name in memory_files(workspace.folder())? {
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
        if workspace.catalog.owner_of(&name).is_none() {
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

fn check_contents(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("table of contents");
    if let Some((path, before, after)) = contents_of(workspace)?
        && before.as_deref() != Some(after.as_str())
    {
        let hint = "run `agent-memory reindex`".to_owned();
        report.add(Level::Warning, format!("`{path}` does not list what the files say"), hint);
    }
    Ok(())
}

fn check_index(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("search index");
    let sound = workspace.fresh_index().and_then(|(index, refreshed)| {
        index.check()?;
        Ok(refreshed)
    });
    match sound {
        Ok(refreshed) => refreshed.warnings.into_iter().for_each(|warning| {
            report.add(Level::Warning, warning, "make it a plain UTF-8 file".to_owned());
        }),
        Err(error) => {
            let hint = "run `agent-memory reindex`".to_owned();
            report.add(Level::Error, error.to_string(), hint);
        }
    }
    Ok(())
}

fn check_queue(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("queue");
    let queue = staging::read_queue(workspace.store.layout())?;
    for (name, why) in queue.damaged {
        let hint = format!("look at `staging/{name}` and move it away");
        report.add(Level::Error, format!("`staging/{name}` is no proposal: {why}"), hint);
    }
    for staged in &queue.proposals {
        let ready = super::pending::readiness(workspace, staged)?;
        if let Some(message) = ready.message {
            let hint = format!("`agent-memory show {}`, then apply or reject it", staged.id);
            report.add(
                Level::Warning,
                format!("`{}` cannot be applied: {message}", staged.id),
                hint,
            );
        }
    }
    Ok(())
}

fn check_rejections(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("rejections");
    for problem in damaged_rejections(workspace.store.layout())? {
        let hint = "correct the file; until then its texts are not recognised again".to_owned();
        report.add(Level::Error, problem, hint);
    }
    Ok(())
}

fn check_log(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("log");
    let damaged = log::count_damaged(workspace.store.layout())?;
    if damaged > 0 {
        let hint = "look at the file; what was decided stands in the other lines".to_owned();
        report.add(
            Level::Warning,
            format!("`state/log.jsonl` has {damaged} lines that say nothing"),
            hint,
        );
    }
    Ok(())
}

fn check_git(workspace: &Workspace, report: &mut Report) -> Result<()> {
    report.begin("git");
    if !workspace.repository.is_git() {
        let hint = "run `git init` and commit the store, so that others share it".to_owned();
        report.add(Level::Warning, "the store is in no git repository".to_owned(), hint);
    }
    let ignored = read_gitignore(workspace.store.layout())?;
    let queue = if workspace.config.staging.track { None } else { Some("/staging/") };
    for folder in ["/state/", "/local/", "/sessions/"].into_iter().chain(queue) {
        if !ignored.iter().any(|line| line == folder || line == folder.trim_end_matches('/')) {
            let message = format!("`.gitignore` of the store does not name `{folder}`");
            report.add(Level::Warning, message, format!("add the line `{folder}`"));
        }
    }
    Ok(())
}

/// What was found so far.
#[derive(Default)]
struct Report {
    checked: Vec<&'static str>,
    findings: Vec<Finding>,
}

impl Report {
    fn begin(&mut self, check: &'static str) {
        self.checked.push(check);
    }

    fn add(&mut self, level: Level, message: String, hint: String) {
        let check = self.checked.last().copied().unwrap_or_default();
        // A setting or a file name may hold one; a scanner of its own works without good settings too.
        let clean = |text: &str| Scanner::new(Settings::default()).redact(text).into_owned();
        let (message, hint) = (clean(&message), clean(&hint));
        self.findings.push(Finding { level, check, message, hint });
    }

    fn finish(self, store: Option<String>) -> Diagnosis {
        Diagnosis {
            store,
            healthy: self.findings.iter().all(|finding| finding.level < Level::Error),
            checked: self.checked,
            findings: self.findings,
        }
    }
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
