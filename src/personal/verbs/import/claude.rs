//! Finds the folder in which Claude Code keeps what it knows of a project.

use std::path::{Path, PathBuf};

use crate::disk::outside;
use crate::git::{GitFolder, repositories_around};
use crate::personal::request::{EntryReason, EntryRefusal};
use crate::personal::sources::{LONGEST_SLUG, project_slug};
use crate::personal::verbs::stop::EarlyEnd;

/// Folders that a refusal names.
const NAMED: usize = 10;

/// Returns the memory of a project; `settings` is Claude Code's own folder.
///
/// All work trees of a repository share the memory of the main one. A folder of a work tree itself, as older versions
/// made it, is taken where there is no other.
pub(super) fn memory_of(settings: &Path, project: &Path) -> Result<PathBuf, EarlyEnd> {
    let projects = settings.join("projects");
    let folder = outside::real_path(project).unwrap_or_else(|| project.to_owned());
    let shared = projects.join(slug_of(&main_work_tree(&folder))).join("memory");
    let own = projects.join(slug_of(&folder)).join("memory");
    let there = [&shared, &own].into_iter().find(|memory| outside::is_folder(memory));
    match there.cloned().or_else(|| cut_short(&projects, &shared)) {
        Some(memory) => Ok(memory),
        None => Err(not_there(&projects, &shared).into()),
    }
}

/// Returns what all work trees of a repository have in common; the folder itself outside of one.
fn main_work_tree(folder: &Path) -> PathBuf {
    let Some((tree, common)) = repositories_around(folder).into_iter().next() else {
        return folder.to_owned();
    };
    let is_linked = GitFolder::of(&tree).is_some_and(|git| git.own != git.common);
    match common.parent().filter(|_| common.ends_with(".git")) {
        Some(main) => main.to_owned(),
        // A bare repository has no main work tree; a submodule is one by itself.
        None if is_linked => common,
        None => tree,
    }
}

fn slug_of(folder: &Path) -> String {
    project_slug(&folder.display().to_string())
}

/// Finds the folder of a long path: what stands behind the cut is a hash of Claude Code's own.
fn cut_short(projects: &Path, memory: &Path) -> Option<PathBuf> {
    let slug = memory.parent()?.file_name()?.to_str()?;
    let beginning = format!("{}-", slug.get(..LONGEST_SLUG).filter(|_| slug.len() > LONGEST_SLUG)?);
    let found = memories(projects);
    let mut found = found.iter().filter(|name| name.starts_with(&beginning));
    let only = found.next().filter(|_| found.next().is_none())?;
    Some(projects.join(only).join("memory"))
}

/// Returns the names of the projects that have a memory, sorted.
fn memories(projects: &Path) -> Vec<String> {
    let all = outside::folders_in(projects).unwrap_or_default();
    let with_memory = all.iter().filter(|folder| outside::is_folder(&folder.join("memory")));
    let names = with_memory.filter_map(|folder| folder.file_name()?.to_str().map(str::to_owned));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn not_there(projects: &Path, memory: &Path) -> Box<EntryRefusal> {
    let message = format!("Claude Code has no memory at `{}`", memory.display());
    let names = memories(projects);
    let hint = match &names[..] {
        [] => "it keeps none of any project; `import DIR` reads another folder".to_owned(),
        names => {
            let quoted: Vec<String> =
                names.iter().take(NAMED).map(|it| format!("`{it}`")).collect();
            let more = if names.len() > NAMED { ", …" } else { "" };
            format!(
                "give the folder of the project with `--project DIR`, or import one of these with \
                 `agent-memory user import {}/<name>/memory`: {}{more}",
                projects.display(),
                quoted.join(", ")
            )
        }
    };
    EntryRefusal::new(EntryReason::EntryNotFound, message, hint)
}
