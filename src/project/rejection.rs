//! Remembers rejected texts by fingerprint, so that they do not come back in another form.

use std::collections::BTreeSet;
use std::path::Path;

use crate::config::{read_toml, settled};
use crate::contract::{ContentHash, Fields, Problems};
use crate::error::Result;
use crate::markdown::{Outline, Rendered, ShownText, rendered};
use crate::project::request::{Action, MemoryPath, Selector};
use crate::project::schema::{Catalog, read_fields};
use crate::text::{fold, fold_words};

/// What is kept of a rejected proposal: no word of its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rejection {
    /// Id of the proposal; it salts the fingerprints.
    pub id: String,
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// Why, in the words of the person.
    pub reason: String,
    /// The fingerprints of each rejected operation: one for each form in which its text is known again.
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
        input.fingerprints(&self.id).iter().any(|each| self.fingerprints.contains(each))
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

/// What an operation says, as a reader sees it: a hash of each form of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FingerprintInput(Vec<ContentHash>);

impl FingerprintInput {
    /// Finds what an operation says.
    ///
    /// A text counts by what a reader sees of it: not by its markup, file, fields, case, blanks, or the order of its
    /// bullets, nor by the heading above it. An operation that brings no telling text counts by what it does to which
    /// section.
    pub fn of(path: &MemoryPath, catalog: &Catalog, action: &Action) -> Self {
        let [bodies, text] = texts_of(action, catalog).map(|text| rendered(&text));
        let mut forms = telling_forms(&text);
        forms.extend(telling_forms(&bodies));
        let said = said(&text.seen);
        if !is_telling(&said) {
            let target = match action.target().map(|target| &target.selector) {
                None => String::new(),
                Some(Selector::Id(id)) => format!("id {id}"),
                Some(Selector::Heading { text, level, occurrence }) => {
                    let level = level.map_or(0, usize::from);
                    format!("heading {level} {} {text}", occurrence.unwrap_or(1))
                }
            };
            forms.insert(format!("{} {path} {target} {said}", action.kind()));
        }
        Self(forms.iter().map(|form| ContentHash::of(form.as_bytes())).collect())
    }

    /// Finds what several operations say together, if that is telling.
    pub fn of_all(catalog: &Catalog, actions: &[&Action]) -> Option<Self> {
        let texts: Vec<[String; 2]> =
            actions.iter().map(|action| texts_of(action, catalog)).collect();
        let joined = [0, 1].map(|form| texts.iter().map(|text| &*text[form]).collect::<Vec<_>>());
        let forms: BTreeSet<String> =
            joined.iter().flat_map(|texts| telling_forms(&rendered(&texts.join("\n\n")))).collect();
        let hashes = forms.iter().map(|form| ContentHash::of(form.as_bytes()));
        (!forms.is_empty()).then(|| Self(hashes.collect()))
    }

    /// Returns its fingerprints under a salt. The salt goes over the hash of the text, as each rejection has its own
    /// salt and the text may be long.
    pub fn fingerprints(&self, salt: &str) -> Vec<String> {
        let print = |hash| {
            let salted = format!("agent-memory/rejection\0{salt}\0{hash}");
            ContentHash::of(salted.as_bytes()).as_str()[..32].to_owned()
        };
        self.0.iter().map(print).collect()
    }
}

/// Returns the forms in which a text may come again, as far as they are telling: with its blocks in any order, or its
/// words in theirs, wherever its blocks end; and with what a reader may not be shown of it, or without that.
fn telling_forms(Rendered { seen, all }: &Rendered) -> BTreeSet<String> {
    let forms = [seen, all].into_iter().flat_map(|shown| {
        let words = fold_words(&shown.blocks);
        let targets = fold(&shown.targets);
        let in_order = format!("{words}\n{targets}").trim_end().to_owned();
        [said(shown), in_order].into_iter().filter(move |_| is_telling(&words))
    });
    forms.collect()
}

/// Returns the blocks of a text and where its links go, in an order of their own.
fn said(shown: &ShownText) -> String {
    fold(&[shown.blocks.as_slice(), &shown.targets].concat())
}

fn is_telling(said: &str) -> bool {
    said.chars().count() >= TELLING
}

