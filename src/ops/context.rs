//! `context`: what an agent reads before it works.

use std::collections::BTreeSet;

use super::Workspace;
use super::search::{Answers, search};
use crate::contract::{Intent, MemoryPath, SourceType};
use crate::error::Result;
use crate::markdown::Outline;
use crate::pack::{LeftOut, Pack, Piece, Why, pack, piece_at, pieces};
use crate::pipeline::{FileState, Surroundings};
use crate::provenance::{Freshness, cited_file};
use crate::store::index::{Query, memory_files};

/// What an agent is about to do.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// Its question, in any words.
    pub question: Option<&'a str>,
    /// Tokens that the answer may take.
    pub budget: usize,
    /// Files and folders of the repository that it will work on.
    pub scope: &'a [String],
    /// Whether the files that changed against the default branch are among those.
    pub changed: bool,
}

/// The budget of a pack where nobody says another.
pub const BUDGET: usize = 4_000;

/// Sections that are looked for at most.
const HITS: usize = 24;

/// A section that answers less than this part as well as the best one is no answer.
const FIT: f64 = 0.2;

/// Files that sections are compared with at most.
const PLACES: usize = 200;

/// Packs what helps with a task: with a question the best sections, without one the state of the work, what
/// concerns its files, the conventions and the table of contents.
pub fn context(workspace: &Workspace, task: &Task<'_>) -> Result<Pack> {
    let mut gathered = Gathered { workspace, pieces: Vec::new(), left_out: Vec::new() };
    let (places, mut warnings) = places(workspace, task);
    match task.question.filter(|question| !question.trim().is_empty()) {
        Some(question) => {
            warnings.extend(gathered.add_answers(question)?);
            gathered.add_concerned(&places)?;
        }
        None => {
            gathered.add_entry_file(Intent::UpdateCurrent)?;
            gathered.add_entry_file(Intent::UpdateShared)?;
            gathered.add_concerned(&places)?;
            gathered.add_entry_file(Intent::UpdateConventions)?;
            gathered.add_contents()?;
        }
    }
    let mut packed = pack(gathered.pieces, gathered.left_out, task.budget);
    packed.receipt.warnings = warnings;
    Ok(packed)
}

/// Returns the places in the repository that a task is about, and what must be said of them.
fn places(workspace: &Workspace, task: &Task<'_>) -> (Vec<String>, Vec<String>) {
    let changed = if task.changed { workspace.repository.changed_files() } else { Vec::new() };
    let given = task.scope.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let mut places: Vec<String> = given.map(str::to_owned).chain(changed).collect();
    places.retain(|place| !place.is_empty() && place != ".");
    let count = places.len();
    places.truncate(PLACES);
    let warning = format!("only the first {PLACES} of {count} files were looked at");
    (places, Some(warning).filter(|_| count > PLACES).into_iter().collect())
}

/// What is offered to the pack, the best first.
struct Gathered<'w> {
    workspace: &'w Workspace,
    pieces: Vec<Piece>,
    left_out: Vec<LeftOut>,
}

