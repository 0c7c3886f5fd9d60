//! Keeps one entry in a JSON file of settings: found by syntax, put in and taken out by splice.
//!
//! An entry comes first in its object or list: so no other line changes. Where there was an empty one it is
//! written in one line, and what is made around it then has blanks inside of its brackets: so no two texts
//! become the same, and [`before`] can find the one that was.

mod ours;
mod render;
mod splice;
mod writing;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::fault::{Fault, FaultCode};
use render::Style;
use splice::{Items, add_first, cut};

/// An entry of ours in a file of settings.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The names that lead from the top to the object or list that holds it.
    pub(super) path: &'static [&'static str],
    /// The entry, in one line.
    pub(super) item: Item,
    /// The words of a command line that makes an entry ours.
    pub(super) words: &'static [&'static str],
    /// A member that a new file begins with, in one line.
    pub(super) first: Option<&'static str>,
}

/// What is put into an object or a list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item {
    /// A member of an object: name, value.
    Member(&'static str, &'static str),
    /// An element of a list.
    Element(&'static str),
}

/// Returns a text with the entry in it.
pub(super) fn put(text: Option<&str>, entry: &Entry) -> Result<String, Fault> {
    let Some(text) = text else { return Ok(entry.new_file()) };
    let value = parse(text)?;
    let way = entry.walk(text, &value)?;
    if way.place.is_some() {
        return Ok(text.to_owned());
    }
    let (depth, items) = way.steps.last().expect("the top is always there");
    let line = entry.in_one_line(*depth, " ");
    let unit = indent_of_top(text, &value);
    let lay_out = |style: Style<'_>, indent: &str| entry.laid_out(*depth, style, indent);
    Ok(add_first(text, items, &line, |eol, indent| lay_out(Style { eol, unit: &unit }, indent)))
}

/// Returns what a text can have been before the entry came into it; nothing if it has none.
pub(super) fn before(text: &str, entry: &Entry) -> Result<Vec<Option<String>>, Fault> {
    let value = parse(text)?;
    let way = match entry.walk(text, &value) {
        // What keeps us from putting ours there is not ours to take.
        Err(Fault { code: FaultCode::ForeignEntry, .. }) => return Ok(Vec::new()),
        Err(fault) if fault.code == FaultCode::WrongShape && !entry.is_started_by(&value) => {
            return Ok(Vec::new());
        }
        way => way?,
    };
    let Some(place) = way.place else { return Ok(Vec::new()) };
    let places = way.taken.iter().chain([&place]);
    let cuts = way.steps.iter().zip(places).map(|((_, items), at)| Some(cut(text, items, *at)));
    let alone = way.beside.iter().map(|(items, at)| Some(cut(text, items, *at)));
    Ok([None].into_iter().chain(cuts).chain(alone).collect())
}

/// Returns the strings at a place, be it one or a list of them.
pub(super) fn strings_at(text: &str, path: &[&str]) -> Vec<String> {
    let Ok(top) = parse(text) else { return Vec::new() };
    let found =
        path.iter().try_fold(&top, |value, name| value.as_object()?.get(name).map(|m| &m.value));
    let string = |value: &Value<'_>| value.as_string_lit().map(|text| text.value.to_string());
    match found {
        Some(Value::Array(array)) => array.elements.iter().filter_map(string).collect(),
        Some(value) => string(value).into_iter().collect(),
        None => Vec::new(),
    }
}

/// The way to an entry, as far as it is there.
struct Way {
    /// Each object or list on the way, with how many names lead to it.
    steps: Vec<(usize, Items)>,
    /// Which of the items of each leads on.
    taken: Vec<usize>,
    /// Which item of the last one is the entry.
    place: Option<usize>,
    /// The hooks of the entry, and which of them is ours, where others stand beside it.
    beside: Option<(Items, usize)>,
}

