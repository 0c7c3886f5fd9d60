//! Finds the file and the category of every operation.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use super::parse::Proposal;
use super::record_path::{RecordFinder, RecordPlace};
use super::section_path::SectionFinder;
use super::surroundings::{Branch, Rules, Surroundings};
use crate::contract::SectionId;
use crate::project::request::{
    Action, Answer, Intent, MemoryPath, Operation, OperationKind, Reason, Refusal, Refusals,
    Selector,
};
use crate::project::schema::{Category, PathPattern};
use crate::text::{did_you_mean, slug};

#[derive(Debug, Clone)]
pub struct Placed<'a> {
    pub path: MemoryPath,
    pub category: &'a Category,
    /// The id of a new entry, where the file is named after it.
    pub new_id: Option<SectionId>,
    /// The write-once file and its category, for the operations that archive.
    pub archive: Option<(MemoryPath, &'a Category)>,
}

impl Placed<'_> {
    /// Tells whether the file holds one entry, as its section of level 1.
    pub(super) fn is_record(&self) -> bool {
        self.category.paths.is_record(self.path.as_str())
    }
}

impl Proposal {
    /// Finds the file and the category of every operation, and the branch where one of them needs it.
    pub fn place<'a>(
        &self,
        rules: Rules<'a>,
        surroundings: &dyn Surroundings,
    ) -> Answer<(Vec<Placed<'a>>, Option<Branch>)> {
        let (branch, begun) = (OnceCell::new(), RefCell::default());
        let mut refusals = Refusals::default();
        let mut placed = Vec::with_capacity(self.request.operations.len());
        for (index, operation) in self.request.operations.iter().enumerate() {
            let intent = self.request.intent;
            let (date, branch, begun) = (&self.day, &branch, &begun);
            let place = Place { index, intent, date, branch, begun, rules, surroundings };
            match place.find(operation) {
                Ok(found) => placed.push(found),
                Err(refusal) => refusals.add(refusal),
            }
        }
        refusals.answer()?;
        Ok((placed, branch.into_inner()))
    }
}

struct Place<'a, 'b> {
    index: usize,
    intent: Intent,
    date: &'b str,
    branch: &'b OnceCell<Branch>,
    /// The files that operations before this one begin.
    begun: &'b RefCell<BTreeSet<String>>,
    rules: Rules<'a>,
    surroundings: &'b dyn Surroundings,
}

