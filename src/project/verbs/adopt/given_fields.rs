//! Reads what a person gives for required fields: `Status=active`.

use crate::error::{Error, ErrorKind, Result};
use crate::project::adopt::GivenFields;
use crate::project::check::Rulebook;
use crate::project::schema::Category;
use crate::text::{excerpt, find_hidden};

/// Reads pairs of name and value; refuses a name that no schema requires, and a value that one of them would not have.
pub(super) fn read(pairs: &[String], rulebook: &Rulebook) -> Result<GivenFields> {
    pairs.iter().map(|pair| read_pair(pair, rulebook)).collect()
}

fn read_pair(pair: &str, rulebook: &Rulebook) -> Result<(String, String)> {
    let wrong = |message: String, hint: String| Error::new(ErrorKind::Usage, message).hint(hint);
    let shown = |text: &str| excerpt(&rulebook.scanner.redact(text));
    let parts = pair.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let Some((name, value)) = parts.filter(|(name, value)| !name.is_empty() && !value.is_empty())
    else {
        let message = format!("`--field {}` is not a name, `=` and a value", shown(pair));
        return Err(wrong(message, "write it as `--field Status=active`".to_owned()));
    };
    let is_text = !value.contains(['\n', '\r']) && !value.contains("<!--");
    if !is_text || find_hidden(value).is_some() || !rulebook.scanner.scan(value).is_empty() {
        let message =
            format!("the value of `--field {}=…` is not one line of plain text", shown(name));
        return Err(wrong(
            message,
            "give plain text without secrets, comments and hidden characters".to_owned(),
        ));
    }
    let rule = |category: &'_ Category| {
        let rules = category.section.as_ref()?;
        rules.fields.get(name).filter(|rule| rule.required).cloned()
    };
    let rules: Vec<_> = rulebook.catalog.categories().iter().filter_map(rule).collect();
    if rules.is_empty() {
        let message = format!("no schema requires a field `{}`", shown(name));
        return Err(wrong(message, "`schemas/` of the store names the required fields".to_owned()));
    }
    match rules.iter().find_map(|rule| rule.refusal_of(value, &rulebook.matching)) {
        None => Ok((name.to_owned(), value.to_owned())),
        Some(allowed) => {
            let message = format!("`{name}` cannot be `{}`", shown(value));
            Err(wrong(message, format!("allowed is {allowed}")))
        }
    }
}
