//! Which files of the repository are read as memory where they are: `[[read]]` in `config.toml`.

use globset::{Glob, GlobBuilder};

use crate::contract::Fields;
use crate::text::{excerpt, find_hidden};

/// Files that are read as those of a category.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadRule {
    files: Glob,
    /// The name of the category.
    pub category: String,
}

const LONGEST: usize = 400;

/// Reads a table with a `path` and a category, `as`.
pub(super) fn read_rule(entry: &mut Fields<'_>) -> Option<ReadRule> {
    let files = entry.required_text("path").map(files);
    let category = entry.required_text("as");
    if let Some(Err(problem)) = &files {
        entry.problem("path", problem);
    }
    Some(ReadRule { files: files?.ok()?, category: category?.to_owned() })
}

/// Reads a pattern of paths; a folder means all Markdown below it.
fn files(text: &str) -> Result<Glob, String> {
    let path = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
    let shown = excerpt(text);
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if path.is_empty() || text.starts_with('/') || is_drive {
        return Err(format!("`{shown}` is no path below the folder that holds `.agent-memory`"));
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(format!("`{shown}` has an empty part, `.` or `..`: name the files without"));
    }
    if path.contains('\\') || path.len() > LONGEST || find_hidden(path).is_some() {
        let allowed = format!("allowed are `/`, what a person can see, and {LONGEST} bytes");
        return Err(format!("`{shown}` is no pattern of paths: {allowed}"));
    }
    let is_folder = !path.contains(SPECIAL) && !path.ends_with(".md");
    let pattern = if is_folder { format!("{path}/**/*.md") } else { path.to_owned() };
    let read = GlobBuilder::new(&pattern).literal_separator(true).build();
    read.map_err(|error| format!("`{shown}` is no pattern of paths: {}", error.kind()))
}

/// What makes a path a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

impl ReadRule {
    /// Makes the rule that reads all Markdown below a folder; none if its name is one that no rule can have.
    pub(crate) fn for_folder(folder: &str, category: &str) -> Option<Self> {
        if folder.contains(SPECIAL) {
            return None;
        }
        Some(Self { files: files(folder).ok()?, category: category.to_owned() })
    }

    /// Reads `PATTERN=CATEGORY`, as on the command line; says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let Some((path, category)) = text.rsplit_once('=').filter(|(_, it)| !it.is_empty()) else {
            return Err(format!("`{}` is not `PATTERN=CATEGORY`", excerpt(text)));
        };
        Ok(Self { files: files(path)?, category: category.to_owned() })
    }

    /// Returns the pattern: `*` stays within a folder, `**` does not.
    pub(crate) fn files(&self) -> &Glob {
        &self.files
    }

    /// Returns the deepest folder that holds all the files; empty if that is the one that holds the store.
    pub(crate) fn folder(&self) -> &str {
        let pattern = self.files.glob();
        let plain = pattern.find(SPECIAL).map_or(pattern, |at| &pattern[..at]);
        plain.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Writes the rule as it stands in `config.toml`.
    pub(crate) fn written(&self) -> String {
        let [path, category] = [self.files.glob(), &self.category].map(toml::Value::from);
        format!("[[read]]\npath = {path}\nas = {category}\n")
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::Config;

    fn read(path: &str) -> Result<ReadRule, String> {
        let text = format!("[[read]]\npath = {:?}\nas = \"decisions\"\n", path);
        let config = Config::parse(&text, Path::new("config.toml"));
        config.map(|mut config| config.reads.remove(0)).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn check(path: &str, folder: &str, fits: &[&str], others: &[&str]) {
        let rule = read(path).expect("a good pattern");
        let files = rule.files().compile_matcher();
        assert_eq!(rule.folder(), folder);
        fits.iter().for_each(|path| assert!(files.is_match(path), "{path}"));
        others.iter().for_each(|path| assert!(!files.is_match(path), "{path}"));
    }

    #[test]
    fn a_pattern_reads_files_and_a_folder_all_below_it() {
        let all = ["docs/adr/0001.md", "docs/adr/old/1.md"];
        check("docs/adr/**/*.md", "docs/adr", &all, &["docs/adr.md", "docs/adr/a.txt"]);
        check("docs/adr", "docs/adr", &all, &["docs/adr/a.txt"]);
        check("./docs/adr/", "docs/adr", &all, &[]);
        check("docs/adr/*.md", "docs/adr", &all[..1], &all[1..]);
        check("docs/{adr,rfc}/*.md", "docs", &["docs/rfc/1.md"], &["docs/x/1.md"]);
        check("ARCHITECTURE.md", "", &["ARCHITECTURE.md"], &["docs/ARCHITECTURE.md"]);
    }

    #[test]
    fn a_path_that_leads_out_is_refused() {
        for path in ["/etc", "../docs", "docs/../../x", "docs//x.md", "C:/x", "", "a\\b.md", "[a"] {
            let error = read(path).expect_err("it is wrong");
            assert!(error.contains("read/0/path") || error.contains("read.0.path"), "{error}");
        }
    }

    #[test]
    fn a_rule_is_read_back_as_it_was_written() {
        for folder in ["docs/adr", "docs/de\u{301}cisions", "docs/\u{e2a}\u{e31}", "it's \"it\""] {
            let rule = ReadRule::for_folder(folder, "decisions").expect("a rule");
            let config = Config::parse(&rule.written(), Path::new("config.toml"));
            assert_eq!(config.expect("it is good").reads, [rule]);
        }
    }
}
