//! Remembers rejected texts by fingerprint, so that they do not come back in another form.

use std::path::Path;

use crate::config::{read_toml, settled};
use crate::contract::{ContentHash, Fields, Problems};
use crate::error::Result;
use crate::markdown::{Outline, rendered};
use crate::project::request::{Action, MemoryPath, Selector};
use crate::project::schema::{Catalog, read_fields};
use crate::text::fold;

/// What is kept of a rejected proposal: no word of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rejection {
    /// Id of the proposal; it salts the fingerprints.
    pub id: String,
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// Why, in the words of the person.
    pub reason: String,
    /// One fingerprint for each rejected operation.
    pub fingerprints: Vec<String>,
}

/// Shorter texts than this many characters say too little to be known again by themselves.
const TELLING: usize = 24;

impl Rejection {
    /// Reads the text of a file under `rejections/`; `path` names it in errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self> {
        let value = read_toml(text, path)?;
        let problems = Problems::default();
        let read = Fields::of(&value, "", &problems).map(|mut fields| {
            let mut required = |name| fields.required_text(name).unwrap_or_default().to_owned();
            let (id, date, reason) = (required("id"), required("date"), required("reason"));
            let list = fields.texts("fingerprints").unwrap_or_default();
            let fingerprints = list.into_iter().map(str::to_owned).collect();
            fields.finish();
            Self { id, date, reason, fingerprints }
        });
        settled(read.unwrap_or_default(), &problems, path)
    }

    /// Reads both sides of a file with a git conflict. A text that either side rejects stays rejected; otherwise a
    /// merge would let it in.
    pub fn in_conflict(text: &str) -> Vec<Self> {
        let [ours, theirs] = both_sides(text);
        let sides = [ours, theirs].map(|side| Self::parse(&side, Path::new("")).ok());
        sides.into_iter().flatten().collect()
    }

    pub(crate) fn to_toml(&self) -> String {
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let list: Vec<String> = self.fingerprints.iter().map(|each| quoted(each)).collect();
        format!(
            "id = {}\ndate = {}\nreason = {}\nfingerprints = [{}]\n",
            quoted(&self.id),
            quoted(&self.date),
            quoted(&self.reason),
            list.join(", ")
        )
    }

    pub(crate) fn covers(&self, input: &FingerprintInput) -> bool {
        self.fingerprints.contains(&input.fingerprint(&self.id))
    }
}

/// Takes a text with git's conflict markers apart; the same twice where there are none.
fn both_sides(text: &str) -> [String; 2] {
    let mut sides = [String::new(), String::new()];
    let mut heard = [true, true];
    for line in text.split_inclusive('\n') {
        match line.get(..7) {
            Some("<<<<<<<") => heard = [true, false],
            Some("|||||||") => heard = [false, false],
            Some("=======") => heard = [false, true],
            Some(">>>>>>>") => heard = [true, true],
            _ => {
                for (side, _) in sides.iter_mut().zip(heard).filter(|(_, heard)| *heard) {
                    *side += line;
                }
            }
        }
    }
    sides
}

/// What an operation says, as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FingerprintInput(ContentHash);

impl FingerprintInput {
    fn new(said: &str) -> Self {
        Self(ContentHash::of(said.as_bytes()))
    }

    /// Finds what an operation says.
    ///
    /// A text counts by what a reader sees of it: not by its markup, heading, file, fields, case, blanks or the order
    /// of its bullets. An operation that brings no telling text counts by what it does to which section.
    pub fn of(path: &MemoryPath, catalog: &Catalog, action: &Action) -> Self {
        let said = fold(&rendered(&without_fields(&body_of(action), catalog)));
        if said.chars().count() >= TELLING {
            return Self::new(&said);
        }
        let target = match action.target().map(|target| &target.selector) {
            None => String::new(),
            Some(Selector::Id(id)) => format!("id {id}"),
            Some(Selector::Heading { text, level, occurrence }) => {
                let level = level.map_or(0, usize::from);
                format!("heading {level} {} {text}", occurrence.unwrap_or(1))
            }
        };
        Self::new(&format!("{} {path} {target} {said}", action.kind()))
    }

    /// Finds what several operations say together, if that is telling.
    pub fn of_all(catalog: &Catalog, actions: &[&Action]) -> Option<Self> {
        let bodies: Vec<String> = actions.iter().map(|action| body_of(action)).collect();
        let said = fold(&rendered(&without_fields(&bodies.join("\n\n"), catalog)));
        (said.chars().count() >= TELLING).then(|| Self::new(&said))
    }

    /// Returns its fingerprint under a salt. The salt goes over the hash of the text, as each rejection has its own
    /// salt and the text may be long.
    pub fn fingerprint(&self, salt: &str) -> String {
        let salted = format!("agent-memory/rejection\0{salt}\0{}", self.0);
        ContentHash::of(salted.as_bytes()).as_str()[..32].to_owned()
    }
}

/// Removes the field lines that any category asks for: the same decision with another date is the same decision.
fn without_fields(body: &str, catalog: &Catalog) -> String {
    let rules = || catalog.categories().iter().filter_map(|category| category.section.as_ref());
    let is_known = |name: &str| rules().any(|rules| rules.fields.contains_key(name));
    let is_field = |line: &&str| read_fields(line).iter().any(|field| is_known(field.name));
    body.lines().filter(|line| !is_field(line)).collect::<Vec<_>>().join("\n")
}

