//! Writes and removes one text at the top of a JSON file of settings; comments and layout stay.

use jsonc_parser::json;
use serde_json::Value;

use super::fault::{Fault, FaultCode};
use super::json_tree::{
    content_of, is_bare, line_of, member, parse, restored, without, wrong_shape,
};

#[derive(Debug, Clone)]
pub(super) struct JsonSetting {
    pub(super) name: &'static str,
    pub(super) value: String,
}

/// Adds the setting; refuses where it has another value, which a person chose.
pub(super) fn insert(text: Option<&str>, setting: &JsonSetting) -> Result<String, Fault> {
    let root = parse(text.unwrap_or("{}\n"))?;
    let top = root.object_value().ok_or_else(|| wrong_shape("the file", root.value(), false))?;
    let Some(found) = member(&top, setting.name)? else {
        let content = content_of(&top.clone().into());
        top.append(setting.name, json!(setting.value.as_str()));
        return Ok(restored(content, text, root.to_string()));
    };
    let message = match found.to_serde_value() {
        Some(Value::String(value)) if value == setting.value => return Ok(root.to_string()),
        Some(Value::String(value)) => format!("`{}` is `{value}`", setting.name),
        Some(_) | None => format!("`{}` is no text", setting.name),
    };
    let hint = format!("take it out, or set it to `{}`; it was left as it is", setting.value);
    let fault = Fault::new(FaultCode::ForeignEntry, message, hint);
    Err(fault.on_line(line_of(&found.into())))
}

/// Removes the setting, unless it has another value; returns nothing if the file has nothing else.
pub(super) fn remove(text: &str, setting: &JsonSetting) -> Result<Option<String>, Fault> {
    let root = parse(text)?;
    let Some(top) = root.object_value() else { return Ok(Some(text.to_owned())) };
    let ours = |value: &Value| value == setting.value.as_str();
    let found = member(&top, setting.name)?;
    let Some(found) = found.filter(|it| it.to_serde_value().as_ref().is_some_and(ours)) else {
        return Ok(Some(text.to_owned()));
    };
    let rest = without(text, &found.into());
    let is_restored = || insert(Some(&rest), setting).is_ok_and(|again| again == text);
    Ok((!is_bare(&rest, None) || is_restored()).then_some(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> JsonSetting {
        JsonSetting { name: "autoMemoryDirectory", value: "/data/memory".to_owned() }
    }

    #[test]
    fn it_is_added_once_and_all_else_stays() {
        for (before, after, left) in [
            ("{}", "{\"autoMemoryDirectory\": \"/data/memory\"}", Some("{}")),
            (
                "{\n  \"a\": 1 // a\n}\n",
                "{\n  \"a\": 1, // a\n  \"autoMemoryDirectory\": \"/data/memory\"\n}\n",
                Some("{\n  \"a\": 1 // a\n}\n"),
            ),
        ] {
            let inserted = insert(Some(before), &folder()).expect("there is room");
            assert_eq!(inserted, after);
            assert_eq!(insert(Some(&inserted), &folder()).expect("it is there"), inserted);
            assert_eq!(remove(&inserted, &folder()).expect("it is there").as_deref(), left);
        }
        let reformatted = "{ \"autoMemoryDirectory\": \"/data/memory\" }";
        assert_eq!(remove(reformatted, &folder()).expect("it is there"), None);
    }

    #[test]
    fn another_value_is_the_persons_own() {
        let text = "{\n  \"autoMemoryDirectory\": \"~/notes\"\n}";
        let fault = insert(Some(text), &folder()).expect_err("it is refused");
        assert_eq!((fault.code, fault.line), (FaultCode::ForeignEntry, Some(2)));
        assert_eq!(remove(text, &folder()).expect("it stays").as_deref(), Some(text));
    }
}
