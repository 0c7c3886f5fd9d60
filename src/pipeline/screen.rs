//! Request → screened: its files are known, nothing in it is hidden or secret, its evidence is there.
//!
//! All of this happens before the write lock is taken, so that rubbish makes nobody wait.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use serde_json::Value;

use super::Proposal;
use crate::config::Config;
use crate::contract::{
    Action, Answer, ContentHash, Finding, Intent, MemoryPath, Moment, Operation, OperationKind,
    Reason, Refusal, Request, Selector, Source,
};
use crate::markdown::SourceNote;
use crate::provenance::{self, Evidence};
use crate::schema::{Catalog, Category};
use crate::secrets::{self, Class, Scanner};
use crate::text::{find_hidden, nearest, slug};

/// What a change is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// The categories of the store.
    pub catalog: &'a Catalog,
    /// How the store decides.
    pub config: &'a Config,
    /// What looks for secrets.
    pub scanner: &'a Scanner,
}

/// What a change needs to know of the repository around the store.
pub trait Surroundings {
    /// Returns the name of the branch, fit for a file name.
    fn branch(&self) -> String;

    /// Looks a source up.
    fn evidence(&self, source: &Source) -> Evidence;
}

/// A request that may be planned.
#[derive(Debug)]
#[must_use = "call `plan` under the lock"]
pub struct Screened<'a> {
    pub(super) proposal: Proposal,
    pub(super) rules: Rules<'a>,
    pub(super) placed: Vec<Placed<'a>>,
    pub(super) notes: Vec<SourceNote>,
    branch: Option<String>,
}

/// Where an operation goes.
#[derive(Debug, Clone)]
pub struct Placed<'a> {
    /// The file.
    pub path: MemoryPath,
    /// Its category.
    pub category: &'a Category,
    /// The write-once file and its category, for the operations that archive.
    pub archive: Option<(MemoryPath, &'a Category)>,
}

impl Proposal {
    /// Finds the files, looks for what is hidden or secret, checks the evidence.
    pub fn screen<'a>(
        self,
        rules: Rules<'a>,
        surroundings: &dyn Surroundings,
    ) -> Answer<Screened<'a>> {
        let (placed, branch) = self.place(rules, surroundings)?;
        look_for_hidden(&self.raw, &self.request)?;
        look_for_secrets(&self.raw, rules.scanner)?;
        let request = &self.request;
        let evidence: Vec<Evidence> =
            request.sources.iter().map(|source| surroundings.evidence(source)).collect();
        let touched: Vec<&Category> = categories(&placed);
        let violations = provenance::check(&request.sources, &evidence, &touched);
        if !violations.is_empty() {
            let mut refusal = Refusal::new(
                Reason::ProvenanceViolation,
                format!("{}", violations.join("; ")),
                "add a source that can be looked up, e.g. {\"type\": \"file\", \"ref\": \"src/auth.rs:10-20\"}, with a path inside the repository",
            )
            .at("/sources");
            refusal.provenance_violations = violations;
            return Err(refusal);
        }
        let date = self.submitted_at.date();
        let notes = provenance::notes(&request.sources, &evidence, request.confidence, &date);
        Ok(Screened { proposal: self, rules, placed, notes, branch })
    }

    /// Finds the file and the category of every operation, and the branch where one of them needs it.
    pub fn place<'a>(
        &self,
        rules: Rules<'a>,
        surroundings: &dyn Surroundings,
    ) -> Answer<(Vec<Placed<'a>>, Option<String>)> {
        let date = self.submitted_at.date();
        let branch = OnceCell::new();
        let operations = self.request.operations.iter().enumerate();
        let placed = operations
            .map(|(index, operation)| {
                let intent = self.request.intent;
                let place = Place { index, intent, date: &date, branch: &branch, rules };
                place.find(operation, surroundings)
            })
            .collect::<Answer<Vec<_>>>()?;
        Ok((placed, branch.into_inner()))
    }
}

