//! `confirm`: what a person reads before they say that a section is still true, and the request that says it.

use serde::Serialize;
use serde_json::{Value, json};

use super::answer::answered;
use super::evidence::MeantSection;
use super::project::Project;
use crate::contract::Confidence;
use crate::error::Result;
use crate::markdown::{Outline, SourceNote};
use crate::project::diff::compared;
use crate::project::provenance::{Cited, FollowedLines, Freshness, LinesToday, cited_file};
use crate::project::request::{Answer, Reason, Refusal};
use crate::project::store::{CitedFiles, CitedTexts};
use crate::text::in_shell;

/// A section that is to be confirmed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Confirmation {
    /// `FILE#SECTION`.
    pub(crate) section: String,
    pub(crate) sources: Vec<ConfirmedSource>,
    pub(crate) request: Value,
}

/// A source of a section, and what confirming does to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub(crate) struct ConfirmedSource {
    /// What kind of evidence.
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    /// Where it was.
    #[serde(rename = "ref")]
    pub(crate) reference: String,
    /// How sure it was; it becomes `confirmed`.
    pub(crate) confidence: Confidence,
    /// What the cited lines had become; absent if it is no file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) freshness: Option<&'static str>,
    /// The `ref` that is written instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) now: Option<String>,
    /// Why it stays as it is, and is not confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) kept: Option<&'static str>,
    /// What a person has to read: the cited lines as they were, and as they are.
    #[serde(skip)]
    pub(crate) difference: Option<String>,
}

/// Reads what a section cites again. The section is named as in [`super::cite_request`].
pub(crate) fn confirmation(project: &Project, named: &str) -> Result<Answer<Confirmation>> {
    answered(project, || {
        let found = MeantSection::named(project, named)?;
        let outline = Outline::read(&found.text);
        let section = &outline.sections()[found.number];
        let name = section.id.as_ref().map_or(section.title(), |id| id.as_str());
        let place = project.clean(&format!("{}#{name}", found.path));
        let cited = CitedFiles::of(&project.repository);
        cited.look_ahead(&section.sources);
        let sources: Vec<ConfirmedSource> =
            section.sources.iter().map(|note| reread(project, &cited, note)).collect();
        refuse_unconfirmed(&place, &sources)?;
        let kept = section.sources.iter().zip(&sources).filter(|(_, it)| it.kept.is_none());
        let asked = kept.map(|(note, source)| {
            let (kind, was) = (note.kind.name(), &note.reference);
            match &source.now {
                Some(now) => json!({ "type": kind, "ref": now, "was": was }),
                None => json!({ "type": kind, "ref": was }),
            }
        });
        let said = (asked.collect(), Confidence::Confirmed);
        let mut request = found.founding(project, &outline, said)?;
        // Another text was not read.
        request["operations"][0]["if_hash"] = json!(outline.hash(section).to_string());
        Ok(Confirmation { section: place, sources, request })
    })
}

impl ConfirmedSource {
    /// Names the command with which a person says where the source stands now.
    pub(crate) fn remedy(&self, section: &str) -> String {
        let (section, was) = (in_shell(section), in_shell(&self.reference));
        format!("`agent-memory cite {section} FILE:LINES --was {was}`")
    }
}

fn refuse_unconfirmed(section: &str, sources: &[ConfirmedSource]) -> Answer<()> {
    let gone = match sources {
        [] => {
            let message = format!("`{section}` names no source to confirm");
            let hint = "`agent-memory cite FILE#SECTION SOURCE` gives it one";
            return Err(Refusal::new(Reason::ProvenanceViolation, message, hint));
        }
        [first, ..] if sources.iter().all(|source| source.kept.is_some()) => first,
        [_, ..] => return Ok(()),
    };
    let why = gone.kept.unwrap_or_default();
    let message = format!("`{}` cannot be confirmed: {why}", gone.reference);
    let hint = format!("name where it stands now: {}", gone.remedy(section));
    Err(Refusal::new(Reason::ProvenanceViolation, message, hint))
}

