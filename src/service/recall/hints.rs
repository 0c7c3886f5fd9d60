//! What the caller works on: which tags, types and memories come first because of it.

use std::collections::BTreeSet;

use super::candidate::MemoryCandidate;
use crate::service::request::{MemoryId, SaidContext};
use crate::service::tags::{canonical, prefixes};

/// What the caller works on.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ContextHints {
    pub(crate) context: Option<String>,
    pub(crate) language: Option<String>,
    pub(crate) tags: BTreeSet<String>,
    pub(crate) types: BTreeSet<String>,
    pub(crate) ids: Vec<MemoryId>,
}

const STYLE_TAGS: [&str; 5] =
    ["coding-style", "style", "style-guide", "preferences", "preference:coding"];

const STYLE_TYPES: [&str; 2] = ["Style", "Preference"];

const TAG_BONUS: f64 = 0.45;
const TYPE_BONUS: f64 = 0.25;
const WORD_BONUS: f64 = 0.2;
const ID_BONUS: f64 = 0.9;

const LANGUAGES: [(&str, &[&str]); 14] = [
    ("python", &["py", "pyi"]),
    ("typescript", &["ts", "tsx"]),
    ("javascript", &["js", "jsx", "mjs", "cjs"]),
    ("rust", &["rs"]),
    ("go", &["go"]),
    ("java", &["java"]),
    ("kotlin", &["kt", "kts"]),
    ("ruby", &["rb"]),
    ("php", &["php"]),
    ("swift", &["swift"]),
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "hpp"]),
    ("csharp", &["cs"]),
    ("shell", &["sh", "bash"]),
];

impl ContextHints {
    /// Finds what comes first; nothing where the caller says nothing.
    pub(crate) fn of(said: &SaidContext) -> Self {
        let named = said.language.as_ref().map(|language| language.to_lowercase());
        let language = named
            .or_else(|| language_of_path(said.active_path.as_deref()?))
            .or_else(|| language_in(said.context.as_deref()?));
        let mut tags: BTreeSet<String> = said.tags.iter().map(|tag| canonical(tag)).collect();
        let mut types: BTreeSet<String> = said.types.iter().cloned().collect();
        let is_style = said.context.as_ref().is_some_and(|context| {
            let context = context.to_lowercase();
            ["style", "coding", "convention", "format"].iter().any(|word| context.contains(word))
        });
        if is_style {
            tags.extend(STYLE_TAGS.map(str::to_owned));
            types.extend(STYLE_TYPES.map(str::to_owned));
        }
        if let Some(language) = &language {
            tags.insert(language.clone());
            if is_style {
                tags.extend([format!("{language}-style"), format!("{language}:style")]);
            }
        }
        let (context, ids) = (said.context.clone(), said.ids.clone());
        Self { context, language, tags, types, ids }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.context.is_none()
            && self.language.is_none()
            && self.tags.is_empty()
            && self.types.is_empty()
            && self.ids.is_empty()
    }

    /// Returns what the context adds to the score of a memory.
    pub(crate) fn bonus(&self, candidate: &MemoryCandidate) -> f64 {
        let said = &candidate.memory.said;
        let words = candidate.components.metadata > 0.0 && !self.is_empty();
        let bonuses = [
            (self.has_tag(candidate), TAG_BONUS),
            (self.types.contains(&said.kind), TYPE_BONUS),
            (words, WORD_BONUS),
            (self.ids.contains(&said.id), ID_BONUS),
        ];
        bonuses.into_iter().fold(0.0, |sum, (is_so, bonus)| if is_so { sum + bonus } else { sum })
    }

    fn has_tag(&self, candidate: &MemoryCandidate) -> bool {
        let tags = candidate.memory.said.tags.iter().map(String::as_str);
        prefixes(tags).iter().any(|tag| self.tags.contains(tag))
    }
}

fn language_of_path(path: &str) -> Option<String> {
    let (_, ending) = path.rsplit_once('.')?;
    let ending = ending.to_lowercase();
    let known = LANGUAGES.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
    known.map(|(name, _)| (*name).to_owned())
}

fn language_in(context: &str) -> Option<String> {
    let context = context.to_lowercase();
    let mut words = context.split(|c: char| !c.is_alphanumeric());
    words.find_map(|word| {
        // `go` and `c` are words of other sentences too.
        let known = LANGUAGES.iter().find(|(name, _)| name.len() > 2 && *name == word);
        known.map(|(name, _)| (*name).to_owned())
    })
}
