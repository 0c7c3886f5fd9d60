//! `cite`: the request that gives a section evidence, and leaves its text as it is.

use serde_json::{Value, json};

use super::answer::{Attempt, answered};
use super::named_section::{NamedPlace, find_section, read_named};
use super::project::Project;
use crate::contract::{Confidence, SectionId, SourceType};
use crate::error::Result;
use crate::markdown::{HeadingStyle, Outline, Section};
use crate::project::request::{Answer, Intent, MemoryPath, Reason, Refusal};

/// What a section rests on, too.
#[derive(Debug, Clone)]
pub(crate) struct Citation {
    pub(crate) sources: Vec<Value>,
    pub(crate) confidence: Confidence,
    /// The reference that the one source replaces.
    pub(crate) was: Option<String>,
}

/// Makes the request about a section: `FILE#SECTION`, an id that only one section has, or a file with one section.
pub(crate) fn cite_request(
    project: &Project,
    named: &str,
    citation: Citation,
) -> Result<Answer<Value>> {
    answered(project, || {
        let found = MeantSection::named(project, named)?;
        let outline = Outline::read(&found.text);
        let section = &outline.sections()[found.number];
        let Citation { mut sources, confidence, was } = citation;
        if let (Some(was), [source]) = (&was, sources.as_mut_slice()) {
            replace(section, was, source)?;
        }
        found.founding(project, &outline, (sources, confidence))
    })
}

/// Lets a source replace one of the section.
fn replace(section: &Section, was: &str, source: &mut Value) -> Answer<()> {
    let named = section.sources.iter().find(|note| note.reference == was && note.kind.is_file());
    let kind = source["type"].as_str().and_then(SourceType::parse);
    match named.filter(|_| kind.is_some_and(SourceType::is_file)) {
        Some(note) => {
            source["type"] = json!(note.kind.name());
            source["was"] = json!(was);
            Ok(())
        }
        None => {
            let message = format!("`{was}` is no file that `{}` cites", section.title());
            let hint = "`--was` is a `ref` of its `@source` lines, and SOURCE a file, too";
            Err(Refusal::new(Reason::ProvenanceViolation, message, hint))
        }
    }
}

/// A section that a person names, with the text of its file.
pub(super) struct MeantSection {
    pub(super) path: MemoryPath,
    pub(super) text: String,
    pub(super) number: usize,
}

impl MeantSection {
    pub(super) fn named(project: &Project, named: &str) -> Attempt<Self> {
        let NamedPlace { file, section } = NamedPlace::find(project, named)??;
        let (path, text) = read_named(project, &file)?;
        let outline = Outline::read(&text);
        let number = match section {
            Some(section) => find_section(&outline, path.as_str(), section)?,
            None => only_section(&outline, &path)?,
        };
        Ok(Self { path, number, text })
    }

    /// Makes the request that gives the section sources.
    pub(super) fn founding(
        &self,
        project: &Project,
        outline: &Outline<'_>,
        (sources, confidence): (Vec<Value>, Confidence),
    ) -> Attempt<Value> {
        let section = &outline.sections()[self.number];
        if section.archived {
            let message = format!("the section `{}` is archived", section.title());
            let hint = "what is archived is not dated anew: record what is true now";
            return Err(Refusal::new(Reason::WriteOnceViolation, message, hint).into());
        }
        let mut operation = self.target(project, outline)?;
        operation["operation"] = json!("append_to_section");
        operation["content"] = json!("");
        Ok(json!({
            "intent": intent_for(project, &self.path)?.name(),
            "operations": [operation],
            "sources": sources,
            "confidence": confidence.name(),
        }))
    }

    /// Returns path and target of an operation on the section.
    pub(super) fn target(&self, project: &Project, outline: &Outline<'_>) -> Attempt<Value> {
        let section = &outline.sections()[self.number];
        if section.heading.style == HeadingStyle::Setext {
            let message = format!("the heading `{}` is underlined", section.title());
            let hint = "write it with `##` first: an underlined heading cannot be named";
            return Err(Refusal::new(Reason::SectionNotFound, message, hint).into());
        }
        let path = project.clean(self.path.as_str());
        Ok(match &section.id {
            Some(id) => json!({ "path": path, "section_id": id.as_str() }),
            None => {
                let same = |other: &&Section| other.heading == section.heading;
                let before = outline.sections()[..self.number].iter().filter(same).count();
                let (heading, level) = (&section.heading.text, section.heading.level);
                json!({
                    "path": path, "heading": heading, "heading_level": level, "occurrence": before + 1,
                })
            }
        })
    }
}

/// Returns the one section of a file with an id.
fn only_section(outline: &Outline<'_>, path: &MemoryPath) -> Answer<usize> {
    let named: Vec<(usize, &SectionId)> = outline
        .sections()
        .iter()
        .enumerate()
        .filter_map(|(number, section)| Some((number, section.id.as_ref()?)))
        .collect();
    match named.as_slice() {
        [(number, _)] => Ok(*number),
        [] | [_, _, ..] => {
            let message = format!("`{path}` has {} sections with an id", named.len());
            let hint = format!("name one as `{path}#SECTION`: `agent-memory ls {path}` lists them");
            Err(Refusal::new(Reason::SectionAmbiguous, message, hint))
        }
    }
}

/// Returns the first intent that may write to a file.
pub(super) fn intent_for(project: &Project, path: &MemoryPath) -> Attempt<Intent> {
    let owner = project.catalog()?.owner_of(path.as_str());
    let intent = owner.and_then(|owner| owner.intents.first().copied());
    Ok(intent.ok_or_else(|| {
        let message = format!("no intent may write to `{path}`");
        let hint = "its category names none under `intents`: edit the file by hand";
        Refusal::new(Reason::DeniedByPolicy, message, hint)
    })?)
}
