//! `context`: what an agent reads before it works.

mod subject;

use std::collections::{BTreeMap, BTreeSet};

use super::Workspace;
use super::search::{Answers, find};
use super::toc::toc;
use crate::contract::FileState;
use crate::contract::Intent;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::pack::{LeftOut, Pack, Piece, Why, pack, piece_at, pieces};
use crate::project::provenance::Freshness;
use crate::project::store::CitedFiles;
use crate::project::store::index::{Query, memory_files};
use crate::text::{excerpt, find_conflict_marker};
use subject::Subject;

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
const SUBJECTS: usize = 200;

/// Packs what helps with a task: with a question the best sections, without one the state of the work, what
/// concerns its files, the conventions and the table of contents.
pub fn context(workspace: &Workspace, task: &Task<'_>) -> Result<Pack> {
    let cited = CitedFiles::of(&workspace.repository);
    let mut gathered = Gathered {
        workspace,
        cited,
        pieces: Vec::new(),
        left_out: Vec::new(),
        withheld: BTreeSet::new(),
        warnings: Vec::new(),
    };
    let (subjects, mut warnings) = subjects(workspace, task)?;
    match task.question.filter(|question| !question.trim().is_empty()) {
        Some(question) => {
            warnings.extend(gathered.add_answers(question)?);
            gathered.add_concerned(&subjects)?;
        }
        None => {
            gathered.add_entry_file(Intent::UpdateCurrent)?;
            gathered.add_entry_file(Intent::UpdateShared)?;
            gathered.add_concerned(&subjects)?;
            gathered.add_entry_file(Intent::UpdateConventions)?;
            gathered.add_contents()?;
        }
    }
    warnings.append(&mut gathered.warnings);
    let mut packed = pack(gathered.pieces, gathered.left_out, task.budget);
    let marker = "what is printed holds a git conflict: both sides of it are there; see `agent-memory status`";
    warnings.extend(find_conflict_marker(&packed.text).map(|_| marker.to_owned()));
    packed.receipt.warnings = warnings;
    Ok(packed)
}

/// Returns what a task is about, and what must be said of it.
fn subjects(workspace: &Workspace, task: &Task<'_>) -> Result<(Vec<Subject>, Vec<String>)> {
    let layout = workspace.store.layout();
    let changed =
        if task.changed { workspace.repository.changed_files(layout)? } else { Vec::new() };
    let given = task.scope.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let given = given.filter(|path| !path.is_empty() && *path != ".");
    let mut warnings: Vec<String> = no_such_path(workspace, given.clone()).into_iter().collect();
    let paths: Vec<String> = given.map(str::to_owned).chain(changed).collect();
    let count = paths.len();
    if count > SUBJECTS {
        warnings.push(format!("only the first {SUBJECTS} of {count} files were looked at"));
    }
    Ok((paths.into_iter().take(SUBJECTS).map(Subject::new).collect(), warnings))
}

/// Warns of paths that lead nowhere: what was meant is probably left out.
fn no_such_path<'a>(workspace: &Workspace, given: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_missing = |path: &&str| !workspace.repository.has(path);
    let missing =
        given.take(SUBJECTS).filter(is_missing).map(|path| format!("`{}`", excerpt(path)));
    let missing: Vec<String> = missing.collect();
    let list = workspace.clean(&missing.join(", "));
    (!missing.is_empty()).then(|| {
        format!("the repository has no such file or folder: {list}; give paths from its root")
    })
}

/// What is offered to the pack, the best first.
struct Gathered<'w> {
    workspace: &'w Workspace,
    cited: CitedFiles<'w>,
    pieces: Vec<Piece>,
    left_out: Vec<LeftOut>,
    /// The same, to be found again.
    withheld: BTreeSet<LeftOut>,
    /// What must be said of them.
    warnings: Vec<String>,
}

