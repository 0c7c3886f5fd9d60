//! Fetches from an address that a person agreed to: the only call of ours that reaches a network.

use super::calls::Git;
use super::environment::CallPurpose;
use super::output::failure;
use super::process;
use crate::error::{Error, ErrorKind, Result};

/// How much of the history is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FetchDepth {
    /// One commit.
    One,
    /// All, where a server gives no commit by its id.
    All,
}

impl Git {
    /// Fetches a revision from an address, and returns the id of its commit. No hook runs, no submodule and no tag is
    /// fetched, and what is behind `--` is no option.
    pub(crate) fn fetch(&self, address: &str, revision: &str, depth: FetchDepth) -> Result<String> {
        let depth: &[&str] = match depth {
            FetchDepth::One => &["--depth=1"],
            FetchDepth::All => &[],
        };
        let fixed = [
            "-c",
            "transfer.fsckObjects=true",
            "-c",
            "fetch.recurseSubmodules=false",
            "-c",
            "protocol.ext.allow=never",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-recurse-submodules",
            "--no-auto-gc",
            "--no-write-commit-graph",
        ];
        let words = [&fixed, depth, &["--", address, revision]].concat();
        let command = self.command(&words, CallPurpose::Fetch);
        self.time().allow_ten_minutes();
        let ended = process::run(command, b"", self.time().left())
            .map_err(|cause| Error::new(ErrorKind::Git, "git could not fetch it").because(cause))?;
        if !ended.status.success() {
            let said = without_logins(&String::from_utf8_lossy(&ended.talk));
            return Err(failure(&["fetch"], said.as_bytes()));
        }
        self.run_line(&["rev-parse", "--verify", "FETCH_HEAD^{commit}"], b"")
    }
}

/// Takes names and passwords out of addresses: git's settings may rewrite an address to one that holds some.
fn without_logins(text: &str) -> String {
    let mut clean = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("://") {
        clean += before;
        clean += "://";
        let end =
            after.find(|c: char| c == '/' || c == '\'' || c.is_whitespace()).unwrap_or(after.len());
        rest = match after[..end].rfind('@') {
            Some(at) => &after[at + 1..],
            None => after,
        };
    }
    clean + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_login_is_repeated() {
        let check = |said: &str, expected: &str| assert_eq!(without_logins(said), expected);
        check("fatal: 'https://ada:pw@host/x' failed", "fatal: 'https://host/x' failed");
        check("https://t@host/a https://host/b@c", "https://host/a https://host/b@c");
        check("nothing", "nothing");
    }
}
