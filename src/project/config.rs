//! Reads `config.toml`: how a store decides.

mod format_version;
mod git_address;
mod read_lock;
mod read_rule;
mod read_table;
mod setting;
mod store_rule;
mod store_table;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::config::{read_toml, settled};
use crate::contract::{Fields, Problems};
use crate::error::Result;
use crate::project::request::{Intent, Mode, OperationKind};
use crate::secrets::{PersonalKind, Salt, Scanner, Settings};
use crate::text::{did_you_mean, nearest};

pub(crate) use format_version::FORMAT_VERSION;
pub use format_version::NewerFormat;
pub use git_address::{GitAddress, Revision};
pub(crate) use read_lock::{Misfit, READ_LOCK, ReadLock, StorePin, is_commit};
pub use read_rule::ReadRule;
pub use setting::Setting;
pub use store_rule::{FolderAbove, OtherPlace, StoreRule};
pub(crate) use store_table::{with_store, without_store};

/// The file that `init` writes; it says what the defaults are.
pub const DEFAULT: &str = include_str!("config/default.toml");

/// How a store decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// How long and how many proposals stay pending.
    pub staging: StagingSettings,
    /// Bytes beyond which no file of the store may grow.
    pub file_bytes: u64,
    /// What is stricter than the schemas say.
    pub overrides: Overrides,
    /// Kinds of personal data that are refused: `email`, `iban`, `card`, `phone`.
    pub personal_data: BTreeSet<PersonalKind>,
    /// Fingerprints of texts that look like secrets and are none.
    pub allowed_secrets: Vec<String>,
    /// What makes the fingerprints of this store its own.
    pub salt: Option<Salt>,
    /// The names of rules of `check` that are errors here.
    pub denied_rules: Vec<String>,
    /// Whether sessions in this project may begin with a person's own memory.
    pub injects_user_memory: bool,
    /// Whether no person approves what they proposed.
    pub four_eyes: bool,
    /// Files of the repository that are read as memory where they are.
    pub reads: Vec<ReadRule>,
    /// Set where a newer version of this program made the store: what is read of it is what this one knows.
    pub newer: Option<NewerFormat>,
    /// Other stores that are read.
    pub stores: Vec<StoreRule>,
}

/// How long and how many proposals stay pending.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagingSettings {
    /// How long.
    pub ttl: Duration,
    /// How many at once.
    pub max_open: usize,
    /// Whether they are kept in git.
    pub track: bool,
    /// Whether every command reminds of what is pending for more than a day.
    pub remind: bool,
}

/// What is stricter than the schemas say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// By category name.
    pub categories: BTreeMap<String, Mode>,
    /// By intent.
    pub intents: BTreeMap<Intent, Mode>,
    /// By operation.
    pub operations: BTreeMap<OperationKind, Mode>,
}

const DAY: u64 = 86_400;

impl Default for Config {
    fn default() -> Self {
        Self {
            staging: StagingSettings {
                ttl: Duration::from_secs(7 * DAY),
                max_open: 50,
                track: false,
                remind: true,
            },
            file_bytes: 262_144,
            overrides: Overrides::default(),
            personal_data: BTreeSet::new(),
            allowed_secrets: Vec::new(),
            salt: None,
            denied_rules: Vec::new(),
            injects_user_memory: true,
            four_eyes: false,
            reads: Vec::new(),
            newer: None,
            stores: Vec::new(),
        }
    }
}

impl Config {
    /// Makes the scanner that this asks for.
    pub fn scanner(&self) -> Scanner {
        Scanner::new(Settings {
            personal: self.personal_data.clone(),
            allowed: self.allowed_secrets.iter().cloned().collect(),
            salt: self.salt.clone(),
        })
    }

    /// Returns the names of the categories that the settings are about, with the setting.
    pub(crate) fn named_categories(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let overridden = self.overrides.categories.keys();
        let overridden = overridden.map(|name| ("routing.categories", name));
        overridden.chain(self.reads.iter().map(|rule| ("read.as", &rule.category)))
    }