fn body_of(action: &Action) -> String {
    if let Action::RenameHeading { new_heading, .. } = action {
        return new_heading.clone();
    }
    let outline = Outline::read(action.content().unwrap_or_default());
    let bodies = outline.sections().iter().map(|section| outline.body(section));
    std::iter::once(outline.preamble()).chain(bodies).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SectionId;
    use crate::project::request::{IfExists, Target};
    use crate::project::schema::DEFAULTS;

    fn print_of(path: &str, action: &Action) -> String {
        input_of(path, action).fingerprint("salt")
    }

    fn input_of(path: &str, action: &Action) -> FingerprintInput {
        let path = MemoryPath::parse(path).expect("a good path");
        let (name, text) = DEFAULTS[3];
        let file = format!("{name}.toml");
        let catalog = Catalog::parse([(Path::new(&file), text)]).expect("a good schema");
        FingerprintInput::of(&path, &catalog, action)
    }

    fn append(heading: &str, content: &str) -> Action {
        Action::AppendSection {
            heading: heading.to_owned(),
            heading_level: 2,
            content: content.to_owned(),
            parent_section_id: None,
            section_id: None,
            if_exists: IfExists::Reject,
        }
    }

    #[test]
    fn the_same_text_is_known_under_another_heading_and_in_another_file() {
        let text = "- Retry every request forever\n- Never log the reason";
        let turned = "* never  LOG the reason.\n* retry every request\u{200b} forever";
        let expected = print_of("pitfalls.md", &append("Retries", text));
        assert_eq!(print_of("modules/net.md", &append("Network", turned)), expected);
        assert_eq!(print_of("pitfalls.md", &append("R", &format!("## R\n\n{text}"))), expected);
    }

    #[test]
    fn the_same_decision_of_another_day_is_the_same() {
        let text =
            "- **Date:** 2026-11-20\nStatus: active\n\nWe stop verifying webhook signatures.";
        let later = "Status: proposed\n- Date: 2026-11-21\n\nWe stop verifying webhook signatures.";
        let expected = print_of("decisions.md", &append("A", text));
        assert_eq!(print_of("decisions.md", &append("B", later)), expected);
    }

    #[test]
    fn another_text_is_another() {
        let one = print_of("pitfalls.md", &append("A", "retry every request forever"));
        let two = print_of("pitfalls.md", &append("A", "retry no request, ever, at all"));
        assert_ne!(one, two);
    }

    #[test]
    fn a_removal_counts_by_its_section() {
        let remove = |id: &str| Action::RemoveSection {
            target: Target {
                selector: Selector::Id(SectionId::parse(id).expect("an id")),
                if_hash: None,
            },
            archive_path: None,
            reason: "old".to_owned(),
        };
        assert_ne!(print_of("pitfalls.md", &remove("a")), print_of("pitfalls.md", &remove("b")));
    }

    #[test]
    fn a_rejection_covers_its_text_under_its_own_salt() {
        let input = input_of("pitfalls.md", &append("A", "retry every request forever"));
        let rejection = |print: String| Rejection {
            id: "20261120-101112-x-abcd".to_owned(),
            fingerprints: vec![print],
            ..Rejection::default()
        };
        assert!(rejection(input.fingerprint("20261120-101112-x-abcd")).covers(&input));
        assert!(!rejection(input.fingerprint("20261120-101112-y-abcd")).covers(&input));
    }

    #[test]
    fn a_text_that_renders_alike_is_the_same() {
        let text = "Retry each request forever; see [the guide](https://a.example/retries).";
        let expected = print_of("pitfalls.md", &append("A", text));
        for same in [
            "Retry e&#97;ch request\nforever; see [the guide](https://a.example/retries)",
            "*Retry* each&nbsp;request\\\nforever\\; see [the guide][1].\n\n[1]: https://a.example/retries",
            "Re<!-- x -->try each <b>request</b> forever; see [the guide]\n\n[the guide]: <https://a.example/retries> 'x'",
            "> + Retry each `request` forever; see [the guide](https://a.example/retries).",
            "<p>Retry each <b>request</b> forever; see <a href='https://a.example/retries'>the guide</a>",
            "R\u{435}try \u{435}ach request forever; see [the guide](https://a.example/retries).",
        ] {
            assert_eq!(print_of("pitfalls.md", &append("B", same)), expected, "{same}");
        }
        for other in [
            "Retry each request forever; see [the guide](https://b.example/retries).",
            "Retry no request forever; see [the guide](https://a.example/retries).",
        ] {
            assert_ne!(print_of("pitfalls.md", &append("B", other)), expected, "{other}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let rejection = Rejection {
            id: "20261120-101112-x-abcd".to_owned(),
            date: "2026-11-20".to_owned(),
            reason: "said \"no\"\nand meant it".to_owned(),
            fingerprints: vec!["ab".to_owned()],
        };
        let read = Rejection::parse(&rejection.to_toml(), Path::new("x.toml"));
        assert_eq!(read.expect("a good file"), rejection);
    }
}