impl Screened<'_> {
    /// Returns the request.
    pub fn request(&self) -> &Request {
        &self.proposal.request
    }

    /// Returns the request as it stood on the wire.
    pub fn raw(&self) -> &Value {
        &self.proposal.raw
    }

    /// Returns when the request was made.
    pub fn submitted_at(&self) -> Moment {
        self.proposal.submitted_at
    }

    /// Returns the hash under which the same question is known again.
    pub fn question_hash(&self) -> ContentHash {
        super::parse::question_hash(&self.proposal.raw)
    }

    /// Returns the evidence as the written sections will carry it.
    pub fn notes(&self) -> &[SourceNote] {
        &self.notes
    }

    /// Returns the branch, where a file is named after it.
    pub fn branch(&self) -> Option<&str> {
        self.branch.as_deref()
    }

    /// Returns the files that must be read before the change can be planned.
    pub fn files(&self) -> BTreeSet<MemoryPath> {
        let named = self.placed.iter().flat_map(|placed| {
            std::iter::once(placed.path.clone())
                .chain(placed.archive.iter().map(|(p, _)| p.clone()))
        });
        named.chain(self.generated_index()).collect()
    }

    /// Returns the file that lists all sections, if the store has one.
    pub(super) fn generated_index(&self) -> Option<MemoryPath> {
        let category = self.rules.catalog.categories().iter().find(|each| each.generated)?;
        MemoryPath::parse(&category.path).ok()
    }
}

fn categories<'a>(placed: &[Placed<'a>]) -> Vec<&'a Category> {
    let mut found: Vec<&Category> = Vec::new();
    for category in placed.iter().map(|each| each.category) {
        if !found.iter().any(|each| each.name == category.name) {
            found.push(category);
        }
    }
    found
}

/// An operation whose file is being found.
struct Place<'a, 'b> {
    index: usize,
    intent: Intent,
    date: &'b str,
    branch: &'b OnceCell<String>,
    rules: Rules<'a>,
}

