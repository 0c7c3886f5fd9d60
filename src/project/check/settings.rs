//! Reads the settings of a store from its files; one that cannot be used is a finding, not the end.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::content::Content;
use super::finding::Remark;
use super::rule::Rule;
use crate::error::Error;
use crate::project::config::{Config, Misfit, READ_LOCK, ReadLock};
use crate::project::policy::idle_settings;
use crate::project::rejection::Rejection;
use crate::project::schema::{Catalog, Matching};
use crate::secrets::Scanner;
use crate::text::find_conflict_marker;

#[derive(Debug, Clone)]
pub(crate) struct Rulebook {
    pub config: Config,
    pub catalog: Catalog,
    pub scanner: Scanner,
    /// Holds values against patterns, for all files together.
    pub matching: Arc<Matching>,
}

impl Rulebook {
    pub(crate) fn new(config: Config, catalog: Catalog, scanner: Scanner) -> Self {
        Self { config, catalog, scanner, matching: Arc::new(Matching::of_check()) }
    }
}

/// Reads the settings among the files of a store; where one cannot be used, goes on without it.
pub(crate) fn rulebook(files: &BTreeMap<String, Content>) -> (Rulebook, Vec<Remark>) {
    let mut remarks = Vec::new();
    let text = |path: &str| match files.get(path) {
        Some(Content::Bytes(bytes)) => std::str::from_utf8(bytes).ok(),
        // The check of the file reports why it cannot be read.
        Some(Content::TooLarge(_) | Content::Unreadable(_)) | None => None,
    };
    let config = text("config.toml").map_or_else(Config::default, |text| {
        Config::parse(text, Path::new("config.toml")).unwrap_or_else(|error| {
            remarks.push(remark("config.toml", &error));
            // Nothing is said of files that good settings may keep in git.
            let mut config = Config::default();
            config.staging.track = true;
            config
        })
    });
    let mut catalog = Catalog::default();
    for path in files.keys().filter(|path| is_toml_in("schemas/", path)) {
        let read = text(path).map(|text| catalog.add(Path::new(path), text));
        remarks.extend(read.and_then(Result::err).map(|error| remark(path, &error)));
    }
    let broken = remarks.len();
    if broken == 0 && catalog.categories().is_empty() {
        let message = "there is no category, so no rule holds anywhere; `agent-memory init` writes those that there are at first";
        remarks.push(Remark::new(Rule::Config, "schemas", message));
    }
    for path in files.keys().filter(|path| is_toml_in("rejections/", path)) {
        // The check of the text reports the lines of git's markers.
        let text = text(path).filter(|text| find_conflict_marker(text).is_none());
        let read = text.map(|text| Rejection::parse(text, Path::new(path)));
        remarks.extend(read.and_then(Result::err).map(|error| remark(path, &error)));
    }
    remarks.extend(rivals(&catalog));
    if broken == 0 {
        remarks.extend(unknown_categories(&config, &catalog));
        let idle = idle_settings(&config.overrides, &catalog);
        remarks.extend(idle.iter().map(|idle| {
            Remark::new(Rule::SettingWithoutEffect, &idle.file, idle.message()).about(&idle.key)
        }));
    }
    let of_lock = lock_remarks(text(READ_LOCK), &config, &remarks);
    remarks.extend(of_lock);
    let scanner = config.scanner();
    (Rulebook::new(config, catalog, scanner), remarks)
}

/// Names the stores for which `read.lock` does not fit the settings.
fn lock_remarks(text: Option<&str>, config: &Config, before: &[Remark]) -> Vec<Remark> {
    let lock = text.map_or_else(
        || Ok(ReadLock::default()),
        |text| ReadLock::parse(text, Path::new(READ_LOCK)),
    );
    match lock {
        Err(error) => vec![Remark { rule: Rule::ReadLock, ..remark(READ_LOCK, &error) }],
        // Which stores are read is not known then.
        Ok(_) if before.iter().any(|remark| remark.path == "config.toml") => Vec::new(),
        Ok(lock) => {
            let told = lock.misfits(&config.stores).into_iter().map(|Misfit { name, message }| {
                let file = if text.is_some() { READ_LOCK } else { "config.toml" };
                let said = format!("the store `{name}` {message}");
                Remark::new(Rule::ReadLock, file, said).about(name.as_str())
            });
            told.collect()
        }
    }
}

/// Names categories that own the same files, neither more precisely than the other.
fn rivals(catalog: &Catalog) -> impl Iterator<Item = Remark> {
    catalog.rivals().map(|(one, other)| {
        let message = format!(
            "`{}` is the path of the category `{}` as well: a file belongs to one",
            other.paths, one.name
        );
        Remark::new(Rule::Config, &format!("schemas/{}.toml", other.name), message)
    })
}

/// Tells whether the rules would be others with another text of this file.
pub(crate) fn is_setting(path: &str) -> bool {
    path == "config.toml" || is_toml_in("schemas/", path)
}

/// Tells whether [`rulebook`] looks at this file.
pub(crate) fn is_of_rulebook(path: &str) -> bool {
    is_setting(path) || path == READ_LOCK
}

fn is_toml_in(folder: &str, path: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|name| name.ends_with(".toml") && !name.contains('/'))
}

fn remark(path: &str, error: &Error) -> Remark {
    let message = error.to_string();
    let line = message.split_once("on line ").map(|(_, rest)| rest);
    let digits = line.map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
    let remark = Remark::new(Rule::Config, path, &message);
    match digits.and_then(|digits| digits.parse().ok()) {
        Some(line) => remark.at(line),
        None => remark,
    }
}

/// Names settings for categories that are not there: such a slip leaves the door open.
fn unknown_categories(config: &Config, catalog: &Catalog) -> Vec<Remark> {
    let unknown = config.named_categories().filter(|(_, name)| catalog.named(name).is_none());
    let remark = |(place, name): (&str, &String)| {
        let message = format!("{place}: there is no category `{name}`");
        Remark::new(Rule::Config, "config.toml", message).about(name)
    };
    unknown.map(remark).collect()
}
