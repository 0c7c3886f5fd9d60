//! Which sections a request speaks for, so that a later one can take its place.

use std::collections::HashMap;

use super::parse::Proposal;
use super::place::Placed;
use super::screen::Screened;
use crate::contract::SectionId;
use crate::project::request::{Action, IfExists, IfFileExists, MemoryPath, Selector};

/// Which sections a request changes, and how.
#[derive(Debug, Clone)]
pub struct Claims(Vec<Claim>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Claim {
    file: MemoryPath,
    /// None for the whole file.
    section: Option<String>,
    word: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Adds to what is there.
    More,
    /// Changes its heading.
    Name,
    /// Replaces its text.
    Text,
    /// Replaces or removes all of it.
    All,
}

impl Proposal {
    pub fn claims(&self, placed: &[Placed<'_>]) -> Claims {
        let operations = self.request.operations.iter().zip(placed);
        Claims(
            operations.map(|(operation, placed)| claim(&placed.path, &operation.action)).collect(),
        )
    }
}

impl Screened<'_> {
    pub(crate) fn claims(&self) -> Claims {
        self.proposal.claims(&self.placed)
    }
}

impl Claims {
    /// Leaves only what some of the operations claim.
    pub(crate) fn only(self, operations: &[usize]) -> Self {
        let claims = self.0.into_iter().enumerate();
        let chosen = claims.filter(|(number, _)| operations.contains(number));
        Self(chosen.map(|(_, claim)| claim).collect())
    }

    /// Tells whether this request replaces the earlier one: it overrides each section that the earlier one changes.
    fn supersede(&self, earlier: &Self) -> bool {
        !earlier.0.is_empty()
            && earlier.0.iter().all(|old| self.0.iter().any(|new| new.supersedes(old)))
    }
}

/// Finds for each of several requests, the oldest first, the newest open one behind it that supersedes it.
///
/// To be fast, only the requests on the least used section of each are compared.
pub(crate) fn last_words(
    claims: &[Option<Claims>],
    is_open: impl Fn(usize) -> bool,
) -> Vec<Option<usize>> {
    let mut speaking = Speaking::new();
    for (number, later) in claims.iter().enumerate().filter(|(number, _)| is_open(*number)) {
        let words = later.iter().flat_map(|later| &later.0).filter(|it| it.word != Word::More);
        for claim in words {
            let numbers = speaking.entry(claim.place()).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        }
    }
    let last = |(number, earlier): (usize, &Option<Claims>)| {
        let earlier = earlier.as_ref()?;
        let rarest = earlier
            .0
            .iter()
            .map(|claim| claim.spoken_for_in(&speaking))
            .min_by_key(|[one, other]| one.len() + other.len());
        let supersedes =
            |later: &&usize| claims[**later].as_ref().is_some_and(|later| later.supersede(earlier));
        let last_of = |numbers: &[usize]| {
            let mut later = numbers.iter().rev().take_while(|later| **later > number);
            later.find(supersedes).copied()
        };
        rarest?.into_iter().filter_map(last_of).max()
    };
    claims.iter().enumerate().map(last).collect()
}

/// The numbers of the requests that override a section, or a whole file.
type Speaking<'a> = HashMap<(&'a MemoryPath, Option<&'a str>), Vec<usize>>;

impl Claim {
    fn spoken_for_in<'a>(&'a self, speaking: &'a Speaking<'a>) -> [&'a [usize]; 2] {
        let part = self.section.as_ref().and_then(|_| speaking.get(&self.place()));
        [part, speaking.get(&(&self.file, None))].map(|it| it.map_or(&[][..], Vec::as_slice))
    }

    fn place(&self) -> (&MemoryPath, Option<&str>) {
        (&self.file, self.section.as_deref())
    }

    fn supersedes(&self, earlier: &Self) -> bool {
        let is_there = self.section.is_none() || self.section == earlier.section;
        let is_last_word = match (self.word, earlier.word) {
            // Two bullets for one section, or a bullet for a new text: both are meant.
            (Word::More, _) => false,
            (Word::Name, word) => word == Word::Name,
            (Word::Text, word) => word != Word::Name,
            (Word::All, _) => true,
        };
        self.file == earlier.file && is_there && is_last_word
    }
}

fn claim(file: &MemoryPath, action: &Action) -> Claim {
    let word = match action {
        Action::CreateFile { if_exists: IfFileExists::Append, .. }
        | Action::AppendSection { if_exists: IfExists::Suffix, .. }
        | Action::AppendToSection { .. } => Word::More,
        Action::RenameHeading { .. } => Word::Name,
        Action::ReplaceSectionContent { .. } => Word::Text,
        Action::CreateFile { if_exists: IfFileExists::Reject | IfFileExists::Replace, .. }
        | Action::AppendSection { if_exists: IfExists::Reject | IfExists::Replace, .. }
        | Action::ReplaceSection { .. }
        | Action::ArchiveSection { .. }
        | Action::RemoveSection { .. } => Word::All,
    };
    Claim { file: file.clone(), section: section(action), word }
}

