//! The names that the files of a memory bank have in all repositories, and where each belongs in a store.

use crate::markdown::file_name;

use super::note_paths::stem_of;

/// A known name, and what is made of the file.
pub(super) struct BankFile {
    /// Lower-case letters alone.
    plain: &'static str,
    pub(super) category: &'static str,
    /// What it is called as a module.
    pub(super) module: &'static str,
}

/// The files that the memory banks of coding agents have.
const FILES: [BankFile; 7] = [
    BankFile { plain: "activecontext", category: "current", module: "active-context" },
    BankFile { plain: "progress", category: "shared", module: "progress" },
    BankFile { plain: "decisionlog", category: "decisions", module: "decision-log" },
    BankFile { plain: "systempatterns", category: "conventions", module: "system-patterns" },
    BankFile { plain: "techcontext", category: "modules", module: "tech-context" },
    BankFile { plain: "productcontext", category: "modules", module: "product-context" },
    BankFile { plain: "projectbrief", category: "modules", module: "project-brief" },
];

/// How many of the names make a folder a memory bank: one alone may be a coincidence.
const ENOUGH: usize = 2;

/// Names of files that say how a folder is used, and hold nothing to remember.
const GUIDES: [&str; 7] =
    ["template", "adrtemplate", "templateadr", "readme", "index", "toc", "decisionrecordtemplate"];

/// Returns the known file that a path names.
pub(super) fn bank_file(path: &str) -> Option<&'static BankFile> {
    let plain = plain_name(path);
    FILES.iter().find(|file| file.plain == plain)
}

/// Tells whether the files of one folder are those of a memory bank.
pub(super) fn is_bank<'p>(paths: impl Iterator<Item = &'p str>) -> bool {
    paths.filter(|path| bank_file(path).is_some()).count() >= ENOUGH
}

/// Tells whether a file of a folder of records, or of a memory bank, is a template or says how the folder is used.
pub(crate) fn is_guide(path: &str) -> bool {
    GUIDES.contains(&plain_name(path).as_str())
}

/// Returns the letters of the name of a file, without its ending, case, signs and numbers.
pub(crate) fn plain_name(path: &str) -> String {
    let name = file_name(path);
    let name = stem_of(name).unwrap_or(name);
    name.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_however_it_is_spelled() {
        for path in ["activeContext.md", "bank/active_context.md", "active-context.MD"] {
            assert_eq!(bank_file(path).map(|file| file.category), Some("current"), "{path}");
        }
        assert!(bank_file("context.md").is_none());
    }

    #[test]
    fn one_known_name_makes_no_memory_bank() {
        assert!(!is_bank(["progress.md", "team.md", "architecture.md"].into_iter()));
        assert!(is_bank(["progress.md", "projectbrief.md"].into_iter()));
    }

    #[test]
    fn templates_and_guides_are_known() {
        for path in ["README.md", "adr/0000-template.md", "adr-template.md", "index.md"] {
            assert!(is_guide(path), "{path}");
        }
        assert!(!is_guide("0001-use-templates.md"));
    }
}