impl Entry {
    /// Follows the names as far as they lead.
    fn walk(&self, text: &str, top: &Value<'_>) -> Result<Way, Fault> {
        let mut way = Way { steps: Vec::new(), taken: Vec::new(), place: None, beside: None };
        let mut value = top;
        for depth in 0..=self.path.len() {
            let wants_list = depth == self.path.len() && matches!(self.item, Item::Element(_));
            match value {
                Value::Array(array) if wants_list => {
                    way.steps.push((depth, Items::of(array, &array.elements)));
                    way.place = array.elements.iter().position(|each| self.is_ours(each));
                    way.beside = way.place.and_then(|at| self.beside(&array.elements[at]));
                }
                Value::Object(object) if !wants_list => {
                    way.steps.push((depth, Items::of(object, &object.properties)));
                    let Some(at) = self.member(text, object, depth)? else { break };
                    match depth == self.path.len() {
                        true => way.place = Some(at),
                        false => {
                            way.taken.push(at);
                            value = &object.properties[at].value;
                        }
                    }
                }
                _ => return Err(self.wrong_shape(text, value, depth, wants_list)),
            }
        }
        Ok(way)
    }

    /// Finds the member that leads on, or that is the entry.
    fn member(
        &self,
        text: &str,
        object: &Object<'_>,
        depth: usize,
    ) -> Result<Option<usize>, Fault> {
        let wanted = match (self.path.get(depth).copied(), self.item) {
            (Some(name), _) | (None, Item::Member(name, _)) => name,
            (None, Item::Element(_)) => return Ok(None),
        };
        let is_wanted = |(_, name): &(usize, &str)| *name == wanted;
        let names = object.properties.iter().map(|each| each.name.as_str());
        let mut found = names.enumerate().filter(is_wanted).map(|(at, _)| at);
        let Some(at) = found.next() else { return Ok(None) };
        if let Some(again) = found.next() {
            let message = format!("`{wanted}` stands twice in one object");
            let fault = Fault::new(FaultCode::Malformed, message, "take one of them out");
            return Err(fault.at(text, object.properties[again].start()));
        }
        let member = &object.properties[at];
        if depth == self.path.len() && !self.is_ours(&member.value) {
            let runs = self.words.join(" ");
            let message = format!("`{wanted}` starts something else than `{runs}`");
            let hint = "rename it or take it out, then try again; it was left as it is";
            let fault = Fault::new(FaultCode::ForeignEntry, message, hint);
            return Err(fault.at(text, member.start()));
        }
        Ok(Some(at))
    }

    fn wrong_shape(&self, text: &str, value: &Value<'_>, depth: usize, wants_list: bool) -> Fault {
        let name = self.path[..depth].join(".");
        let name = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
        let wanted = if wants_list { "a list" } else { "an object" };
        let message = format!("{name} is not {wanted}");
        let hint = format!("make it {wanted}, `{}`", if wants_list { "[]" } else { "{}" });
        Fault::new(FaultCode::WrongShape, message, hint).at(text, value.start())
    }
}

/// Returns what the first member of the file begins its line with, for each level below it.
fn indent_of_top(text: &str, top: &Value<'_>) -> String {
    let first = top.as_object().and_then(|object| object.properties.first());
    let before = first.map_or("", |member| &text[..member.start()]);
    let line = before.rsplit_once('\n').map_or("", |(_, line)| line);
    match line.is_empty() || !line.chars().all(|c| c == ' ' || c == '\t') {
        true => "  ".to_owned(),
        false => line.to_owned(),
    }
}

fn text_of<'t>(value: &Value<'_>, text: &'t str) -> &'t str {
    &text[value.start()..value.end()]
}

/// Reads JSON with comments and trailing commas; offsets are those of the text.
fn parse(text: &str) -> Result<Value<'_>, Fault> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
    };
    let hint = "correct the line, then try again";
    match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => parsed.value.ok_or_else(|| {
            let message = "there is no JSON in it";
            Fault::new(FaultCode::Malformed, message, "write `{}` there, or remove the file")
                .at(text, 0)
        }),
        Err(error) => {
            let message = format!("it is not JSON: {}", error.kind());
            Err(Fault::new(FaultCode::Malformed, message, hint).at(text, error.range().start))
        }
    }
}

#[cfg(test)]
mod tests;
