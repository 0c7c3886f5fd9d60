//! Reads and writes `read.lock`: which commit of each other store is read.

use std::path::Path;

use super::git_address::{GitAddress, Revision};
use super::store_rule::{OtherPlace, StoreRule};
use crate::config::{read_toml, settled};
use crate::contract::{Fields, Problems};
use crate::error::Result;
use crate::project::request::StoreName;

/// The file in a store.
pub(crate) const READ_LOCK: &str = "read.lock";

/// The commits that are read; git keeps it, so that every clone reads the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ReadLock {
    pub(crate) pins: Vec<StorePin>,
}

/// The commit of another store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StorePin {
    pub(crate) name: StoreName,
    pub(crate) address: GitAddress,
    pub(crate) revision: Revision,
    pub(crate) commit: String,
}

const HEAD: &str = "# Which commit of each other store is read. `agent-memory read sync` writes it.\nversion = 1\n";

impl ReadLock {
    /// Reads the text of the file; `path` names it in errors.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self> {
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let mut pins = Vec::new();
        if let Some(mut fields) = Fields::of(&value, "", &problems) {
            fields.number("version", 1..=1);
            for mut entry in fields.tables("read") {
                pins.extend(read_pin(&mut entry));
                entry.finish();
            }
            fields.finish();
        }
        settled(Self { pins }, &problems, path)
    }

    pub(crate) fn write(&self) -> String {
        let table = |pin: &StorePin| {
            let StorePin { name, address, revision, commit } = pin;
            let words = [name.as_str(), address.as_str(), revision.as_str(), commit];
            let [name, git, revision, commit] = words.map(toml::Value::from);
            format!(
                "\n[[read]]\nname = {name}\ngit = {git}\nrevision = {revision}\ncommit = {commit}\n"
            )
        };
        HEAD.to_owned() + &self.pins.iter().map(table).collect::<String>()
    }

    /// Returns the commit of a store, as long as its address and its revision are what was pinned.
    pub(crate) fn commit_of(&self, rule: &StoreRule) -> Option<&str> {
        let OtherPlace::Git { address, revision } = &rule.place else { return None };
        let is_it = |pin: &&StorePin| {
            pin.name == rule.name && pin.address == *address && pin.revision == *revision
        };
        self.pins.iter().find(is_it).map(|pin| pin.commit.as_str())
    }

    /// Says what does not fit the settings.
    pub(crate) fn misfits(&self, rules: &[StoreRule]) -> Vec<Misfit> {
        let is_git = |rule: &&StoreRule| matches!(rule.place, OtherPlace::Git { .. });
        let unpinned = rules.iter().filter(is_git).filter(|rule| self.commit_of(rule).is_none());
        let unpinned = unpinned.map(|rule| Misfit {
            name: rule.name.clone(),
            message: match self.pins.iter().any(|pin| pin.name == rule.name) {
                true => "is pinned by `read.lock` for another address or revision",
                false => "is not pinned by `read.lock`",
            },
        });
        let is_wanted =
            |pin: &&StorePin| rules.iter().filter(is_git).any(|rule| rule.name == pin.name);
        let left = self.pins.iter().filter(|pin| !is_wanted(pin)).map(|pin| Misfit {
            name: pin.name.clone(),
            message: "is pinned by `read.lock`, and `config.toml` fetches no such store",
        });
        unpinned.chain(left).collect()
    }
}

/// A store for which the lock does not fit the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) name: StoreName,
    pub(crate) message: &'static str,
}

fn read_pin(entry: &mut Fields<'_>) -> Option<StorePin> {
    let (name, git) = (entry.required_text("name"), entry.required_text("git"));
    let (revision, commit) = (entry.required_text("revision"), entry.required_text("commit"));
    let name = name.and_then(|text| {
        StoreName::parse(text).or_else(|| wrong(entry, "name", StoreName::ALLOWED))
    });
    let address = git.and_then(|text| {
        GitAddress::parse(text).map_err(|problem| entry.problem("git", problem)).ok()
    });
    let revision = revision.and_then(|text| {
        Revision::parse(text).map_err(|problem| entry.problem("revision", problem)).ok()
    });
    let is_commit = |text: &&str| is_commit(text);
    let commit = commit.and_then(|text| {
        Some(text)
            .filter(is_commit)
            .or_else(|| wrong(entry, "commit", "a commit has 40 or 64 hex digits"))
    });
    Some(StorePin {
        name: name?,
        address: address?,
        revision: revision?,
        commit: commit?.to_owned(),
    })
}

fn wrong<T>(entry: &Fields<'_>, field: &str, problem: &str) -> Option<T> {
    entry.problem(field, problem);
    None
}

/// Tells whether a text is the whole id of a commit.
pub(crate) fn is_commit(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    matches!(text.len(), 40 | 64) && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::config::Config;

    fn rules(text: &str) -> Vec<StoreRule> {
        Config::parse(text, Path::new("config.toml")).expect("good settings").stores
    }

    fn pin(name: &str, revision: &str) -> StorePin {
        StorePin {
            name: StoreName::parse(name).expect("a name"),
            address: GitAddress::parse("https://host/hb.git").expect("an address"),
            revision: Revision::parse(revision).expect("a revision"),
            commit: "1a2b3c4d".repeat(5),
        }
    }

    #[test]
    fn a_lock_is_read_back_as_it_was_written() {
        let lock = ReadLock { pins: vec![pin("hb", "main"), pin("other", "v1")] };
        let read = ReadLock::parse(&lock.write(), Path::new("read.lock")).expect("it is good");
        assert_eq!(read, lock);
        for text in ["[[read]]\nname = \"hb\"\n", "a = 1\n", "version = 2\n", "<<<<<<< HEAD\n"] {
            ReadLock::parse(text, Path::new("read.lock")).expect_err("it is wrong");
        }
        let short = lock.write().replace(&"1a2b3c4d".repeat(5), "../../x");
        ReadLock::parse(&short, Path::new("read.lock")).expect_err("it is no commit");
    }

    #[test]
    fn only_what_was_pinned_has_a_commit() {
        let lock = ReadLock { pins: vec![pin("hb", "main"), pin("gone", "main")] };
        let table = "[[read]]\nname = \"hb\"\ngit = \"https://host/hb.git\"\nrevision = ";
        let same = rules(&format!("{table}\"main\"\n"));
        assert!(lock.commit_of(&same[0]).is_some());
        assert_eq!(lock.misfits(&same).len(), 1, "one is gone");
        let other = rules(&format!("{table}\"next\"\n"));
        assert_eq!(lock.commit_of(&other[0]), None);
        let said = lock.misfits(&other);
        assert!(said[0].message.contains("another address or revision"), "{said:?}");
        let none = ReadLock::default().misfits(&same);
        assert_eq!(none[0].message, "is not pinned by `read.lock`");
        assert_eq!(
            ReadLock::default().misfits(&rules("[[read]]\nname = \"hb\"\npath = \"../hb\"\n")),
            []
        );
    }
}
