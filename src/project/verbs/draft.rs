//! `new` and `edit`: the text that a person gets in the editor, and the request that it becomes.

mod buffer;
mod template;

use serde_json::{Value, json};

use super::answer::{Attempt, answered};
use super::evidence::{MeantSection, intent_for};
use super::project::Project;
use crate::contract::{Confidence, SectionId, SourceType};
use crate::error::Result;
use crate::markdown::{Outline, Section};
use crate::project::provenance::Freshness;
use crate::project::request::{Answer, Intent, MemoryPath, Reason, Refusal};
use crate::project::store::CitedFiles;
use template::Template;

pub(crate) use buffer::{with_refusal, without_comments};

/// What `new` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewKind {
    Decision,
    Pitfall,
    Convention,
    Module,
    Note,
}

impl NewKind {
    fn intent(self) -> Intent {
        match self {
            Self::Decision => Intent::RecordDecision,
            Self::Pitfall => Intent::AddPitfall,
            Self::Convention => Intent::UpdateConventions,
            Self::Module => Intent::RefreshModule,
            Self::Note => Intent::SessionLog,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Pitfall => "pitfall",
            Self::Convention => "convention",
            Self::Module => "module",
            Self::Note => "note",
        }
    }
}

/// A text to edit.
#[derive(Debug, Clone)]
pub(crate) struct TextDraft {
    /// With comments at the top, which are left out again.
    pub(crate) text: String,
    intent: Intent,
    becomes: Becomes,
    /// The fields that need no value.
    optional: Vec<String>,
    /// The sources that the section has already.
    sources: Vec<Value>,
    needs_evidence: bool,
}

/// What a draft becomes.
#[derive(Debug, Clone)]
enum Becomes {
    /// A new entry, with a heading of this level.
    Section(u8),
    /// A file of its own: its path, with a `*` for the name of its title.
    File(String),
    /// The new text of a section; the ids are those of all sections in it, with their headings.
    Text { target: Value, ids: Vec<(String, Option<SectionId>)> },
}

/// Whose words a draft becomes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Writing<'a> {
    /// What the person cites.
    pub(crate) sources: &'a [Value],
    /// The person, where no agent writes.
    pub(crate) person: Option<&'a str>,
    /// Whether it is applied in the person's name.
    pub(crate) is_approved: bool,
}

pub(crate) fn new_draft(
    project: &Project,
    kind: NewKind,
    title: Option<&str>,
) -> Result<Answer<TextDraft>> {
    answered(project, || {
        let title = title.unwrap_or_default().trim();
        project.refuse_unfit("TITLE", title)?;
        let intent = kind.intent();
        let catalog = project.catalog()?;
        let mut fitting =
            catalog.categories().iter().filter(|category| category.intents.contains(&intent));
        let category = catalog.default_for(intent).or_else(|| fitting.next()).ok_or_else(|| {
            let message = format!("no category of this store takes a {}", kind.name());
            let hint = format!("one of `schemas/` has to name `{intent}` among its `intents`");
            Refusal::new(Reason::UnknownCategory, message, hint)
        })?;
        let rules = category.section.as_ref();
        let has_file = kind == NewKind::Module;
        let level = match category.paths.has_records() {
            true => 1,
            false => rules.map_or(2, |rules| rules.level),
        };
        let today = project.session.today();
        let template = Template { kind: kind.name(), title, today: &today, rules, level, has_file };
        Ok(TextDraft {
            text: template.text(),
            intent,
            becomes: if has_file {
                Becomes::File(category.paths.with_name("*"))
            } else {
                Becomes::Section(level)
            },
            optional: template.optional(),
            sources: Vec::new(),
            needs_evidence: category.needs_evidence,
        })
    })
}

