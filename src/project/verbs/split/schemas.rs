//! Finds the categories whose entries may have files of their own, and renews schemas that know only the shared one.

use std::path::Path;

use crate::contract::FileState;
use crate::project::schema::Category;
use crate::project::store::Step;
use crate::project::verbs::answer::Attempt;
use crate::project::verbs::project::Project;

/// The categories of which each entry is about one thing, and stands for itself.
const SPLIT: [&str; 2] = ["decisions", "pitfalls"];

/// A schema that is to name the new files too.
pub(super) struct SplitSchema {
    pub(super) path: String,
    before: String,
    after: String,
}

impl SplitSchema {
    pub(super) fn step(self) -> Step {
        Step::write(&self.path, Some(&self.before), self.after)
    }
}

/// A category as it will be, with its new schema where that changes; or why it stays as it is.
type Found = Result<(Category, Option<SplitSchema>), String>;

pub(super) fn find(project: &Project) -> Attempt<Vec<Found>> {
    let catalog = project.catalog()?;
    let mut found = Vec::new();
    for category in SPLIT.into_iter().filter_map(|name| catalog.named(name)) {
        if category.paths.has_records() {
            found.push(Ok((category.clone(), None)));
            continue;
        }
        let path = format!("schemas/{}.toml", category.name);
        let text = project.store.read_any(&path)?;
        let renewed = match (category.paths.single(), text) {
            (Some(file), FileState::Text(text)) => renew(file, &path, text),
            _ => None,
        };
        let is_free = |(category, _): &(Category, Option<SplitSchema>)| {
            let example = category.paths.with_name("x");
            catalog.owner_of(&example).is_none_or(|owner| owner.name == category.name)
        };
        found.push(renewed.filter(is_free).ok_or_else(|| {
            format!("`{path}` is left alone: write `paths` and `new_path` there yourself, as `docs/configuration.md` shows")
        }));
    }
    Ok(found)
}

/// Writes `paths` and `new_path` for the line with `path`; every other line stays.
fn renew(file: &str, path: &str, before: String) -> Option<(Category, Option<SplitSchema>)> {
    let folder = file.strip_suffix(".md")?;
    let is_path = |line: &&str| {
        let rest = line.strip_prefix("path").map(str::trim_start);
        rest.and_then(|rest| rest.strip_prefix('=')).is_some_and(|value| value.contains(file))
    };
    let line = before.lines().find(is_path)?;
    let new = format!("paths = [\"{folder}/*.md\", \"{file}\"]\nnew_path = \"{folder}/{{id}}.md\"");
    let after = before.replacen(line, &new, 1);
    let category = Category::parse(&after, Path::new(path)).ok()?;
    let schema = SplitSchema { path: path.to_owned(), before, after };
    Some((category, Some(schema)))
}
