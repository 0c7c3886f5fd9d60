//! Reads one operation: which of the eight it is, and its fields.

use serde_json::Value;

use super::parse_sources::read_sources;
use crate::contract::{ContentHash, Fields, Problems, SectionId};
use crate::project::request::{
    Action, IfExists, IfFileExists, IfMissing, Intent, MemoryPath, Operation, OperationKind,
    Selector, Target,
};
use crate::text::{composed, excerpt};

const HEADING: usize = 200;

/// What is wrong with operations.
#[derive(Debug, Default)]
pub(super) struct OperationProblems {
    pub(super) fields: Problems,
    /// They have another code.
    pub(super) paths: Problems,
}

/// Reads the operation at `/operations/<index>`; what is wrong with a path is noted apart.
pub(super) fn read(
    value: &Value,
    index: usize,
    intent: Option<Intent>,
    OperationProblems { fields: problems, paths }: &OperationProblems,
) -> Option<Operation> {
    let mut fields = Fields::of(value, format!("/operations/{index}"), problems)?;
    if fields.value("operation").is_none() {
        fields.problem("operation", format!("`operation` is required{}", kinds_for(intent)));
        return None;
    }
    if let Some(intent) = fields.text("operation").and_then(Intent::parse) {
        let message = format!(
            "`{intent}` is an intent, and no operation: it stands beside `operations`, as `\"intent\": \"{intent}\"`; here e.g. `\"operation\": \"append_section\"`"
        );
        fields.problem("operation", message);
        return None;
    }
    let kind = fields.word("operation", OperationKind::parse, OperationKind::NAMES)?;
    let mut reader = Reader { fields, paths };
    let path = reader.path("path");
    let sources = read_sources(&mut reader.fields, problems);
    let action = reader.action(kind);
    reader.fields.finish();
    Some(Operation { path, sources, action: action? })
}

/// Says which operations there are for an intent.
fn kinds_for(intent: Option<Intent>) -> String {
    let all = OperationKind::NAMES.join(", ");
    match intent {
        None => format!(", allowed are {all}"),
        Some(intent @ Intent::ArchiveStale) => {
            format!(", for the intent `{intent}` archive_section or remove_section")
        }
        Some(intent) => {
            format!(", for the intent `{intent}` e.g. append_section; allowed are {all}")
        }
    }
}

struct Reader<'a> {
    fields: Fields<'a>,
    paths: &'a Problems,
}

impl<'a> Reader<'a> {
    fn action(&mut self, kind: OperationKind) -> Option<Action> {
        // Every field is read before the first `?`, so that all slips come in one answer.
        match kind {
            OperationKind::CreateFile => {
                let content = self.content(Empty::Refused);
                let if_exists = self.choice("if_exists", IfFileExists::parse, IfFileExists::NAMES);
                Some(Action::CreateFile { content: content?, if_exists })
            }
            OperationKind::AppendSection => self.append_section(),
            OperationKind::ReplaceSection => {
                let (target, content) = (self.target(), self.content(Empty::Refused));
                let if_missing = self.choice("if_missing", IfMissing::parse, IfMissing::NAMES);
                Some(Action::ReplaceSection { target: target?, content: content?, if_missing })
            }
            OperationKind::ReplaceSectionContent => {
                let (content, target) = (self.content(Empty::Allowed), self.target());
                Some(Action::ReplaceSectionContent { target: target?, content: content? })
            }
            OperationKind::AppendToSection => {
                // With sources, an empty text adds these alone: `parse` knows whether there are any.
                let (content, target) = (self.content(Empty::Allowed), self.target());
                Some(Action::AppendToSection { target: target?, content: content? })
            }
            OperationKind::RenameHeading => {
                let (target, new_heading) = (self.target(), self.required_heading("new_heading"));
                let new_heading_level = self.level("new_heading_level");
                Some(Action::RenameHeading {
                    target: target?,
                    new_heading: new_heading?,
                    new_heading_level,
                })
            }
            OperationKind::ArchiveSection => {
                let (target, archive_path) = (self.target(), self.path("archive_path"));
                let replacement = self.fields.optional_text("replacement").map(str::to_owned);
                Some(Action::ArchiveSection { target: target?, archive_path, replacement })
            }
            OperationKind::RemoveSection => self.remove_section(),
        }
    }