    /// Reads the text of `config.toml`; `path` names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let mut config = Self::default();
        if let Some(mut fields) = Fields::of(&value, "", &problems) {
            fields.number("version", 1..=FORMAT_VERSION);
            config.read_staging(fields.object("staging"));
            if let Some(mut budgets) = fields.object("budgets") {
                let bytes = budgets.number("file_bytes", 1_024..=16_777_216);
                config.file_bytes = bytes.unwrap_or(config.file_bytes);
                budgets.finish();
            }
            config.read_routing(fields.object("routing"));
            config.read_secrets(fields.object("secrets"));
            if let Some(mut check) = fields.object("check") {
                // `check` knows the rules, and names one that there is not.
                let rules = check.texts("deny").unwrap_or_default();
                config.denied_rules = rules.into_iter().map(str::to_owned).collect();
                check.finish();
            }
            if let Some(mut user) = fields.object("user") {
                config.injects_user_memory = user.flag("inject").unwrap_or(true);
                user.finish();
            }
            if let Some(mut approval) = fields.object("approval") {
                config.four_eyes = approval.flag("four_eyes").unwrap_or(false);
                approval.finish();
            }
            let tables = read_table::read_tables(&mut fields);
            (config.reads, config.stores) = (tables.files, tables.stores);
            fields.finish();
        }
        config.newer = NewerFormat::of(&value);
        match config.newer {
            // What this program does not know in it is no fault: it only reads there.
            Some(_) => Ok(config),
            None => settled(config, &problems, path),
        }
    }

    fn read_staging(&mut self, fields: Option<Fields<'_>>) {
        let Some(mut fields) = fields else { return };
        if let Some(days) = fields.number("ttl_days", 1..=3650) {
            self.staging.ttl = Duration::from_secs(days * DAY);
        }
        if let Some(count) = fields.number("max_open", 1..=10_000) {
            self.staging.max_open = usize::try_from(count).unwrap_or(usize::MAX);
        }
        self.staging.track = fields.flag("track").unwrap_or(self.staging.track);
        self.staging.remind = fields.flag("remind").unwrap_or(self.staging.remind);
        fields.finish();
    }

    fn read_routing(&mut self, fields: Option<Fields<'_>>) {
        let Some(mut fields) = fields else { return };
        let categories = read_modes(&mut fields, "categories", &[], |name| Some(name.to_owned()));
        self.overrides = Overrides {
            categories,
            intents: read_modes(&mut fields, "intents", Intent::NAMES, Intent::parse),
            operations: read_modes(
                &mut fields,
                "operations",
                OperationKind::NAMES,
                OperationKind::parse,
            ),
        };
        fields.finish();
    }

    fn read_secrets(&mut self, fields: Option<Fields<'_>>) {
        let Some(mut fields) = fields else { return };
        let kinds = fields.words("pii", PersonalKind::parse, PersonalKind::NAMES);
        self.personal_data = kinds.into_iter().collect();
        if let Some(salt) = fields.text("salt") {
            self.salt = Salt::parse(salt);
            if self.salt.is_none() {
                fields.problem("salt", "a salt has 32 hex digits");
            }
        }
        for mut entry in fields.tables("allow") {
            let fingerprint = entry.required_text("fingerprint").map(str::to_owned);
            let hex =
                |text: &String| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
            if !fingerprint.as_ref().is_none_or(hex) {
                entry.problem("fingerprint", "a fingerprint has 16 hex digits");
            }
            if entry.required_text("reason").is_some_and(|reason| reason.trim().is_empty()) {
                entry.problem("reason", "an allowed secret needs a reason");
            }
            self.allowed_secrets.extend(fingerprint);
            entry.finish();
        }
        fields.finish();
    }
}

/// Returns the version of a newer store by the text of its `config.toml`; a text that cannot be read is of none.
pub(crate) fn newer_format(text: &str) -> Option<NewerFormat> {
    NewerFormat::of(&read_toml(text, Path::new("config.toml")).ok()?)
}

/// Returns all settings of a `config.toml`, with the defaults of those that it leaves out.
pub fn read_settings(text: &str, path: &Path) -> Result<Vec<Setting>> {
    Ok(setting::settings(&read_toml(text, path)?, &defaults()?))
}

/// Writes one setting into the text of a `config.toml`; says what is wrong where there is no such setting.
pub fn with_setting(
    text: &str,
    key: &str,
    word: &str,
) -> Result<std::result::Result<String, String>> {
    let defaults = setting::settings(&Value::default(), &defaults()?);
    let default = defaults.iter().find(|setting| setting.key == key);
    if default.is_none() && !key.starts_with("routing.") {
        let keys = defaults.iter().map(|setting| setting.key.as_str());
        let guess = nearest(key, keys).map(|meant| format!(", did you mean `{meant}`?"));
        return Ok(Err(format!("there is no setting `{key}`{}", guess.unwrap_or_default())));
    }
    Ok(setting::with_setting(text, key, word, default.map(|setting| &setting.value)))
}

fn defaults() -> Result<Value> {
    read_toml(DEFAULT, Path::new("config.toml"))
}

/// Adds a salt to the text of the `config.toml` of a new store, which has none.
pub fn with_salt(text: &str, salt: &Salt) -> String {
    const TABLE: &str = "[secrets]\n";
    let line = format!("salt = \"{}\"    # of the fingerprints; keep it\n", salt.as_str());
    match text.split_once(TABLE) {
        Some((before, after)) => format!("{before}{TABLE}{line}{after}"),
        None => format!("{text}\n{TABLE}{line}"),
    }
}

