//! Reads the files of a client and says what will become of each, before any is written.

use super::{FileFate, InstalledFile};
use crate::clients::{Client, Edit, Fault, FaultCode, Purpose, Scope, Target, context_file};
use crate::error::Result;
use crate::project::store::{Change, Elsewhere, LeadsAway, OtherFile};
use crate::project::verbs::difference::difference;
use crate::secrets::{Scanner, clean};

/// The files of clients below a root, and what will become of them.
pub(super) struct Planning {
    root: Elsewhere,
    scope: Scope,
    context_file: Option<String>,
    files: Vec<Planned>,
}

/// A file, as it is and as it will be.
pub(super) struct Planned {
    path: String,
    /// Nothing where a link leads away.
    pub(super) place: Option<OtherFile>,
    purposes: Vec<Purpose>,
    /// What is ours in it.
    pub(super) edits: Vec<Edit>,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
    kept_for: Vec<Client>,
    pub(super) fault: Option<Fault>,
}

/// What a file will be, or why it cannot be that.
type Edited = std::result::Result<Option<String>, Fault>;

impl Planning {
    /// Looks at the files below a root.
    pub(super) fn at(root: Elsewhere, scope: Scope) -> Self {
        let mut planning = Self { root, scope, context_file: None, files: Vec::new() };
        // What cannot be read is told by whoever has to edit it.
        let settings = planning.read(".gemini/settings.json").ok().and_then(|file| file.before);
        planning.context_file = settings.as_deref().and_then(context_file);
        planning
    }

    /// Plans to put in what is ours.
    pub(super) fn put(mut self, client: Client, hooks: bool) -> Result<Vec<Planned>> {
        let wanted = |target: &Target| hooks || target.purpose != Purpose::Hooks;
        for target in self.targets(client).into_iter().filter(wanted) {
            if let Some(file) = self.slot(&target)? {
                file.edit(|text| target.edit.put(text).map(Some));
            }
        }
        Ok(self.files)
    }

    /// Plans to take out what is ours, the last that came first.
    pub(super) fn take(mut self, client: Client) -> Result<Vec<Planned>> {
        for target in self.targets(client).into_iter().rev() {
            let others = self.others(client, &target);
            let Some(file) = self.slot(&target)? else { continue };
            match others.is_empty() || !file.has_ours(&target) {
                true => file.edit(|text| text.map_or(Ok(None), |text| target.edit.take(text))),
                false => file.kept_for = others,
            }
        }
        self.files.reverse();
        Ok(self.files)
    }

    fn targets(&self, client: Client) -> Vec<Target> {
        client.targets(self.scope, self.context_file.as_deref())
    }

    /// Returns the file of a target among those that are planned; nothing where it is left alone.
    fn slot(&mut self, target: &Target) -> Result<Option<&mut Planned>> {
        let file = self.look(target)?;
        if target.only_if_there && file.before.is_none() && file.fault.is_none() {
            return Ok(None);
        }
        let Some(at) = self.files.iter().position(|each| each.path == file.path) else {
            self.files.push(file);
            return Ok(self.files.last_mut());
        };
        let earlier = &mut self.files[at];
        // The same text twice in one file: a link leads from one of its names to the other.
        if earlier.purposes.contains(&target.purpose) {
            return Ok(None);
        }
        earlier.purposes.push(target.purpose);
        earlier.edits.push(target.edit.clone());
        Ok(Some(earlier))
    }

    /// Reads the file of a target: the first that is there, else the first.
    fn look(&self, target: &Target) -> Result<Planned> {
        let files = target.paths.iter().map(|path| self.read(path));
        let mut files = files.collect::<Result<Vec<Planned>>>()?;
        let is_there = |file: &Planned| file.before.is_some() || file.fault.is_some();
        let mut file = files.swap_remove(files.iter().position(is_there).unwrap_or(0));
        file.purposes.push(target.purpose);
        file.edits.push(target.edit.clone());
        Ok(file)
    }

