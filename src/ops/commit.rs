//! `apply --commit`: one commit of git with the files of one proposal.

use serde::Serialize;

use super::{Stop, Workspace};
use crate::contents::Blocks;
use crate::contract::{AffectedSection, MemoryPath, ProposalId};
use crate::error::{Error, ErrorKind};
use crate::merge::{Marks, Sides, merge};
use crate::pipeline::{Planned, PlannedFile};
use crate::store::{Ground, TRAILER, decided_path};

/// What became of the commit after a change landed.
#[derive(Debug)]
pub enum Committed {
    /// It is made.
    Made(MadeCommit),
    /// Git has nothing to do with these files, or has them like this.
    Nothing(String),
    /// The change is in the files, and in no commit.
    Failed(Error),
}

/// A commit that was made.
#[derive(Debug, Clone, Serialize)]
pub struct MadeCommit {
    /// Its id.
    pub id: String,
    /// Its files, relative to the store.
    pub files: Vec<String>,
    /// What the person should know.
    pub warnings: Vec<String>,
}

/// A commit that is to be made once the change has landed.
#[must_use = "call `make` when the change is in the files"]
pub(super) struct Commit {
    ground: Ground,
    /// The table of contents.
    contents: Option<MemoryPath>,
    /// Each with its text; without one where it goes.
    files: Vec<(String, Option<String>)>,
    /// Files with changes of a person that cannot be told from those of the proposal.
    mixed: Vec<String>,
    message: String,
}

/// Columns of the first line of a message.
const SUBJECT: usize = 72;

impl Commit {
    /// Looks, before anything lands, whether git will take a commit of the files.
    pub(super) fn prepare(
        workspace: &Workspace,
        planned: &Planned<'_>,
    ) -> std::result::Result<Self, Stop> {
        let catalog = workspace.catalog()?;
        let paths = planned.files.iter().map(|file| file.path.to_string());
        let mut paths: Vec<String> = paths.filter(|path| catalog.is_tracked(path)).collect();
        let contents = catalog.generated_file().filter(|_| !paths.is_empty());
        paths.extend(contents.iter().map(MemoryPath::to_string));
        let ground = Ground::look(workspace.store.layout(), &paths)?.map_err(|(why, hint)| {
            Error::new(
                ErrorKind::Git,
                format!("{why}, so no commit can be made; nothing was applied"),
            )
            .hint(hint)
        })?;
        let (files, mixed, message) = (Vec::new(), Vec::new(), String::new());
        Ok(Self { ground, contents, files, mixed, message })
    }

    /// Takes the files as they landed; the lock is held still, so that they are of this change.
    pub(super) fn with_texts(
        mut self,
        workspace: &Workspace,
        planned: &Planned<'_>,
        id: &ProposalId,
    ) -> Self {
        let catalog = workspace.catalog().ok();
        let is_tracked = |path: &str| catalog.is_some_and(|catalog| catalog.is_tracked(path));
        let landed = planned.files.iter().filter(|file| is_tracked(file.path.as_str()));
        let mut files: Vec<(String, Option<String>)> =
            landed.map(|file| (file.path.to_string(), Some(self.text_of(file)))).collect();
        files.extend(self.contents_of(planned));
        // Whoever has the commit knows that what may wait there still is decided.
        if workspace.config.staging.track && !files.is_empty() {
            files.push((decided_path(id, "applied"), Some(String::new())));
            let waiting = self.ground.committed_below(&format!("staging/{id}"));
            files.extend(waiting.into_iter().map(|path| (path, None)));
        }
        files.retain(|(path, _)| !self.ground.ignored.contains(path));
        let message = message(planned, id, workspace);
        Self { files, message, ..self }
    }

    /// Returns a file for the commit: what a person changed there and did not commit stays out of it, if it
    /// can be told from what the proposal changes.
    fn text_of(&mut self, file: &PlannedFile) -> String {
        let path = file.path.to_string();
        if !self.ground.edited.contains(&path) {
            return file.after.clone();
        }
        let apart = file.before.as_deref().zip(self.ground.committed(&path)).map(|(base, ours)| {
            let sides = Sides { base, ours: &ours, theirs: &file.after };
            merge(sides, &Marks { ours: "committed", theirs: "proposal", length: 7 })
        });
        match apart.filter(|merged| merged.conflicts.is_empty()) {
            Some(merged) => merged.text,
            None => {
                self.mixed.push(path);
                file.after.clone()
            }
        }
    }

    /// Returns the table of contents for the commit: on disk it also lists what landed before and is in no
    /// commit yet.
    fn contents_of(&self, planned: &Planned<'_>) -> Option<(String, Option<String>)> {
        let path = self.contents.as_ref()?.to_string();
        let before = self.ground.committed(&path).unwrap_or_default();
        let news = planned.contents(&before);
        let mut blocks = Blocks::read(&before);
        news.iter().for_each(|(file, lines)| blocks.put(file, lines.clone()));
        (!news.is_empty()).then(|| (path, Some(blocks.to_string())))
    }

    /// Makes the commit; the change has landed, whatever comes of it.
    pub(super) fn make(self) -> Committed {
        if self.files.is_empty() {
            return Committed::Nothing("git does not track these files".to_owned());
        }
        match self.ground.commit(&self.files, &self.message) {
            Ok(Some((id, mut warnings))) => {
                let mut files = self.files.into_iter().map(|(path, _)| path).collect::<Vec<_>>();
                if !self.mixed.is_empty() {
                    warnings.push(format!(
                        "changes that were not committed before are in this commit too: {}",
                        self.mixed.join(", ")
                    ));
                }
                files.sort();
                Committed::Made(MadeCommit { id, files, warnings })
            }
            Ok(None) => Committed::Nothing("the last commit has these files like this".to_owned()),
            Err(error) => Committed::Failed(error),
        }
    }
}

/// Writes the message: why, which sections, and the proposal as a trailer.
fn message(planned: &Planned<'_>, id: &ProposalId, workspace: &Workspace) -> String {
    let request = planned.screened.request();
    let why = request.rationale.as_deref().map(|text| workspace.clean(text));
    let why = why.unwrap_or_else(|| request.intent.name().replace('_', " "));
    let why = format!("memory: {}", why.split_whitespace().collect::<Vec<_>>().join(" "));
    let subject = match why.char_indices().nth(SUBJECT) {
        None => why,
        Some(_) => why.chars().take(SUBJECT - 1).collect::<String>() + "…",
    };
    let line = |section: &AffectedSection| {
        let id = section.section_id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
        format!("{} {}{id}\n", section.change.name(), section.file)
    };
    let sections: String = planned.affected.iter().map(line).collect();
    format!("{subject}\n\n{sections}\n{TRAILER}: {id}\n")
}
