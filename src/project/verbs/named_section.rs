//! Finds the file, and the section in it, that a person names.

use super::answer::Attempt;
use super::project::Project;
use super::reopen::{Drift, reopen};
use super::selection::Selection;
use super::unmatched::near_files;
use crate::contract::{FileState, SectionId};
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::request::{Answer, Change, MemoryPath, Reason, Refusal, path_in_store};
use crate::project::store::sections::memory_files;
use crate::project::store::staging::{self, StagedProposal};
use crate::text::{composed, did_you_mean, excerpt};

/// Reads a memory file that a person names.
pub(super) fn read_named(project: &Project, path: &str) -> Attempt<(MemoryPath, String)> {
    let refuse = |message: String, hint: &str| Refusal::new(Reason::InvalidPath, message, hint);
    if let Some(path) = project.path_in_place(path)? {
        let message = format!("`{path}` is only read, where it is: `[[read]]` in `config.toml`");
        return Err(refuse(message, "edit the file itself, and ask git for its history").into());
    }
    let path = MemoryPath::parse(path_in_store(path))
        .map_err(|problem| refuse(problem.message, &problem.hint))?;
    match project.store.read(&path)? {
        FileState::Text(text) => Ok((path, text)),
        FileState::Absent => {
            let hint = "`agent-memory search` finds files by what they say";
            let near = near_files(project, path.as_str())?;
            Err(refuse(format!("there is no `{path}`{near}"), hint).into())
        }
        FileState::Unusable(why) => {
            let hint = "a person has to look at this file";
            Err(refuse(format!("`{path}` cannot be shown: {why}"), hint).into())
        }
    }
}

/// Finds the section that a person names: by its id, or by a heading that only one section has.
pub(super) fn find_section(outline: &Outline<'_>, path: &str, wanted: &str) -> Answer<usize> {
    if let Some(number) = SectionId::parse(wanted).and_then(|id| outline.find(&id)) {
        return Ok(number);
    }
    let sections = outline.sections().iter().enumerate();
    let heading = composed(wanted);
    let fits =
        |(number, section): (usize, &Section)| (section.heading.text == heading).then_some(number);
    let mut fitting = sections.filter_map(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            let message = format!("several sections of `{path}` are called `{}`", excerpt(wanted));
            let hint = format!(
                "name one by its id: `agent-memory show {path}` prints them, and `agent-memory fmt-ids` adds missing ones"
            );
            Err(Refusal::new(Reason::SectionAmbiguous, message, hint))
        }
        (None, _) => {
            let ids = outline.sections().iter().filter_map(|section| section.id.as_ref());
            let guess = did_you_mean(wanted, ids.map(SectionId::as_str));
            let message = format!("`{path}` has no section `{}`{guess}", excerpt(wanted));
            let hint = format!("`agent-memory show {path}` prints all of them");
            Err(Refusal::new(Reason::SectionNotFound, message, hint))
        }
    }
}

/// Finds the file of the section with an id that no other section of the store has; none if there is no such section.
/// Copies in the archive count only where the section itself is gone.
pub(crate) fn file_of_section(project: &Project, id: &str) -> Result<Answer<Option<String>>> {
    let Some(id) = SectionId::parse(id) else { return Ok(Ok(None)) };
    let catalog = project.catalog()?;
    let is_copy = |name: &str| catalog.owner_of(name).is_some_and(|owner| owner.write_once);
    let (mut files, mut copies) = (Vec::new(), Vec::new());
    for name in memory_files(project.store.layout().folder())? {
        if let FileState::Text(text) = project.store.read_any(&name)?
            && Outline::read(&text).find(&id).is_some()
        {
            if is_copy(&name) { copies.push(name) } else { files.push(name) }
        }
    }
    let mut found = if files.is_empty() { copies } else { files };
    if found.len() > 1 {
        let names = found.iter().map(|file| format!("`{file}#{id}`")).collect::<Vec<_>>();
        let message = format!("several sections are called `{id}`: {}", names.join(", "));
        let hint = "name one of them with its file";
        return Ok(Err(Refusal::new(Reason::SectionAmbiguous, message, hint)));
    }
    Ok(Ok(found.pop()))
}

/// A section or a file that a person names in one argument.
pub(crate) struct NamedPlace<'a> {
    pub(crate) file: String,
    /// By its id, or by its heading.
    pub(crate) section: Option<&'a str>,
}

impl<'a> NamedPlace<'a> {
    /// Reads `FILE#SECTION`, `FILE.md`, or the id of a section, with or without `#`, that no other section has.
    pub(crate) fn find(project: &Project, named: &'a str) -> Result<Answer<Self>> {
        let (file, section) = match named.split_once('#') {
            None if Self::is_with_file(named) => (named, None),
            None | Some(("", _)) => return Self::by_id(project, named.trim_start_matches('#')),
            Some((file, section)) => (file, Some(section)),
        };
        Ok(Ok(Self { file: project.named(file), section }))
    }

    /// Tells whether a file is named: `FILE#SECTION`, `FILE.md`, or `FILE.md:40` as `search` prints it.
    pub(crate) fn is_with_file(named: &str) -> bool {
        named.contains('#') || named.ends_with(".md") || named.contains(".md:")
    }

    fn by_id(project: &Project, id: &'a str) -> Result<Answer<Self>> {
        let found = match file_of_section(project, id)? {
            Ok(found) => found,
            Err(refusal) => return Ok(Err(refusal)),
        };
        Ok(found.map(|file| Self { file, section: Some(id) }).ok_or_else(|| {
            let message = format!("no section is called `{}`", project.clean(id));
            let hint = "`agent-memory ls` lists all of them; name one as FILE#SECTION";
            Refusal::new(Reason::SectionNotFound, message, hint)
        }))
    }
}

/// Names the pending proposal that adds what the files do not have: `status` lists such sections. What cannot be read
/// of the queue changes no refusal.
pub(super) fn point_to_pending(
    project: &Project,
    path: &str,
    section: Option<&str>,
    mut refusal: Box<Refusal>,
) -> Box<Refusal> {
    let Ok(path) = MemoryPath::parse(path_in_store(path)) else { return refusal };
    let is_absent = || matches!(project.store.read(&path), Ok(FileState::Absent));
    if refusal.reason != Reason::SectionNotFound && !is_absent() {
        return refusal;
    }
    let queue = staging::read_queue(project.store.layout());
    let proposals = queue.map(|queue| queue.proposals).unwrap_or_default();
    let adding = proposals.iter().find(|staged| adds(project, staged, &path, section));
    if let Some(staged) = adding {
        refusal.hint = format!("it is pending: `agent-memory show {}`", staged.id);
    }
    refusal
}

/// Tells whether a proposal adds a section, named by its id or its heading, or any section of a file.
fn adds(
    project: &Project,
    staged: &StagedProposal,
    path: &MemoryPath,
    section: Option<&str>,
) -> bool {
    let Ok(planned) = reopen(project, staged, &Selection::All, Drift::Accepted) else {
        return false;
    };
    let affected = planned.affected.iter();
    let mut added = affected.filter(|it| it.change == Change::Added && it.file == path.as_str());
    let Some(wanted) = section else { return added.next().is_some() };
    let Some(file) = planned.files.iter().find(|file| file.path == *path) else { return false };
    let outline = file.outline();
    let Ok(number) = find_section(&outline, path.as_str(), wanted) else { return false };
    let id = &outline.sections()[number].id;
    added.any(|it| id.is_none() || it.section_id == *id)
}
