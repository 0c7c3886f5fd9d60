//! Commands that were recorded, and what has to be found after a power cut in the midst of them.

use std::collections::BTreeSet;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use super::choices::{choices, draw};
use super::crash::{Cut, Fate, Kept};
use super::disk::{Disk, Operation, Promise};
use super::journal::date_back;
use super::kind::StoreKind;
use super::record::record;
use crate::crash::{View, is_full};
use crate::support::Sandbox;

/// Moments of each play in a plain run, for either kind of file system.
const MOMENTS: usize = 7;

/// States of each moment in a plain run.
const OF_A_MOMENT: usize = 2;

/// Problems that are shown.
const SHOWN: usize = 12;

/// A command: its arguments and what it reads.
type Command = (Vec<String>, String);

/// Commands that were recorded.
pub(super) struct Play {
    root: PathBuf,
    disk: Disk,
    /// Those that the power may go in.
    commands: Vec<Command>,
    /// What the store held before the first of these, and after each.
    views: Vec<View>,
    /// The operation with which the first of these begins.
    begin: usize,
}

/// A state in which the power cut leaves the disk.
struct State {
    promise: Promise,
    cut: Arc<Cut>,
    kept: Kept,
    /// Which of the views may be found.
    allowed: RangeInclusive<usize>,
}

/// What is missing after all, although the answer was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Every name that is not durable.
    Names,
    /// These, and the mark that the change was carried out.
    NamesAndMark,
    /// The bytes of every file that is not durable.
    Bytes,
}

impl Play {
    /// Runs commands one after another; the power may go in all but the first ones. Where a command has
    /// no words, time passes.
    pub(super) fn record(
        kind: &'static StoreKind,
        sandbox: &Sandbox,
        first: &[(&[&str], &str)],
        commands: &[(&[&str], &str)],
    ) -> Self {
        let (project, view) = (sandbox.project(), kind.view);
        let mut disk = Disk::of(kind, &project, now());
        let mut run = |(arguments, stdin): &(&[&str], &str)| {
            if arguments.is_empty() {
                // The next command brings the journal to its end.
                date_back(kind, &project, 3_600);
                return (view(&project), disk.operations.len());
            }
            let (reply, events) = record(kind, &project, arguments, stdin);
            assert_eq!(reply.code, 0, "{arguments:?}: {}{}", reply.stdout, reply.stderr);
            disk.play(&events);
            (view(&project), disk.operations.len())
        };
        let begin = first.iter().map(&mut run).last().map_or(0, |(_, end)| end);
        let mut views = vec![view(&project)];
        views.extend(commands.iter().map(|command| run(command).0));
        let own = |(arguments, stdin): &(&[&str], &str)| {
            (arguments.iter().map(|each| (*each).to_owned()).collect(), (*stdin).to_owned())
        };
        let commands = commands.iter().map(own).collect();
        Self { root: sandbox.root().to_path_buf(), disk, commands, views, begin }
    }

    /// Lays out what is left when the power goes after the last command and the disk has kept the journal
    /// and little else.
    pub(super) fn lose(&self, loss: Loss, folder: &Path) {
        let disk = &self.disk;
        let cut = Cut::after(disk, disk.operations.len(), Promise::Journaled);
        let names = cut.names.iter().copied().filter(|_| loss == Loss::Bytes).collect();
        let fate = |(inode, (durable, all)): (&usize, &(usize, usize))| {
            let is_journal = disk.name_of(*inode) == "journal";
            let kept = match (is_journal, loss) {
                (true, Loss::NamesAndMark) => Fate::Writes(*durable),
                (true, Loss::Names | Loss::Bytes) => Fate::Writes(*all),
                (false, _) => Fate::Zeros(*durable),
            };
            (*inode, kept)
        };
        let kept = Kept { names, files: cut.files.iter().map(fate).collect() };
        cut.write(disk, &cut.tree(disk, &kept), folder);
    }

    /// Records the recovery from such a loss; whatever happens to it, the change is to be found.
    pub(super) fn record_recovery(&self, loss: Loss) -> Self {
        let folder = self.root.join("lost");
        self.lose(loss, &folder);
        let kind = self.disk.kind;
        let mut disk = Disk::of(kind, &folder, now());
        let (reply, events) = record(kind, &folder, kind.reading, "");
        assert_eq!(reply.code, 0, "{}{}", reply.stdout, reply.stderr);
        disk.play(&events);
        let new = self.views.last().expect("there is one before all commands").clone();
        let commands = vec![(vec![kind.reading[0].to_owned()], String::new())];
        let views = vec![new.clone(), new];
        Self { root: self.root.clone(), disk, commands, views, begin: 0 }
    }

