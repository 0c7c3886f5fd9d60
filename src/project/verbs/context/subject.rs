//! Tells which pieces of memory are about a file or a folder of the repository.

use std::collections::BTreeSet;

use crate::project::pack::PackPiece;
use crate::project::provenance::cited_file;
use crate::project::request::MemoryPath;

/// A file or folder of the repository that a task is about.
pub(super) struct Subject {
    path: String,
    /// The last two parts of the path, by which texts name it.
    ending: String,
    /// The possible names of its module.
    modules: BTreeSet<String>,
}

impl Subject {
    pub(super) fn new(path: String) -> Self {
        let parts: Vec<&str> = path.rsplitn(3, '/').collect();
        let ending = match parts.as_slice() {
            [file, folder, _] => format!("{folder}/{file}"),
            _ => path.clone(),
        };
        let modules = path.split(['/', '.']).map(str::to_owned).collect();
        Self { ending, modules, path }
    }

    /// Tells whether a piece cites the file, or one in the folder.
    pub(super) fn is_cited_by(&self, piece: &PackPiece) -> bool {
        piece.sources.iter().filter_map(|source| cited_file(&source.reference)).any(|cited| {
            let below = cited.path.strip_prefix(&self.path);
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }

    pub(super) fn is_named_in(&self, text: &str) -> bool {
        has_word(text, &self.ending)
    }

    /// Tells whether a memory file is the module of a name in the path.
    pub(super) fn is_of_module(&self, memory_file: &str) -> bool {
        let module = MemoryPath::parse(memory_file).ok();
        let module = module.filter(|path| path.as_str().contains('/'));
        module.is_some_and(|module| self.modules.contains(module.stem()))
    }
}

/// Tells whether a text has a path that is not part of a longer word.
fn has_word(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + path.len()..].chars().next();
        let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        !before.is_some_and(joins) && !after.is_some_and(joins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Outline;
    use crate::project::pack::pieces;

    fn subject(path: &str) -> Subject {
        Subject::new(path.to_owned())
    }

    #[test]
    fn a_section_is_about_the_files_that_it_cites_and_the_folders_around_them() {
        let text = "## A\n<!-- @id: a -->\n<!-- @source: file src/auth/refresh.rs:1-4 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\nText.\n";
        let piece = pieces("decisions.md", &Outline::read(text)).remove(0);
        assert!(subject("src/auth/refresh.rs").is_cited_by(&piece));
        assert!(subject("src/auth").is_cited_by(&piece));
        assert!(!subject("src/au").is_cited_by(&piece));
    }

    #[test]
    fn a_section_is_about_the_files_that_it_names() {
        let about = |text: &str, path: &str| subject(path).is_named_in(text);
        assert!(about("## A\n\nSee `auth/refresh.rs`.\n", "src/auth/refresh.rs"));
        assert!(!about("## A\n\nSee `auth/refresh.rst`.\n", "src/auth/refresh.rs"));
        assert!(!about("## A\n\nRefresh it.\n", "src/auth/refresh.rs"));
        assert!(about("## A\n\nSee `build.rs`.\n", "build.rs"));
    }

    #[test]
    fn a_module_is_about_the_files_of_its_name() {
        assert!(subject("src/auth/refresh.rs").is_of_module("modules/auth.md"));
        assert!(subject("src/auth.rs").is_of_module("modules/auth.md"));
        assert!(!subject("src/author.rs").is_of_module("modules/auth.md"));
        assert!(!subject("src/pitfalls.rs").is_of_module("pitfalls.md"));
    }
}
