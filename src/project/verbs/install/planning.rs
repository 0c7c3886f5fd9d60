//! Plans the edits of all files of a client before any is written.

use super::installed_file::{InstallState, InstalledFile};
use crate::clients::{
    Client, ClientEdit, ClientScope, ClientTarget, Fault, FaultCode, FilePurpose, context_file,
    memory_folder_in,
};
use crate::error::Result;
use crate::project::store::{Change, Elsewhere, LeadsAway, OtherFile};
use crate::project::verbs::masked_diff::masked_diff;
use crate::secrets::{Scanner, clean, shown_name};

pub(super) struct Planning {
    root: Elsewhere,
    scope: ClientScope,
    context_file: Option<String>,
    /// Where the client keeps its own memory, if that is asked for.
    memory: Option<ClientTarget>,
    files: Vec<FilePlan>,
}

/// A file before and after the edits.
#[derive(Default)]
pub(super) struct FilePlan {
    path: String,
    /// None where a symbolic link leads out of the root.
    pub(super) place: Option<OtherFile>,
    purposes: Vec<FilePurpose>,
    pub(super) edits: Vec<ClientEdit>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    kept_for: Vec<Client>,
    pub(super) fault: Option<Fault>,
    /// What a person should know of what is left alone in it.
    pub(super) notes: Vec<String>,
}

impl Planning {
    pub(super) fn at(root: Elsewhere, scope: ClientScope, memory: Option<ClientTarget>) -> Self {
        let mut planning = Self { root, scope, context_file: None, memory, files: Vec::new() };
        // A file that cannot be read is reported when it is edited.
        let settings = planning.read(".gemini/settings.json").ok().and_then(|file| file.before);
        planning.context_file = settings.as_deref().and_then(context_file);
        planning
    }

    /// Plans to write our part.
    pub(super) fn insert(mut self, clients: &[Client], hooks: bool) -> Result<Vec<FilePlan>> {
        let wanted = |target: &ClientTarget| hooks || target.purpose != FilePurpose::Hooks;
        let targets = self.targets_of(clients).into_iter().chain(self.memory.clone());
        for target in targets.filter(wanted) {
            if let Some(file) = self.slot(&target)? {
                file.note(&target.edit);
                file.edit(|text| target.edit.insert(text).map(Some));
            }
        }
        Ok(self.files)
    }

    /// Plans to remove our part, in reverse order.
    pub(super) fn remove(mut self, clients: &[Client]) -> Result<Vec<FilePlan>> {
        let targets = self.targets_of(clients).into_iter().chain(self.memory.clone());
        for target in targets.rev() {
            let others = self.others(clients, &target);
            let Some(file) = self.slot(&target)? else { continue };
            match others.is_empty() || !file.has_ours(&target) {
                true => {
                    file.note(&target.edit);
                    file.edit(|text| text.map_or(Ok(None), |text| target.edit.remove(text)));
                }
                false => file.kept_for = others,
            }
        }
        self.files.reverse();
        if clients.len() > 1 {
            // Which of them are set up is not known: a broken file that never was ours stops nothing.
            self.files.retain(|file| file.fault.is_none() || file.may_hold_ours());
        }
        Ok(self.files)
    }

    fn targets(&self, client: Client) -> Vec<ClientTarget> {
        client.targets(self.scope, self.context_file.as_deref())
    }

    fn targets_of(&self, clients: &[Client]) -> Vec<ClientTarget> {
        clients.iter().flat_map(|client| self.targets(*client)).collect()
    }

    /// Returns the planned file of a target; none where it is left alone.
    fn slot(&mut self, target: &ClientTarget) -> Result<Option<&mut FilePlan>> {
        let file = self.read_target(target)?;
        if target.only_if_there && file.before.is_none() && file.fault.is_none() {
            return Ok(None);
        }
        let Some(at) = self.files.iter().position(|each| each.path == file.path) else {
            self.files.push(file);
            return Ok(self.files.last_mut());
        };
        let earlier = &mut self.files[at];
        // Two names of one file, by a symbolic link: the text is needed only once.
        if earlier.purposes.contains(&target.purpose) {
            return Ok(None);
        }
        earlier.purposes.push(target.purpose);
        earlier.edits.push(target.edit.clone());
        Ok(Some(earlier))
    }

    /// Reads the first existing file of a target, otherwise the first.
    fn read_target(&self, target: &ClientTarget) -> Result<FilePlan> {
        let files = target.paths.iter().map(|path| self.read(path));
        let mut files = files.collect::<Result<Vec<FilePlan>>>()?;
        let is_there = |file: &FilePlan| file.before.is_some() || file.fault.is_some();
        let mut file = files.swap_remove(files.iter().position(is_there).unwrap_or(0));
        file.purposes.push(target.purpose);
        file.edits.push(target.edit.clone());
        Ok(file)
    }

    fn read(&self, path: &str) -> Result<FilePlan> {
        let mut file = FilePlan { path: path.to_owned(), ..FilePlan::default() };
        let place = match self.root.find(path) {
            Ok(place) => place,
            Err(away) => return Ok(FilePlan { fault: Some(leads_away(away)), ..file }),
        };
        file.path = place.relative().display().to_string();
        match place.read()?.map(String::from_utf8) {
            Some(Ok(text)) => (file.before, file.after) = (Some(text.clone()), Some(text)),
            Some(Err(error)) => file.fault = Some(not_text(error.utf8_error().valid_up_to())),
            None => {}
        }
        Ok(FilePlan { place: Some(place), ..file })
    }

