//! Knows the categories of a store: which files they own and what their sections must look like.

mod expression;
mod fields;
mod matching;
mod paths;
mod pattern;
mod rules;

use std::collections::BTreeMap;
use std::path::Path;

use crate::config::{read_toml, settled};
use crate::contract::{Fields, Problems, SectionId};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::{Outline, Section};
use crate::project::request::{Intent, Mode, OperationKind};

pub(crate) use fields::{Field, read_fields};
pub use matching::Matching;
pub(crate) use paths::CategoryPaths;
pub(crate) use pattern::PathPattern;
pub(crate) use rules::{FieldRule, SectionRules};

/// The schemas that `init` writes, by category.
pub const DEFAULTS: [(&str, &str); 8] = [
    ("archive", include_str!("../../schemas/archive.toml")),
    ("conventions", include_str!("../../schemas/conventions.toml")),
    ("current", include_str!("../../schemas/current.toml")),
    ("decisions", include_str!("../../schemas/decisions.toml")),
    ("modules", include_str!("../../schemas/modules.toml")),
    ("pitfalls", include_str!("../../schemas/pitfalls.toml")),
    ("sessions", include_str!("../../schemas/sessions.toml")),
    ("shared", include_str!("../../schemas/shared.toml")),
];

/// Bytes that the patterns of all schemas may have together: to compile them takes time at every command.
const PATTERNS: usize = 8_192;

/// Categories of a store: each is compared with each, and every file with all.
const MOST: usize = 256;

const SCHEMA: usize = 65_536;

/// The categories of a store.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    categories: Vec<Category>,
    pattern_bytes: usize,
}

/// A kind of memory: the files it owns, who may write them, and how.
#[derive(Debug, Clone)]
pub struct Category {
    /// The name, as in the file name of its schema.
    pub name: String,
    /// Title of its file, where it owns just one.
    pub title: String,
    /// The files it owns, and where a new entry goes.
    pub paths: CategoryPaths,
    /// The intents that may write to it.
    pub intents: Vec<Intent>,
    /// Whether git keeps its files.
    pub tracked: bool,
    /// Whether a file is never changed once it is there.
    pub write_once: bool,
    /// The way a change goes.
    pub approval: Mode,
    /// The way a change by one operation goes instead.
    pub approval_by_operation: BTreeMap<OperationKind, Mode>,
    /// Whether a source is needed that can be looked up.
    pub needs_evidence: bool,
    /// Whether its sections follow one another in time, so that neighbours explain each other: what is
    /// not tracked does, unless the schema says otherwise.
    pub log: bool,
    /// Bytes beyond which a file may not grow.
    pub file_bytes: Option<u64>,
    /// What its sections must look like.
    pub section: Option<SectionRules>,
}

