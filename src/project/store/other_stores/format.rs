//! Reads which format another store has.

use std::path::Path;

use crate::config::read_toml;
use crate::error::Result;
use crate::project::config::{FORMAT_VERSION, NewerFormat};

/// Says why a store cannot be read, by the text of its `config.toml`. Only the version is read: how another store decides
/// is not our concern.
pub(super) fn why_not_known(config: &str, path: &Path) -> Result<Option<String>> {
    let settings = read_toml(config, path)?;
    let Some(version) = settings.get("version") else { return Ok(None) };
    if let Some(newer) = NewerFormat::of(&settings) {
        return Ok(Some(newer.to_string()));
    }
    let is_known = version.as_u64() == Some(FORMAT_VERSION);
    let unknown = || format!("of an unknown format; this agent-memory knows {FORMAT_VERSION}");
    Ok((!is_known).then(unknown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_format_of_today_is_known() {
        let check = |config: &str, expected: Option<&str>| {
            let why = why_not_known(config, Path::new("config.toml")).expect("it is TOML");
            assert_eq!(why.as_deref(), expected, "{config}");
        };
        check("", None);
        check("version = 1\nunknown = true\n", None);
        check("version = 2\n", Some("made by a newer agent-memory (2); this one knows 1"));
        check("version = 0\n", Some("of an unknown format; this agent-memory knows 1"));
        check("version = \"1\"\n", Some("of an unknown format; this agent-memory knows 1"));
    }
}
