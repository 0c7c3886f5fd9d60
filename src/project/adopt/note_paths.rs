//! Finds a path in a store for a note that may be called anything.

use std::collections::{BTreeMap, BTreeSet};

use super::origins::Origins;
use super::other_tool::META;
use crate::project::request::{MemoryPath, is_reserved};
use crate::project::schema::Catalog;
use crate::text::slug;

/// Where another tool keeps what concerns every branch; here it would be about a branch of that name.
pub(crate) const SHARED_THERE: &str = "local/current.shared.md";

const SHARED: &str = "local/shared.md";

/// What a name of a Markdown file may end in.
const ENDINGS: [&str; 4] = ["md", "markdown", "mdown", "mkd"];

/// A note of the source folder that needs a path in the store.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IncomingNote<'a> {
    /// Its path in the folder of notes.
    pub path: &'a str,
    /// Its whole original path, by which it is known.
    pub origin: &'a str,
}

/// Assigns paths to notes, each its own.
#[derive(Debug)]
pub(crate) struct NotePaths<'c> {
    catalog: &'c Catalog,
    origins: &'c Origins,
    given: BTreeSet<String>,
    taken: BTreeSet<String>,
    /// The number that the next module of a name is given.
    next: BTreeMap<String, u32>,
}

impl<'c> NotePaths<'c> {
    pub(crate) fn new(catalog: &'c Catalog, origins: &'c Origins) -> Self {
        let taken = origins.paths().map(MemoryPath::to_string).collect();
        Self { catalog, origins, given: BTreeSet::new(), taken, next: BTreeMap::new() }
    }

    /// Returns the path of a note: the one that it had before, or its own, if a category has that, or that of a module of its
    /// name. `is_held` tells of a path whether the store has something else there. Without a path, says why.
    pub(crate) fn assign(
        &mut self,
        note: IncomingNote<'_>,
        is_held: impl Fn(&str) -> bool,
    ) -> Result<MemoryPath, &'static str> {
        if is_reserved(note.path) || note.path.starts_with(META) {
            return Err("in a folder that is for the program: move notes out of it");
        }
        let Some(stem) = stem_of(note.path) else { return Err("not Markdown") };
        let path = format!("{stem}.md");
        if !self.given.insert(note.origin.to_owned()) {
            return Err(
                "its name is that of another file in another Unicode form: rename one of them",
            );
        }
        if let Some(known) = self.origins.path_of(note.origin) {
            return Ok(known.clone());
        }
        let path = if path == SHARED_THERE { SHARED } else { &path };
        let is_tracked = self.catalog.owner_of(path).is_none_or(|owner| owner.tracked);
        let own = self.own(path, |path| is_tracked && is_held(path));
        // As a module all users would share it.
        let assigned = own.or_else(|| is_tracked.then(|| self.module(stem, is_held))?);
        assigned.ok_or("another note has its path: rename one of them")
    }

    /// Tells whether a category has the path of a note. Such notes come first: no other may take their path.
    pub(crate) fn is_own(&self, path: &str) -> bool {
        path != SHARED_THERE
            && MemoryPath::parse(path).is_ok()
            && self.catalog.owner_of(path).is_some()
    }

    fn own(&mut self, path: &str, is_held: impl Fn(&str) -> bool) -> Option<MemoryPath> {
        let is_free = self.is_own(path) && !is_held(path) && self.taken.insert(path.to_owned());
        is_free.then(|| MemoryPath::parse(path).ok())?
    }

    fn module(&mut self, stem: &str, is_held: impl Fn(&str) -> bool) -> Option<MemoryPath> {
        let words = slug(stem.strip_prefix("modules/").unwrap_or(stem), 100);
        let is_name = |words: &str| MemoryPath::parse(&format!("modules/{words}.md")).is_ok();
        // Signs alone give no name, and some words are those of devices.
        let words = match words.as_str() {
            "" => "note".to_owned(),
            _ if !is_name(&words) => format!("note-{words}"),
            _ => words,
        };
        let next = self.next.entry(words.clone()).or_insert(1);
        loop {
            let name = match *next {
                1 => words.clone(),
                number => format!("{words}-{number}"),
            };
            *next += 1;
            let path = MemoryPath::parse(&format!("modules/{name}.md")).ok()?;
            if !is_held(path.as_str()) && self.taken.insert(path.to_string()) {
                return Some(path);
            }
        }
    }
}