impl Catalog {
    /// Reads the schemas, each with its path for errors.
    pub fn parse<'a>(files: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Result<Self> {
        let mut catalog = Self::default();
        for (path, text) in files {
            catalog.add(path, text)?;
        }
        Ok(catalog)
    }

    pub(crate) fn add(&mut self, path: &Path, text: &str) -> Result<()> {
        if self.pattern_bytes > PATTERNS {
            return Err(too_many_patterns(path));
        }
        if self.categories.len() >= MOST {
            let message =
                format!("a store has at most {MOST} categories, and no room for one more:");
            let hint = "put the files of several categories into one";
            return Err(Error::new(ErrorKind::ConfigInvalid, message).at(path).hint(hint));
        }
        let category = Category::parse(text, path)?;
        self.pattern_bytes += category.pattern_bytes();
        if self.pattern_bytes > PATTERNS {
            return Err(too_many_patterns(path));
        }
        self.categories.push(category);
        Ok(())
    }

    /// Finds two categories that own the same files, neither of them more precisely than the other.
    pub fn rivals(&self) -> impl Iterator<Item = (&Category, &Category)> {
        self.categories.iter().enumerate().flat_map(move |(at, one)| {
            let others = self.categories[at + 1..].iter();
            others.filter(move |other| one.paths.is_rival_of(&other.paths)).map(move |it| (one, it))
        })
    }

    pub(crate) fn categories(&self) -> &[Category] {
        &self.categories
    }

    /// Returns the categories that own a path: of those that it fits the ones that name it most precisely.
    pub fn owners_of(&self, path: &str) -> impl Iterator<Item = &Category> {
        let precision = move |category: &Category| category.paths.precision_for(path);
        let best = self.categories.iter().filter_map(precision).max();
        let is_best = move |category: &&Category| best.is_some() && precision(category) == best;
        self.categories.iter().filter(is_best)
    }

    /// Returns the first category that owns a path; where it is not the only one, `rivals` tells of it.
    pub fn owner_of(&self, path: &str) -> Option<&Category> {
        self.owners_of(path).next()
    }

    pub(crate) fn is_tracked(&self, path: &str) -> bool {
        self.owner_of(path).is_some_and(|owner| owner.tracked)
    }

    /// Returns the id that the entry of a file has by the name of the file, where it has the file for itself.
    pub(crate) fn id_of_record(&self, path: &str) -> Option<SectionId> {
        self.owner_of(path)?.paths.id_of_record(path)
    }

    /// Returns the category of a name.
    pub fn named(&self, name: &str) -> Option<&Category> {
        self.categories.iter().find(|category| category.name == name)
    }

    /// Returns the one category that an intent writes to without naming a file; none if it has several.
    pub fn default_for(&self, intent: Intent) -> Option<&Category> {
        let mut fitting = self.categories.iter().filter(|category| {
            category.intents.contains(&intent) && category.paths.for_new().is_some()
        });
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

impl Category {
    /// Reads the text of one schema; `path` names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        if text.len() > SCHEMA {
            let message = format!("a schema of {} bytes, allowed are {SCHEMA}, in", text.len());
            return Err(too_much(message, path));
        }
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let category = Fields::of(&value, "", &problems).map(read_category);
        let expected = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        match category {
            Some(category) if problems.is_empty() && category.name != expected => Err(Error::new(
                ErrorKind::ConfigInvalid,
                format!("the category is called `{}`, but its file", category.name),
            )
            .at(path)
            .hint("give both the same name")),
            Some(category) => settled(category, &problems, path),
            None => Err(Error::new(ErrorKind::ConfigInvalid, "not a schema, in").at(path)),
        }
    }

    fn pattern_bytes(&self) -> usize {
        let expressions = self.section.iter().flat_map(SectionRules::expressions);
        expressions.map(|expression| expression.as_str().len()).sum()
    }

    /// Returns the level that an entry has in a file: the first one in a file of its own.
    pub fn entry_level(&self, path: &str) -> u8 {
        match self.paths.is_record(path) {
            true => 1,
            false => self.section.as_ref().map_or(2, |rules| rules.level),
        }
    }

    /// Returns the entries of a file: its sections of that level.
    pub(crate) fn entries<'o>(
        &self,
        path: &str,
        outline: &'o Outline<'_>,
    ) -> impl Iterator<Item = &'o Section> {
        let level = self.entry_level(path);
        outline.sections().iter().filter(move |section| section.heading.level == level)
    }

    /// Returns the way a change by an operation goes, and the rule that says so.
    pub fn approval_of(&self, operation: OperationKind) -> (Mode, String) {
        match self.approval_by_operation.get(&operation) {
            Some(mode) => (*mode, format!("{}.approval.{operation}", self.name)),
            None => (self.approval, format!("{}.approval.default", self.name)),
        }
    }
}

fn too_many_patterns(path: &Path) -> Error {
    let message = format!(
        "the patterns of all schemas have more than {PATTERNS} bytes, allowed are {PATTERNS} together, from"
    );
    too_much(message, path)
}

fn too_much(message: String, path: &Path) -> Error {
    Error::new(ErrorKind::ConfigInvalid, message).at(path).hint("make it shorter")
}