impl Gathered<'_> {
    /// Adds the sections that answer a question, the best first.
    fn add_answers(&mut self, question: &str) -> Result<Vec<String>> {
        let query = Query {
            limit: HITS,
            include_archived: true,
            ..Query::new(question, self.workspace.now)
        };
        let Answers { mut found, warnings, .. } = search(self.workspace, &query)?;
        let best = found.first().map_or(0.0, |hit| hit.score);
        found.retain(|hit| hit.score >= best - best.abs() * (1.0 - FIT));
        for hit in found {
            // Between the search and now somebody may have saved the file.
            let Some(text) = self.read(&hit.path)? else { continue };
            let outline = Outline::read(&text);
            let Some(piece) = piece_at(&hit.path, &outline, hit.line) else { continue };
            let piece = self.judged(piece);
            self.add(piece);
        }
        Ok(warnings)
    }

    /// Adds the file that an intent has for itself.
    fn add_entry_file(&mut self, intent: Intent) -> Result<()> {
        let catalog = self.workspace.catalog()?;
        let Some(path) = catalog.default_for(intent).and_then(|category| category.entry_path())
        else {
            return Ok(());
        };
        match path.contains("{branch}") {
            true => self.add_file(&path.replace("{branch}", &self.workspace.repository.branch())),
            false => self.add_file(path),
        }
    }

    /// Adds all of a file, what holds no longer last.
    fn add_file(&mut self, path: &str) -> Result<()> {
        let Some(text) = self.read(path)? else { return Ok(()) };
        let mut all: Vec<Piece> = pieces(path, &Outline::read(&text))
            .into_iter()
            .map(|piece| self.judged(piece))
            .collect();
        all.sort_by_key(rank);
        all.into_iter().for_each(|piece| self.add(piece));
        Ok(())
    }

    /// Adds the table of contents, one piece for each file that it lists.
    fn add_contents(&mut self) -> Result<()> {
        let Some(path) = self.workspace.catalog()?.generated_file() else { return Ok(()) };
        let Some(text) = self.read(path.as_str())? else { return Ok(()) };
        let all = pieces(path.as_str(), &Outline::read(&text)).into_iter();
        all.filter(|piece| piece.text.starts_with("## ")).for_each(|piece| self.add(piece));
        Ok(())
    }

    /// Adds the sections that cite one of these places, then those that name one.
    fn add_concerned(&mut self, places: &[String]) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        let (mut citing, mut naming) = (Vec::new(), Vec::new());
        for path in memory_files(self.workspace.store.layout().folder())? {
            let Some(text) = self.read(&path)? else { continue };
            for piece in pieces(&path, &Outline::read(&text)) {
                if places.iter().any(|place| cites(&piece, place)) {
                    citing.push(self.judged(piece));
                } else if places.iter().any(|place| names(&piece, place)) {
                    naming.push(self.judged(piece));
                }
            }
        }
        for mut group in [citing, naming] {
            group.sort_by_key(rank);
            group.into_iter().for_each(|piece| self.add(piece));
        }
        Ok(())
    }

    /// Offers a piece, unless it may not be shown.
    fn add(&mut self, piece: Piece) {
        match self.workspace.scanner.scan(&piece.text).is_empty() {
            true => self.pieces.push(piece),
            false => {
                let left_out = piece.left_out(Why::Secret);
                if !self.left_out.contains(&left_out) {
                    self.left_out.push(left_out);
                }
            }
        }
    }

    fn read(&self, path: &str) -> Result<Option<String>> {
        Ok(match self.workspace.store.read_any(path)? {
            FileState::Text(text) => Some(text),
            FileState::Absent | FileState::Unusable(_) => None,
        })
    }

    /// Says of a piece what has become of the files it cites, the worst of it.
    fn judged(&self, mut piece: Piece) -> Piece {
        let cited = piece.sources.iter().filter_map(|source| {
            let cites_file = matches!(source.kind, SourceType::File | SourceType::Test);
            let blob = source.blob.as_deref().filter(|_| cites_file)?;
            let today = self.workspace.repository.look_up_file(&source.reference);
            Some(Freshness::of(blob, &today))
        });
        piece.freshness = cited.max().map(Freshness::name);
        piece
    }
}

/// What holds comes before what is stale, and that before what is archived.
fn rank(piece: &Piece) -> (bool, bool) {
    (piece.archived, is_doubtful(piece))
}

/// Tells whether a file that a piece rests on has changed since, or is gone.
fn is_doubtful(piece: &Piece) -> bool {
    piece.freshness.is_some_and(|word| word != Freshness::Fresh.name())
}

/// Tells whether a piece rests on a file, or on one in a folder.
fn cites(piece: &Piece, place: &str) -> bool {
    piece.sources.iter().filter_map(|source| cited_file(&source.reference)).any(|cited| {
        let below = cited.path.strip_prefix(place);
        below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Tells whether a piece speaks of a file by its path or the end of it, or stands in the memory of a module
/// of that name.
fn names(piece: &Piece, place: &str) -> bool {
    let parts: Vec<&str> = place.rsplitn(3, '/').collect();
    let end = match parts.as_slice() {
        [file, folder, _] => format!("{folder}/{file}"),
        _ => place.to_owned(),
    };
    let module = MemoryPath::parse(&piece.path).ok().filter(|path| path.as_str().contains('/'));
    let words: BTreeSet<&str> = place.split(['/', '.']).collect();
    module.is_some_and(|module| words.contains(module.stem())) || has_word(&piece.text, &end)
}

/// Tells whether a path stands in a text, and not as the middle of a longer one.
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

    fn piece(path: &str, text: &str) -> Piece {
        pieces(path, &Outline::read(text)).remove(0)
    }

    #[test]
    fn a_section_is_about_the_files_that_it_cites_and_the_folders_around_them() {
        let text = "## A\n<!-- @id: a -->\n<!-- @source: file src/auth/refresh.rs:1-4 9f3c2e1a4b5c confirmed 2026-11-20 -->\n\nText.\n";
        let piece = piece("decisions.md", text);
        assert!(cites(&piece, "src/auth/refresh.rs"));
        assert!(cites(&piece, "src/auth"));
        assert!(!cites(&piece, "src/au"));
    }

    #[test]
    fn a_section_is_about_the_files_that_it_names() {
        let about = |text: &str, place: &str| names(&piece("pitfalls.md", text), place);
        assert!(about("## A\n\nSee `auth/refresh.rs`.\n", "src/auth/refresh.rs"));
        assert!(!about("## A\n\nSee `auth/refresh.rst`.\n", "src/auth/refresh.rs"));
        assert!(!about("## A\n\nRefresh it.\n", "src/auth/refresh.rs"));
        assert!(about("## A\n\nSee `build.rs`.\n", "build.rs"));
    }

    #[test]
    fn a_module_is_about_the_files_of_its_name() {
        let module = piece("modules/auth.md", "## A\n\nText.\n");
        assert!(names(&module, "src/auth/refresh.rs"));
        assert!(names(&module, "src/auth.rs"));
        assert!(!names(&module, "src/author.rs"));
    }
}