/// Compares a source with the file of today.
fn reread(project: &Project, cited: &CitedFiles<'_>, note: &SourceNote) -> ConfirmedSource {
    let freshness = cited.freshness(std::slice::from_ref(note));
    let mut source = ConfirmedSource {
        kind: note.kind.name(),
        reference: project.clean(&note.reference),
        confidence: note.confidence,
        freshness: freshness.map(Freshness::name),
        now: cited.stands_at(note),
        kept: None,
        difference: None,
    };
    match freshness {
        Some(Freshness::Missing) if source.now.is_none() => source.kept = Some("its file is gone"),
        Some(Freshness::Stale) => {
            let change = CitedReread { project, note, texts: cited.texts(note) };
            match cited_file(&note.reference).filter(|cited| cited.last_line > 0) {
                Some(lines) => change.of_lines(&lines, &mut source),
                None => source.difference = Some(change.of_file()),
            }
        }
        Some(Freshness::Missing | Freshness::Fresh | Freshness::Moved | Freshness::Unchecked)
        | None => {}
    }
    source
}

/// What became of a cited file.
struct CitedReread<'a> {
    project: &'a Project,
    note: &'a SourceNote,
    texts: CitedTexts,
}

impl CitedReread<'_> {
    /// Writes what became of cited lines. What is confirmed are the lines that stand where they stood.
    fn of_lines(&self, lines: &Cited<'_>, source: &mut ConfirmedSource) {
        let reference = &self.note.reference;
        let Some(today) = &self.texts.today else {
            source.difference = Some(format!("{reference}: {UNREADABLE}\n"));
            return;
        };
        let followed = self.texts.then.as_ref().map(|then| FollowedLines::find(lines, then, today));
        let shown = |text: &[u8], first, last| self.piece(text, first, last);
        match followed.zip(self.texts.then.as_ref()) {
            Some((FollowedLines::Removed, _)) => {
                source.kept = Some("its lines were taken out of the file");
            }
            Some((FollowedLines::Here(first, last), then)) => {
                let place = LinesToday::At(first, last).moved_to(reference);
                let place = place.unwrap_or_else(|| reference.clone());
                let names = (format!("{reference} as cited"), format!("{place} now"));
                let before = shown(then, lines.first_line, lines.last_line);
                let after = shown(today, first, last);
                source.difference = Some(compared((&names.0, &names.1), &before, &after));
                source.now = Some(place).filter(|place| place != reference);
            }
            Some((FollowedLines::NotKnown, _)) | None => {
                let now = shown(today, lines.first_line, lines.last_line);
                if now.lines().count() <= lines.last_line - lines.first_line {
                    source.kept = Some("its file ends before these lines");
                    return;
                }
                let names =
                    (format!("{reference} as cited: not known"), format!("{reference} now"));
                source.difference = Some(compared((&names.0, &names.1), "", &now));
            }
        }
    }

    /// Writes what became of a file that is cited as a whole.
    fn of_file(&self) -> String {
        let reference = &self.note.reference;
        let CitedTexts { then, today } = &self.texts;
        let is_text = |bytes: &&Vec<u8>| !bytes.contains(&0) && bytes.len() <= LARGEST_SHOWN;
        match (then.as_ref(), today.as_ref().filter(is_text)) {
            (None, _) => format!("{reference}: it changed; as it was cited it is not known\n"),
            (Some(then), Some(today)) if is_text(&then) => {
                let names = (format!("{reference} as cited"), format!("{reference} now"));
                let (then, today) = (self.clean(then), self.clean(today));
                compared((&names.0, &names.1), &then, &today)
            }
            (Some(_), Some(_) | None) => format!("{reference}: {UNREADABLE}\n"),
        }
    }

    /// Returns some lines of a text, with secrets masked. The whole text is looked at: a part of a key is not known as one.
    fn piece(&self, text: &[u8], first: usize, last: usize) -> String {
        let clean = self.clean(text);
        let lines = clean.lines().skip(first - 1).take(last + 1 - first);
        lines.map(|line| format!("{line}\n")).collect()
    }

    fn clean(&self, text: &[u8]) -> String {
        let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
        self.project.scanner.redact_lines(&text).into_owned()
    }
}

/// Bytes of a file that is cited as a whole, beyond which its difference is not shown.
const LARGEST_SHOWN: usize = 1024 * 1024;

/// Why no lines are shown.
const UNREADABLE: &str =
    "it changed, and is not shown: it is no text, too large, or git converts it";
