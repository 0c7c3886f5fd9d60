//! Reads and writes one setting by its name, such as `staging.track`, in the text of a `config.toml`.

use serde_json::Value;
use toml_edit::{DocumentMut, Item, Table, TableLike, value};

/// A setting with the value that counts.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
pub struct Setting {
    /// Its name, e.g. `staging.track`.
    pub key: String,
    /// What counts: the value in `config.toml`, else the default.
    pub value: Value,
    /// Whether `config.toml` leaves it out or says the same as the default.
    pub is_default: bool,
}

/// What makes the fingerprints of a store its own is for no command to print or to change.
const SALT: &str = "secrets.salt";

/// Returns all settings by name; where both have one, that of `own`.
pub(super) fn settings(own: &Value, defaults: &Value) -> Vec<Setting> {
    let (own, defaults) = (leaves(own), leaves(defaults));
    let find = |list: &[(String, Value)], key: &str| {
        list.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    };
    let mut keys: Vec<&String> = own.iter().chain(&defaults).map(|(key, _)| key).collect();
    keys.retain(|key| *key != SALT);
    keys.sort();
    keys.dedup();
    let setting = |key: &String| {
        let (given, default) = (find(&own, key), find(&defaults, key));
        let is_default = given.is_none() || given == default;
        let value = given.or(default).unwrap_or_default();
        Setting { key: key.clone(), value, is_default }
    };
    keys.into_iter().map(setting).collect()
}

fn leaves(value: &Value) -> Vec<(String, Value)> {
    let Value::Object(table) = value else { return Vec::new() };
    let leaf = |(name, value): (&String, &Value)| match value {
        Value::Object(_) => {
            leaves(value).into_iter().map(|(key, value)| (format!("{name}.{key}"), value)).collect()
        }
        value => vec![(name.clone(), value.clone())],
    };
    table.iter().flat_map(leaf).collect()
}

/// Writes a setting into the text of a `config.toml`; all else stays, comments too. `default` tells of which type it is.
///
/// Says what is wrong where the text is no TOML, or holds something else in its place.
pub(super) fn with_setting(
    text: &str,
    key: &str,
    word: &str,
    default: Option<&Value>,
) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let (tables, name) = key.rsplit_once('.').unwrap_or(("", key));
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for part in tables.split('.').filter(|part| !part.is_empty()) {
        let next = table.entry(part).or_insert_with(|| Item::Table(Table::new()));
        table = next.as_table_like_mut().ok_or_else(|| format!("`{part}` is no table"))?;
    }
    let mut new = typed(word, default);
    if let (Some(old), Some(new)) = (table.get(name).and_then(Item::as_value), new.as_value_mut()) {
        // The comment behind the value is a part of its decoration.
        *new.decor_mut() = old.decor().clone();
    }
    table.insert(name, new);
    Ok(document.to_string())
}

/// Reads a word as the type of the default: `email,phone` for a list, `true` for a flag.
fn typed(word: &str, default: Option<&Value>) -> Item {
    match default {
        Some(Value::Bool(_)) => word.parse().map_or_else(|_| value(word), |flag: bool| value(flag)),
        Some(Value::Number(_)) => {
            word.parse().map_or_else(|_| value(word), |number: i64| value(number))
        }
        Some(Value::Array(_)) => {
            let written = word.parse::<toml_edit::Value>().ok();
            if let Some(array) = written.filter(toml_edit::Value::is_array) {
                return value(array);
            }
            let words = word.split(',').map(str::trim).filter(|word| !word.is_empty());
            value(words.collect::<toml_edit::Array>())
        }
        _ => value(word),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const TEXT: &str = "version = 1\n\n[staging]\nmax_open = 50     # how many\ntrack = false\n";

    #[track_caller]
    fn check(key: &str, word: &str, default: Value, expected: &str) {
        let written = with_setting(TEXT, key, word, Some(&default)).expect("it is written");
        assert_eq!(written, expected);
    }

    #[test]
    fn a_setting_is_written_and_all_else_stays() {
        let comment = TEXT.replace("50     #", "7     #");
        check("staging.max_open", "7", json!(50), &comment);
        check("staging.track", "true", json!(false), &TEXT.replace("false", "true"));
        let added = format!("{TEXT}\n[secrets]\npii = [\"email\", \"phone\"]\n");
        check("secrets.pii", "email, phone", json!([]), &added);
        let emptied = format!("{TEXT}\n[secrets]\npii = []\n");
        check("secrets.pii", "[]", json!([]), &emptied);
        let added = format!("{TEXT}\n[routing]\n\n[routing.intents]\nsession_log = \"stage\"\n");
        check("routing.intents.session_log", "stage", json!(""), &added);
        // What is no number is for the reader of settings to refuse.
        check("staging.max_open", "many", json!(50), &TEXT.replace("50     #", "\"many\"     #"));
    }

    #[test]
    fn what_stands_in_the_way_is_told() {
        let inline = with_setting("staging = { track = false }\n", "staging.track", "true", None);
        assert_eq!(inline.as_deref(), Ok("staging = { track = \"true\" }\n"));
        let said = with_setting("staging = 5\n", "staging.track", "true", None);
        assert_eq!(said, Err("`staging` is no table".to_owned()));
        assert!(with_setting("[", "a", "b", None).is_err());
    }

    #[test]
    fn the_value_that_counts_is_the_own_one() {
        let own = json!({"staging": {"track": true}, "secrets": {"salt": "00"}});
        let defaults = json!({"staging": {"track": false, "max_open": 50}});
        let told: Vec<_> = settings(&own, &defaults)
            .into_iter()
            .map(|it| format!("{} {} {}", it.key, it.value, it.is_default))
            .collect();
        assert_eq!(told, ["staging.max_open 50 true", "staging.track true false"]);
    }
}
