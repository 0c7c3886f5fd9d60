//! Finds a path in a store for a note that may be called anything.

use std::collections::{BTreeMap, BTreeSet};

use super::origins::{Origins, WrongLine};
use super::other_tool::META;
use crate::contract::SectionId;
use crate::project::request::{MemoryPath, is_reserved};
use crate::project::schema::Catalog;
use crate::text::{excerpt, slug};

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
    pub wish: &'a Wish,
}

/// The path that a note is to have, if that is free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Its own, if a category has that, else that of a module of its name.
    Own,
    /// This one, else that of a module of this name.
    Path { path: String, module: String },
    /// That of a module of this name.
    Module(String),
    /// A file for itself in a category, by this id.
    Record { category: String, id: SectionId },
}

impl Wish {
    /// Returns the name that a file of any ending is to have.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Own => None,
            Self::Path { module, .. } | Self::Module(module) => Some(module),
            Self::Record { id, .. } => Some(id.as_str()),
        }
    }
}

/// Why a note is given no path.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NoPath {
    Because(&'static str),
    /// It is one that came in before, under the name that this says.
    Renamed(String),
    /// The record gives it one that no note may have.
    Recorded(WrongLine),
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
        let taken = origins.notes().map(|(_, path)| path.to_string()).collect();
        Self { catalog, origins, given: BTreeSet::new(), taken, next: BTreeMap::new() }
    }

    /// Returns the path of a note: the one that it had before, or its own, if a category has that, or that of a module of its
    /// name. `is_held` tells of a path whether the store has something else there. Without a path, says why.
    pub(crate) fn assign(
        &mut self,
        note: IncomingNote<'_>,
        is_held: impl Fn(&str) -> bool,
    ) -> Result<MemoryPath, NoPath> {
        let because = |why| Err(NoPath::Because(why));
        if is_reserved(note.path) || note.path.starts_with(META) {
            return because("in a folder that is for the program: move notes out of it");
        }
        let stem = stem_of(note.path).or_else(|| note.wish.name());
        let Some(stem) = stem else { return because("not Markdown") };
        let path = format!("{stem}.md");
        if !self.given.insert(note.origin.to_owned()) {
            return because(
                "its name is that of another file in another Unicode form: rename one of them",
            );
        }
        let own = match note.wish {
            Wish::Path { path, .. } => path,
            _ if path == SHARED_THERE => SHARED,
            Wish::Own | Wish::Module(_) | Wish::Record { .. } => &path,
        };
        if let Some(known) = self.origins.recorded(note.origin) {
            return self.admit(known.to.clone(), own).map_err(|why| {
                let problem =
                    format!("gives `{}` the path `{}`, {why}", excerpt(note.origin), known.to);
                NoPath::Recorded(WrongLine { line: known.line, problem })
            });
        }
        let is_tracked = self.catalog.owner_of(own).is_none_or(|owner| owner.tracked);
        let assigned = match note.wish {
            Wish::Record { category, id } => self.record(category, id, is_held),
            Wish::Module(name) => self.module(name, is_held),
            Wish::Own | Wish::Path { .. } => {
                let stem = if let Wish::Path { module, .. } = note.wish { module } else { stem };
                let free = self.own(own, |path| is_tracked && is_held(path));
                // As a module all users would share it.
                free.or_else(|| is_tracked.then(|| self.module(stem, is_held))?)
            }
        };
        let assigned =
            assigned.ok_or(NoPath::Because("another note has its path: rename one of them"))?;
        let why = "git keeps no `modules/*.md` here: let a tracked category have them";
        self.admit(assigned, own).map_err(|_| NoPath::Because(why))
    }

    /// Checks every path, also one of `adopted.jsonl`, which another person may have written. Only the path that a note has by
    /// itself may be untracked or write-once.
    fn admit(&self, path: MemoryPath, own: &str) -> Result<MemoryPath, &'static str> {
        if is_reserved(path.as_str()) {
            return Err("which is in a folder for the program");
        }
        match self.catalog.owner_of(path.as_str()) {
            None => Err("which no category has"),
            Some(_) if path.as_str() == own => Ok(path),
            Some(owner) if !owner.tracked => Err("which git does not keep"),
            Some(owner) if owner.write_once => Err("which never changes"),
            Some(_) => Ok(path),
        }
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

    /// Returns the first free path of an entry that has a file for itself.
    fn record(
        &mut self,
        category: &str,
        id: &SectionId,
        is_held: impl Fn(&str) -> bool,
    ) -> Option<MemoryPath> {
        let paths = &self.catalog.named(category)?.paths;
        let mut numbered = (1..).map(|number| id.numbered(number));
        numbered.find_map(|id| {
            let path = paths.of_record(&id)?;
            let is_free = !is_held(&path) && self.taken.insert(path.clone());
            is_free.then(|| MemoryPath::parse(&path).ok())?
        })
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

/// Tells whether a path is that of a Markdown file.
pub(crate) fn is_note(path: &str) -> bool {
    stem_of(path).is_some()
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
        let note = IncomingNote { path, origin: &origin, wish: &Wish::Own };
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
    fn the_record_leads_a_note_only_to_tracked_files_of_a_category() {
        let check = |from: &str, to: &str, is_good: bool| {
            let to = MemoryPath::parse(to).expect("a path");
            let record =
                format!("\n{}", with_origins("", [(&*format!("notes/{from}"), to.clone())]));
            let (catalog, origins) = (catalog(), Origins::read(&record));
            let mut paths = NotePaths::new(&catalog, &origins);
            let origin = format!("notes/{from}");
            let given = paths
                .assign(IncomingNote { path: from, origin: &origin, wish: &Wish::Own }, |_| false);
            match given {
                Ok(path) => assert!(is_good && path == to, "{path}"),
                Err(NoPath::Recorded(wrong)) => assert_eq!((wrong.line, is_good), (2, false)),
                Err(NoPath::Renamed(why)) => panic!("{why}"),
                Err(NoPath::Because(why)) => panic!("{why}"),
            }
        };
        for to in ["modules/b.md", "decisions.md", "modules/state.md"] {
            check("a.md", to, true);
        }
        for to in [
            "state/x.md",
            "staging/x/proposal.md",
            "decided/x/x.md",
            "rejections/x.md",
            "schemas/x.md",
            "index.md",
            "modules/deep/x.md",
            "sessions/2026-11-20.md",
            "local/shared.md",
            "local/current.main.md",
            "archive/x.md",
        ] {
            check("a.md", to, false);
        }
        check("sessions/2026-11-20.md", "sessions/2026-11-20.md", true);
        check("archive/x.md", "archive/x.md", true);
        check("local/shared.md", "local/current.main.md", false);
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
            paths
                .assign(IncomingNote { path, origin: "notes/ü.md", wish: &Wish::Own }, |_| false)
                .is_ok()
        };
        assert_eq!([assign("\u{fc}.md"), assign("u\u{308}.md")], [true, false]);
    }
}
