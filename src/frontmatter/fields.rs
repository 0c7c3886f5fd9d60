//! What a front matter says, key by key.

use serde_json::{Map, Value};

use super::nodes::{self, KeyValue, Node};
use super::yaml;

/// A key at the top level, or one in a mapping at the top level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPath<'a> {
    Top(&'a str),
    In(&'a str, &'a str),
}

impl KeyPath<'_> {
    pub(super) fn last(&self) -> &str {
        match self {
            Self::Top(key) | Self::In(_, key) => key,
        }
    }
}

pub(crate) struct FrontMatter {
    pub(super) pairs: Vec<KeyValue>,
    values: Map<String, Value>,
}

impl FrontMatter {
    /// Reads the lines between the two lines of `---`; the error is a short phrase that says why not.
    pub(crate) fn read(front: &str) -> Result<Self, String> {
        let value = yaml::read(front)?;
        match (nodes::find(front)?, value) {
            (Some(Node::Mapping(pairs)), Value::Object(values)) => Ok(Self { pairs, values }),
            (None, _) => Ok(Self { pairs: Vec::new(), values: Map::new() }),
            (Some(_), _) => Err("it is no mapping".to_owned()),
        }
    }

    /// Tells whether a key stands there, with a value or without.
    pub(crate) fn has(&self, key: KeyPath<'_>) -> bool {
        self.find(key).is_some()
    }

    pub(crate) fn is_mapping(&self, key: KeyPath<'_>) -> bool {
        self.find(key).is_some_and(|pair| matches!(pair.value, Node::Mapping(_)))
    }

    /// Returns the text of a scalar as it stands there, so `007` is not `7`; nothing for a null.
    pub(crate) fn text(&self, key: KeyPath<'_>) -> Result<Option<&str>, String> {
        match self.find(key).map(|pair| &pair.value) {
            None => Ok(None),
            Some(Node::Scalar(scalar)) if scalar.is_null() => Ok(None),
            Some(Node::Scalar(scalar)) => Ok(Some(&scalar.text)),
            Some(Node::List) => Err(format!("`{}` is a list, where a text is wanted", key.last())),
            Some(Node::Mapping(_)) => {
                Err(format!("`{}` is a mapping, where a text is wanted", key.last()))
            }
        }
    }

    pub(super) fn find(&self, key: KeyPath<'_>) -> Option<&KeyValue> {
        let named = |pairs: &[KeyValue], key: &str| pairs.iter().position(|pair| pair.key == key);
        match key {
            KeyPath::Top(key) => Some(&self.pairs[named(&self.pairs, key)?]),
            KeyPath::In(outer, inner) => match &self.pairs[named(&self.pairs, outer)?].value {
                Node::Mapping(pairs) => Some(&pairs[named(pairs, inner)?]),
                Node::Scalar(_) | Node::List => None,
            },
        }
    }

    /// Returns all values but one, to compare them before and after an edit.
    pub(super) fn values_without(&self, key: KeyPath<'_>) -> Map<String, Value> {
        let mut values = self.values.clone();
        match key {
            KeyPath::Top(key) => values.remove(key),
            KeyPath::In(outer, inner) => {
                values.get_mut(outer).and_then(Value::as_object_mut).and_then(|it| it.remove(inner))
            }
        };
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(front: &str, key: KeyPath<'_>, expected: Result<Option<&str>, &str>) {
        let read = FrontMatter::read(front).expect("it is a mapping");
        assert_eq!(read.text(key), expected.map_err(str::to_owned), "{front:?}");
    }

    #[test]
    fn a_scalar_is_its_text_as_it_stands() {
        for (front, expected) in [
            ("a: b c # d\n", "b c"),
            ("a: 'it''s'\r\n", "it's"),
            ("a: \"x\\ty\"\n", "x\ty"),
            ("a: >-\n  x\n  y\n", "x y"),
            ("a: |\n  x\n  y\n", "x\ny\n"),
            ("a: 007\n", "007"),
            ("a: True\n", "True"),
            ("a: 'null'\n", "null"),
        ] {
            check(front, KeyPath::Top("a"), Ok(Some(expected)));
        }
        check("m:\n  a: b\n", KeyPath::In("m", "a"), Ok(Some("b")));
        check("m: {a: b}\n", KeyPath::In("m", "a"), Ok(Some("b")));
    }

    #[test]
    fn what_is_null_or_missing_has_no_text() {
        for front in ["a:\n", "a: ~\n", "a: NULL # b\n", "b: c\n", "", "# b\n"] {
            check(front, KeyPath::Top("a"), Ok(None));
        }
        check("m: a\n", KeyPath::In("m", "a"), Ok(None));
        check("m: [a]\n", KeyPath::In("m", "a"), Ok(None));
    }

    #[test]
    fn a_list_or_a_mapping_is_no_text() {
        check("a: [b]\n", KeyPath::Top("a"), Err("`a` is a list, where a text is wanted"));
        check("a:\n  b: c\n", KeyPath::Top("a"), Err("`a` is a mapping, where a text is wanted"));
    }

    #[test]
    fn what_is_no_mapping_is_refused() {
        for (front, why) in [
            ("a\n", "it is no mapping"),
            ("~\n", "it is no mapping"),
            ("- a\n", "it is no mapping"),
            ("a: b\na: c\n", "stands twice"),
            ("a: &x b\nc: *x\n", "aliases"),
            ("a: \"b\n", "no YAML"),
        ] {
            let said = FrontMatter::read(front).err().expect("it is wrong");
            assert!(said.contains(why), "{front:?}: {said}");
        }
    }
}
