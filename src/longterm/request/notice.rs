//! What the host shows to people after a change.

use serde::Serialize;

use super::failure::MemoryScope;
use super::memory_number::MemoryNumber;
use crate::contract::words;

words! {
    /// What happened to a memory.
    MemoryEvent {
        /// It has another content.
        Updated = "memory_updated",
        /// It is deleted.
        Deleted = "memory_deleted",
        /// It is new.
        Saved = "memory_saved",
    }
}

words! {
    /// What a notice says below.
    NoticeFooter {
        /// All of the server see it.
        Shared = "shared",
        /// The person may manage it.
        Manage = "manage",
        /// Personal memories are not used here.
        PersonalizationDisabled = "personalization_disabled",
        /// The server excludes the person.
        UserBlacklisted = "user_blacklisted",
    }
}

/// Characters of a content that a notice shows.
const PREVIEW: usize = 200;

/// What the host shows to people after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct MemoryNotice {
    /// What happened.
    pub event: MemoryEvent,
    /// `amber`, `red` or `green`.
    pub color: &'static str,
    /// Whose memory it is.
    pub scope: MemoryScope,
    /// The name of the character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// The name of the person whose memory it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The number of the memory.
    pub memory_id: MemoryNumber,
    /// The content, or what was deleted.
    pub content: String,
    /// Its beginning, which cannot close a code fence.
    pub preview: String,
    /// Whether the preview is not all of it.
    pub truncated: bool,
    /// What stands below.
    pub footer: NoticeFooter,
}

impl MemoryEvent {
    /// Returns the colour of a notice.
    pub(crate) fn color(self) -> &'static str {
        match self {
            Self::Updated => "amber",
            Self::Deleted => "red",
            Self::Saved => "green",
        }
    }
}

/// Returns the beginning of a content, which cannot close a code fence, and whether it is not all of it.
pub(crate) fn preview_of(content: &str) -> (String, bool) {
    let preview: String = content.chars().take(PREVIEW).collect();
    let is_cut = preview.len() < content.len();
    // A blank of no width in each pair: the pairs may touch, and three marks in a row never do.
    (preview.replace("``", "`\u{200B}`"), is_cut)
}

#[cfg(test)]
mod tests {
    use super::preview_of;

    #[test]
    fn a_preview_is_short_and_closes_no_fence() {
        assert_eq!(preview_of("short"), ("short".to_owned(), false));
        let (preview, is_cut) = preview_of(&"ä".repeat(201));
        assert_eq!((preview.chars().count(), is_cut), (200, true));
        for marks in 3..40 {
            assert!(!preview_of(&"`".repeat(marks)).0.contains("```"), "{marks}");
        }
    }
}