/// Removes the field lines that any category asks for: the same decision with another date is the same decision.
pub(crate) fn without_fields(body: &str, catalog: &Catalog) -> String {
    let rules = || catalog.categories().iter().filter_map(|category| category.section.as_ref());
    let is_known = |name: &str| rules().any(|rules| rules.fields.contains_key(name));
    let is_field = |line: &&str| read_fields(line).iter().any(|field| is_known(field.name));
    body.lines().filter(|line| !is_field(line)).collect::<Vec<_>>().join("\n")
}

/// Returns the text of an operation without its fields and headings, and the same with each heading below which nothing is
/// to be read: it is a text itself.
fn texts_of(action: &Action, catalog: &Catalog) -> [String; 2] {
    if let Action::RenameHeading { new_heading, .. } = action {
        return [new_heading.clone(), new_heading.clone()];
    }
    let outline = Outline::read(action.content().unwrap_or_default());
    let mut bodies = vec![without_fields(outline.preamble(), catalog)];
    let mut texts = bodies.clone();
    for (index, section) in outline.sections().iter().enumerate() {
        let body = without_fields(outline.body(section), catalog);
        let next = outline.sections().get(index + 1);
        let is_last = next.is_none_or(|next| next.heading.level <= section.heading.level);
        texts.extend((is_last && is_blank(&body)).then(|| section.heading.text.clone()));
        texts.push(body.clone());
        bodies.push(body);
    }
    let [bodies, text] = [bodies, texts].map(|texts| texts.join("\n\n"));
    match action {
        Action::AppendSection { heading, .. } if is_blank(&text) => {
            let text = format!("{heading}\n\n{text}");
            [bodies, text]
        }
        _ => [bodies, text],
    }
}