impl<'a> Place<'a, '_> {
    fn find(&self, operation: &Operation, surroundings: &dyn Surroundings) -> Answer<Placed<'a>> {
        let path = match &operation.path {
            Some(path) => path.clone(),
            None => self.default_path(surroundings)?,
        };
        let category = self.owner(&path, "path")?;
        let kind = operation.action.kind();
        let archives = matches!(kind, OperationKind::ArchiveSection | OperationKind::RemoveSection);
        let own = category.intents.contains(&self.intent);
        if !own && !(self.intent == Intent::ArchiveStale && archives) {
            return Err(self.refuse_mismatch(&path, category));
        }
        let archive = match archives {
            true => Some(self.archive(&operation.action, &path)?),
            false => None,
        };
        Ok(Placed { path, category, archive })
    }

    fn default_path(&self, surroundings: &dyn Surroundings) -> Answer<MemoryPath> {
        let needed = || {
            let message = format!("`path` is required for the intent `{}`", self.intent);
            let hint = format!("give a file of one of: {}", self.own_patterns().join(", "));
            Refusal::new(Reason::InvalidPath, message, hint).at(self.pointer("path"))
        };
        let category = self.rules.catalog.default_for(self.intent).ok_or_else(needed)?;
        let mut path = category.entry_path().ok_or_else(needed)?.replace("{date}", self.date);
        if path.contains("{branch}") {
            path = path.replace("{branch}", self.branch.get_or_init(|| surroundings.branch()));
        }
        MemoryPath::parse(&path).map_err(|problem| {
            Refusal::new(Reason::InvalidPath, problem.message, problem.hint)
                .at(self.pointer("path"))
        })
    }

    fn owner(&self, path: &MemoryPath, field: &str) -> Answer<&'a Category> {
        let catalog = self.rules.catalog;
        let Some(category) = catalog.owner_of(path.as_str()) else {
            let patterns: Vec<&str> =
                catalog.categories().iter().map(|c| c.path.as_str()).collect();
            let guess = nearest(path.as_str(), patterns.iter().copied());
            let guess = guess.map(|path| format!(", did you mean `{path}`?")).unwrap_or_default();
            return Err(Refusal::new(
                Reason::UnknownCategory,
                format!("no category owns `{path}`{guess}"),
                format!("the files of this store are {}", patterns.join(", ")),
            )
            .at(self.pointer(field)));
        };
        if category.generated {
            return Err(Refusal::new(
                Reason::ServerManagedCategory,
                format!("`{path}` is generated by agent-memory"),
                "change the files that it lists; it follows by itself",
            )
            .at(self.pointer(field)));
        }
        Ok(category)
    }

    fn archive(&self, action: &Action, path: &MemoryPath) -> Answer<(MemoryPath, &'a Category)> {
        let named = match action {
            Action::ArchiveSection { archive_path, .. }
            | Action::RemoveSection { archive_path, .. } => archive_path.clone(),
            Action::CreateFile { .. }
            | Action::AppendSection { .. }
            | Action::ReplaceSection { .. }
            | Action::ReplaceSectionContent { .. }
            | Action::AppendToSection { .. }
            | Action::RenameHeading { .. } => None,
        };
        let archive = named.or_else(|| self.default_archive(action, path)).ok_or_else(|| {
            Refusal::new(
                Reason::UnknownCategory,
                "this store has no write-once category to archive to",
                "`agent-memory init` restores the schema `archive.toml`",
            )
            .at(self.pointer("archive_path"))
        })?;
        let category = self.owner(&archive, "archive_path")?;
        if !category.write_once {
            return Err(Refusal::new(
                Reason::InvalidPath,
                format!("`{archive}` is not a write-once file"),
                "leave `archive_path` out, or give one such as `archive/old-decision.md`",
            )
            .at(self.pointer("archive_path")));
        }
        Ok((archive, category))
    }

    fn default_archive(&self, action: &Action, path: &MemoryPath) -> Option<MemoryPath> {
        let category = self.rules.catalog.categories().iter().find(|each| each.write_once)?;
        let section = match &action.target()?.selector {
            Selector::Id(id) => id.to_string(),
            Selector::Heading { text, .. } => slug(text, 80),
        };
        let name = format!("{}-{section}-{}", path.stem(), self.date);
        MemoryPath::parse(&category.path.replace('*', &name)).ok()
    }

    fn refuse_mismatch(&self, path: &MemoryPath, category: &Category) -> Box<Refusal> {
        let intents: Vec<String> = category.intents.iter().map(|i| format!("`{i}`")).collect();
        let hint = format!(
            "for `{path}` use the intent {}; or keep the intent and write to {}",
            intents.join(" or "),
            self.own_patterns().join(", ")
        );
        let message = format!(
            "the intent `{}` may not write to the category `{}` with this operation",
            self.intent, category.name
        );
        Refusal::new(Reason::IntentCategoryMismatch, message, hint).at(self.pointer("path"))
    }

    fn own_patterns(&self) -> Vec<String> {
        let categories = self.rules.catalog.categories().iter();
        let own = categories.filter(|category| category.intents.contains(&self.intent));
        own.map(|category| format!("`{}`", category.path)).collect()
    }

    fn pointer(&self, field: &str) -> String {
        format!("/operations/{}/{field}", self.index)
    }
}

