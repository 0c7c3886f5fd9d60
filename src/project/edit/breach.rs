//! What a change did beyond the section it was meant for, and how to ask for it without.

use std::borrow::Cow;

use crate::contract::SectionId;
use crate::markdown::Section;
use crate::project::request::{Reason, Refusal};

#[derive(Debug)]
pub(super) enum Breach {
    /// A code fence, comment or HTML block has no end.
    Open,
    /// The text before the first heading is another one.
    Preamble,
    /// There are fewer sections than should be left.
    Swallowed,
    /// A section that should be left as it is, by its number before.
    Changed(usize),
    /// A section that follows would stand in the one that is written, by its number before.
    Taken(usize),
    /// A heading comes where none should, by its text.
    Appears(String),
    /// The section that is written has no heading any more.
    Headless(Option<SectionId>),
    /// The section that is written is not of this level, or not under its id.
    Unlike(u8),
    /// A heading in the content of an operation that takes none, by its text.
    Heading(String),
    /// A heading of the content that is no deeper than this level, by its text.
    Ends(String, u8),
    /// What comes instead of a section stands in the one before it, by its heading.
    Nested(String),
}

const CLOSE: &str = "end a code fence with a line of the same marks, a comment with `-->`, and an HTML block with its end tag";

const APART: &str = "begin no line with `===` or `---`, indent no heading, and close every fence and comment: the content must be Markdown that stands alone";

impl Breach {
    /// Makes a refusal of it, for a file that had these sections and may itself leave something open.
    pub(super) fn refuse(&self, before: &[Section], is_open: bool, pointer: &str) -> Box<Refusal> {
        let (mut message, mut hint) = (self.message(before), self.hint());
        if is_open {
            message += "; the file itself leaves a code fence, comment or HTML block open";
            hint = "a person has to close it in the file first; `agent-memory check` says where"
                .into();
        }
        Refusal::new(Reason::ContainmentViolation, message, hint).at(pointer)
    }

    fn message(&self, before: &[Section]) -> String {
        let title = |number: &usize| before[*number].title();
        match self {
            Self::Open => "the content leaves a code fence, comment or HTML block open".to_owned(),
            Self::Preamble => "the text before the first heading would change".to_owned(),
            Self::Swallowed => {
                "a section that the operation does not name would lose its heading to the content"
                    .to_owned()
            }
            Self::Changed(number) => format!(
                "the section `{}` would change, but the operation does not name it",
                title(number)
            ),
            Self::Taken(number) => format!(
                "the section `{}`, which follows, would become a part of this one",
                title(number)
            ),
            Self::Appears(heading) => {
                format!("without the section the heading `{heading}` would appear")
            }
            Self::Headless(Some(id)) => format!("the section `{id}` would lose its heading"),
            Self::Headless(None) => "the section would have no heading".to_owned(),
            Self::Unlike(level) => {
                format!("the heading of the section is not seen as one of level {level}")
            }
            Self::Heading(heading) => {
                format!("the content holds the heading `{heading}`, and this operation takes none")
            }
            Self::Ends(heading, _) => {
                format!("the content holds the heading `{heading}`, which would end the section")
            }
            Self::Nested(heading) => {
                format!("the section `{heading}` would become a part of the one before it")
            }
        }
    }

    fn hint(&self) -> Cow<'static, str> {
        let marks = |level: u8| "#".repeat(level.into());
        match self {
            Self::Open | Self::Swallowed => CLOSE.into(),
            Self::Changed(_) | Self::Headless(_) => APART.into(),
            Self::Preamble => "that text belongs to no section: only `create_file` with `if_exists` `replace` writes it".into(),
            Self::Taken(_) => "keep the level, or change that of the sections behind it before, beginning with the last".into(),
            Self::Appears(_) => "what stands around the section closes or opens a code fence or comment in it; a person has to look at it".into(),
            Self::Unlike(level) => {
                format!("begin the content with `{} ` and the heading on one line", marks(*level)).into()
            }
            Self::Heading(_) => "bring it with `append_section` and `parent_section_id`, or with `replace_section`; for text that is no heading, write `\\#`, or put it into a code fence".into(),
            Self::Ends(_, level @ ..6) => format!(
                "write headings inside of the section with `{}` or more, or use an operation for each section",
                marks(level + 1)
            )
            .into(),
            Self::Ends(..) => "no heading is deeper than level 6: use bold text, or an operation for each section".into(),
            Self::Nested(_) => "keep the level; to move it there, remove it and bring it again with `append_section` and `parent_section_id`".into(),
        }
    }
}
