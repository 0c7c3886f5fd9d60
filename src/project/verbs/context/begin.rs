//! What a session begins with: what rests on the changed files, the state of the branch, the latest entries of the sessions,
//! then the rules.

use super::gathered::{Gathered, rank, seen_from_here};
use super::outdated::{SupersededIds, without_outdated};
use super::subject::Subject;
use crate::error::Result;
use crate::markdown::Outline;
use crate::project::pack::{LeftOut, PackPiece, PackShare, Why, pieces};
use crate::project::request::Intent;
use crate::project::schema::Category;
use crate::text::tokens;

/// Entries of the sessions at most; what is older is found by searching.
const ENTRIES: usize = 10;

/// How many budgets of rules are offered to the pack: only with a choice of whole sections can it be full.
const CHOICE: usize = 4;

/// The intents of the state of the work, which a store may give to git as well.
const STATE: [Intent; 3] = [Intent::UpdateCurrent, Intent::UpdateShared, Intent::SessionLog];

/// The intents of the rules, in the order in which their files are packed; other files that git keeps come last.
const RULES: [Intent; 4] =
    [Intent::UpdateConventions, Intent::AddPitfall, Intent::RecordDecision, Intent::RefreshModule];

impl Gathered<'_> {
    /// Adds what a session begins with; a long state leaves room for the rules, as each kind has its share.
    pub(super) fn add_beginning(&mut self, subjects: &[Subject], budget: usize) -> Result<()> {
        self.warnings.extend(self.project.reads()?.warnings.iter().cloned());
        let mut state = self.state_of(Intent::UpdateCurrent)?;
        state.extend(self.state_of(Intent::UpdateShared)?);
        let entries = self.latest_entries()?;
        let rules = self.rules()?;
        let superseded = self.superseded_by(&rules)?;
        let current = rules.into_iter().map(|file| superseded.removed_from(file));
        let current: Vec<Vec<PackPiece>> = current.collect();
        let changed = self.resting_on_changes(&current);
        self.add_all(changed, PackShare::Changes);
        self.add_all(state, PackShare::State);
        self.add_all(entries, PackShare::Entries);
        if !subjects.is_empty() {
            self.add_concerned(subjects, &superseded)?;
        }
        self.add_rules(current, budget);
        self.add_other_rules()
    }

    /// Adds what a question is asked for: sections about its subjects, as far as they hold.
    pub(super) fn add_subjects(&mut self, subjects: &[Subject]) -> Result<()> {
        if subjects.is_empty() {
            return Ok(());
        }
        let rules = self.rules()?;
        let superseded = self.superseded_by(&rules)?;
        self.add_concerned(subjects, &superseded)
    }

    /// What was approved is superseded by what was approved, and not by what is only read.
    fn superseded_by(&self, rules: &[Vec<PackPiece>]) -> Result<SupersededIds> {
        let reads = self.project.reads()?;
        let is_own = |file: &&Vec<PackPiece>| file.first().is_none_or(|it| !reads.has(&it.path));
        Ok(SupersededIds::by(rules.iter().filter(is_own)))
    }

    fn add_all(&mut self, pieces: Vec<PackPiece>, share: PackShare) {
        pieces.into_iter().for_each(|piece| self.add(piece.of_share(share)));
    }

    /// Returns the sections of the one file of an intent that are not outdated.
    fn state_of(&mut self, intent: Intent) -> Result<Vec<PackPiece>> {
        let catalog = self.project.catalog()?;
        let Some(path) = catalog.default_for(intent).and_then(|it| it.paths.for_new()) else {
            return Ok(Vec::new());
        };
        if !path.contains("{branch}") {
            let text = self.read(path)?;
            return Ok(text.map(|text| self.state_in(path, &text)).unwrap_or_default());
        }
        match self.project.repository.branch_now() {
            Ok(branch) => self.notes(&path.replace("{branch}", &branch.name)),
            Err(error) => {
                let why = error.with_next_step();
                self.warnings.push(format!(
                    "the notes of the branch are left out, as it is not known: {why}"
                ));
                Ok(Vec::new())
            }
        }
    }

    /// Returns the notes of a branch, or their copy where they are gone with a worktree.
    fn notes(&mut self, path: &str) -> Result<Vec<PackPiece>> {
        if let Some(text) = self.read(path)? {
            return Ok(self.state_in(path, &text));
        }
        let Some((from, text)) = self.project.notes_left_behind(path) else {
            return Ok(Vec::new());
        };
        let worktree = self.project.clean(&from.worktree);
        let said = format!("`{path}` was deleted in {worktree}, or with it; its copy is shown");
        self.warnings.push(said);
        Ok(self.state_in(path, &text))
    }

    fn state_in(&self, path: &str, text: &str) -> Vec<PackPiece> {
        let all = without_outdated(pieces(path, &Outline::read(text)));
        let mut all = self.with_freshness(all);
        all.sort_by_key(rank);
        all
    }

    /// Returns the latest entries of the sessions, the newest first: their files are named after days.
    fn latest_entries(&mut self) -> Result<Vec<PackPiece>> {
        let mut entries = Vec::new();
        for path in self.files_of(|owner| owner.intents.contains(&Intent::SessionLog))?.iter().rev()
        {
            let Some(text) = self.read(path)? else { continue };
            let all = without_outdated(pieces(path, &Outline::read(&text)));
            entries.extend(all.into_iter().rev());
            if entries.len() >= ENTRIES {
                break;
            }
        }
        entries.truncate(ENTRIES);
        Ok(self.with_freshness(entries))
    }

    /// Returns the sections of the tracked files that are not outdated, without the archive.
    fn rules(&mut self) -> Result<Vec<Vec<PackPiece>>> {
        let is_state = |owner: &Category| STATE.iter().any(|it| owner.intents.contains(it));
        let is_rule = |owner: &Category| owner.tracked && !owner.write_once && !is_state(owner);
        let mut paths = self.files_of(is_rule)?;
        let (catalog, reads) = (self.project.catalog()?, self.project.reads()?);
        let order = |path: &String| {
            let owner = reads.category_of(path, catalog);
            let takes = |intent| owner.is_some_and(|owner| owner.intents.contains(intent));
            RULES.iter().position(takes).unwrap_or(RULES.len())
        };
        paths.sort_by_key(order);
        let mut files = Vec::new();
        for path in paths {
            let text = self.read(&path)?;
            let file = text.map(|text| without_outdated(pieces(&path, &Outline::read(&text))));
            files.extend(file);
        }
        Ok(files)
    }

    /// Adds the rules. Of a large memory most find no room, and it takes long to compare each with the code: beyond a choice
    /// only the files are named.
    fn add_rules(&mut self, files: Vec<Vec<PackPiece>>, budget: usize) {
        let mut room = budget.saturating_mul(CHOICE);
        self.look_ahead_at(&files, room);
        for file in files.into_iter().filter(|file| !file.is_empty()) {
            if room == 0 {
                let path = file[0].path.clone();
                self.left_out.push(LeftOut { path, id: None, why: Why::Budget });
                continue;
            }
            let mut file = self.with_freshness(file);
            file.sort_by_key(rank);
            room = room.saturating_sub(file.iter().map(|piece| tokens(&piece.text)).sum());
            self.add_all(file, PackShare::Rest);
        }
    }

    /// Compares what the files that find room cite with the code, all at once.
    fn look_ahead_at(&self, files: &[Vec<PackPiece>], mut room: usize) {
        let with_room = files.iter().take_while(|file| {
            let has_room = room > 0;
            room = room.saturating_sub(file.iter().map(|piece| tokens(&piece.text)).sum());
            has_room
        });
        self.look_ahead(with_room.flatten());
    }

    /// Adds the sections of other stores that hold: behind all of ours.
    fn add_other_rules(&mut self) -> Result<()> {
        let (others, catalog) = (self.project.others()?, self.project.catalog()?);
        self.warnings.extend(others.warnings.iter().cloned());
        let is_rule = |file: &str| catalog.owner_of(file).is_none_or(|owner| !owner.write_once);
        for path in others.files().filter(|path| is_rule(&path.file)) {
            let path = others.labelled(&path);
            let Some(text) = self.read(&path)? else { continue };
            let pieces = without_outdated(pieces(&path, &Outline::read(&text)));
            self.add_all(pieces.into_iter().map(seen_from_here).collect(), PackShare::Rest);
        }
        Ok(())
    }

    /// Returns the memory files of some categories, in order.
    fn files_of(&self, is_wanted: impl Fn(&Category) -> bool) -> Result<Vec<String>> {
        let (catalog, reads) = (self.project.catalog()?, self.project.reads()?);
        let mut paths = self.project.files_to_read()?;
        paths.retain(|path| reads.category_of(path, catalog).is_some_and(&is_wanted));
        Ok(paths)
    }
}