fn look_for_hidden(raw: &Value, request: &Request) -> Answer<()> {
    let mut refusal = None;
    walk(raw, "", &mut |pointer, text| {
        if refusal.is_some() {
            return;
        }
        refusal = find_hidden(text).map(|hidden| {
            let (line, column) = (hidden.line, hidden.column);
            let message = format!(
                "{pointer} holds the hidden character {} on line {line}, column {column}",
                hidden.code_point()
            );
            let hint =
                "write only what a person can see; leave the character out or describe it in words";
            Refusal::new(Reason::HiddenCharacters, message, hint).at(pointer)
        });
    });
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    for (index, operation) in request.operations.iter().enumerate() {
        let lines = operation.action.content().unwrap_or_default().lines().enumerate();
        let mark = |line: &str| {
            ["<<<<<<<", ">>>>>>>", "|||||||"].iter().any(|mark| {
                line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            })
        };
        if let Some((number, _)) = lines.into_iter().find(|(_, line)| mark(line)) {
            return Err(Refusal::new(
                Reason::InvalidMarkdown,
                format!("the content holds a git conflict marker on line {}", number + 1),
                "resolve the conflict and send the text that is meant",
            )
            .at(format!("/operations/{index}/content")));
        }
    }
    Ok(())
}

fn look_for_secrets(raw: &Value, scanner: &Scanner) -> Answer<()> {
    let mut found = Vec::new();
    let mut bad_region = None;
    walk(raw, "", &mut |pointer, text| {
        if text.contains("secret-allow") {
            let content = pointer.ends_with("/content") || pointer.ends_with("/replacement");
            bad_region = bad_region.take().or_else(|| match secrets::allow_regions(text) {
                Err(problem) => Some((pointer.to_owned(), problem.to_string())),
                Ok(regions) if !regions.is_empty() && !content => Some((
                    pointer.to_owned(),
                    "a secret-allow region stands outside of content".to_owned(),
                )),
                Ok(_) => None,
            });
        }
        let operation = pointer
            .strip_prefix("/operations/")
            .and_then(|rest| rest.split('/').next().and_then(|number| number.parse().ok()));
        found.extend(scanner.scan(text).into_iter().map(|finding| {
            (
                finding.class,
                Finding {
                    rule: finding.rule.to_owned(),
                    operation,
                    pointer: pointer.to_owned(),
                    line: finding.line,
                    column: finding.column,
                },
            )
        }));
    });
    if let Some((pointer, problem)) = bad_region {
        let hint = "write `<!-- secret-allow: why this is no secret -->`, the text, `<!-- /secret-allow -->`, each marker on its own line, inside one content";
        return Err(Refusal::new(Reason::AllowRegionInvalid, problem, hint).at(pointer));
    }
    refuse_findings(found)
}

/// Refuses what looks like a secret or personal data; says where, never what.
pub(super) fn refuse_findings(found: Vec<(Class, Finding)>) -> Answer<()> {
    let Some((_, first)) = found.first() else { return Ok(()) };
    let secret = found.iter().any(|(class, _)| *class == Class::Secret);
    let place = format!("{} on line {}, column {}", first.pointer, first.line, first.column);
    let rules: BTreeSet<&str> = found.iter().map(|(_, finding)| finding.rule.as_str()).collect();
    let kinds = rules.into_iter().collect::<Vec<_>>().join("`, `");
    let (reason, what, hint) = match secret {
        true => (
            Reason::SecretDetected,
            "what looks like a secret",
            "leave it out and say where it is kept instead; revoke it if it was real; a harmless example goes between `<!-- secret-allow: reason -->` and `<!-- /secret-allow -->`",
        ),
        false => (
            Reason::PiiDetected,
            "personal data",
            "leave it out or name the role instead of the person",
        ),
    };
    let message = format!("{} found of kind `{kinds}`, first in {place}: {what}", found.len());
    let mut refusal = Refusal::new(reason, message, hint).at(first.pointer.clone());
    refusal.findings = found.into_iter().map(|(_, finding)| finding).collect();
    Err(refusal)
}

/// Visits every string of a value, each with its JSON pointer.
fn walk(value: &Value, pointer: &str, visit: &mut dyn FnMut(&str, &str)) {
    match value {
        Value::String(text) => visit(pointer, text),
        Value::Array(list) => {
            for (index, each) in list.iter().enumerate() {
                walk(each, &format!("{pointer}/{index}"), visit);
            }
        }
        Value::Object(object) => {
            for (name, each) in object {
                walk(each, &format!("{pointer}/{name}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
