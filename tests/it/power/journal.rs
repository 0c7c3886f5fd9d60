//! The journal as another run of the operating system finds it.
//!
//! The model has a clock of its own, so the times that the program noted are replaced by those of the
//! model; and the run in which it was written is over.

use std::collections::HashMap;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The journal, relative to the project.
pub(super) const PATH: &str = ".agent-memory/state/journal";

/// Another run of the operating system than this one.
const EARLIER_BOOT: &str = "00000000-0000-4000-8000-000000000000";

/// What the lines of a journal say by the clock of the model.
#[derive(Debug, Default)]
pub(super) struct Translation {
    /// For each line as it was written the line as it should be found.
    pub(super) lines: HashMap<Vec<u8>, Vec<u8>>,
    /// How old the journal was when the program looked last.
    pub(super) looked: Option<i64>,
}

impl Translation {
    /// Translates what was written to a journal. `modified` says how old a file was at that time,
    /// `looked` how old the journal itself was when the program looked.
    pub(super) fn of(
        written: &[u8],
        modified: &dyn Fn(&str) -> Option<i64>,
        looked: Option<i64>,
    ) -> HashMap<Vec<u8>, Vec<u8>> {
        let lines = written.split_inclusive(|byte| *byte == b'\n');
        let translated = lines.filter_map(|line| {
            let mut value = parse(line)?;
            // The latest of all times is none that the program has seen.
            if value["at"].as_i64().is_some_and(|at| at < i64::MAX) {
                value["at"] = json!(looked);
            }
            for step in value["steps"].as_array_mut().into_iter().flatten() {
                if step["before"]["modified"].is_i64() {
                    let path = format!(".agent-memory/{}", step["path"].as_str()?);
                    step["before"]["modified"] = json!(modified(&path));
                }
            }
            Some((line.to_vec(), sign(value)))
        });
        translated.collect()
    }

    /// Returns a journal as it is found after a reboot; torn lines stay torn.
    pub(super) fn reboot(&self, journal: &[u8]) -> Vec<u8> {
        let lines = journal.split_inclusive(|byte| *byte == b'\n');
        let rebooted = lines.map(|line| match (self.lines.get(line), parse(line)) {
            (Some(translated), _) => translated.clone(),
            (None, Some(value)) => sign(value),
            (None, None) => line.to_vec(),
        });
        rebooted.collect::<Vec<_>>().concat()
    }
}

/// Reads a whole line whose hash fits.
fn parse(line: &[u8]) -> Option<Value> {
    let (hash, json) = std::str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    serde_json::from_str(json).ok().filter(|_| hash == digest(json))
}

fn sign(mut value: Value) -> Vec<u8> {
    value["boot"] = json!(EARLIER_BOOT);
    let json = value.to_string();
    format!("{} {json}\n", digest(&json)).into_bytes()
}

fn digest(json: &str) -> String {
    Sha256::digest(json.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
