//! The journal as another run of the operating system finds it.
//!
//! The model has a clock of its own, so the times that the program noted are replaced by those of the
//! model; and the run in which it was written is over.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::kind::{PROJECT, StoreKind};
use crate::crash::{finish, has_strace};
use crate::requests::shared;
use crate::support::{ProjectKey, Sandbox};

/// Another run of the operating system than this one.
const EARLIER_BOOT: &str = "00000000-0000-4000-8000-000000000000";

/// What the lines of a journal say by the clock of the model.
#[derive(Debug)]
pub(super) struct Translation {
    kind: &'static StoreKind,
    /// For each line as it was written the line as it should be found.
    pub(super) lines: HashMap<Vec<u8>, Vec<u8>>,
    /// What time it was when the program asked last.
    pub(super) asked: Option<i64>,
    /// The folder in which the program ran, with the key that signs the lines.
    folder: PathBuf,
    key: OnceLock<ProjectKey>,
}

impl Translation {
    /// The lines of what is done in a folder.
    pub(super) fn in_folder(kind: &'static StoreKind, folder: &Path) -> Self {
        let (lines, key) = (HashMap::new(), OnceLock::new());
        Self { kind, lines, asked: None, folder: folder.to_owned(), key }
    }

    /// Returns the key that signs the lines; the folder may be gone when they are laid out.
    pub(super) fn key(&self) -> &ProjectKey {
        self.key.get_or_init(|| (self.kind.key)(&self.folder))
    }

    /// Translates what was written to a journal. `modified` says how old a file was at that time.
    pub(super) fn of(
        &self,
        written: &[u8],
        modified: &dyn Fn(&str) -> Option<i64>,
    ) -> HashMap<Vec<u8>, Vec<u8>> {
        let lines = written.split_inclusive(|byte| *byte == b'\n');
        let translated = lines.filter_map(|line| {
            let mut value = parse(line)?;
            // The latest of all times is none that the program has seen.
            if value["at"].as_i64().is_some_and(|at| at < i64::MAX) {
                value["at"] = json!(self.asked);
            }
            for step in value["steps"].as_array_mut().into_iter().flatten() {
                if step["before"]["modified"].is_i64() {
                    // A move says where the file came from.
                    let path = step["path"].as_str().or(step["from"].as_str())?;
                    let path = self.kind.inside(path);
                    step["before"]["modified"] = json!(modified(&path));
                }
            }
            Some((line.to_vec(), sign_earlier(self.key(), value)))
        });
        translated.collect()
    }

    /// Returns a journal as it is found after a reboot; torn lines stay torn.
    pub(super) fn reboot(&self, journal: &[u8]) -> Vec<u8> {
        let lines = journal.split_inclusive(|byte| *byte == b'\n');
        let rebooted = lines.map(|line| match (self.lines.get(line), parse(line)) {
            (Some(translated), _) => translated.clone(),
            (None, Some(value)) => sign_earlier(self.key(), value),
            (None, None) => line.to_vec(),
        });
        rebooted.collect::<Vec<_>>().concat()
    }
}

/// Reads a whole line of this machine.
fn parse(line: &[u8]) -> Option<Value> {
    let (code, json) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    // One with another code stays what it is: signed, it would be believed.
    let is_ours = code.bytes().any(|byte| byte != b'0');
    serde_json::from_str(json).ok().filter(|_| is_ours)
}

/// Lets a journal that ends with a change of this run of the operating system say that it was carried out so many
/// seconds ago; the store lies in a folder.
pub(crate) fn date_back(kind: &StoreKind, folder: &Path, seconds: u64) {
    let journal = folder.join(kind.journal());
    let Ok(mut bytes) = fs::read(&journal) else { return };
    let length = bytes.partition_point(|byte| *byte != 0);
    let begin = bytes[..length.saturating_sub(1)].iter().rposition(|byte| *byte == b'\n');
    let begin = begin.map_or(0, |newline| newline + 1);
    let is_mark = |line: &Value| line["at"].is_i64() && line["boot"] != EARLIER_BOOT;
    let Some(mut mark) = parse(&bytes[begin..length]).filter(is_mark) else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    mark["at"] =
        json!(i64::try_from(now).unwrap() - i64::try_from(seconds).unwrap() * 1_000_000_000);
    bytes.splice(begin..length, sign(&(kind.key)(folder), &mark));
    fs::write(&journal, bytes).unwrap();
    note_written(&journal, folder);
}

