//! Finds the file and the category of every operation.

use std::cell::OnceCell;

use super::parse::Proposal;
use super::surroundings::{Branch, Rules, Surroundings};
use crate::project::request::{
    Action, Answer, Intent, MemoryPath, Operation, OperationKind, Reason, Refusal, Refusals,
    Selector,
};
use crate::project::schema::Category;
use crate::text::{did_you_mean, slug};

#[derive(Debug, Clone)]
pub struct Placed<'a> {
    pub path: MemoryPath,
    pub category: &'a Category,
    /// The write-once file and its category, for the operations that archive.
    pub archive: Option<(MemoryPath, &'a Category)>,
}

impl Proposal {
    /// Finds the file and the category of every operation, and the branch where one of them needs it.
    pub fn place<'a>(
        &self,
        rules: Rules<'a>,
        surroundings: &dyn Surroundings,
    ) -> Answer<(Vec<Placed<'a>>, Option<Branch>)> {
        let branch = OnceCell::new();
        let mut refusals = Refusals::default();
        let mut placed = Vec::with_capacity(self.request.operations.len());
        for (index, operation) in self.request.operations.iter().enumerate() {
            let intent = self.request.intent;
            let place = Place { index, intent, date: &self.day, branch: &branch, rules };
            match place.find(operation, surroundings) {
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
        let archival = archives && self.intent == Intent::ArchiveStale;
        if !own && !archival {
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
        let category = self.rules.catalog.default_for(self.intent).ok_or_else(needed)?;
        let mut path = category.entry_path().ok_or_else(needed)?.replace("{date}", self.date);
        if path.contains("{branch}") {
            path = path.replace("{branch}", &self.branch(surroundings)?.name);
        }
        MemoryPath::parse(&path).map_err(|problem| {
            Refusal::new(Reason::InvalidPath, problem.message, problem.hint)
                .at(self.pointer("path"))
        })
    }

    fn branch(&self, surroundings: &dyn Surroundings) -> Answer<&Branch> {
        match self.branch.get() {
            Some(known) => Ok(known),
            None => {
                let found =
                    surroundings.branch().map_err(|refusal| refusal.at(self.pointer("path")))?;
                Ok(self.branch.get_or_init(|| found))
            }
        }
    }

    fn owner(&self, path: &MemoryPath, field: &str) -> Answer<&'a Category> {
        let catalog = self.rules.catalog;
        let Some(category) = catalog.owner_of(path.as_str()) else {
            let patterns: Vec<&str> =
                catalog.categories().iter().map(|c| c.path.as_str()).collect();
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
        MemoryPath::parse(&category.path.with_name(&name)).ok()
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
