//! What cannot be read in an entry of the directory, told to the host that wrote it.

use serde_json::Value;

use super::directory::DirectoryKind;
use super::json::{id, text};
use super::privacy::PrivacyLevel;
use crate::contract::kind;
use crate::text::excerpt;

const OF_USERS: [&str; 5] = ["privacy", "names", "saved_names", "bridge", "forgotten"];
const OF_SERVERS: [&str; 3] = ["flags", "blacklist", "members"];
const FLAGS: [&str; 2] = ["self_teaching", "personal_memories"];

/// Says of a patch which field of it is not known: a restriction that is misspelt would restrict nothing.
pub(crate) fn unknown_field(kind_of_entry: DirectoryKind, patch: &Value) -> Option<String> {
    let known: &[&str] = match kind_of_entry {
        DirectoryKind::User => &OF_USERS,
        DirectoryKind::Server => &OF_SERVERS,
    };
    let unknown = |value: &Value, known: &[&str]| {
        let fields = value.as_object().into_iter().flatten();
        // A field that is not known may be taken out.
        let mut set = fields.filter(|(_, value)| !value.is_null()).map(|(name, _)| name);
        let name = set.find(|name| !known.contains(&name.as_str()))?;
        Some(format!("found `{}`, allowed are `{}`", excerpt(name), known.join("`, `")))
    };
    unknown(patch, known).or_else(|| unknown(&patch["flags"], &FLAGS))
}

/// Says of each field of an entry that cannot be read what that means.
pub(crate) fn faults_of(kind_of_entry: DirectoryKind, id: &str, entry: &Value) -> Vec<String> {
    let fields = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let of_fields = fields(entry).into_iter().filter_map(|(name, value)| {
        let meaning = meaning_of_fault(&name, &value)?;
        Some(format!("`{name}` is {}, which {meaning}", kind(&value)))
    });
    let of_flags = fields(&entry["flags"]).into_iter().filter_map(|(name, value)| {
        let is_right = value.is_boolean() || value.is_null();
        (!is_right).then(|| format!("the flag `{name}` is {}, which counts as off", kind(&value)))
    });
    let entry = format!("{kind_of_entry} `{}`", excerpt(id));
    of_fields.chain(of_flags).map(|fault| format!("{entry}: {fault}")).collect()
}

/// Says what it means that a known field has a wrong form; nothing where its form is right.
fn meaning_of_fault(name: &str, value: &Value) -> Option<&'static str> {
    let is_level = |value: &Value| value.as_str().and_then(PrivacyLevel::parse).is_some();
    let is_id = |value: &Value| id(value).is_some();
    let has_ids = |value: &Value| value.as_array().is_some_and(|ids| ids.iter().all(is_id));
    let has_names =
        |value: &Value| value.as_object().is_some_and(|it| it.values().all(is_list_of_texts));
    let (is_right, meaning) = match name {
        "privacy" => (is_level(value), "counts as `full`"),
        "names" => (is_list_of_texts(value), "is no list of texts: only what is a text counts"),
        "saved_names" => (has_names(value), "is no object of lists: only texts in lists count"),
        "flags" => (value.is_object(), "is no object: all flags are off"),
        "blacklist" => (has_ids(value), "is no list of ids and excludes everyone"),
        "members" => (has_ids(value), "is no list of ids: only what is an id counts"),
        "bridge" | "forgotten" => (value.is_boolean(), "counts as true"),
        _ => (false, "is not known and says nothing"),
    };
    (!is_right && !value.is_null()).then_some(meaning)
}

fn is_list_of_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(|it| text(it).is_some()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_field_that_is_not_read_is_named() {
        let right =
            json!({"privacy": "full", "names": ["x"], "saved_names": {"1": ["y"]}, "bridge": true});
        assert_eq!(faults_of(DirectoryKind::User, "u1", &right), [""; 0]);
        for (broken, expected) in [
            (json!({"privacy": "strict"}), "counts as `full`"),
            (json!({"bridge": "yes"}), "counts as true"),
            (json!({"names": "Ada"}), "is no list of texts"),
        ] {
            let faults = faults_of(DirectoryKind::User, "u1", &broken);
            assert!(faults.len() == 1 && faults[0].contains(expected), "{faults:?}");
        }
        let right =
            json!({"flags": {"self_teaching": true}, "blacklist": ["u1", 5], "members": []});
        assert_eq!(faults_of(DirectoryKind::Server, "s1", &right), [""; 0]);
        for (broken, expected) in [
            (json!({"blacklist": "u1"}), "excludes everyone"),
            (json!({"blacklist": [""]}), "excludes everyone"),
            (json!({"flags": {"self_teaching": "yes"}}), "counts as off"),
            (json!({"members": {"u1": true}}), "only what is an id counts"),
        ] {
            let faults = faults_of(DirectoryKind::Server, "s1", &broken);
            assert!(faults.len() == 1 && faults[0].contains(expected), "{faults:?}");
        }
    }

    #[test]
    fn a_field_that_is_not_known_is_named_with_those_that_are() {
        let unknown = |kind, patch| unknown_field(kind, &patch).unwrap_or_default();
        let user = unknown(DirectoryKind::User, json!({"privcy": "full"}));
        assert!(user.contains("found `privcy`") && user.contains("`privacy`"), "{user}");
        let flag = unknown(DirectoryKind::Server, json!({"flags": {"teaching": true}}));
        assert!(flag.contains("found `teaching`") && flag.contains("`self_teaching`"), "{flag}");
        assert_eq!(unknown(DirectoryKind::User, json!({"privacy": null})), "");
    }
}