/// Adds an allowed secret to the text of `config.toml`, whose every byte stays.
pub fn with_allowed_secret(text: &str, fingerprint: &str, reason: &str) -> String {
    let reason = toml::Value::from(reason);
    let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{gap}\n[[secrets.allow]]\nfingerprint = \"{fingerprint}\"\nreason = {reason}\n")
}

pub(crate) fn to_toml(value: &Value) -> Option<String> {
    toml::to_string(value).ok()
}

/// Reads a table of modes; `known` are the keys that there are, where these are always the same.
fn read_modes<K: Ord>(
    fields: &mut Fields<'_>,
    name: &'static str,
    known: &[&'static str],
    parse: impl Fn(&str) -> Option<K>,
) -> BTreeMap<K, Mode> {
    let mut modes = BTreeMap::new();
    for (key, value) in fields.entries(name) {
        let mode = value.as_str().and_then(Mode::parse);
        match (parse(key), mode) {
            (Some(key), Some(mode)) => {
                modes.insert(key, mode);
            }
            (None, _) => {
                let help = match did_you_mean(key, known.iter().copied()) {
                    none if none.is_empty() => format!(", known are `{}`", known.join("`, `")),
                    guess => guess,
                };
                fields.problem(name, format!("there is no `{key}`{help}"));
            }
            (_, None) => {
                fields.problem(name, format!("`{key}`: allowed are `apply`, `stage`, `deny`"));
            }
        }
    }
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, expected: &str) {
        let error = Config::parse(text, Path::new("config.toml")).expect_err("it is wrong");
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn the_file_that_init_writes_says_the_defaults() {
        let read = Config::parse(DEFAULT, Path::new("config.toml")).expect("a good file");
        assert_eq!(read, Config::default());
    }

    #[test]
    fn a_slip_is_named_with_the_nearest_key() {
        refused(
            "[staging]\nttl_day = 3\n",
            "staging.ttl_day: unknown field `ttl_day`, did you mean `ttl_days`?",
        );
        refused("[stagin]\n", "did you mean `staging`?");
        refused(
            "[routing.intents]\nsesion_log = \"deny\"\n",
            "there is no `sesion_log`, did you mean `session_log`?",
        );
        refused(
            "[routing.categories]\npitfalls = \"no\"\n",
            "allowed are `apply`, `stage`, `deny`",
        );
        refused("[secrets]\npii = [\"name\"]\n", "found `name`");
        refused("version = 0\n", "from 1 to 1");
        refused("a = = b\n", "not valid TOML on line 1");
        refused("a = 1\n<<<<<<< HEAD\n", "a git conflict is not resolved on line 2");
    }

    #[test]
    fn of_a_newer_version_what_is_known_is_read() {
        let text = "version = 2\n[staging]\nttl_days = \"a week\"\nmax_open = 9\n[unheard_of]\n";
        let read = Config::parse(text, Path::new("config.toml")).expect("it is read");
        assert_eq!((read.staging.ttl, read.staging.max_open), (Config::default().staging.ttl, 9));
        assert_eq!(read.newer, newer_format(text));
        assert!(read.newer.is_some());
    }

    #[test]
    fn an_allowed_secret_is_added_behind_whatever_stands_there() {
        for text in ["", "version = 1", DEFAULT] {
            let once = with_allowed_secret(text, "0123456789abcdef", "a \"public\" key");
            let twice = with_allowed_secret(&once, "fedcba9876543210", "another");
            let read = Config::parse(&twice, Path::new("config.toml")).expect("a good file");
            assert_eq!(read.allowed_secrets, ["0123456789abcdef", "fedcba9876543210"]);
            assert!(twice.starts_with(text));
        }
    }

    #[test]
    fn a_salt_is_added_to_settings_of_any_kind() {
        let salt = Salt::new([7; 16]);
        for text in ["version = 1\n", "[secrets]\npii = [\"email\"]\n", DEFAULT] {
            let salted = with_salt(text, &salt);
            let allowed = with_allowed_secret(&salted, "0123456789abcdef", "a public key");
            let path = Path::new("config.toml");
            let read = Config::parse(&allowed, path).expect("a good file");
            assert_eq!(read.salt.as_ref(), Some(&salt), "{allowed}");
            let before = Config::parse(text, path).expect("a good file");
            assert_eq!(read.personal_data, before.personal_data);
            assert!(Scanner::default().scan(&allowed).is_empty(), "{allowed}");
        }
        refused("[secrets]\nsalt = \"short\"\n", "a salt has 32 hex digits");
    }
}
