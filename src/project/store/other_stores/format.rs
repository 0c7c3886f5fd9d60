//! Reads which format another store has.

use std::path::Path;

use crate::config::read_toml;
use crate::error::Result;

/// The format that this program knows.
const KNOWN: u64 = 1;

/// Says why a store cannot be read, by the text of its `config.toml`. Only the version is read: how another store decides
/// is not our concern.
pub(super) fn why_not_known(config: &str, path: &Path) -> Result<Option<String>> {
    let settings = read_toml(config, path)?;
    let Some(version) = settings.get("version") else { return Ok(None) };
    Ok(match version.as_u64() {
        Some(KNOWN) => None,
        Some(newer) if newer > KNOWN => {
            Some(format!("made by a newer agent-memory ({newer}); this one knows {KNOWN}"))
        }
        Some(_) | None => Some(format!("of an unknown format; this agent-memory knows {KNOWN}")),
    })
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