    /// Tries the states, two at a time; all that is wrong comes in one report.
    pub(super) fn check(&self) {
        let asked_for = asked_for();
        let states = self.states().into_iter().enumerate();
        let states: Vec<_> = states.filter(|(number, _)| asked_for.contains(number)).collect();
        let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            loop {
                let next = next.fetch_add(1, Ordering::Relaxed);
                let Some((number, state)) = states.get(next) else { break };
                if let Err(problem) = self.try_state(*number, state) {
                    let problem = format!("{}: {problem}", self.describe(state));
                    problems.lock().unwrap().push((*number, problem));
                }
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(work);
            scope.spawn(work);
        });
        let mut problems = problems.into_inner().unwrap();
        problems.sort();
        let shown: Vec<String> =
            problems.iter().take(SHOWN).map(|(n, text)| format!("state {n}, {text}")).collect();
        let (bad, all) = (problems.len(), states.len());
        assert!(problems.is_empty(), "{bad} of {all} states:\n{}", shown.join("\n"));
        let verbs: Vec<&str> = self.commands.iter().map(|(words, _)| words[0].as_str()).collect();
        println!("{} survived a power cut in {all} states", verbs.join(", "));
    }

    /// Returns the states that may be found, each once; some of them, unless all are asked for.
    fn states(&self) -> Vec<State> {
        let (mut states, mut seen) = (Vec::new(), BTreeSet::new());
        let moments = self.disk.operations.len() + 1 - self.begin;
        let step = if is_full() { 1 } else { moments.div_ceil(MOMENTS) | 1 };
        for promise in [Promise::Journaled, Promise::Posix] {
            // From the last moment back, when nothing may be missing.
            for (count, before) in (self.begin..=self.disk.operations.len()).rev().enumerate() {
                let noted = self.disk.has_just_written(&self.disk.kind.journal(), before);
                if count % step != 0 && !noted {
                    continue;
                }
                let cut = Arc::new(Cut::after(&self.disk, before, promise));
                let allowed = self.allowed(before);
                let mut kept = sample(choices(&self.disk, &cut, promise), before);
                // What the journal says may be there without half of what it speaks of.
                kept.extend(noted.then(|| Kept::half_of_the_names(&cut)));
                for kept in kept {
                    let tree = cut.tree(&self.disk, &kept);
                    if seen.insert((tree, *allowed.start(), *allowed.end())) {
                        let (cut, allowed) = (Arc::clone(&cut), allowed.clone());
                        states.push(State { promise, cut, kept, allowed });
                    }
                }
            }
        }
        states
    }

    /// Returns which of the views may be found after so many operations.
    fn allowed(&self, before: usize) -> RangeInclusive<usize> {
        let operations = &self.disk.operations[self.begin..before];
        let ended = operations.iter().filter(|each| matches!(each, Operation::End)).count();
        let current = operations.rsplit(|each| matches!(each, Operation::End)).next();
        let said = current.is_some_and(|each| each.iter().any(|e| matches!(e, Operation::Say)));
        let last = (ended + 1).min(self.commands.len());
        if said { last..=last } else { ended..=last }
    }

    /// Lays a state out and goes on working with it.
    fn try_state(&self, number: usize, state: &State) -> Result<(), String> {
        let folder = self.root.join(format!("state-{number}"));
        let tree = state.cut.tree(&self.disk, &state.kept);
        state.cut.write(&self.disk, &tree, &folder);
        if number % 3 == 1 {
            self.disk.kind.leave_torn(&self.root.join("project"), &folder);
        }
        let result = self.look(state, &folder);
        if result.is_ok() {
            fs::remove_dir_all(&folder).unwrap();
        }
        result
    }

    fn look(&self, state: &State, folder: &Path) -> Result<(), String> {
        let kind = self.disk.kind;
        let view = (kind.go_on)(folder)?;
        let found = state.allowed.clone().rev().find(|number| view == self.views[*number]);
        let (old, new) = (&self.views[*state.allowed.start()], &self.views[*state.allowed.end()]);
        let number = found.ok_or_else(|| match old == new {
            true => format!("not what was promised: {}", view.compare(old, new)),
            false => format!("neither old nor new: {}", view.compare(old, new)),
        })?;
        if number < *state.allowed.end() {
            let (words, stdin) = &self.commands[number];
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let again = kind.call(folder, &words, stdin);
            (kind.try_again)(&again, folder, &self.views[number + 1])?;
        }
        (kind.is_healthy)(folder)
    }

    fn describe(&self, state: &State) -> String {
        let disk = &self.disk;
        let operation = |number: usize| match &disk.operations[number] {
            Operation::Name { come: Some((entry, _)), .. } => format!("name {}", entry.name),
            Operation::Name { gone, .. } => format!("remove {gone:?}"),
            Operation::Sync { inode } => format!("sync {}", disk.name_of(*inode)),
            Operation::Write { bytes, .. } => format!("write {} bytes", bytes.len()),
            other => format!("{other:?}"),
        };
        let last = state.cut.before.checked_sub(1).map(operation);
        let lost = state.cut.names.iter().filter(|name| !state.kept.names.contains(name));
        let lost: Vec<String> = lost.map(|number| operation(*number)).collect();
        let files: Vec<String> = state
            .kept
            .files
            .iter()
            .map(|(inode, fate)| format!("{} {fate:?}", disk.name_of(*inode)))
            .collect();
        format!(
            "{:?}, cut after {} {last:?}, lost names {lost:?}, files {files:?}",
            state.promise, state.cut.before
        )
    }
}

/// Returns what time it is, in nanoseconds.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_nanos()).unwrap()
}

/// Reads which states of each play a person asks for: `STATES=1150-1183`, by the numbers in a report.
fn asked_for() -> RangeInclusive<usize> {
    let Ok(range) = std::env::var("STATES") else { return 0..=usize::MAX };
    let (first, last) = range.split_once('-').unwrap_or((&range, &range));
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("`STATES={range}`: no range"));
    number(first)..=number(last)
}

/// Takes some of what may be kept, or all of it where it is asked for.
fn sample(choices: BTreeSet<Kept>, mut seed: usize) -> Vec<Kept> {
    let mut choices: Vec<Kept> = choices.into_iter().collect();
    while !is_full() && choices.len() > OF_A_MOMENT {
        choices.swap_remove(draw(&mut seed, choices.len()));
    }
    choices
}