/// Lets git's folder know a journal that a test wrote or copied: another file would be emptied first.
fn note_written(journal: &Path, work_tree: &Path) {
    let written = fs::metadata(journal).unwrap().modified().unwrap();
    let written = written.duration_since(UNIX_EPOCH).unwrap().as_nanos();
    for noted in progress_files(work_tree) {
        let text = fs::read_to_string(&noted).unwrap();
        let known = text.trim_end().rsplit_once(' ').unwrap().0;
        fs::write(noted, format!("{known} {written}\n")).unwrap();
    }
}

/// Lists the files in the git folder of a work tree that say how far the journal of each store has come.
pub(crate) fn progress_files(work_tree: &Path) -> Vec<PathBuf> {
    let git = work_tree.join(".git");
    let linked = fs::read_to_string(&git).ok();
    let own = linked.map_or(git, |text| text.trim_start_matches("gitdir:").trim().into());
    let names = fs::read_dir(own.join("agent-memory")).into_iter().flatten();
    let names = names.map(|entry| entry.unwrap().path());
    let is_progress = |path: &PathBuf| path.to_string_lossy().contains("/journal-");
    names.filter(is_progress).collect()
}

fn sign_earlier(key: &ProjectKey, mut value: Value) -> Vec<u8> {
    value["boot"] = json!(EARLIER_BOOT);
    sign(key, &value)
}

fn sign(key: &ProjectKey, value: &Value) -> Vec<u8> {
    key.journal_line(&value.to_string()).into_bytes()
}

/// Lets all that a journal says have been written in an earlier run of the operating system.
fn reboot(kind: &StoreKind, folder: &Path) {
    let journal = folder.join(kind.journal());
    let bytes = fs::read(&journal).unwrap();
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter_map(parse);
    let key = (kind.key)(folder);
    let lines: Vec<u8> = lines.flat_map(|line| sign_earlier(&key, line)).collect();
    fs::write(journal, lines).unwrap();
}

#[test]
fn the_mark_of_a_change_is_no_older_than_what_it_vouches_for() {
    let sandbox = Sandbox::new();
    // Times of files tick slowly: of several changes one is written in more than one tick.
    for number in 0..8 {
        sandbox.propose(shared(&format!("Note {number}"), "A text.")).applied();
        let journal = sandbox.bytes("state/journal");
        let marks = journal.split_inclusive(|byte| *byte == b'\n').filter_map(parse);
        let at = marks.filter_map(|line| line["at"].as_i64()).next_back().unwrap();
        for path in ["local/shared.md", "state/log.jsonl", "state/log.end", "state/undo.jsonl"] {
            let modified = fs::metadata(sandbox.store().join(path)).unwrap().modified().unwrap();
            let modified = modified.duration_since(UNIX_EPOCH).unwrap().as_nanos();
            assert!(i128::from(at) >= modified.cast_signed(), "{path}: {at}, {modified}");
        }
    }
}

#[test]
fn after_a_reboot_a_long_log_is_not_read_for_each_of_its_lines() {
    if !has_strace() {
        return;
    }
    let sandbox = Sandbox::new();
    for number in 0..40 {
        sandbox.propose(shared(&format!("Note {number}"), "A text.")).applied();
    }
    reboot(&PROJECT, &sandbox.project());
    let (log, trace) = (sandbox.store().join("state/log.jsonl"), sandbox.root().join("trace"));
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=read,pread64", "-s", "0", "-P"]).arg(&log);
    command.arg("-o").arg(&trace).args([env!("CARGO_BIN_EXE_agent-memory"), "status"]);
    finish(command, &sandbox.project(), "").expect_code(0);
    let trace = fs::read_to_string(trace).unwrap();
    let read = trace.lines().filter_map(|line| line.rsplit_once(" = ")?.1.parse::<u64>().ok());
    let (read, length) = (read.sum::<u64>(), fs::metadata(&log).unwrap().len());
    assert!((length / 40..length * 8).contains(&read), "{read} bytes of {length}");
}