    fn read(&self, path: &str) -> Result<Planned> {
        let mut file = Planned {
            path: path.to_owned(),
            place: None,
            purposes: Vec::new(),
            edits: Vec::new(),
            before: None,
            after: None,
            kept_for: Vec::new(),
            fault: None,
        };
        let place = match self.root.find(path) {
            Ok(place) => place,
            Err(away) => return Ok(Planned { fault: Some(leads_away(away)), ..file }),
        };
        file.path = place.relative().display().to_string();
        match place.read()?.map(String::from_utf8) {
            Some(Ok(text)) => (file.before, file.after) = (Some(text.clone()), Some(text)),
            Some(Err(error)) => file.fault = Some(not_text(error.utf8_error().valid_up_to())),
            None => {}
        }
        Ok(Planned { place: Some(place), ..file })
    }

    /// Returns the other clients that need what is ours in a file: those of which something of ours stands
    /// in a file that this client does not have. A link makes one file of two names.
    fn others(&self, client: Client, target: &Target) -> Vec<Client> {
        let own = self.targets(client);
        let own: Vec<String> = own.iter().filter_map(|each| self.resolved(each)).collect();
        let wanted = self.resolved(target);
        let needs = |other: &Client| {
            let targets = self.targets(*other);
            *other != client
                && wanted.is_some()
                && targets.iter().any(|each| self.resolved(each) == wanted)
                && self.is_told(*other, &targets, &own)
        };
        Client::ALL.iter().copied().filter(needs).collect()
    }

    /// Tells whether a client is told of us by a file that is not among some others.
    fn is_told(&self, client: Client, targets: &[Target], others: &[String]) -> bool {
        targets.iter().any(|target| {
            // Instructions alone are there for whoever reads `AGENTS.md`.
            let counts = (target.purpose == Purpose::Instructions) == (client == Client::Agents);
            let file = if counts { self.look(target).ok() } else { None };
            file.is_some_and(|file| !others.contains(&file.path) && file.has_ours(target))
        })
    }

    /// Returns where the file of a target is, once no link is left in the way.
    fn resolved(&self, target: &Target) -> Option<String> {
        self.look(target).ok().map(|file| file.path)
    }
}

impl Planned {
    /// Edits what the file will be.
    fn edit(&mut self, edit: impl FnOnce(Option<&str>) -> Edited) {
        if self.fault.is_some() {
            return;
        }
        match edit(self.after.as_deref()) {
            Ok(after) => self.after = after,
            Err(fault) => self.fault = Some(fault),
        }
    }

    fn has_ours(&self, target: &Target) -> bool {
        let Some(text) = &self.before else { return false };
        target.edit.take(text).is_ok_and(|without| without.as_ref() != Some(text))
    }

    fn fate(&self) -> FileFate {
        match (&self.before, &self.after) {
            _ if self.fault.is_some() => FileFate::Refused,
            _ if !self.kept_for.is_empty() => FileFate::Kept,
            (None, Some(_)) => FileFate::Created,
            (Some(_), None) => FileFate::Removed,
            (before, after) if before == after => FileFate::Current,
            (_, _) => FileFate::Changed,
        }
    }

    /// Returns what is to be done; nothing where it is as it should be.
    pub(super) fn change(&self) -> Option<Change> {
        let bytes = |text: &Option<String>| text.clone().map(String::into_bytes);
        let file = self.place.clone().filter(|_| self.before != self.after)?;
        Some(Change { file, before: bytes(&self.before), after: bytes(&self.after) })
    }

    /// Shows what was planned, without what looks like a secret.
    pub(super) fn difference(&self) -> String {
        let after = self.after.as_deref().unwrap_or_default();
        difference(&self.path, (self.before.as_deref(), after), &Scanner::default())
    }

    /// Says what was planned.
    pub(super) fn report(self) -> InstalledFile {
        let fate = self.fate();
        let fault = self.fault.map(|fault| Fault { message: clean(&fault.message), ..fault });
        let Self { path, purposes, kept_for, .. } = self;
        InstalledFile { path, purposes, fate, kept_for, diff: String::new(), fault }
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
            "put a file there: nobody but git and `agent-memory` writes to those",
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
