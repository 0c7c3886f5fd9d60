//! The arguments of a tool, which come from the model and are not trusted.

use serde::de::{Deserialize, Deserializer};
use serde_json::value::Number;
use serde_json::{Map, Value};

use super::failure::MemoryScope;

/// The arguments as they came: names may be given twice, and it may be no object at all.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenArguments(Option<Vec<(String, Value)>>);

/// What `update_long_term_memory` is called with.
#[derive(Debug, Clone, PartialEq)]
pub struct UpdateArguments {
    /// Checked against its bounds later: a call that is disabled says so first.
    pub number: Number,
    /// As it came.
    pub content: String,
    /// Whose memory it is, by a name; `None` for a shared one.
    pub target: Option<String>,
}

/// What `create_long_term_memory` is called with.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateArguments {
    /// As it came.
    pub content: String,
    /// Whom it is about, by a name; `None` for a shared one.
    pub target: Option<String>,
}

/// Which argument is wrong, and how.
pub(crate) type ArgumentFault = String;

impl GivenArguments {
    /// Takes an object whose names are given once.
    pub fn new(object: Map<String, Value>) -> Self {
        Self(Some(object.into_iter().collect()))
    }

    /// Takes what is no object.
    pub fn none() -> Self {
        Self(None)
    }

    /// Sorts the values by the names that are known.
    fn values<const N: usize>(
        &self,
        known: [&str; N],
    ) -> Result<[Option<&Value>; N], ArgumentFault> {
        let mut values = [None; N];
        let Some(given) = &self.0 else { return Err("the arguments are no object".to_owned()) };
        for (name, value) in given {
            let Some(at) = known.iter().position(|known| known == name) else {
                return Err(format!("`{}` is no argument", crate::text::excerpt(name)));
            };
            if values[at].replace(value).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
        }
        Ok(values)
    }
}

impl UpdateArguments {
    pub(crate) fn read(given: &GivenArguments) -> Result<Self, ArgumentFault> {
        let [number, content, target] =
            given.values(["memory_id", "memory_content", "target_user"])?;
        let number = number.and_then(Value::as_number).cloned();
        Ok(Self {
            number: number.ok_or("`memory_id` must be a number, the N of `ID:N`")?,
            content: read_content(content, "; an empty one deletes")?,
            target: read_target(target)?,
        })
    }
}

impl CreateArguments {
    pub(crate) fn read(given: &GivenArguments) -> Result<Self, ArgumentFault> {
        let [content, scope, target] =
            given.values(["memory_content", "memory_scope", "target_user"])?;
        let content = read_content(content, "")?;
        let scope = scope.and_then(Value::as_str).and_then(MemoryScope::parse);
        let target = read_target(target)?;
        match scope {
            Some(MemoryScope::ServerWide) => Ok(Self { content, target: None }),
            Some(MemoryScope::TargetUser) if target.is_some() => Ok(Self { content, target }),
            Some(MemoryScope::TargetUser) => {
                Err("`target_user` is missing, as `memory_scope` is `target_user`".to_owned())
            }
            None => Err("`memory_scope` must be `server_wide` or `target_user`".to_owned()),
        }
    }
}

fn read_content(value: Option<&Value>, besides: &str) -> Result<String, ArgumentFault> {
    let content = value.and_then(Value::as_str).map(str::to_owned);
    content.ok_or_else(|| format!("`memory_content` must be a text{besides}"))
}

/// Reads a name; `null` and a blank one are none.
fn read_target(value: Option<&Value>) -> Result<Option<String>, ArgumentFault> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => Ok(Some(name.clone()).filter(|name| !name.trim().is_empty())),
        Some(_) => Err("`target_user` must be a text".to_owned()),
    }
}

/// Keeps a name that is given twice: the last one must not win in silence.
impl<'de> Deserialize<'de> for GivenArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> serde::de::Visitor<'de> for PairsVisitor {
    type Value = GivenArguments;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: serde::de::MapAccess<'de>>(
        self,
        mut object: A,
    ) -> Result<GivenArguments, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = object.next_entry()? {
            pairs.push(pair);
        }
        Ok(GivenArguments(Some(pairs)))
    }

    fn visit_unit<E>(self) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_bool<E>(self, _: bool) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_i64<E>(self, _: i64) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_u64<E>(self, _: u64) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_f64<E>(self, _: f64) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_str<E>(self, _: &str) -> Result<GivenArguments, E> {
        Ok(GivenArguments::none())
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(
        self,
        mut list: A,
    ) -> Result<GivenArguments, A::Error> {
        while list.next_element::<serde::de::IgnoredAny>()?.is_some() {}
        Ok(GivenArguments::none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, expected: &str) {
        let given = serde_json::from_str(text).expect("JSON");
        let fault = UpdateArguments::read(&given).expect_err("it is wrong");
        assert!(fault.contains(expected), "{text}: {fault}");
    }

    #[test]
    fn what_is_unknown_wrong_or_given_twice_is_refused() {
        refused(r#"{"memory_id": 1, "memory_content": "x", "context": {}}"#, "`context` is no");
        refused(r#"{"memory_id": 1, "memory_id": 2, "memory_content": "x"}"#, "given twice");
        refused(r#"{"memory_id": "1", "memory_content": "x"}"#, "`memory_id` must be a number");
        refused(r#"{"memory_id": null, "memory_content": "x"}"#, "`memory_id`");
        refused(r#"{"memory_id": 1}"#, "`memory_content` must be a text");
        refused(r#"{"memory_id": 1, "memory_content": 5}"#, "`memory_content` must be a text");
        refused(r#"{"memory_id": 1, "memory_content": "x", "target_user": 5}"#, "`target_user`");
        for none in ["[1]", "5", "-5", "1.5", "true", "null", "\"x\""] {
            refused(none, "no object");
        }
    }

    #[test]
    fn a_blank_target_is_none() {
        for target in ["null", "\"\"", "\" \""] {
            let text =
                format!(r#"{{"memory_id": 1, "memory_content": "x", "target_user": {target}}}"#);
            let given = serde_json::from_str(&text).expect("JSON");
            assert_eq!(UpdateArguments::read(&given).expect("it is read").target, None);
        }
    }

    #[test]
    fn a_scope_of_a_person_needs_a_person() {
        let read = |text: &str| CreateArguments::read(&serde_json::from_str(text).expect("JSON"));
        let shared =
            read(r#"{"memory_content": "x", "memory_scope": "server_wide", "target_user": "A"}"#);
        assert_eq!(shared.expect("it is read").target, None);
        assert!(read(r#"{"memory_content": "x", "memory_scope": "target_user"}"#).is_err());
        assert!(read(r#"{"memory_content": "x", "memory_scope": "galaxy"}"#).is_err());
    }
}
