//! What the program said.

use std::ops::Index;
use std::process::Output;

use serde_json::Value;

/// How a run of the program ended.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The exit code; -1 if a signal ended it.
    pub(crate) code: i32,
    /// What it printed as data.
    pub(crate) stdout: String,
    /// What it said besides.
    pub(crate) stderr: String,
}

impl Reply {
    /// Reads how a process ended.
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Expects an exit code.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// Reads the one JSON document on stdout.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!("stdout is not one JSON document: {error}\n{}\n{}", self.stdout, self.stderr)
        })
    }

    /// Reads the one JSON document on stdout and keeps the exit code beside it.
    #[track_caller]
    pub(crate) fn answer(&self) -> Answer {
        Answer { value: self.json(), code: self.code }
    }
}

/// An answer to a request: a JSON document and an exit code.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    /// The document.
    pub(crate) value: Value,
    /// The exit code.
    pub(crate) code: i32,
}

impl Answer {
    /// Expects `applied`.
    #[track_caller]
    pub(crate) fn applied(self) -> Self {
        self.expect_status("applied", 0)
    }

    /// Expects `staged` and returns the id.
    #[track_caller]
    pub(crate) fn staged(self) -> String {
        let answer = self.expect_status("staged", 0);
        answer["staging_id"].as_str().expect("a staged proposal has an id").to_owned()
    }

    /// Expects a refusal for a reason, and returns what is said of it: the answer to a request says it at the top,
    /// all others under `error`.
    #[track_caller]
    pub(crate) fn rejected(self, reason: &str) -> Self {
        let Self { value, code } = self;
        let (found, of_request) = (&value["error"]["code"], &value["reason"]);
        assert!(code == 1 && (found == reason) != (of_request == reason), "{code}: {value}");
        if of_request == reason {
            return Self { value, code }.expect_status("rejected", 1);
        }
        let mut error = value["error"].clone();
        error["warnings"] = value["warnings"].clone();
        Self { value: error, code }
    }

    #[track_caller]
    fn expect_status(self, status: &str, code: i32) -> Self {
        assert_eq!((&self["status"], self.code), (&status.into(), code), "{}", self.value);
        self
    }
}

impl Index<&str> for Answer {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        &self.value[name]
    }
}
