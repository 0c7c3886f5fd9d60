//! Reads YAML as JSON: mappings, lists and scalars, all scalars as text.

use saphyr_parser::{Event, Parser};
use serde_json::{Map, Value};

enum Open {
    List(Vec<Value>),
    Mapping(Map<String, Value>, Option<String>),
}

impl Open {
    fn put(&mut self, value: Value) {
        match self {
            Self::List(items) => items.push(value),
            Self::Mapping(pairs, key) => match key.take() {
                Some(name) => {
                    assert!(!pairs.contains_key(&name), "`{name}` is given twice");
                    pairs.insert(name, value);
                }
                None => *key = Some(value.as_str().expect("a key is a text").to_owned()),
            },
        }
    }
}

#[track_caller]
pub(crate) fn read(text: &str) -> Value {
    let mut open = vec![Open::List(Vec::new())];
    for event in Parser::new_from_str(text) {
        let (event, _) = event.unwrap_or_else(|error| panic!("{error}\n{text}"));
        let value = match event {
            Event::SequenceStart(..) => {
                open.push(Open::List(Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Map::new(), None));
                continue;
            }
            Event::Scalar(text, ..) => Value::from(text.into_owned()),
            Event::SequenceEnd | Event::MappingEnd => match open.pop().unwrap() {
                Open::List(items) => items.into(),
                Open::Mapping(pairs, _) => pairs.into(),
            },
            Event::Alias(_) => panic!("no alias is expected"),
            _ => continue,
        };
        open.last_mut().unwrap().put(value);
    }
    let Some(Open::List(mut documents)) = open.pop() else { panic!("it is not closed") };
    assert_eq!(documents.len(), 1, "{text}");
    documents.remove(0)
}