/// Returns the path of a Markdown file without its ending.
pub(super) fn stem_of(path: &str) -> Option<&str> {
    let (stem, ending) = path.rsplit_once('.')?;
    let is_one = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    (is_one && !stem.is_empty() && !stem.ends_with('/')).then_some(stem)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::origins::with_origins;
    use super::*;
    use crate::project::schema::DEFAULTS;

    fn catalog() -> Catalog {
        let pairs = DEFAULTS.map(|(name, text)| (format!("schemas/{name}.toml"), text));
        let pairs = pairs.iter().map(|(path, text)| (Path::new(path.as_str()), *text));
        Catalog::parse(pairs).expect("the defaults are good")
    }

    fn assign(paths: &mut NotePaths<'_>, path: &str, held: &[&str]) -> Option<String> {
        let origin = format!("notes/{path}");
        let note = IncomingNote { path, origin: &origin };
        paths.assign(note, |path| held.contains(&path)).ok().map(|path| path.to_string())
    }

    #[test]
    fn a_note_keeps_a_path_that_a_category_has_or_becomes_a_module() {
        let (catalog, origins) = (catalog(), Origins::default());
        let mut paths = NotePaths::new(&catalog, &origins);
        let mut check = |path: &str, expected: Option<&str>| {
            assert_eq!(assign(&mut paths, path, &[]).as_deref(), expected, "{path}");
        };
        check("decisions.md", Some("decisions.md"));
        check("modules/auth.md", Some("modules/auth.md"));
        check("local/current.main.md", Some("local/current.main.md"));
        check("local/current.shared.md", Some("local/shared.md"));
        check("local/shared.md", None);
        check("Notes/Auth Flow.md", Some("modules/notes-auth-flow.md"));
        check("notes/auth-flow.md", Some("modules/notes-auth-flow-2.md"));
        check("auth.md", Some("modules/auth-2.md"));
        check("設計.md", Some("modules/she-ji.md"));
        check("???.md", Some("modules/note.md"));
        check("con.md", Some("modules/note-con.md"));
        check("Read Me.MARKDOWN", Some("modules/read-me.md"));
        check("index.md", Some("modules/index.md"));
        check("staging/x/files/a.md", None);
        check("meta/notes.md", None);
        check("logo.png", None);
    }

    #[test]
    fn a_note_keeps_the_path_that_it_had() {
        let had = MemoryPath::parse("modules/note.md").expect("a path");
        let record = with_origins("", [("notes/→.md", had.clone())]);
        let (catalog, origins) = (catalog(), Origins::read(&record));
        let mut paths = NotePaths::new(&catalog, &origins);
        assert_eq!(assign(&mut paths, "☆.md", &[]).as_deref(), Some("modules/note-2.md"));
        assert_eq!(assign(&mut paths, "→.md", &["modules/note.md"]), Some(had.to_string()));
    }

    #[test]
    fn a_note_takes_no_path_that_something_else_has() {
        let (catalog, origins) = (catalog(), Origins::default());
        let mut paths = NotePaths::new(&catalog, &origins);
        let held = ["modules/auth.md", "decisions.md", "local/current.main.md"];
        assert_eq!(assign(&mut paths, "auth.md", &held).as_deref(), Some("modules/auth-2.md"));
        let decisions = assign(&mut paths, "decisions.md", &held);
        assert_eq!(decisions.as_deref(), Some("modules/decisions.md"));
        let local = assign(&mut paths, "local/current.main.md", &held);
        assert_eq!(local.as_deref(), Some("local/current.main.md"));
    }

    #[test]
    fn two_unicode_forms_of_a_name_are_one_note() {
        let (catalog, origins) = (catalog(), Origins::default());
        let mut paths = NotePaths::new(&catalog, &origins);
        let mut assign = |path: &str| {
            paths.assign(IncomingNote { path, origin: "notes/ü.md" }, |_| false).is_ok()
        };
        assert_eq!([assign("\u{fc}.md"), assign("u\u{308}.md")], [true, false]);
    }
}
