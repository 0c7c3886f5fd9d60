//! Which other stores are read: `[[read]]` with a `name` in `config.toml`.

use super::git_address::{GitAddress, Revision};
use crate::contract::Fields;
use crate::project::request::StoreName;
use crate::text::{excerpt, find_hidden};

/// Another store that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreRule {
    /// What its sections are labelled with.
    pub name: StoreName,
    /// Where it is.
    pub place: OtherPlace,
}

/// Where another store is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OtherPlace {
    /// In a folder, which may be a submodule.
    Folder(FolderAbove),
    /// Where git fetches it from.
    Git {
        /// From where.
        address: GitAddress,
        /// Which commit is pinned next.
        revision: Revision,
    },
}

/// A folder, relative to the one that holds the store: `..` some times, then names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderAbove {
    text: String,
}

const LONGEST: usize = 400;

/// So many folders up at most.
const HIGHEST: usize = 8;

pub(super) fn store_rule(entry: &mut Fields<'_>) -> Option<StoreRule> {
    let name = entry.required_text("name");
    if let Some(text) = name
        && StoreName::parse(text).is_none()
    {
        entry.problem("name", format!("`{}` is no name: {}", excerpt(text), StoreName::ALLOWED));
    }
    let place = match entry.text("git") {
        Some(git) => git_place(entry, git),
        None => folder_place(entry),
    };
    Some(StoreRule { name: StoreName::parse(name?)?, place: place? })
}

fn folder_place(entry: &mut Fields<'_>) -> Option<OtherPlace> {
    match FolderAbove::parse(entry.required_text("path")?) {
        Ok(folder) => Some(OtherPlace::Folder(folder)),
        Err(problem) => {
            entry.problem("path", problem);
            None
        }
    }
}

fn git_place(entry: &mut Fields<'_>, git: &str) -> Option<OtherPlace> {
    if entry.text("path").is_some() {
        entry
            .problem("path", "a store is in a folder or fetched by git: leave out `path` or `git`");
    }
    let address = GitAddress::parse(git).map_err(|problem| entry.problem("git", problem));
    let revision =
        entry.text("revision").map_or_else(|| Ok(Revision::of_remote()), Revision::parse);
    let revision = revision.map_err(|problem| entry.problem("revision", problem));
    Some(OtherPlace::Git { address: address.ok()?, revision: revision.ok()? })
}

impl FolderAbove {
    /// Reads a path such as `../handbook`; says why it is none.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let path = text.strip_prefix("./").unwrap_or(text).trim_end_matches('/');
        let shown = excerpt(text);
        let is_drive = path.as_bytes().get(1) == Some(&b':');
        if path.is_empty() || text.starts_with('/') || text.starts_with('~') || is_drive {
            return Err(format!("`{shown}` is no path from the folder that holds `.agent-memory`"));
        }
        if path.contains('\\') || path.len() > LONGEST || find_hidden(path).is_some() {
            let allowed = format!("allowed are `/`, what a person can see, and {LONGEST} bytes");
            return Err(format!("`{shown}` is no path of a folder: {allowed}"));
        }
        let above = path.split('/').take_while(|part| *part == "..").count();
        let is_wrong = |part: &str| matches!(part, "" | "." | "..");
        if path.split('/').skip(above).any(is_wrong) || above > HIGHEST {
            return Err(format!(
                "`{shown}` has `..` behind a name, or more than {HIGHEST} of them"
            ));
        }
        Ok(Self { text: path.to_owned() })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns how many folders it leads up, and where it leads down from there, which may be nowhere.
    pub(crate) fn ways(&self) -> (usize, &str) {
        let mut down = self.text.as_str();
        let mut above = 0;
        while let Some(rest) = down.strip_prefix("..") {
            (above, down) = (above + 1, rest.trim_start_matches('/'));
        }
        (above, down)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::config::Config;

    fn read(table: &str) -> Result<Config, String> {
        let text = format!("[[read]]\n{table}\n");
        Config::parse(&text, Path::new("config.toml")).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn refused(table: &str, expected: &str) {
        let error = read(table).expect_err("it is wrong");
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn a_folder_is_read_with_the_ways_up_and_down() {
        let check = |path: &str, expected: (usize, &str)| {
            let folder = FolderAbove::parse(path).expect("a folder");
            assert_eq!(folder.ways(), expected, "{path}");
        };
        check("../handbook", (1, "handbook"));
        check("../../a/b/", (2, "a/b"));
        check("./handbook", (0, "handbook"));
        check("..", (1, ""));
    }

    #[test]
    fn a_table_with_a_name_is_another_store() {
        let config = read("name = \"handbook\"\npath = \"../handbook\"").expect("it is good");
        assert_eq!((config.stores.len(), config.reads.len()), (1, 0));
        assert_eq!(config.stores[0].name.as_str(), "handbook");
    }

    #[test]
    fn what_is_no_other_store_is_refused() {
        refused("name = \"handbook\"", "read.0.path");
        refused("name = \"Handbook\"\npath = \"../handbook\"", "`Handbook` is no name");
        refused("name = \"handbook\"\npath = \"../handbook\"\nas = \"decisions\"", "`as`");
        let two = "name = \"hb\"\npath = \"../hb\"\n[[read]]\nname = \"hb\"\npath = \"../b\"";
        refused(two, "another table has this name");
        let both = "name = \"hb\"\npath = \"../hb\"\ngit = \"https://host/hb.git\"";
        refused(both, "in a folder or fetched by git");
        refused("name = \"hb\"\ngit = \"ext::sh -c id\"", "read.0.git: it is no address of git");
        refused("name = \"hb\"\ngit = \"https://host/x\"\nrevision = \"-x\"", "read.0.revision");
        refused("name = \"hb\"\npath = \"../hb\"\nrevision = \"main\"", "`revision`");
        for path in ["/etc", "~/x", "C:/x", "", "a/../b", "a//b", "a\\\\b", &"../".repeat(9)] {
            refused(&format!("name = \"hb\"\npath = \"{path}\""), "read.0.path");
        }
    }
}
