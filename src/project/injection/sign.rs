//! One place in a text that speaks to the agent.

use crate::text::{beginning, one_line};

/// What speaks to the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InjectionKind {
    /// An order to leave what it was told, to take another role, or to hide something from a person.
    Order,
    /// The mark that a model's own format puts before a speaker.
    RoleMark,
    /// What looks like a call of a tool, or the answer of one.
    ToolCall,
    /// An order in text that a person does not see.
    HiddenText,
    /// A link, an image or a command that would carry data out.
    DataOut,
}

impl InjectionKind {
    /// Says what it is, for a message.
    fn told(self) -> &'static str {
        match self {
            Self::Order => "an order to the agent that reads it",
            Self::RoleMark => "the mark of a speaker in a conversation",
            Self::ToolCall => "the markup of a tool call",
            Self::HiddenText => "an order in text that is not shown",
            Self::DataOut => "an address that would carry data out",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Injection {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) kind: InjectionKind,
    /// What was found, on one line.
    pub(crate) text: String,
}

impl Injection {
    pub(super) fn new(line: usize, kind: InjectionKind, text: &str) -> Self {
        Self { line, kind, text: beginning(&one_line(text.trim()), SHOWN).into_owned() }
    }

    /// Says what was found.
    pub(crate) fn told(&self) -> String {
        format!("{}: `{}`", self.kind.told(), self.text)
    }

    /// Tells whether it is the same, on whatever line.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        self.kind == other.kind && self.text == other.text
    }
}

/// Letters of the text that are shown.
const SHOWN: usize = 72;
