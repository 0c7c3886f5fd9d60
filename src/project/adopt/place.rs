//! Finds a place in a store for a note that may be called anything.

use std::collections::{BTreeMap, BTreeSet};

use super::other_tool::META;
use crate::project::request::{MemoryPath, is_reserved};
use crate::project::schema::Catalog;
use crate::project::toc::FORMER_PATH;
use crate::text::slug;

/// Where another tool keeps what concerns every branch; here it would be about a branch of that name.
pub(crate) const SHARED_THERE: &str = "local/current.shared.md";

const SHARED: &str = "local/shared.md";

/// Gives places to notes, each its own.
#[derive(Debug)]
pub(crate) struct NotePlaces<'c> {
    catalog: &'c Catalog,
    taken: BTreeSet<String>,
    /// The number that the next module of a name is given.
    next: BTreeMap<String, u32>,
}

impl<'c> NotePlaces<'c> {
    pub(crate) fn new(catalog: &'c Catalog) -> Self {
        Self { catalog, taken: BTreeSet::new(), next: BTreeMap::new() }
    }

    /// Returns the place of a note: where it is, if a category wants it there, or a module of its name.
    /// Nothing for what is generated, or no memory at all.
    pub(crate) fn give(&mut self, path: &str) -> Option<MemoryPath> {
        if is_reserved(path) || path.starts_with(META) || path == FORMER_PATH {
            return None;
        }
        let path = if path == SHARED_THERE { SHARED } else { path };
        match self.catalog.owner_of(path) {
            // As a module all users would share it.
            Some(owner) if !owner.tracked => self.own(path),
            Some(_) | None => self.own(path).or_else(|| self.module(path)),
        }
    }

    /// Tells whether a category wants a note where it is. Such notes come first: no other may take their
    /// place.
    pub(crate) fn is_own(&self, path: &str) -> bool {
        path != SHARED_THERE
            && MemoryPath::parse(path).is_ok()
            && self.catalog.owner_of(path).is_some()
    }

    fn own(&mut self, path: &str) -> Option<MemoryPath> {
        let is_free = self.is_own(path) && self.taken.insert(path.to_owned());
        is_free.then(|| MemoryPath::parse(path).ok())?
    }

    fn module(&mut self, path: &str) -> Option<MemoryPath> {
        let stem = path.strip_suffix(".md").unwrap_or(path);
        let stem = stem.strip_prefix("modules/").unwrap_or(stem);
        let words = slug(stem, 100);
        let words = if words.is_empty() { "note".to_owned() } else { words };
        let next = self.next.entry(words.clone()).or_insert(1);
        loop {
            let name = match *next {
                1 => words.clone(),
                number => format!("{words}-{number}"),
            };
            *next += 1;
            let path = MemoryPath::parse(&format!("modules/{name}.md")).ok()?;
            if self.taken.insert(path.to_string()) {
                return Some(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::schema::DEFAULTS;

    #[test]
    fn a_note_goes_where_a_category_wants_it_or_becomes_a_module() {
        let pairs = DEFAULTS.map(|(name, text)| (format!("schemas/{name}.toml"), text));
        let pairs = pairs.iter().map(|(path, text)| (Path::new(path.as_str()), *text));
        let catalog = Catalog::parse(pairs).expect("the defaults are good");
        let mut places = NotePlaces::new(&catalog);
        let mut check = |path: &str, expected: Option<&str>| {
            let given = places.give(path);
            assert_eq!(given.as_ref().map(MemoryPath::as_str), expected, "{path}");
        };
        check("decisions.md", Some("decisions.md"));
        check("modules/auth.md", Some("modules/auth.md"));
        check("local/current.main.md", Some("local/current.main.md"));
        check("local/current.shared.md", Some("local/shared.md"));
        check("local/shared.md", None);
        check("Notes/Auth Flow.md", Some("modules/notes-auth-flow.md"));
        check("notes/auth-flow.md", Some("modules/notes-auth-flow-2.md"));
        check("auth.md", Some("modules/auth-2.md"));
        check("???.md", Some("modules/note.md"));
        check("index.md", None);
        check("staging/x/files/a.md", None);
        check("meta/notes.md", None);
    }
}
