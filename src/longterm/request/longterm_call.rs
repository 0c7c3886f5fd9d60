//! What a host sends: the context of the call beside the arguments of the model.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::arguments::GivenArguments;

/// What a host sends.
#[derive(Debug, Clone, PartialEq)]
pub struct LongtermCall {
    /// What the host says of the call; `null` where it says nothing.
    pub context: Value,
    /// What the model wants.
    pub arguments: GivenArguments,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct LongtermCallFields {
    #[serde(default)]
    context: Value,
    #[serde(default = "GivenArguments::none")]
    arguments: GivenArguments,
}

/// Reads an object alone: a derived form would read a list too.
impl<'de> Deserialize<'de> for LongtermCall {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LongtermCallVisitor)
    }
}

struct LongtermCallVisitor;

impl<'de> Visitor<'de> for LongtermCallVisitor {
    type Value = LongtermCall;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("an object with `context` and `arguments`")
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<LongtermCall, A::Error> {
        let fields = LongtermCallFields::deserialize(MapAccessDeserializer::new(object))?;
        Ok(LongtermCall { context: fields.context, arguments: fields.arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::LongtermCall;

    #[test]
    fn only_an_object_is_a_call() {
        assert!(serde_json::from_str::<LongtermCall>("{}").is_ok());
        for wrong in ["[]", "[{}, {}]", "5", "null", "\"x\"", "{\"model\": 1}"] {
            assert!(serde_json::from_str::<LongtermCall>(wrong).is_err(), "{wrong}");
        }
    }
}
