//! `apply --commit`: one commit of git with the files of one proposal.

use std::borrow::Cow;

use serde::Serialize;

use super::{Stop, Workspace};
use crate::contents::{Blocks, news};
use crate::contract::{AffectedSection, MemoryPath, ProposalId};
use crate::error::{Error, ErrorKind, Result};
use crate::markdown::{LineEnding, Outline};
use crate::merge::{Marks, Sides, merge};
use crate::pipeline::{Approval, Planned, PlannedFile};
use crate::secrets::Scanner;
use crate::store::staging::{self, StagedProposal};
use crate::store::{APPROVER, CommitTurn, Ground, OWNER, TRAILER, decided_path, steady_path};

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
    /// Whether another commit was made meanwhile.
    is_late: bool,
    /// Files with changes of a person that cannot be told from those of the proposal.
    mixed: Vec<String>,
}

/// Files for a commit, relative to the store, each with its text; without one where it goes.
type Files = Vec<(String, Option<String>)>;

/// How often a commit is tried where others make one in between.
const TRIES: usize = 20;

/// Columns of the first line of a message.
const SUBJECT: usize = 72;

impl Commit {
    /// Looks, before anything lands, whether git will take a commit of the files.
    pub(super) fn prepare(
        workspace: &Workspace,
        planned: &Planned<'_>,
        turn: &CommitTurn,
    ) -> std::result::Result<Self, Stop> {
        let catalog = workspace.catalog()?;
        let paths = planned.files.iter().map(|file| file.path.to_string());
        let mut paths: Vec<String> = paths.filter(|path| catalog.is_tracked(path)).collect();
        let contents = catalog.generated_file().filter(|_| !paths.is_empty());
        paths.extend(contents.iter().map(MemoryPath::to_string));
        let ground =
            Ground::look(workspace.store.layout(), &paths, turn)?.map_err(|(why, hint)| {
                Error::new(
                    ErrorKind::Git,
                    format!("{why}, so no commit can be made; nothing was applied"),
                )
                .hint(hint)
            })?;
        Ok(Self { ground, contents, is_late: false, mixed: Vec::new() })
    }

    /// Makes the commit; the change has landed, whatever comes of it.
    pub(super) fn make(
        mut self,
        workspace: &Workspace,
        planned: &Planned<'_>,
        (staged, approval): (&StagedProposal, &Approval),
    ) -> Committed {
        let id = &staged.id;
        let message = message(planned, (staged, approval), workspace);
        self.is_late = self.ground.renew();
        let mut tries = 1..;
        loop {
            match self.attempt(workspace, planned, id, &message) {
                Ok(committed) => return committed,
                // Whoever was sooner has made a commit that this one has to begin with.
                Err(_) if self.ground.renew() && tries.next() < Some(TRIES) => self.is_late = true,
                Err(error) => return Committed::Failed(error),
            }
        }
    }

    /// Makes the commit, if no other one is made at the same time.
    fn attempt(
        &mut self,
        workspace: &Workspace,
        planned: &Planned<'_>,
        id: &ProposalId,
        message: &str,
    ) -> Result<Committed> {
        let files = self.files(workspace, planned, id)?;
        if files.is_empty() {
            return Ok(Committed::Nothing("git does not track these files".to_owned()));
        }
        let Some((id, mut warnings)) = self.ground.commit(&files, message)? else {
            return Ok(Committed::Nothing("the last commit has these files like this".to_owned()));
        };
        if !self.mixed.is_empty() {
            warnings.push(format!(
                "changes that were not committed before are in this commit too: {}",
                self.mixed.join(", ")
            ));
        }
        let mut files = files.into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        files.sort();
        Ok(Committed::Made(MadeCommit { id, files, warnings }))
    }

    /// Returns the files as they are when the change is made to the last commit alone.
    fn files(
        &mut self,
        workspace: &Workspace,
        planned: &Planned<'_>,
        id: &ProposalId,
    ) -> Result<Files> {
        self.mixed.clear();
        let mut texts = Vec::new();
        for file in planned.listed() {
            texts.push((&file.path, self.text_of(file, &workspace.scanner)?));
        }
        let contents = self.contents_of(&texts, workspace);
        let texts = texts.into_iter().map(|(path, text)| (path.to_string(), Some(text)));
        let mut files: Files = texts.chain(contents).collect();
        // Whoever has the commit knows that what may wait there still is decided.
        if workspace.config.staging.track && !files.is_empty() {
            let marks = [decided_path(id, "applied"), steady_path()];
            files.extend(marks.map(|path| (path, Some(String::new()))));
            for kept in staging::kept(workspace.store.layout(), id) {
                let (path, text) = kept?;
                // What a commit has is others by now only where somebody edited it.
                if self.ground.committed(&path).is_none() && workspace.is_fit_to_copy(&text) {
                    files.push((path, Some(text)));
                }
            }
            let waiting = self.ground.committed_below(&format!("staging/{id}"));
            files.extend(waiting.into_iter().map(|path| (path, None)));
        }
        files.retain(|(path, _)| !self.ground.ignored.contains(path));
        Ok(files)
    }