impl<'a> Place<'a, '_> {
    fn find(&self, operation: &Operation) -> Answer<Placed<'a>> {
        let (path, new_id) = match &operation.path {
            Some(path) => (self.named_path(path, &operation.action)?, None),
            None => self.default_path(&operation.action)?,
        };
        let category = self.owner(&path, "path")?;
        let kind = operation.action.kind();
        let archives = matches!(kind, OperationKind::ArchiveSection | OperationKind::RemoveSection);
        if !self.may_write(category, kind) {
            return Err(self.refuse_mismatch(&path, category));
        }
        let archive = match archives {
            true => Some(self.archive(&operation.action, &path, category)?),
            false => None,
        };
        Ok(Placed { path, category, new_id, archive })
    }

    /// Returns the file that a request names, or the one that the entry has for itself since.
    fn named_path(&self, path: &MemoryPath, action: &Action) -> Answer<MemoryPath> {
        let owner = self.rules.catalog.owner_of(path.as_str());
        let moved = owner.and_then(|owner| self.records(owner).moved_from(path, action));
        moved.map_or_else(|| Ok(path.clone()), |moved| self.parse(&moved))
    }

    fn records<'c>(&'c self, category: &'c Category) -> RecordFinder<'c> {
        let (surroundings, begun) = (self.surroundings, self.begun);
        RecordFinder { paths: &category.paths, renamed: self.sections(), surroundings, begun }
    }

    fn sections(&self) -> SectionFinder<'_> {
        SectionFinder { catalog: self.rules.catalog, surroundings: self.surroundings }
    }

    /// Tells whether the intent may write to a category with an operation.
    fn may_write(&self, category: &Category, kind: OperationKind) -> bool {
        let archives = matches!(kind, OperationKind::ArchiveSection | OperationKind::RemoveSection);
        let archival = archives && self.intent == Intent::ArchiveStale;
        category.intents.contains(&self.intent) || archival
    }

    fn default_path(&self, action: &Action) -> Answer<(MemoryPath, Option<SectionId>)> {
        let needed = || {
            let message = format!("`path` is required for the intent `{}`", self.intent);
            let hint = match self.intent {
                Intent::ArchiveStale => "give the file that the section is in now".to_owned(),
                _ if self.own_patterns().is_empty() => {
                    "no category of this store takes it; ask a person, the schemas decide"
                        .to_owned()
                }
                _ => format!("give a file of one of: {}", self.own_patterns().join(", ")),
            };
            Refusal::new(Reason::InvalidPath, message, hint).at(self.pointer("path"))
        };
        let Some(category) = self.rules.catalog.default_for(self.intent) else {
            let may_write = |category: &Category| self.may_write(category, action.kind());
            let pointer = format!("/operations/{}", self.index);
            let found = self.sections().find(action, may_write, &pointer)?;
            return Ok((found.ok_or_else(needed)?, None));
        };
        let found = self.records(category).find(action);
        let (path, new_id) = match found {
            Some(RecordPlace { path, new_id }) => (path, new_id),
            None => (category.paths.for_new().ok_or_else(needed)?.to_owned(), None),
        };
        let mut path = path.replace("{date}", self.date);
        if path.contains("{branch}") {
            path = path.replace("{branch}", &self.branch()?.name);
        }
        Ok((self.parse(&path)?, new_id))
    }

    fn parse(&self, path: &str) -> Answer<MemoryPath> {
        MemoryPath::parse(path).map_err(|problem| {
            Refusal::new(Reason::InvalidPath, problem.message, problem.hint)
                .at(self.pointer("path"))
        })
    }

    fn branch(&self) -> Answer<&Branch> {
        match self.branch.get() {
            Some(known) => Ok(known),
            None => {
                let found = self
                    .surroundings
                    .branch()
                    .map_err(|refusal| refusal.at(self.pointer("path")))?;
                Ok(self.branch.get_or_init(|| found))
            }
        }
    }

    fn owner(&self, path: &MemoryPath, field: &str) -> Answer<&'a Category> {
        let catalog = self.rules.catalog;
        let Some(category) = catalog.owner_of(path.as_str()) else {
            let reads = &self.rules.config.reads;
            if reads.iter().any(|rule| rule.files().compile_matcher().is_match(path.as_str())) {
                return Err(Refusal::new(
                    Reason::UnknownCategory,
                    format!("`{path}` is only read, where it is: `[[read]]` in `config.toml`"),
                    "record a new decision that cites the file and says what it supersedes, or ask a person to edit it",
                )
                .at(self.pointer(field)));
            }
            let patterns = catalog.categories().iter().flat_map(|it| it.paths.patterns());
            let patterns: Vec<&str> = patterns.map(PathPattern::as_str).collect();
            let guess = did_you_mean(path.as_str(), patterns.iter().copied());
            return Err(Refusal::new(
                Reason::UnknownCategory,
                format!("no category owns `{path}`{guess}"),
                format!("the files of this store are {}", patterns.join(", ")),
            )
            .at(self.pointer(field)));
        };
        Ok(category)
    }

    fn archive(
        &self,
        action: &Action,
        path: &MemoryPath,
        owner: &Category,
    ) -> Answer<(MemoryPath, &'a Category)> {
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
        let archive =
            named.or_else(|| self.default_archive(action, path, owner)).ok_or_else(|| {
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

    fn default_archive(
        &self,
        action: &Action,
        path: &MemoryPath,
        owner: &Category,
    ) -> Option<MemoryPath> {
        let category = self.rules.catalog.categories().iter().find(|each| each.write_once)?;
        let section = match &action.target()?.selector {
            Selector::Id(id) => id.to_string(),
            Selector::Heading { text, .. } => slug(text, 80),
        };
        // The file of an entry is named after its section.
        let file = if owner.paths.is_record(path.as_str()) { &owner.name } else { path.stem() };
        let name = format!("{file}-{section}-{}", self.date);
        MemoryPath::parse(&category.paths.with_name(&name)).ok()
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
        own.map(|category| format!("`{}`", category.paths)).collect()
    }

    fn pointer(&self, field: &str) -> String {
        format!("/operations/{}/{field}", self.index)
    }
}
