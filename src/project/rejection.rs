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

/// Texts with fewer letters, digits and signs say too little to be known again by themselves.
const TELLING: usize = 20;

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
    /// A text counts by what a reader sees of it: not by its markup, file, fields, case, blanks, punctuation, or the
    /// order of its bullets, nor by the heading above it. An operation that brings no telling text counts by what it does to which
    /// section.
    pub fn of(path: &MemoryPath, catalog: &Catalog, action: &Action) -> Self {
        let [bodies, text] = texts_of(action, catalog);
        let shown = rendered(&text);
        let mut forms = telling_forms(&shown);
        if bodies != text {
            forms.extend(telling_forms(&rendered(&bodies)));
        }
        if !is_telling(&fold_words(&shown.seen.blocks)) {
            let target = match action.target().map(|target| &target.selector) {
                None => String::new(),
                Some(Selector::Id(id)) => format!("id {id}"),
                Some(Selector::Heading { text, level, occurrence }) => {
                    let level = level.map_or(0, usize::from);
                    format!("heading {level} {} {text}", occurrence.unwrap_or(1))
                }
            };
            forms.insert(format!("{} {path} {target} {}", action.kind(), said(&shown.seen)));
        }
        Self(forms.iter().map(|form| ContentHash::of(form.as_bytes())).collect())
    }

    /// Finds what several operations say together, if that is telling.
    pub fn of_all(catalog: &Catalog, actions: &[&Action]) -> Option<Self> {
        let texts: Vec<[String; 2]> =
            actions.iter().map(|action| texts_of(action, catalog)).collect();
        let joined = [0, 1].map(|form| {
            texts.iter().map(|text| text[form].as_str()).collect::<Vec<_>>().join("\n\n")
        });
        let forms: BTreeSet<String> =
            BTreeSet::from(joined).iter().flat_map(|text| telling_forms(&rendered(text))).collect();
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

/// Returns the forms of a text that are long enough to compare: its blocks in any order, and its words in their order; each
/// with and without hidden text.
fn telling_forms(Rendered { seen, all }: &Rendered) -> BTreeSet<String> {
    let mut forms = BTreeSet::new();
    // Most texts hide nothing.
    for shown in [Some(seen), Some(all).filter(|all| *all != seen)].into_iter().flatten() {
        let words = fold_words(&shown.blocks);
        if is_telling(&words) {
            forms.extend([said(shown), format!("{words}\n{}", targets(shown))]);
        }
    }
    forms
}

/// Returns the blocks of a text and where its links go, in an order of their own.
fn said(shown: &ShownText) -> String {
    format!("{}\n{}", fold(&shown.blocks), targets(shown))
}

/// Returns where the links go, each as it is written: another target is another text anyway.
fn targets(shown: &ShownText) -> String {
    let mut targets = shown.targets.clone();
    targets.sort_unstable();
    targets.join("\n")
}

/// Tells whether folded words say enough, wherever their links go.
fn is_telling(words: &str) -> bool {
    words.chars().count() >= TELLING
}

/// Removes the field lines that any category asks for: the same decision with another date is the same decision.
pub(crate) fn without_fields(body: &str, catalog: &Catalog) -> String {
    let rules = || catalog.categories().iter().filter_map(|category| category.section.as_ref());
    let is_known = |name: &str| rules().any(|rules| rules.fields.contains_key(name));
    let is_field = |line: &&str| read_fields(line).iter().any(|field| is_known(field.name));
    body.lines().filter(|line| !is_field(line)).collect::<Vec<_>>().join("\n")
}

/// Returns the text of an operation without its fields and headings, and the same text with the headings of empty sections,
/// which count as text.
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
mod tests;