fn read_category(mut fields: Fields<'_>) -> Category {
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    let name = text(fields.required_text("category"));
    let title = text(fields.required_text("title"));
    let paths = CategoryPaths::read(&mut fields);
    let intents = fields.words("intents", Intent::parse, Intent::NAMES);
    let (approval, approval_by_operation) = read_approval(&mut fields);
    let needs_evidence = fields.object("provenance").and_then(|mut provenance| {
        let required = provenance.flag("required");
        provenance.finish();
        required
    });
    let file_bytes = fields.object("budget").and_then(|mut budget| {
        let bytes = budget.number("file_bytes", 1_024..=16_777_216);
        budget.finish();
        bytes
    });
    let tracked = fields.flag("tracked").unwrap_or(true);
    // Earlier versions had a table of contents in git, which `init` and `doctor --upgrade` take out.
    let _: Option<bool> = fields.flag("generated");
    let category = Category {
        name,
        title,
        paths,
        intents,
        tracked,
        log: fields.flag("log").unwrap_or(!tracked),
        write_once: fields.flag("write_once").unwrap_or(false),
        approval,
        approval_by_operation,
        needs_evidence: needs_evidence.unwrap_or(false),
        file_bytes,
        section: fields.object("section").map(SectionRules::read),
    };
    fields.finish();
    category
}

fn read_approval(fields: &mut Fields<'_>) -> (Mode, BTreeMap<OperationKind, Mode>) {
    let mut by_operation = BTreeMap::new();
    let Some(mut approval) = fields.object("approval") else {
        return (Mode::Stage, by_operation);
    };
    let default = approval.word("default", Mode::parse, Mode::NAMES).unwrap_or(Mode::Stage);
    for operation in OperationKind::ALL {
        if let Some(mode) = approval.word(operation.name(), Mode::parse, Mode::NAMES) {
            by_operation.insert(*operation, mode);
        }
    }
    approval.finish();
    (default, by_operation)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> Catalog {
        let paths: Vec<_> = DEFAULTS.map(|(name, text)| (format!("{name}.toml"), text)).into();
        Catalog::parse(paths.iter().map(|(path, text)| (Path::new(path.as_str()), *text)))
            .expect("the defaults are good")
    }

    fn owned(path: &str, owner: Option<&str>) {
        assert_eq!(defaults().owner_of(path).map(|c| c.name.as_str()), owner, "{path}");
    }

    #[test]
    fn every_file_of_the_contract_has_its_category() {
        owned("decisions.md", Some("decisions"));
        owned("decisions/token-rotation.md", Some("decisions"));
        owned("pitfalls/deep/x.md", None);
        owned("modules/auth.md", Some("modules"));
        owned("modules/deep/auth.md", None);
        owned("local/current.main.md", Some("current"));
        owned("local/shared.md", Some("shared"));
        owned("sessions/2026-11-20.md", Some("sessions"));
        owned("notes.md", None);
    }

    #[test]
    fn every_intent_has_a_category() {
        let catalog = defaults();
        for intent in Intent::ALL {
            assert!(catalog.categories().iter().any(|c| c.intents.contains(intent)), "{intent}");
        }
    }

    #[test]
    fn an_unknown_key_names_the_nearest_known_one() {
        let text =
            "category = \"x\"\ntitle = \"X\"\npath = \"x.md\"\nintent = []\n[section]\nlevl = 2\n";
        let error = Category::parse(text, Path::new("x.toml")).expect_err("it is wrong");
        assert!(error.to_string().contains("did you mean `intents`?"), "{error}");
        assert!(error.to_string().contains("did you mean `level`?"), "{error}");
        let text = "category = \"x\"\ntitle = \"X\"\npath = \"x.md\"\nintents = [\"sesion_log\"]\n";
        let error = Category::parse(text, Path::new("x.toml")).expect_err("it is wrong");
        assert!(error.to_string().contains("did you mean `session_log`?"), "{error}");
    }
}
