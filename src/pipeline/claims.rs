//! Which sections a request speaks for, so that a later one can take its place.

use super::parse::Proposal;
use super::place::Placed;
use crate::contract::{Action, IfExists, IfFileExists, MemoryPath, SectionId, Selector};

/// What a request says of which sections.
#[derive(Debug, Clone)]
pub struct Claims(Vec<Claim>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Claim {
    file: MemoryPath,
    /// None for the whole file.
    section: Option<String>,
    word: Word,
}

/// How much an operation says about a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    /// Something besides what is there or will be.
    More,
    /// What it is called.
    Name,
    /// What it says.
    Text,
    /// All of it, or that it goes.
    All,
}

impl Proposal {
    /// Returns which sections this speaks for.
    pub fn claims(&self, placed: &[Placed<'_>]) -> Claims {
        let operations = self.request.operations.iter().zip(placed);
        Claims(
            operations.map(|(operation, placed)| claim(&placed.path, &operation.action)).collect(),
        )
    }
}

impl Claims {
    /// Tells whether whoever said the earlier and then this means this instead: it has a last word on every
    /// section that the earlier speaks for.
    pub fn supersede(&self, earlier: &Self) -> bool {
        !earlier.0.is_empty()
            && earlier.0.iter().all(|old| self.0.iter().any(|new| new.supersedes(old)))
    }
}

impl Claim {
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
    match action {
        Action::CreateFile { .. } => None,
        Action::AppendSection { section_id: Some(id), .. } => Some(id.to_string()),
        Action::AppendSection { heading, section_id: None, .. } => {
            Some(SectionId::from_heading(heading).to_string())
        }
        Action::ReplaceSection { target, .. }
        | Action::ReplaceSectionContent { target, .. }
        | Action::AppendToSection { target, .. }
        | Action::RenameHeading { target, .. }
        | Action::ArchiveSection { target, .. }
        | Action::RemoveSection { target, .. } => Some(match &target.selector {
            Selector::Id(id) => id.to_string(),
            Selector::Heading { text, occurrence, .. } => {
                SectionId::from_heading(text).twin(occurrence.unwrap_or(1)).to_string()
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::contract::Moment;
    use crate::pipeline::Submission;

    fn claims(operations: &Value) -> Claims {
        let request = json!({ "intent": "refresh_module", "operations": operations });
        let now = Moment::from_unix(0);
        let proposal = Submission::new(request.to_string().into_bytes(), now).parse();
        let operations = proposal.expect("a good request").request.operations;
        let claim = |each: &crate::contract::Operation| {
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
        let mut twin = new("Retry budget");
        twin["if_exists"] = "suffix".into();
        check(twin, new("Retry budget"), false);
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
    fn what_speaks_for_a_part_takes_the_place_of_none() {
        let both = claims(&json!([new("One"), new("Two")]));
        assert!(!claims(&json!([new("One")])).supersede(&both));
        assert!(both.supersede(&claims(&json!([new("One")]))));
    }
}