/// Names the section as its anchor does, or will.
fn section(action: &Action) -> Option<String> {
    if let Action::AppendSection { section_id, heading, .. } = action {
        let id = section_id.clone().unwrap_or_else(|| SectionId::from_heading(heading));
        return Some(id.to_string());
    }
    Some(match &action.target()?.selector {
        Selector::Id(id) => id.to_string(),
        Selector::Heading { text, occurrence, .. } => {
            SectionId::from_heading(text).numbered(occurrence.unwrap_or(1)).to_string()
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::contract::Moment;
    use crate::project::pipeline::Submission;

    fn claims(operations: &Value) -> Claims {
        let request = json!({ "intent": "refresh_module", "operations": operations });
        let now = Moment::from_unix(0);
        let proposal =
            Submission::new(request.to_string().into_bytes(), now, "1970-01-01".to_owned()).parse();
        let operations = proposal.expect("a good request").request.operations;
        let claim = |each: &crate::project::request::Operation| {
            claim(each.path.as_ref().expect("a path"), &each.action)
        };
        Claims(operations.iter().map(claim).collect())
    }

    #[track_caller]
    fn check(later: Value, earlier: Value, expected: bool) {
        let (later, earlier) = (claims(&json!([later])), claims(&json!([earlier])));
        assert_eq!(later.supersede(&earlier), expected);
    }

    fn new(heading: &str) -> Value {
        json!({ "operation": "append_section", "path": "modules/a.md", "heading": heading, "content": "x" })
    }

    fn at(operation: &str, section: &str) -> Value {
        let mut made =
            json!({ "operation": operation, "path": "modules/a.md", "section_id": section });
        match operation {
            "rename_heading" => made["new_heading"] = "B".into(),
            "remove_section" => made["reason"] = "old".into(),
            "archive_section" => {}
            _ => made["content"] = "x".into(),
        }
        made
    }

    #[test]
    fn the_later_text_of_a_section_is_meant() {
        check(new("Retry budget"), new("Retry budget"), true);
        check(at("replace_section_content", "a"), at("replace_section_content", "a"), true);
        check(at("replace_section_content", "a"), at("append_to_section", "a"), true);
        check(at("replace_section", "retry-budget"), new("Retry budget"), true);
        check(at("remove_section", "a"), at("replace_section", "a"), true);
    }

    #[test]
    fn another_section_or_file_is_another_matter() {
        check(new("Retry budget"), new("Retries"), false);
        let mut elsewhere = new("Retry budget");
        elsewhere["path"] = "modules/b.md".into();
        check(elsewhere, new("Retry budget"), false);
    }

    #[test]
    fn one_bullet_more_takes_nothing_back() {
        check(at("append_to_section", "a"), at("append_to_section", "a"), false);
        check(at("append_to_section", "a"), at("replace_section_content", "a"), false);
        let mut duplicate = new("Retry budget");
        duplicate["if_exists"] = "suffix".into();
        check(duplicate, new("Retry budget"), false);
    }

    #[test]
    fn a_name_and_a_text_stand_beside_each_other() {
        check(at("rename_heading", "a"), at("rename_heading", "a"), true);
        check(at("rename_heading", "a"), at("replace_section_content", "a"), false);
        check(at("replace_section_content", "a"), at("rename_heading", "a"), false);
        check(at("replace_section", "a"), at("rename_heading", "a"), true);
    }

    #[test]
    fn a_whole_file_is_the_last_word_on_its_sections() {
        let file =
            json!({ "operation": "create_file", "path": "modules/a.md", "content": "# A\n" });
        check(file.clone(), new("Retry budget"), true);
        check(new("Retry budget"), file, false);
    }

    #[test]
    fn the_last_that_is_open_has_the_word() {
        let file =
            json!({ "operation": "create_file", "path": "modules/a.md", "content": "# A\n" });
        let requests = [
            json!([new("One"), new("Two")]),
            json!([new("One")]),
            json!([new("Two"), new("One")]),
            json!([at("append_to_section", "one")]),
            json!([file]),
            json!([new("Three")]),
        ];
        let mut all: Vec<Option<Claims>> = requests.iter().map(|each| Some(claims(each))).collect();
        let last = Some(4);
        assert_eq!(last_words(&all, |_| true), [last, last, last, last, None, None]);
        assert_eq!(last_words(&all, |it| it != 4), [Some(2), Some(2), None, None, None, None]);
        all[2] = None;
        assert_eq!(last_words(&all, |it| it != 4), [None, None, None, None, None, None]);
    }

    #[test]
    fn what_speaks_for_a_part_takes_the_place_of_none() {
        let both = claims(&json!([new("One"), new("Two")]));
        assert!(!claims(&json!([new("One")])).supersede(&both));
        assert!(both.supersede(&claims(&json!([new("One")]))));
    }
}