impl Gathered<'_> {
    /// Adds the sections that answer a question, the best first.
    fn add_answers(&mut self, question: &str) -> Result<Vec<String>> {
        let query = Query {
            limit: HITS,
            include_archived: true,
            ..Query::new(question, self.workspace.now)
        };
        let Answers { mut found, warnings, .. } = find(self.workspace, &query)?;
        let best = found.first().map_or(0.0, |hit| hit.score);
        found.retain(|hit| hit.score >= best - best.abs() * (1.0 - FIT));
        let paths: BTreeSet<&str> = found.iter().map(|hit| hit.path.as_str()).collect();
        let mut texts = BTreeMap::new();
        for path in paths {
            texts.extend(self.read(path)?.map(|text| (path, text)));
        }
        let outlines: BTreeMap<&str, Outline<'_>> =
            texts.iter().map(|(path, text)| (*path, Outline::read(text))).collect();
        for hit in &found {
            // Between the search and now somebody may have saved the file, or taken it away.
            let Some(outline) = outlines.get(hit.path.as_str()) else { continue };
            let Some(piece) = piece_at(&hit.path, outline, hit.line) else { continue };
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
        if !path.contains("{branch}") {
            return self.add_file(path);
        }
        match self.workspace.repository.branch_now() {
            Ok(branch) => self.add_notes(&path.replace("{branch}", &branch.name)),
            Err(error) => {
                let message =
                    format!("the notes of the branch are left out, as it is not known: {error}");
                let hint = error.next_step().map(|hint| format!("; {hint}")).unwrap_or_default();
                self.warnings.push(message + &hint);
                Ok(())
            }
        }
    }

    /// Adds the notes of a branch; where they are gone with a worktree, their copy.
    fn add_notes(&mut self, path: &str) -> Result<()> {
        if self.read(path)?.is_some() {
            return self.add_file(path);
        }
        if let Some((from, text)) = self.workspace.notes_left_behind(path) {
            self.add_text(path, &text);
            let worktree = self.workspace.clean(&from.worktree);
            let said = format!("`{path}` was deleted in {worktree}, or with it; its copy is shown");
            self.warnings.push(said);
        }
        Ok(())
    }

    /// Adds all of a file, what holds no longer last.
    fn add_file(&mut self, path: &str) -> Result<()> {
        if let Some(text) = self.read(path)? {
            self.add_text(path, &text);
        }
        Ok(())
    }

    fn add_text(&mut self, path: &str, text: &str) {
        let mut all: Vec<Piece> = pieces(path, &Outline::read(text))
            .into_iter()
            .map(|piece| self.judged(piece))
            .collect();
        all.sort_by_key(rank);
        all.into_iter().for_each(|piece| self.add(piece));
    }

    /// Adds the table of contents, one piece for each file with sections.
    fn add_contents(&mut self) -> Result<()> {
        let toc = toc(self.workspace)?;
        for file in toc.files.iter().filter(|file| !file.sections.is_empty()) {
            let text = file.to_markdown();
            pieces("toc", &Outline::read(&text)).into_iter().for_each(|piece| self.add(piece));
        }
        Ok(())
    }

    /// Adds the sections that cite one of these subjects, then those that name one.
    fn add_concerned(&mut self, subjects: &[Subject]) -> Result<()> {
        if subjects.is_empty() {
            return Ok(());
        }
        let (mut citing, mut naming) = (Vec::new(), Vec::new());
        for path in memory_files(self.workspace.store.layout().folder())? {
            let Some(text) = self.read(&path)? else { continue };
            let is_of_module = subjects.iter().any(|subject| subject.is_of_module(&path));
            let is_named = |text: &str| subjects.iter().any(|subject| subject.is_named_in(text));
            for piece in pieces(&path, &Outline::read(&text)) {
                if subjects.iter().any(|subject| subject.is_cited_by(&piece)) {
                    citing.push(self.judged(piece));
                } else if is_of_module || is_named(&piece.text) {
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
                if self.withheld.insert(left_out.clone()) {
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
        piece.freshness = self.cited.freshness(&piece.sources);
        piece
    }
}

/// What holds comes before what rests on files that changed or are gone, and that before what is archived.
fn rank(piece: &Piece) -> (bool, bool) {
    (piece.archived, piece.freshness >= Some(Freshness::Stale))
}
