//! `install git --hooks`: a check before each commit, in git's own hooks, or in those of husky or lefthook.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ci::roots_for_hook;
use super::session::Session;
use crate::clients::{Fault, git_hook, lefthook};
use crate::disk::outside;
use crate::error::{Error, ErrorKind, Result};
use crate::project::store::{Change, Elsewhere, HooksFolder, LeadsAway, Repository, lay_aside};
use crate::secrets::shown_name;

const HOOK: &str = "pre-commit";

const HUSKY: &str = ".husky";

const LEFTHOOK: [&str; 4] = ["lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml"];

const PRE_COMMIT: &str = ".pre-commit-config.yaml";

/// A file that holds the hook.
struct HookFile {
    /// The folder that it is looked up from.
    folder: PathBuf,
    relative: String,
    /// Relative to the top of the work tree, where it is inside.
    shown: String,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Script,
    Lefthook,
}

/// A file that is to change.
pub(super) struct HookEdit {
    change: Change,
    path: PathBuf,
    shown: String,
}

/// Why a file cannot be edited.
struct HookObstacle {
    error: Error,
    holds: HoldsOurs,
}

/// Whether our part is in a file that cannot be edited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HoldsOurs {
    Yes,
    /// It is there, and where it ends is not clear.
    Unbounded,
    No,
    NotKnown,
}

/// A hook that a person has to edit.
#[derive(Debug, Serialize, schemars::JsonSchema)]
pub(crate) struct LeftHook {
    pub(crate) message: String,
    pub(crate) hint: String,
    /// Whether our part is in it; else that is not known.
    pub(crate) holds_ours: bool,
}

/// What `uninstall` does to hooks, and what it leaves to a person.
#[derive(Default)]
pub(super) struct HookRemoval {
    pub(super) edits: Vec<HookEdit>,
    pub(super) left: Vec<LeftHook>,
}

impl HookObstacle {
    /// Returns what a person has to do to take our part out; none if it is not there.
    fn left(self) -> Option<LeftHook> {
        let hint = match self.holds {
            HoldsOurs::No => return None,
            HoldsOurs::Yes => TAKE_OUT.to_owned(),
            HoldsOurs::Unbounded => self.error.next_step().unwrap_or(TAKE_OUT).to_owned(),
            HoldsOurs::NotKnown => format!("if our part is in it, {TAKE_OUT}"),
        };
        let holds_ours = matches!(self.holds, HoldsOurs::Yes | HoldsOurs::Unbounded);
        Some(LeftHook { message: self.error.to_string(), hint, holds_ours })
    }
}

const TAKE_OUT: &str = "take out the lines from `# BEGIN agent-memory` to `# END agent-memory`";

impl HookEdit {
    pub(super) fn name(&self) -> String {
        format!("hook {}", self.shown)
    }

    pub(super) fn write(&self) -> Result<()> {
        lay_aside(std::slice::from_ref(&self.change))?.carry_out()
    }
}

/// Adds the hook; returns the file that changes, if one does.
pub(super) fn add_hook(session: &Session, writes: bool) -> Result<Option<String>> {
    let repository = Repository::around(&session.folder, &session.git_time);
    let file = wanted(&repository)?;
    let roots = roots_for_hook(session)?;
    let edit = plan(&file, |text| match file.form {
        Form::Script => git_hook::insert(text, &roots).map(Some),
        Form::Lefthook => lefthook::insert(text.unwrap_or_default(), &roots).map(Some),
    });
    let Some(edit) = edit.map_err(|obstacle| obstacle.error)? else { return Ok(None) };
    if writes {
        edit.write()?;
        if file.form == Form::Script {
            outside::make_executable(&edit.path)?;
        }
    }
    Ok(Some(edit.name()))
}

/// Plans how our part leaves every file that may have it; nothing is written.
pub(super) fn plan_removal(session: &Session) -> Result<HookRemoval> {
    let repository = Repository::around(&session.folder, &session.git_time);
    let Some(hooks) = repository.hooks_folder()? else { return Ok(HookRemoval::default()) };
    let top = hooks.top.clone();
    let settings = LEFTHOOK.iter().map(|name| at_top(&top, name, Form::Lefthook));
    let husky = at_top(&top, &format!("{HUSKY}/{HOOK}"), Form::Script);
    let mut files: Vec<HookFile> = settings.chain([husky]).collect();
    files.extend(hooks.is_inside.then(|| in_hooks(&hooks)));
    let mut removal = HookRemoval::default();
    for file in files {
        let edit = plan(&file, |text| match (text, file.form) {
            (None, _) => Ok(None),
            (Some(text), Form::Script) => git_hook::remove(text),
            (Some(text), Form::Lefthook) => lefthook::remove(text).map(Some),
        });
        match edit {
            Ok(edit) => removal.edits.extend(edit),
            Err(obstacle) => removal.left.extend(obstacle.left()),
        }
    }
    Ok(removal)
}

