//! Reads the copies of the log.

use crate::error::Result;
use crate::store::files;
use crate::store::folder::Spot;

/// Reads the copies of logs in a folder, the oldest first.
pub(super) fn logs_in(folder: &Spot) -> Result<Vec<String>> {
    // `log.jsonl` is the youngest.
    let number = |name: &str| match name.strip_prefix("log.")?.strip_suffix("jsonl")? {
        "" => Some(u32::MAX),
        number => number.strip_suffix('.')?.parse().ok(),
    };
    let names = files::list(folder)?.into_iter();
    let mut names: Vec<_> = names.filter_map(|name| Some((number(&name)?, name))).collect();
    names.sort_unstable();
    let texts = names.iter().map(|(_, name)| files::read_text(&folder.join(name)));
    Ok(texts.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}