    /// Returns the other clients that need our part of a file: those with our part in another file that these clients do
    /// not use. A symbolic link gives one file two names.
    fn others(&self, clients: &[Client], target: &ClientTarget) -> Vec<Client> {
        let own = self.targets_of(clients);
        let own: Vec<String> = own.iter().filter_map(|each| self.resolved(each)).collect();
        let wanted = self.resolved(target);
        let needs = |other: &Client| {
            let targets = self.targets(*other);
            !clients.contains(other)
                && wanted.is_some()
                && targets.iter().any(|each| self.resolved(each) == wanted)
                && self.is_told(*other, &targets, &own)
        };
        Client::ALL.iter().copied().filter(needs).collect()
    }

    /// Tells whether our part is in a file of a client that is not in a list.
    fn is_told(&self, client: Client, targets: &[ClientTarget], others: &[String]) -> bool {
        targets.iter().any(|target| {
            // Only for the client `agents` do instructions count: other clients read `AGENTS.md` too.
            let counts =
                (target.purpose == FilePurpose::Instructions) == (client == Client::Agents);
            let file = if counts { self.read_target(target).ok() } else { None };
            file.is_some_and(|file| !others.contains(&file.path) && file.has_ours(target))
        })
    }

    /// Returns the path of a target after symbolic links.
    fn resolved(&self, target: &ClientTarget) -> Option<String> {
        self.read_target(target).ok().map(|file| file.path)
    }
}

impl FilePlan {
    fn edit(
        &mut self,
        edit: impl FnOnce(Option<&str>) -> std::result::Result<Option<String>, Fault>,
    ) {
        if self.fault.is_some() {
            return;
        }
        match edit(self.after.as_deref()) {
            Ok(after) => self.after = after,
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn note(&mut self, edit: &ClientEdit) {
        let notice = self.before.as_deref().and_then(|text| edit.notice(text));
        self.notes.extend(notice.map(|what| format!("`{}` {what}", shown_name(&self.path))));
    }

    fn has_ours(&self, target: &ClientTarget) -> bool {
        let Some(text) = &self.before else { return false };
        target.edit.remove(text).is_ok_and(|without| without.as_ref() != Some(text))
    }

    /// Tells whether a file that cannot be edited may hold our part: it names us, or is no text. Nothing is written
    /// through a link that leads away.
    fn may_hold_ours(&self) -> bool {
        let names_us =
            |text: &String| text.contains("agent-memory") || text.contains("agent_memory");
        self.place.is_some() && self.before.as_ref().is_none_or(names_us)
    }

    /// Says where Claude Code still keeps its own memory by this file of settings: that is not ours to take out.
    pub(super) fn memory_that_stays(&self) -> Option<String> {
        let after = self.after.as_deref().filter(|_| self.path.ends_with(".json"))?;
        let folder = memory_folder_in(after)?;
        Some(format!("`autoMemoryDirectory` in {} stays `{}`", self.path, shown_name(&folder)))
    }

    fn state(&self) -> InstallState {
        match (&self.before, &self.after) {
            _ if self.fault.is_some() => InstallState::Refused,
            _ if !self.kept_for.is_empty() => InstallState::Kept,
            (None, Some(_)) => InstallState::Created,
            (Some(_), None) => InstallState::Removed,
            (before, after) if before == after => InstallState::Current,
            (_, _) => InstallState::Changed,
        }
    }

    /// Returns the planned write, if one is needed.
    pub(super) fn change(&self) -> Option<Change> {
        let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
        let file = self.place.clone().filter(|_| self.before != self.after)?;
        Some(Change { file, before: bytes(&self.before), after: bytes(&self.after) })
    }

    pub(super) fn diff(&self) -> String {
        let after = self.after.as_deref().unwrap_or_default();
        masked_diff(&self.path, (self.before.as_deref(), after), &Scanner::default())
    }

    pub(super) fn report(self) -> InstalledFile {
        let state = self.state();
        let fault = self.fault.map(|fault| Fault { message: clean(&fault.message), ..fault });
        let Self { path, purposes, kept_for, .. } = self;
        InstalledFile { path, purposes, state, kept_for, diff: String::new(), fault }
    }
}

fn leads_away(away: LeadsAway) -> Fault {
    let (message, hint) = match away {
        LeadsAway::Out => (
            "a symbolic link leads out of the folder",
            "put a file there, or edit by hand the one that it leads to",
        ),
        LeadsAway::Ours => (
            "a symbolic link leads to a file of git or of a store",
            "put a file there: only git and `agent-memory` write to those",
        ),
        LeadsAway::Nowhere => {
            ("a symbolic link leads nowhere", "make what it leads to, or remove it")
        }
    };
    Fault::new(FaultCode::LinkOutOfRoot, message, hint)
}

fn not_text(at: usize) -> Fault {
    let message = format!("it is not UTF-8 at byte {at}");
    Fault::new(FaultCode::Malformed, message, "save it as UTF-8, then try again")
}
