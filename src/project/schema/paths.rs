//! The files of a category, and the path of a new entry.

use std::fmt;

use super::pattern::PathPattern;
use crate::contract::{Fields, SectionId};
use crate::markdown::stem;

/// Patterns that a category may have: each is compared with each of the others, and with every file.
const MOST: usize = 16;

/// What stands in `new_path` for the id of the entry.
const ID: &str = "{id}";

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CategoryPaths {
    patterns: Vec<PathPattern>,
    /// May hold `{branch}` and `{date}`, or `{id}`.
    new_path: Option<String>,
    /// The files that hold one entry each: what fits `new_path`, if that has the id.
    records: Option<PathPattern>,
}

impl CategoryPaths {
    /// Reads `paths` (or `path`, of which there is one) and `new_path` (or `default_path`).
    pub(super) fn read(fields: &mut Fields<'_>) -> Self {
        let one = fields.text("path");
        let (name, texts) = match (fields.texts("paths"), one) {
            (Some(all), None) => ("paths", all),
            (None, Some(one)) => ("path", vec![one]),
            (Some(_), Some(_)) => {
                fields.problem("path", "give `path` or `paths`, not both");
                return Self::default();
            }
            (None, None) => {
                fields.problem("paths", "`paths` is required: the files of the category");
                return Self::default();
            }
        };
        if texts.is_empty() || texts.len() > MOST {
            let message = format!("{} paths are named, allowed are 1 to {MOST}", texts.len());
            fields.problem(name, message);
        }
        let mut patterns = Vec::new();
        for text in texts.into_iter().take(MOST) {
            match PathPattern::read(text) {
                Ok(pattern) => patterns.push(pattern),
                Err(problem) => fields.problem(name, problem),
            }
        }
        let (former, new) = (fields.text("default_path"), fields.text("new_path"));
        let mut paths = Self { patterns, new_path: None, records: None };
        if let Some(new_path) = new.or(former) {
            paths.records = paths.read_records(new_path).unwrap_or_else(|problem| {
                fields.problem("new_path", problem);
                None
            });
            paths.new_path = Some(new_path.to_owned());
        }
        paths
    }

    fn read_records(&self, new_path: &str) -> Result<Option<PathPattern>, String> {
        if !new_path.contains(ID) {
            return Ok(None);
        }
        if new_path.contains("{date}") || new_path.contains("{branch}") {
            return Err(format!(
                "`{new_path}` has the id, so it cannot have a day or a branch too"
            ));
        }
        let pattern = PathPattern::read(&new_path.replacen(ID, "*", 1))?;
        match self.fits(&pattern.with_name("x")) {
            true => Ok(Some(pattern)),
            false => Err(format!("`{new_path}` fits none of the paths of the category")),
        }
    }

    pub(crate) fn fits(&self, path: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.fits(path))
    }

    /// Returns how precisely the category names a path; none if the path is not its own.
    pub(super) fn precision_for(&self, path: &str) -> Option<(bool, usize)> {
        let fitting = self.patterns.iter().filter(|pattern| pattern.fits(path));
        fitting.map(PathPattern::precision).max()
    }

    /// Tells whether a path may fit both, and neither names it more precisely.
    pub(super) fn is_rival_of(&self, other: &Self) -> bool {
        let is_rival = |one: &PathPattern| other.patterns.iter().any(|it| one.is_rival_of(it));
        self.patterns.iter().any(is_rival)
    }

    /// Returns the one file of the category, if it has just one.
    pub fn single(&self) -> Option<&str> {
        match self.patterns.as_slice() {
            [only] => only.single(),
            _ => None,
        }
    }

    /// Returns the files that are named without a `*`: each may hold many entries.
    pub(crate) fn shared_files(&self) -> impl Iterator<Item = &str> {
        self.patterns.iter().filter_map(PathPattern::single)
    }

    /// Returns where an entry goes that names no file, with `{branch}`, `{date}` and `{id}` still in it.
    pub fn for_new(&self) -> Option<&str> {
        self.new_path.as_deref().or(self.single())
    }

    /// Tells whether each new entry gets a file of its own.
    pub(crate) fn has_records(&self) -> bool {
        self.records.is_some()
    }

    /// Tells whether each file at such a path holds one entry, which is its section of level 1.
    pub(crate) fn is_record(&self, path: &str) -> bool {
        self.records.as_ref().is_some_and(|records| records.fits(path))
    }

    /// Returns the path of the file that an entry has for itself; none if entries share files.
    pub(crate) fn of_record(&self, id: &SectionId) -> Option<String> {
        self.records.as_ref().map(|records| records.with_name(id.as_str()))
    }

    /// Returns the folder of the files that hold one entry each, if they have one.
    pub(crate) fn folder_of_records(&self) -> Option<&str> {
        self.records.as_ref()?.as_str().rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Returns the id that the entry of a file of its own has by the name of the file.
    pub(crate) fn id_of_record(&self, path: &str) -> Option<SectionId> {
        SectionId::parse(stem(path)).filter(|_| self.is_record(path))
    }

    /// Returns a path of the category that has a name in the place of the `*`.
    pub(crate) fn with_name(&self, name: &str) -> String {
        self.patterns.first().map(|pattern| pattern.with_name(name)).unwrap_or_default()
    }

    pub(crate) fn patterns(&self) -> &[PathPattern] {
        &self.patterns
    }
}

impl fmt::Display for CategoryPaths {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.patterns.iter().map(PathPattern::as_str).collect();
        out.write_str(&names.join("`, `"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::project::schema::Category;

    fn read(lines: &str) -> Result<Category, String> {
        let text = format!("category = \"x\"\ntitle = \"X\"\n{lines}\n[section]\nlevel = 2\n");
        Category::parse(&text, Path::new("x.toml")).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check(lines: &str, level_of: &[(&str, u8)], new: Option<&str>) {
        let category = read(lines).expect("a good schema");
        for (path, level) in level_of {
            assert_eq!(category.entry_level(path), *level, "{path}");
        }
        assert_eq!(category.paths.for_new(), new);
    }

    #[test]
    fn an_entry_has_the_first_level_in_a_file_of_its_own() {
        let both = "paths = [\"x/*.md\", \"x.md\"]\nnew_path = \"x/{id}.md\"";
        check(both, &[("x/a.md", 1), ("x.md", 2)], Some("x/{id}.md"));
        check("paths = [\"x/*.md\"]", &[("x/a.md", 2)], None);
    }

    #[test]
    fn the_keys_of_one_path_go_on_working() {
        check("path = \"x.md\"", &[("x.md", 2)], Some("x.md"));
        let of_day = "path = \"x/*.md\"\ndefault_path = \"x/{date}.md\"";
        check(of_day, &[("x/a.md", 2)], Some("x/{date}.md"));
    }

    #[test]
    fn paths_that_cannot_be_meant_are_refused() {
        let refused = |lines: &str, said: &str| {
            let error = read(lines).expect_err("it is wrong");
            assert!(error.contains(said), "{error}");
        };
        refused("", "`paths` is required");
        refused("paths = []", "0 paths are named");
        refused("path = \"x.md\"\npaths = [\"x.md\"]", "not both");
        refused("paths = [\"x/*.md\"]\nnew_path = \"y/{id}.md\"", "fits none of the paths");
        refused("paths = [\"x/*.md\"]\nnew_path = \"x/{id}{id}.md\"", "");
    }
}
