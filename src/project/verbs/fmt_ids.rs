//! `fmt-ids`: an id for every section that has none.

use serde::Serialize;

use super::answer::{Attempt, answered};
use super::project::Project;
use super::rewrite::{Rewrite, Rewritten};
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::{HeadingStyle, Outline, with_ids};
use crate::project::request::{Answer, MemoryPath, Reason, Refusal};
use crate::project::store::conflict_in;
use crate::project::store::sections::memory_files;
use crate::text::excerpt;

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct GivenIds {
    pub files: Vec<FileIds>,
    /// Sections and files that cannot get an id.
    pub left: usize,
    pub warnings: Vec<String>,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct FileIds {
    pub path: String,
    pub ids: Vec<String>,
}

/// Gives ids in the whole store or in some files; `is_check` only reports.
pub(crate) fn fmt_ids(
    project: &Project,
    wanted: &[String],
    is_check: bool,
) -> Result<Answer<GivenIds>> {
    answered(project, || give_ids(project, wanted, is_check))
}

fn give_ids(project: &Project, wanted: &[String], is_check: bool) -> Attempt<GivenIds> {
    let mut locked = match is_check {
        true => None,
        false => Some(project.lock("fmt-ids", None)?),
    };
    let warnings = project.take_warnings();
    let mut given = GivenIds { files: Vec::new(), left: 0, warnings };
    let mut changed = Vec::new();
    for path in paths(project, wanted, &mut given)? {
        let before = match project.store.read(&path)? {
            FileState::Text(text) => text,
            FileState::Absent => continue,
            FileState::Unusable(why) => {
                given.left += 1;
                given.warnings.push(format!("`{path}` is left alone: {why}"));
                continue;
            }
        };
        if conflict_in(project.store.layout(), path.as_str(), &before)?.is_some() {
            given.left += 1;
            given.warnings.push(format!("`{path}` is left alone: it holds a git conflict"));
            continue;
        }
        let outline = Outline::read(&before);
        let underlined: Vec<String> = underlined(&path, &outline).collect();
        given.left += underlined.len();
        given.warnings.extend(underlined);
        let (after, ids) = with_ids(&outline, project.catalog()?.id_of_record(path.as_str()));
        if !ids.is_empty() {
            let ids = ids.iter().map(ToString::to_string).collect();
            given.files.push(FileIds { path: path.to_string(), ids });
            changed.push(Rewritten { path, before: Some(before), after });
        }
    }
    let (Some(locked), false) = (&mut locked, changed.is_empty()) else { return Ok(given) };
    let rewrite = Rewrite { decision: "formatted", files: &changed };
    given.warnings.extend(rewrite.write(project, locked)?);
    let files: Vec<String> = given.files.iter().map(|file| file.path.clone()).collect();
    project.index_follows(&files, &mut given.warnings);
    Ok(given)
}

fn underlined(path: &MemoryPath, outline: &Outline<'_>) -> impl Iterator<Item = String> {
    let sections = outline.sections().iter();
    let underlined = sections.filter(|section| section.heading.style == HeadingStyle::Setext);
    underlined.map(move |section| {
        let line = section.line;
        format!("`{path}`, line {line}: an underlined heading takes no id; write it with `#`")
    })
}

/// Returns the files that may change, which excludes write-once files. Files with invalid names are reported.
fn paths(project: &Project, wanted: &[String], given: &mut GivenIds) -> Attempt<Vec<MemoryPath>> {
    let catalog = project.catalog()?;
    let known = memory_files(project.store.layout().folder())?;
    let wanted: Vec<String> = wanted.iter().map(|name| project.named(name)).collect();
    let is_known = |name: &str| known.iter().any(|path| path == name);
    if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
        let message = format!("there is no memory file `{}`", excerpt(unknown));
        let hint = "name files as `status` and `search` print them, e.g. `decisions.md`";
        return Err(Refusal::new(Reason::InvalidPath, message, hint).into());
    }
    let is_free = |name: &&String| catalog.owner_of(name).is_some_and(|owner| !owner.write_once);
    let chosen = known.iter().filter(|name| wanted.is_empty() || wanted.contains(name));
    let mut paths = Vec::new();
    for name in chosen.filter(is_free) {
        match MemoryPath::parse(name) {
            Ok(path) => paths.push(path),
            Err(problem) => {
                given.left += 1;
                given.warnings.push(format!("{}; rename it", problem.message));
            }
        }
    }
    Ok(paths)
}
