//! `context`: what an agent reads before it works.

mod subject;

use std::collections::{BTreeMap, BTreeSet};

use super::project::Project;
use super::search::{Answers, find};
use super::toc::{left_out_warning, toc};
use crate::contract::FileState;
use crate::error::Result;
use crate::markdown::{Outline, find_conflict};
use crate::project::pack::{LeftOut, Pack, PackPiece, Why, pack, piece_at, pieces};
use crate::project::provenance::Freshness;
use crate::project::request::Intent;
use crate::project::store::sections::{Query, memory_files};
use crate::project::store::{CitedFiles, lately_unmerged};
use crate::text::{excerpt, find_conflict_marker, tokens};
use subject::Subject;

/// What an agent is about to do.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The question, in any words.
    pub question: Option<&'a str>,
    /// The largest size of the answer, in tokens.
    pub budget: usize,
    /// A text that the answer begins with, which takes its part of the budget.
    pub before: &'a str,
    /// Files and folders of the repository that the agent will work on.
    pub scope: &'a [String],
    /// Adds the files that changed against the default branch to the scope.
    pub changed: bool,
}

/// The default budget.
pub const BUDGET: usize = 4_000;

const HITS: usize = 24;

/// A section with less than this part of the best score is left out.
const FIT: f64 = 0.2;

/// The largest number of files that sections are compared with.
const SUBJECTS: usize = 200;

/// Packs what helps with a task: for a question the best sections, otherwise the current state, what concerns its files,
/// the conventions and the table of contents.
pub fn context(project: &Project, task: &Task<'_>) -> Result<Pack> {
    let cited = CitedFiles::of(&project.repository);
    let mut gathered =
        Gathered { project, cited, pieces: Vec::new(), left_out: Vec::new(), warnings: Vec::new() };
    let (subjects, mut warnings) = subjects(project, task)?;
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
    let budget = task.budget.saturating_sub(tokens(task.before));
    let mut packed = pack(gathered.pieces, gathered.left_out, budget);
    let marker = "what is printed holds a git conflict: both sides of it are there; see `agent-memory status`";
    warnings.extend(holds_conflict(project, &packed.text)?.then(|| marker.to_owned()));
    packed.receipt.warnings = warnings;
    packed.text.insert_str(0, task.before);
    Ok(packed)
}

/// Tells whether what is printed may hold a conflict: marks in code are one where git has not merged a file.
fn holds_conflict(project: &Project, text: &str) -> Result<bool> {
    let is_marked = find_conflict_marker(text).is_some();
    Ok(is_marked
        && (find_conflict(text).is_some() || !lately_unmerged(project.store.layout())?.is_empty()))
}

fn subjects(project: &Project, task: &Task<'_>) -> Result<(Vec<Subject>, Vec<String>)> {
    let layout = project.store.layout();
    let changed = if task.changed { project.repository.changed_files(layout)? } else { Vec::new() };
    let given = task.scope.iter().map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    let given = given.filter(|path| !path.is_empty() && *path != ".");
    let mut warnings: Vec<String> = no_such_path(project, given.clone()).into_iter().collect();
    let paths: Vec<String> = given.map(str::to_owned).chain(changed).collect();
    let count = paths.len();
    if count > SUBJECTS {
        warnings.push(format!("only the first {SUBJECTS} of {count} files were looked at"));
    }
    Ok((paths.into_iter().take(SUBJECTS).map(Subject::new).collect(), warnings))
}

/// Warns of paths that do not exist.
fn no_such_path<'a>(project: &Project, given: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_missing = |path: &&str| !project.repository.has(path);
    let missing =
        given.take(SUBJECTS).filter(is_missing).map(|path| format!("`{}`", excerpt(path)));
    let missing: Vec<String> = missing.collect();
    let list = project.clean(&missing.join(", "));
    (!missing.is_empty()).then(|| {
        format!("the repository has no such file or folder: {list}; give paths from its root")
    })
}

/// The pieces for the pack, the best first.
struct Gathered<'w> {
    project: &'w Project,
    cited: CitedFiles<'w>,
    pieces: Vec<PackPiece>,
    left_out: Vec<LeftOut>,
    warnings: Vec<String>,
}

