//! Tells which files of a store hold memory.

use crate::disk::Folder;
use crate::error::Result;
use crate::index::list;
use crate::project::request::is_reserved;

/// Returns the paths of all memory files, in order.
pub(crate) fn memory_files(root: &Folder) -> Result<Vec<String>> {
    Ok(list(root, &is_memory)?.files.into_iter().map(|(path, _)| path).collect())
}

pub(crate) fn is_memory(path: &str) -> bool {
    path.ends_with(".md")
        && !is_reserved(path)
        && !path.split('/').any(|part| part.is_empty() || part.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, expected: bool) {
        assert_eq!(is_memory(path), expected, "{path}");
    }

    #[test]
    fn memory_is_all_markdown_but_what_is_staged() {
        check("decisions.md", true);
        check("modules/deep/auth.md", true);
        check("local/current.main.md", true);
        check("notes/index.md", true);
        check("index.md", true);
        check("staging/x/files/decisions.md", false);
        check("state/trash/a.md", false);
        check(".git/a.md", false);
        check("../a.md", false);
        check("config.toml", false);
    }
}