fn is_blank(text: &str) -> bool {
    fold_words(&rendered(text).seen.blocks).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::SectionId;
    use crate::project::request::{IfExists, Target};
    use crate::project::schema::DEFAULTS;

    fn is_same(one: (&str, &Action), other: (&str, &Action)) -> bool {
        let rejected = input_of(one.0, one.1).fingerprints("salt");
        let rejection =
            Rejection { id: "salt".to_owned(), fingerprints: rejected, ..Rejection::default() };
        rejection.covers(&input_of(other.0, other.1))
    }

    /// A text that was rejected, and others: which of them are known again.
    #[track_caller]
    fn check(rejected: &str, same: &[&str], other: &[&str]) {
        for text in same {
            let texts = [(rejected, *text), (*text, rejected)];
            for (one, other) in texts.map(|(one, other)| (append("A", one), append("B", other))) {
                assert!(is_same(("pitfalls.md", &one), ("modules/net.md", &other)), "{text}");
            }
        }
        for text in other {
            let (one, other) = (append("A", rejected), append("B", text));
            assert!(!is_same(("pitfalls.md", &one), ("pitfalls.md", &other)), "{text}");
        }
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
        check(
            "- Retry every request forever\n- Never log the reason",
            &[
                "* never  LOG the reason.\n* retry every request\u{200b} forever",
                "## R\n\n- Retry every request forever\n- Never log the reason",
            ],
            &[],
        );
    }

    #[test]
    fn the_same_decision_of_another_day_is_the_same() {
        check(
            "- **Date:** 2026-11-20\nStatus: active\n\nWe stop verifying webhook signatures.",
            &["Status: proposed\n- Date: 2026-11-21\n\nWe stop verifying webhook signatures."],
            &[],
        );
    }

    #[test]
    fn another_text_is_another() {
        check(
            "Use the second host, not the first one.",
            &[],
            &["Use the first host, not the second one.", "Use the second host.", "Use -x."],
        );
    }

    #[test]
    fn a_decision_that_has_only_fields_is_known_by_its_heading() {
        let fields = "- **Date:** 2026-11-20\n- **Status:** active";
        let one = append("We retry every request forever", fields);
        let later = append("We retry every request forever", "- **Status:** proposed");
        let other = append("We never retry any request at all", fields);
        assert!(is_same(("decisions.md", &one), ("decisions.md", &later)));
        assert!(!is_same(("decisions.md", &one), ("decisions.md", &other)));
        let (one, two) = (append("Use A", fields), append("Use B", fields));
        assert!(!is_same(("decisions.md", &one), ("decisions.md", &two)));
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
        let [a, b] = ["a", "b"].map(remove);
        assert!(is_same(("pitfalls.md", &a), ("pitfalls.md", &a)));
        assert!(!is_same(("pitfalls.md", &a), ("pitfalls.md", &b)));
    }

    #[test]
    fn a_rejection_covers_its_text_under_its_own_salt() {
        let input = input_of("pitfalls.md", &append("A", "retry every request forever"));
        let rejection = |fingerprints: Vec<String>| Rejection {
            id: "20261120-101112-x-abcd".to_owned(),
            fingerprints,
            ..Rejection::default()
        };
        assert!(rejection(input.fingerprints("20261120-101112-x-abcd")).covers(&input));
        assert!(!rejection(input.fingerprints("20261120-101112-y-abcd")).covers(&input));
    }

    #[test]
    fn a_text_that_renders_alike_is_the_same() {
        check(
            "Retry each request forever; see [the guide](https://a.example/retries).",
            &[
                "Retry e&#97;ch request\nforever; see [the guide](https://a.example/retries)",
                "*Retry* each&nbsp;request\\\nforever\\; see [the guide][1].\n\n[1]: https://a.example/retries",
                "Re<!-- x -->try each <b>request</b> forever; see [the guide]\n\n[the guide]: <https://a.example/retries> 'x'",
                "> + Retry each `request` forever; see [the guide](https://a.example/retries).",
                "<p>Retry each <b>request</b> forever; see <a href='https://a.example/retries'>the guide</a>",
                "R\u{435}try \u{435}ach request forever; see [the guide](https://a.example/retries).",
            ],
            &[
                "Retry each request forever; see [the guide](https://b.example/retries).",
                "Retry no request forever; see [the guide](https://a.example/retries).",
            ],
        );
    }

    #[test]
    fn a_text_in_another_dress_is_the_same() {
        let text = "Retry each request forever without any backoff, see the guide.";
        let letters = [("a", "\u{251}"), ("g", "\u{261}"), ("h", "\u{570}"), ("n", "\u{578}")]
            .into_iter()
            .chain([("y", "\u{4af}"), ("R", "\u{280}"), ("i", "\u{26a}"), ("o", "0")])
            .map(|(plain, other)| text.replace(plain, other));
        let dressed = [
            format!("{text} [](https://a.example) <a href='https://b.example'></a>"),
            format!("{text} ![](data:,)"),
            text.replace("any", "any<span hidden> kind of</span>"),
            text.replace("any", "any<span style=\"display:none\"> kind of</span>"),
            format!("<div hidden>\n\nNot so.\n\n</div>\n\n{text}"),
            format!("<b data-href=\"x1\">{text}</b>"),
            format!("<div title=\"a > b\">{text}</div>"),
            format!("{text}\n\n<?php echo \"zzz > yyy\"; ?>"),
            format!("<!DOCTYPE html>\n\n{text}"),
            format!("#### {text}"),
            format!("## R\n\n#### {text}\n\n<!-- -->"),
            format!("{text}\n==="),
            text.replace(" without", "\n\nwithout"),
            text.replace(" without", "\n>> without").replace("Retry", "> Retry"),
            text.replace(" without", "\n- without"),
            text.replace("backoff", "`back`off"),
            format!("<!-- {text} -->"),
            format!("<div hidden>{text}</div>"),
            format!("{text}\n\n[^9]: Only on Sundays."),
        ];
        for same in letters.chain(dressed) {
            check(text, &[&same], &[]);
        }
        let in_heading = append(text, "&nbsp;");
        assert!(is_same(("pitfalls.md", &append("A", text)), ("pitfalls.md", &in_heading)));
    }

    #[test]
    fn a_fresh_text_is_not_taken_for_a_rejected_one() {
        check(
            "The job runs at 11 o'clock on host l10, never on host 20.",
            &[],
            &[
                "The job runs at 12 o'clock on host l10, never on host 20.",
                "The job runs at 11 o'clock on host l10, ever on host 20.",
                "The job runs at 11 o'clock on host l10, [never](https://a.example) on host 20.",
                "The job runs at 11 o'clock on host 20, never on host l10.",
            ],
        );
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