    /// Returns a file for the commit: what a person changed there and did not commit stays out of it, if it
    /// can be told from what the proposal changes.
    fn text_of(&mut self, file: &PlannedFile, scanner: &Scanner) -> Result<String> {
        let PlannedFile { path, before, after, .. } = file;
        let committed = self.ground.committed(path.as_str());
        let apart = match (before, &committed) {
            (None, None) => Some(after.clone()),
            (Some(before), Some(committed)) => told_apart(before, committed, after),
            (Some(_), None) | (None, Some(_)) => None,
        };
        match apart {
            Some(text) => Ok(text),
            // All of it could take back what that commit did.
            None if self.is_late => {
                let message = format!("`{path}` cannot be told apart from a commit made meanwhile");
                Err(Error::new(ErrorKind::Git, message).hint("commit the file with git"))
            }
            None => {
                refuse_secret(path, committed.as_deref().unwrap_or_default(), after, scanner)?;
                self.mixed.push(path.to_string());
                Ok(after.clone())
            }
        }
    }

    /// Returns the table of contents for the commit: on disk it also lists what is in no commit yet.
    fn contents_of(
        &self,
        texts: &[(&MemoryPath, String)],
        workspace: &Workspace,
    ) -> Option<(String, Option<String>)> {
        let path = self.contents.as_ref()?.to_string();
        let before = self.ground.committed(&path).unwrap_or_default();
        let files = texts.iter().map(|(path, text)| (*path, Outline::read(text)));
        let news = news(&before, files, &|text| workspace.scanner.redact(text));
        let mut blocks = Blocks::read(&before);
        news.iter().for_each(|(file, lines)| blocks.put(file, lines.clone()));
        (!news.is_empty()).then(|| (path, Some(blocks.to_string())))
    }
}

/// Refuses to commit a secret that a person wrote into a file and that is in no commit yet: no hook would stop it.
fn refuse_secret(path: &MemoryPath, committed: &str, text: &str, scanner: &Scanner) -> Result<()> {
    // Git may convert line ends, which makes no other secret.
    let plain = |text: &str| text.replace('\r', "");
    let committed = plain(committed);
    if scanner.scan(text).iter().all(|it| committed.contains(&plain(&text[it.range.clone()]))) {
        return Ok(());
    }
    let message = format!("`{path}` holds what looks like a secret, which is in no commit yet");
    let hint = "`agent-memory check` says where; take it out, then commit the file with git";
    Err(Error::new(ErrorKind::Git, message).hint(hint))
}

/// Makes the change from `before` to `after` to a committed text; nothing if both changed the same lines.
fn told_apart(before: &str, committed: &str, after: &str) -> Option<String> {
    let ending = LineEnding::of(committed);
    // Git may convert line ends, which is no change.
    let converted = |text| match ending == LineEnding::of(before) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(ending.apply(text)),
    };
    let (base, theirs) = (converted(before), converted(after));
    let sides = Sides { base: &base, ours: committed, theirs: &theirs };
    let merged = merge(sides, &Marks { ours: "committed", theirs: "proposal", length: 7 });
    merged.conflicts.is_empty().then_some(merged.text)
}

/// Writes the message: why, which sections, and as trailers the proposal, who made it, and who approved it.
fn message(
    planned: &Planned<'_>,
    (staged, approval): (&StagedProposal, &Approval),
    workspace: &Workspace,
) -> String {
    let request = planned.screened.request();
    let why = request.rationale.as_deref().map(|text| workspace.clean(text));
    let why = why.unwrap_or_else(|| request.intent.name().replace('_', " "));
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = format!("memory: {}", on_one_line(&why));
    let subject = match why.char_indices().nth(SUBJECT) {
        None => why,
        Some(_) => why.chars().take(SUBJECT - 1).collect::<String>() + "…",
    };
    let line = |section: &AffectedSection| {
        let id = section.section_id.as_ref().map(|id| format!("#{id}")).unwrap_or_default();
        format!("{} {}{id}\n", section.change.name(), section.file)
    };
    let sections: String = planned.affected.iter().map(line).collect();
    let owner = staged.owner.as_deref().map(|owner| (OWNER, workspace.clean(owner)));
    let names = owner.into_iter().chain([(APPROVER, workspace.clean(approval.approver()))]);
    let names: String =
        names.map(|(key, name)| format!("{key}: {}\n", on_one_line(&name))).collect();
    format!("{subject}\n\n{sections}\n{TRAILER}: {}\n{names}", staged.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_git_has_with_other_line_ends_is_no_news() {
        let path = MemoryPath::parse("conventions.md").expect("a path");
        let key = |line: &str| format!("-----{line} RSA PRIVATE KEY-----");
        let body = "MIIEpAIBAAKCAQEA7bq3n0Xk2Zy8Rw5Qv9Ls4Tt6Uu1Pp3Oo8Ii0Ee5Aa2Ss7Dd\n".repeat(4);
        let committed = format!("text\n\n{}\n{body}{}\n", key("BEGIN"), key("END"));
        let refuse = |committed: &str, text: &str| {
            refuse_secret(&path, committed, text, &Scanner::default()).is_err()
        };
        assert!(refuse("text\n", &committed));
        assert!(!refuse(&committed, &committed));
        assert!(!refuse(&committed, &committed.replace('\n', "\r\n")));
    }
}
