//! The eight operations a request may hold.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::path::MemoryPath;
use super::source::Source;
use crate::contract::{ContentHash, SectionId, words};

/// One step of a request: a file and what to do to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
pub struct Operation {
    /// File relative to `.agent-memory/`; may be left out where the intent has one file, or a file for each entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<MemoryPath>,
    /// Evidence of what this operation writes; without it that of the request holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[serde(default)]
    pub sources: Vec<Source>,
    /// What to do.
    #[serde(flatten)]
    pub action: Action,
}

/// What to do to a file, told apart by the field `operation`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum Action {
    /// Creates a file; sections without an id are given one.
    CreateFile {
        /// The whole file.
        content: String,
        /// What to do when the file exists.
        #[serde(default)]
        if_exists: IfFileExists,
    },
    /// Adds a section at the end of the file or of a parent.
    AppendSection {
        /// Heading text, without `#`.
        heading: String,
        /// Heading level, 1 to 6; an entry that has a file of its own is always of level 1.
        #[serde(default = "default_level")]
        #[schemars(range(min = 1, max = 6))]
        heading_level: u8,
        /// Body of the section, or the whole section with its heading first.
        content: String,
        /// Section at the end of which the new one is added.
        #[serde(skip_serializing_if = "Option::is_none")]
        parent_section_id: Option<SectionId>,
        /// Id of the new section; made from the heading when left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        section_id: Option<SectionId>,
        /// What to do when there is such a section already.
        #[serde(default)]
        if_exists: IfExists,
    },
    /// Replaces a whole section; its id is kept.
    ReplaceSection {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The section with its heading first.
        content: String,
        /// What to do when there is no such section.
        #[serde(default)]
        if_missing: IfMissing,
    },
    /// Replaces the body of a section alone.
    ReplaceSectionContent {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The new body, without headings.
        content: String,
    },
    /// Adds text at the end of a section's own body.
    AppendToSection {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The text, without headings; empty to add sources alone.
        content: String,
    },
    /// Changes a heading; the id stays.
    RenameHeading {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The new heading text, without `#`.
        new_heading: String,
        /// The new level, at most one away from the present one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1, max = 6))]
        new_heading_level: Option<u8>,
    },
    /// Archives a section and leaves a pointer.
    ArchiveSection {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The write-once file; made from file, section and day when left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        archive_path: Option<MemoryPath>,
        /// What replaces the body; a pointer when left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        replacement: Option<String>,
    },
    /// Archives a section, then removes it.
    RemoveSection {
        /// Which section.
        #[serde(flatten)]
        target: Target,
        /// The write-once file; made from file, section and day when left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        archive_path: Option<MemoryPath>,
        /// Why it is removed.
        reason: String,
    },
}

/// The level of a new section when the request names none.
pub(crate) fn default_level() -> u8 {
    2
}

impl Action {
    /// Returns which of the eight operations this is.
    pub fn kind(&self) -> OperationKind {
        match self {
            Self::CreateFile { .. } => OperationKind::CreateFile,
            Self::AppendSection { .. } => OperationKind::AppendSection,
            Self::ReplaceSection { .. } => OperationKind::ReplaceSection,
            Self::ReplaceSectionContent { .. } => OperationKind::ReplaceSectionContent,
            Self::AppendToSection { .. } => OperationKind::AppendToSection,
            Self::RenameHeading { .. } => OperationKind::RenameHeading,
            Self::ArchiveSection { .. } => OperationKind::ArchiveSection,
            Self::RemoveSection { .. } => OperationKind::RemoveSection,
        }
    }