    fn remove_section(&mut self) -> Option<Action> {
        let (target, archive_path) = (self.target(), self.path("archive_path"));
        let reason = self.fields.required_text("reason").map(str::to_owned);
        if reason.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            self.fields.problem("reason", "a removal needs a reason");
        }
        Some(Action::RemoveSection { target: target?, archive_path, reason: reason? })
    }

    fn append_section(&mut self) -> Option<Action> {
        let heading = self.required_heading("heading");
        let heading_level = self.level("heading_level").unwrap_or(2);
        let content = self.content(Empty::Refused);
        let parent_section_id = self.section_id("parent_section_id");
        let section_id = self.section_id("section_id");
        let if_exists = self.choice("if_exists", IfExists::parse, IfExists::NAMES);
        Some(Action::AppendSection {
            heading: heading?,
            heading_level,
            content: content?,
            parent_section_id,
            section_id,
            if_exists,
        })
    }

    fn target(&mut self) -> Option<Target> {
        let id = self.section_id("section_id");
        let id_given = self.fields.optional_text("section_id").is_some();
        let heading = self.fields.optional_text("heading").map(|text| composed(text).into_owned());
        let level = self.level("heading_level");
        let occurrence = self.fields.number("occurrence", 1..=10_000);
        let if_hash = self.hash("if_hash");
        let selector = match (id, heading) {
            (Some(id), None) => Selector::Id(id),
            (None, Some(text)) if !id_given => Selector::Heading {
                text,
                level,
                occurrence: occurrence.and_then(|number| usize::try_from(number).ok()),
            },
            (None, None) if !id_given => {
                self.fields.problem_here("name the section by `section_id` or by `heading`");
                return None;
            }
            (Some(_), Some(_)) => {
                self.fields
                    .problem_here("name the section by `section_id` or by `heading`, not by both");
                return None;
            }
            (None, _) => return None,
        };
        Some(Target { selector, if_hash })
    }

    fn path(&mut self, name: &'a str) -> Option<MemoryPath> {
        let text = self.fields.optional_text(name)?;
        MemoryPath::parse(text)
            .map_err(|problem| {
                self.paths
                    .add(self.fields.at(name), format!("{}; {}", problem.message, problem.hint));
            })
            .ok()
    }

    fn content(&mut self, empty: Empty) -> Option<String> {
        let text = self.fields.required_text("content")?;
        if empty == Empty::Refused && text.trim().is_empty() {
            self.fields.problem("content", "`content` is empty: give the text of the section");
        }
        Some(text.to_owned())
    }

    fn required_heading(&mut self, name: &'a str) -> Option<String> {
        let text = composed(self.fields.required_text(name)?.trim());
        let count = text.chars().count();
        if count == 0 || count > HEADING || text.contains(['\n', '\r']) || text.contains("<!--") {
            self.fields.problem(
                name,
                format!("`{name}` must be one line of 1 to {HEADING} characters without comments"),
            );
        }
        if text.trim_start_matches('#').starts_with([' ', '\t']) && text.starts_with('#') {
            self.fields.problem(name, format!("`{name}` is the text alone, without `#`"));
        }
        Some(text.into_owned())
    }

    fn section_id(&mut self, name: &'a str) -> Option<SectionId> {
        let text = self.fields.optional_text(name)?;
        let id = SectionId::parse(text);
        if id.is_none() {
            let message =
                "is lower-case kebab-case of at most 80 characters, e.g. `token-rotation`";
            self.fields.problem(name, format!("`{name}` {message}"));
        }
        id
    }

    fn hash(&mut self, name: &'a str) -> Option<ContentHash> {
        let text = self.fields.optional_text(name)?;
        let hash = ContentHash::parse_any_case(text);
        if hash.is_none() {
            let message = format!(
                "`{name}`: expected 8 to 64 hex digits, the hash that `search` or `show` printed, found `{}`",
                excerpt(text)
            );
            self.fields.problem(name, message);
        }
        hash
    }

    fn level(&mut self, name: &'a str) -> Option<u8> {
        self.fields.number(name, 1..=6).and_then(|level| u8::try_from(level).ok())
    }

    fn choice<T: Default>(
        &mut self,
        name: &'a str,
        parse: impl Fn(&str) -> Option<T>,
        allowed: &[&'static str],
    ) -> T {
        self.fields.optional_word(name, parse, allowed).unwrap_or_default()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Empty {
    Allowed,
    Refused,
}