impl Gathered<'_> {
    fn add_answers(&mut self, question: &str) -> Result<Vec<String>> {
        let query = Query {
            limit: HITS,
            include_archived: true,
            ..Query::new(question, self.project.session.now)
        };
        let Answers { mut found, warnings, .. } = find(self.project, &query)?;
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
            // The file may have been changed or removed since the search.
            let Some(outline) = outlines.get(hit.path.as_str()) else { continue };
            let Some(piece) = piece_at(&hit.path, outline, hit.line) else { continue };
            self.add(self.judged(piece));
        }
        Ok(warnings)
    }

    /// Adds the one file of an intent.
    fn add_entry_file(&mut self, intent: Intent) -> Result<()> {
        let catalog = self.project.catalog()?;
        let Some(path) = catalog.default_for(intent).and_then(|category| category.entry_path())
        else {
            return Ok(());
        };
        if !path.contains("{branch}") {
            return self.add_file(path);
        }
        match self.project.repository.branch_now() {
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

    /// Adds the notes of a branch, or their copy where they are gone with a worktree.
    fn add_notes(&mut self, path: &str) -> Result<()> {
        if let Some(text) = self.read(path)? {
            self.add_text(path, &text);
        } else if let Some((from, text)) = self.project.notes_left_behind(path) {
            self.add_text(path, &text);
            let worktree = self.project.clean(&from.worktree);
            let said = format!("`{path}` was deleted in {worktree}, or with it; its copy is shown");
            self.warnings.push(said);
        }
        Ok(())
    }

    fn add_file(&mut self, path: &str) -> Result<()> {
        if let Some(text) = self.read(path)? {
            self.add_text(path, &text);
        }
        Ok(())
    }

    fn add_text(&mut self, path: &str, text: &str) {
        let mut all: Vec<PackPiece> = pieces(path, &Outline::read(text))
            .into_iter()
            .map(|piece| self.judged(piece))
            .collect();
        all.sort_by_key(rank);
        all.into_iter().for_each(|piece| self.add(piece));
    }

    fn add_contents(&mut self) -> Result<()> {
        let mut toc = toc(self.project)?;
        std::mem::take(&mut toc.warnings).into_iter().for_each(|said| self.warn(said));
        toc.files.retain(|file| !file.sections.is_empty());
        // One text: pieces of the same path with the same bytes count as one.
        let text = toc.to_markdown();
        pieces("toc", &Outline::read(&text)).into_iter().for_each(|piece| self.add(piece));
        Ok(())
    }

    /// Adds the sections that cite a subject, then those that name one.
    fn add_concerned(&mut self, subjects: &[Subject]) -> Result<()> {
        if subjects.is_empty() {
            return Ok(());
        }
        let (mut citing, mut naming) = (Vec::new(), Vec::new());
        for path in memory_files(self.project.store.layout().folder())? {
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

    /// Adds a piece, unless it holds a secret.
    fn add(&mut self, piece: PackPiece) {
        if !self.project.is_secret(&piece.text) {
            return self.pieces.push(piece);
        }
        let left_out = piece.left_out(Why::Secret);
        if !self.left_out.contains(&left_out) {
            self.left_out.push(left_out);
        }
    }

    fn read(&mut self, path: &str) -> Result<Option<String>> {
        match self.project.store.read_any(path)? {
            FileState::Text(text) => Ok(Some(text)),
            FileState::Absent => Ok(None),
            FileState::Unusable(why) => {
                self.warn(left_out_warning(path, &why));
                Ok(None)
            }
        }
    }

    /// A file may be read for several reasons.
    fn warn(&mut self, said: String) {
        if !self.warnings.contains(&said) {
            self.warnings.push(said);
        }
    }

    /// Sets the worst freshness of the files that a piece cites.
    fn judged(&self, mut piece: PackPiece) -> PackPiece {
        piece.freshness = self.cited.freshness(&piece.sources);
        piece
    }
}

/// Archived pieces come last, stale ones before them.
fn rank(piece: &PackPiece) -> (bool, bool) {
    (piece.archived, piece.freshness >= Some(Freshness::Stale))
}
