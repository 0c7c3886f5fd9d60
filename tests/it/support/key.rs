//! The key of a sandbox, with which the program signs what it believes in `state/`.

use std::fs;
use std::path::Path;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Sandbox;

/// The key of a project.
#[derive(Debug, Clone)]
pub(crate) struct ProjectKey(Vec<u8>);

impl ProjectKey {
    /// Reads the key of a project.
    pub(crate) fn of(project: &Path) -> Self {
        if let Ok(key) = fs::read(project.join(".git/agent-memory/key")) {
            let store = b"store\0.agent-memory/";
            let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
            mac.update(store);
            return Self(mac.finalize().into_bytes().to_vec());
        }
        Self::in_store(&project.join(".agent-memory"))
    }

    /// Reads the key that is in a store itself.
    pub(crate) fn in_store(store: &Path) -> Self {
        Self(fs::read(store.join("state/key")).expect("the store has a key"))
    }

    /// Returns the line of a journal with this JSON, as the program would write it.
    pub(crate) fn journal_line(&self, json: &str) -> String {
        format!("{} {json}\n", self.code("journal", json))
    }

    /// Returns a line of the log or of the undo list, without its end, signed anew after somebody edited it.
    pub(crate) fn signed_again(&self, purpose: &str, line: &str) -> String {
        let whole = || line.to_owned();
        let json = line.rsplit_once(",\"mac\":").map_or_else(whole, |it| format!("{}}}", it.0));
        let code = self.code(purpose, &json);
        format!("{},\"mac\":\"{code}\"}}", json.strip_suffix('}').unwrap())
    }

    /// Returns the code of a text.
    pub(crate) fn code(&self, purpose: &str, text: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).unwrap();
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Puts a journal and a list of changes to take back into a store that another machine wrote, as a commit would bring them.
pub(crate) fn plant_foreign_state(sandbox: &Sandbox) {
    let step = r#"{"step":"write","path":"modules/evil.md","before":null,"after":"Evil"}"#;
    let record =
        format!(r#"{{"version":1,"verb":"init","number":99,"boot":"0","steps":[{step}]}}"#);
    sandbox.write("state/journal", format!("{} {record}\n", "0".repeat(32)));
    sandbox.write(
        "state/undo.jsonl",
        r#"{"id":"20261117-000000-evil-0001","files":[]}"#.to_owned() + "\n",
    );
}

/// Returns the line of a journal with this JSON, as the program would write it in a project.
pub(crate) fn journal_line(project: &Path, json: &str) -> String {
    ProjectKey::of(project).journal_line(json)
}