    /// Returns the section that the operation is aimed at, if it is aimed at one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Self::CreateFile { .. } | Self::AppendSection { .. } => None,
            Self::ReplaceSection { target, .. }
            | Self::ReplaceSectionContent { target, .. }
            | Self::AppendToSection { target, .. }
            | Self::RenameHeading { target, .. }
            | Self::ArchiveSection { target, .. }
            | Self::RemoveSection { target, .. } => Some(target),
        }
    }

    /// Returns the field that holds what the operation brings.
    pub fn content_field(&self) -> &'static str {
        match self {
            Self::CreateFile { .. }
            | Self::AppendSection { .. }
            | Self::ReplaceSection { .. }
            | Self::ReplaceSectionContent { .. }
            | Self::AppendToSection { .. } => "content",
            Self::RenameHeading { .. } => "new_heading",
            Self::ArchiveSection { .. } => "replacement",
            Self::RemoveSection { .. } => "reason",
        }
    }

    /// Returns the id, or the heading, of the section that the operation is about.
    pub fn section_name(&self) -> Option<&str> {
        if let Self::AppendSection { section_id, heading, .. } = self {
            return Some(section_id.as_ref().map_or(heading, SectionId::as_str));
        }
        match &self.target()?.selector {
            Selector::Id(id) => Some(id.as_str()),
            Selector::Heading { text, .. } => Some(text),
        }
    }

    /// Returns the text that would be written, if the operation brings any.
    pub fn content(&self) -> Option<&str> {
        match self {
            Self::CreateFile { content, .. }
            | Self::AppendSection { content, .. }
            | Self::ReplaceSection { content, .. }
            | Self::ReplaceSectionContent { content, .. }
            | Self::AppendToSection { content, .. } => Some(content),
            Self::ArchiveSection { replacement, .. } => replacement.as_deref(),
            Self::RenameHeading { .. } | Self::RemoveSection { .. } => None,
        }
    }
}

words! {
    /// The names of the operations.
    OperationKind {
        /// `create_file`
        CreateFile = "create_file",
        /// `append_section`
        AppendSection = "append_section",
        /// `replace_section`
        ReplaceSection = "replace_section",
        /// `replace_section_content`
        ReplaceSectionContent = "replace_section_content",
        /// `append_to_section`
        AppendToSection = "append_to_section",
        /// `rename_heading`
        RenameHeading = "rename_heading",
        /// `archive_section`
        ArchiveSection = "archive_section",
        /// `remove_section`
        RemoveSection = "remove_section",
    }
}

words! {
    /// What `create_file` does when the file exists.
    #[derive(Default)]
    IfFileExists {
        /// Refuses.
        #[default]
        Reject = "reject",
        /// Adds the content at the end.
        Append = "append",
        /// Replaces the whole file.
        Replace = "replace",
    }
}

words! {
    /// What `append_section` does when the section exists.
    #[derive(Default)]
    IfExists {
        /// Refuses.
        #[default]
        Reject = "reject",
        /// Gives the new section a numbered id.
        Suffix = "suffix",
        /// Replaces the section that is there.
        Replace = "replace",
    }
}

words! {
    /// What `replace_section` does when the section does not exist.
    #[derive(Default)]
    IfMissing {
        /// Refuses.
        #[default]
        Reject = "reject",
        /// Adds it at the end of the file.
        Append = "append",
    }
}

/// The section that an operation is aimed at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// How the section is named.
    pub selector: Selector,
    /// The hash the section must have; another one is refused as `target_drift`.
    pub if_hash: Option<ContentHash>,
}

/// How a section is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// By its id.
    Id(SectionId),
    /// By its heading.
    Heading {
        /// Heading text, without `#`.
        text: String,
        /// Heading level, if it matters.
        level: Option<u8>,
        /// Which one of several, from 1.
        occurrence: Option<usize>,
    },
}

/// A target as it stands on the wire, beside the other fields of its operation.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("anyOf" = [{"required": ["section_id"]}, {"required": ["heading"]}]))]
struct TargetOnTheWire<'a> {
    /// Id of the section; the surest name.
    #[serde(skip_serializing_if = "Option::is_none")]
    section_id: Option<&'a SectionId>,
    /// Heading of the section, without `#`, where it has no id.
    #[serde(skip_serializing_if = "Option::is_none")]
    heading: Option<&'a str>,
    /// Level of that heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 6))]
    heading_level: Option<u8>,
    /// Which one of several equal headings, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    occurrence: Option<usize>,
    /// Hash of the section as last seen; a different section is refused as `target_drift`.
    #[serde(skip_serializing_if = "Option::is_none")]
    if_hash: Option<&'a ContentHash>,
}

impl Serialize for Target {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let if_hash = self.if_hash.as_ref();
        let wire = match &self.selector {
            Selector::Id(id) => TargetOnTheWire {
                section_id: Some(id),
                heading: None,
                heading_level: None,
                occurrence: None,
                if_hash,
            },
            Selector::Heading { text, level, occurrence } => TargetOnTheWire {
                section_id: None,
                heading: Some(text),
                heading_level: *level,
                occurrence: *occurrence,
                if_hash,
            },
        };
        wire.serialize(serializer)
    }
}

impl JsonSchema for Target {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Target".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        TargetOnTheWire::json_schema(generator)
    }
}
