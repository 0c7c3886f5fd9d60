//! Reads what a person says of the files of a folder: `techContext=conventions`.

use crate::error::{Error, ErrorKind, Result};
use crate::project::adopt::{GivenCategories, plain_name};
use crate::project::check::Rulebook;
use crate::text::excerpt;

/// Reads pairs of the name of a file, or its path in the folder, and a category of the store.
pub(super) fn read(
    pairs: &[String],
    paths: &[String],
    rulebook: &Rulebook,
) -> Result<GivenCategories> {
    pairs.iter().map(|pair| read_pair(pair, paths, rulebook)).collect()
}

fn read_pair(pair: &str, paths: &[String], rulebook: &Rulebook) -> Result<(String, String)> {
    let wrong = |message: String, hint: String| Error::new(ErrorKind::Usage, message).hint(hint);
    let shown = |text: &str| excerpt(&rulebook.scanner.redact(text));
    let parts = pair.rsplit_once('=').map(|(name, category)| (name.trim(), category.trim()));
    let Some((name, category)) = parts.filter(|(name, _)| !name.is_empty()) else {
        let message = format!("`--map {}` is not a name, `=` and a category", shown(pair));
        return Err(wrong(message, "write it as `--map techContext=conventions`".to_owned()));
    };
    if rulebook.catalog.named(category).is_none_or(|category| category.write_once) {
        let known = rulebook.catalog.categories().iter().filter(|it| !it.write_once);
        let known: Vec<&str> = known.map(|it| it.name.as_str()).collect();
        let message = format!("no category `{}` takes notes", shown(category));
        return Err(wrong(message, format!("allowed is one of `{}`", known.join("`, `"))));
    }
    let is_path = paths.iter().any(|path| path == name);
    let key = if is_path { name.to_owned() } else { plain_name(name) };
    if !is_path && !paths.iter().any(|path| plain_name(path) == key) {
        let message = format!("the folder of `--from` has no file `{}`", shown(name));
        let hint = "give the name of a file in it, with or without `.md`, or its path there";
        return Err(wrong(message, hint.to_owned()));
    }
    Ok((key, category.to_owned()))
}
