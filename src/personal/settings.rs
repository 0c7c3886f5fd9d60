//! Reads the `config.toml` in a person's folder: form of new files, limits, what is refused.

use std::path::Path;

use super::entry_file::Dialect;
use crate::config::{read_toml, settled};
use crate::contract::{Fields, Problems};
use crate::error::Result;
use crate::secrets::{PersonalKind, Scanner, Settings};

/// How a person's memory decides.
#[derive(Debug, Clone)]
pub(crate) struct PersonalSettings {
    /// The form of new files.
    pub(crate) dialect: Dialect,
    /// Whether sessions begin with the index.
    pub(crate) inject: bool,
    pub(crate) limits: Limits,
    /// Kinds of personal data that are refused; none by default, as this memory is about a person.
    personal_data: Vec<PersonalKind>,
}

/// How much fits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) entries: usize,
    /// Of the index. What is beyond Claude Code's 200 lines or 25,000 bytes it does not load.
    pub(crate) lines: usize,
    pub(crate) bytes: usize,
}

impl Default for PersonalSettings {
    fn default() -> Self {
        let limits = Limits { entries: 1_000, lines: 200, bytes: 25_000 };
        Self { dialect: Dialect::Plain, inject: true, limits, personal_data: Vec::new() }
    }
}

impl PersonalSettings {
    /// Reads the text of `config.toml`; `path` names it in errors.
    pub(crate) fn parse(text: &str, path: &Path) -> Result<Self> {
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let mut settings = Self::default();
        if let Some(mut fields) = Fields::of(&value, "", &problems) {
            let dialect = fields.word("dialect", Dialect::parse, Dialect::NAMES);
            settings.dialect = dialect.unwrap_or(settings.dialect);
            settings.inject = fields.flag("inject").unwrap_or(settings.inject);
            if let Some(mut limits) = fields.object("limits") {
                settings.limits.read(&mut limits);
                limits.finish();
            }
            if let Some(mut secrets) = fields.object("secrets") {
                settings.personal_data =
                    secrets.words("pii", PersonalKind::parse, PersonalKind::NAMES);
                secrets.finish();
            }
            fields.finish();
        }
        settled(settings, &problems, path)
    }

    pub(crate) fn scanner(&self) -> Scanner {
        let personal = self.personal_data.iter().copied().collect();
        Scanner::new(Settings { personal, ..Settings::default() })
    }
}

impl Limits {
    fn read(&mut self, fields: &mut Fields<'_>) {
        let mut read = |name, most, limit: &mut usize| {
            let number = fields.number(name, 1..=most);
            *limit = number.and_then(|number| usize::try_from(number).ok()).unwrap_or(*limit);
        };
        read("entries", 10_000, &mut self.entries);
        read("index_lines", 10_000, &mut self.lines);
        read("index_bytes", 1_000_000, &mut self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_has_its_default_and_a_slip_is_named() {
        let path = Path::new("config.toml");
        let settings =
            PersonalSettings::parse("dialect = \"claude\"\n[limits]\nentries = 7\n", path);
        let settings = settings.expect("good settings");
        assert!(settings.dialect == Dialect::Claude && settings.inject);
        assert_eq!((settings.limits.entries, settings.limits.lines), (7, 200));
        for (text, said) in
            [("dialect = \"new\"", "`plain`, `claude`"), ("injekt = true", "`inject`")]
        {
            let error = PersonalSettings::parse(text, path).expect_err("a slip").to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