pub(crate) fn edit_draft(project: &Project, named: &str) -> Result<Answer<TextDraft>> {
    answered(project, || {
        let found = MeantSection::named(project, named)?;
        let outline = Outline::read(&found.text);
        let family = found.number..found.number + outline.family(found.number);
        let whole = outline.whole(&outline.sections()[found.number]);
        if project.is_secret(whole) {
            let message =
                format!("`{named}` holds what looks like a secret, which an editor would show");
            let hint = "take the secret out of the file first: `agent-memory check` names the line";
            return Err(Refusal::new(Reason::SecretDetected, message, hint).into());
        }
        let (sources, gone) = own_sources(project, &outline.sections()[found.number]);
        let mut target = found.target(project, &outline)?;
        target["if_hash"] = json!(outline.hash(&outline.sections()[found.number]).to_string());
        let sections = &outline.sections()[family];
        let comment = buffer::comment_about(&found.path, &sources, &gone);
        let named = |section: &Section| (section.heading.text.clone(), section.id.clone());
        Ok(TextDraft {
            text: comment + &buffer::bare_text(&outline, sections),
            intent: intent_for(project, &found.path)?,
            becomes: Becomes::Text { target, ids: sections.iter().map(named).collect() },
            optional: Vec::new(),
            sources,
            needs_evidence: needs_evidence(project, &found.path)?,
        })
    })
}

fn needs_evidence(project: &Project, path: &MemoryPath) -> Attempt<bool> {
    let owner = project.catalog()?.owner_of(path.as_str());
    Ok(owner.is_some_and(|owner| owner.needs_evidence))
}

/// Returns the sources of a section, and the names of those whose file is gone.
fn own_sources(project: &Project, section: &Section) -> (Vec<Value>, Vec<String>) {
    let cited = CitedFiles::of(&project.repository);
    let (mut sources, mut gone) = (Vec::new(), Vec::new());
    for note in &section.sources {
        let is_gone = cited.freshness(std::slice::from_ref(note)) == Some(Freshness::Missing);
        // The text gets the blob of today, in which the lines stand there.
        match (cited.stands_at(note), is_gone) {
            (None, true) => gone.push(note.reference.clone()),
            (place, _) => {
                let reference = place.unwrap_or_else(|| note.reference.clone());
                sources.push(json!({ "type": note.kind.name(), "ref": reference }));
            }
        }
    }
    (sources, gone)
}

impl TextDraft {
    /// Makes the request of a text without comments.
    pub(crate) fn request(&self, text: &str, writing: &Writing<'_>) -> Value {
        let (sources, confidence) = self.evidence(writing);
        let operation = match &self.becomes {
            Becomes::Section(level) => {
                let (heading, content) = buffer::heading_and_body(text, &self.optional);
                json!({
                    "operation": "append_section", "heading": heading, "heading_level": level,
                    "content": content,
                })
            }
            Becomes::File(pattern) => {
                let (heading, _) = buffer::heading_and_body(text, &[]);
                let name = SectionId::from_heading(&heading);
                let path = pattern.replace('*', name.as_str());
                json!({ "operation": "create_file", "path": path, "content": text })
            }
            Becomes::Text { target, ids } => {
                let mut operation = target.clone();
                operation["operation"] = json!("replace_section");
                operation["content"] = json!(buffer::with_ids(text, ids));
                operation
            }
        };
        json!({
            "intent": self.intent.name(), "operations": [operation],
            "sources": sources, "confidence": confidence.name(),
        })
    }

    /// Returns what the text rests on: what the person cites, else the person, where evidence is needed.
    fn evidence(&self, writing: &Writing<'_>) -> (Vec<Value>, Confidence) {
        let mut sources = self.sources.clone();
        let given = writing.sources.iter().filter(|given| !self.sources.contains(given));
        sources.extend(given.cloned());
        match writing.person {
            Some(person) if sources.is_empty() && self.needs_evidence => {
                let source = json!({ "type": SourceType::User.name(), "ref": person });
                (vec![source], Confidence::UserProvided)
            }
            Some(_) | None if writing.is_approved => (sources, Confidence::Confirmed),
            Some(_) | None => (sources, Confidence::Inferred),
        }
    }
}