/// Returns the file that runs a person's hooks here.
fn wanted(repository: &Repository) -> Result<HookFile> {
    let Some(hooks) = repository.hooks_folder()? else {
        let message = "there is no git repository here, so there are no hooks";
        return Err(Error::new(ErrorKind::Usage, message).hint("run it inside of a repository"));
    };
    let top = &hooks.top;
    if outside::is_folder(&top.join(HUSKY)) {
        return Ok(at_top(top, &format!("{HUSKY}/{HOOK}"), Form::Script));
    }
    if let Some(name) = LEFTHOOK.into_iter().find(|name| outside::exists(&top.join(name))) {
        return Ok(at_top(top, name, Form::Lefthook));
    }
    if outside::exists(&top.join(PRE_COMMIT)) {
        let message = format!("`{PRE_COMMIT}` says which hooks run here");
        let hint = "add to it what `agent-memory ci pre-commit` prints";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    if !hooks.is_inside {
        let path = shown_name(&hooks.path.display().to_string()).into_owned();
        let message = format!("`core.hooksPath` leads out of the repository, to `{path}`");
        let hint = "nothing was written there; let your hook run `agent-memory check --staged --base HEAD`";
        return Err(Error::new(ErrorKind::Usage, message).hint(hint));
    }
    Ok(in_hooks(&hooks))
}

fn at_top(top: &Path, relative: &str, form: Form) -> HookFile {
    let relative = relative.to_owned();
    HookFile { folder: top.to_path_buf(), shown: relative.clone(), relative, form }
}

fn in_hooks(hooks: &HooksFolder) -> HookFile {
    let path = hooks.path.join(HOOK);
    let shown = path.strip_prefix(&hooks.top).unwrap_or(&path).display().to_string();
    // The folder itself may be missing.
    let folder = path.ancestors().find(|folder| outside::is_folder(folder)).unwrap_or(&hooks.top);
    let relative = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
    let folder = folder.to_path_buf();
    HookFile { folder, relative, shown, form: Form::Script }
}

fn plan(
    file: &HookFile,
    edited: impl Fn(Option<&str>) -> std::result::Result<Option<String>, Fault>,
) -> std::result::Result<Option<HookEdit>, Box<HookObstacle>> {
    const BY_HAND: &str = "let it run `agent-memory check --staged --base HEAD`";
    let path = file.folder.join(&file.relative);
    let refuse = |holds: HoldsOurs, message: &str, hint: &str| {
        let message = format!("`{}`: {message}", shown_name(&file.shown));
        Box::new(HookObstacle { error: Error::new(ErrorKind::Usage, message).hint(hint), holds })
    };
    let unread = |error: Error| Box::new(HookObstacle { error, holds: HoldsOurs::NotKnown });
    // A hook is run: what a link leads to is a file of another purpose.
    if outside::link_target(&path).is_some() {
        let hint = "let the file that it leads to run `agent-memory check --staged --base HEAD`";
        return Err(refuse(HoldsOurs::NotKnown, "it is a link, which is not followed", hint));
    }
    let found = Elsewhere::open(&file.folder).map_err(unread)?.find(&file.relative);
    let found = found.map_err(|(LeadsAway::Out | LeadsAway::Nowhere | LeadsAway::Ours)| {
        let message = "a link leads to it, which is not followed";
        refuse(HoldsOurs::NotKnown, message, "put the folder itself there")
    })?;
    let before = found.read().map_err(unread)?;
    let text = before.as_deref().map(std::str::from_utf8).transpose();
    let text = text.map_err(|_| {
        let is_ours = before.as_deref().is_some_and(git_hook::has_mark);
        let holds = if is_ours { HoldsOurs::Yes } else { HoldsOurs::No };
        refuse(holds, "it is no text", BY_HAND)
    })?;
    let after = edited(text)
        .map_err(|Fault { message, hint, .. }| refuse(HoldsOurs::Unbounded, &message, &hint))?;
    let after = after.map(String::into_bytes);
    if after == before {
        return Ok(None);
    }
    let shown = shown_name(&file.shown).into_owned();
    Ok(Some(HookEdit { change: Change { file: found, before, after }, path, shown }))
}
