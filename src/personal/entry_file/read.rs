//! Reads the file of an entry, in each form that such files have had.

use crate::frontmatter::{FrontMatter, KeyPath, Split, split};

use super::body::{first_line, trimmed};

/// What a file says; a file that cannot be read is no error, as an upsert replaces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EntryFile {
    Entry(EntryContent),
    /// Why the front matter cannot be read, as a short phrase.
    Unreadable(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryContent {
    /// The name in the front matter; the key of the entry is the stem of its file.
    pub(crate) name: Option<String>,
    /// The type as it stands there: a word that we do not know is kept.
    pub(crate) kind: Option<String>,
    pub(crate) description: Option<String>,
    /// The body with LF, without blank lines at its ends.
    pub(crate) body: String,
    /// The only project in which the entry is shown.
    pub(crate) project: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) generation: Generation,
}

/// The forms of the file that Claude Code has had, of which ours is the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generation {
    /// No front matter.
    G1,
    /// All keys at the top level.
    G2,
    /// `type` and others in the mapping `metadata`.
    G3,
}

/// Tells whether front matter gives the name of its file: Claude Code writes `user-role` into `user_role.md`.
pub(crate) fn is_same_name(own: &str, stem: &str) -> bool {
    let plain = |name: &str| name.replace('_', "-");
    plain(own).eq_ignore_ascii_case(&plain(stem))
}

impl EntryContent {
    /// Takes a whole text for the body, as where the front matter cannot be read.
    pub(crate) fn whole(text: &str) -> Self {
        // Its first line is the mark of what cannot be read.
        Self { description: None, ..without_front_matter(text) }
    }

    /// Returns what the front matter says, without its keys; where there is none, the description.
    pub(crate) fn front_values(&self) -> impl Iterator<Item = &str> {
        let Self { name, kind, description, modified, project, .. } = self;
        [name, kind, description, modified, project].into_iter().flatten().map(String::as_str)
    }
}

impl EntryFile {
    pub(crate) fn read(text: &str) -> Self {
        let content = match split(text) {
            Split::Without { body } => Ok(without_front_matter(&text[body])),
            Split::With { front, body } => with_front_matter(&text[front], &text[body]),
            Split::Unclosed => Err("the front matter begins and never ends".to_owned()),
        };
        content.map_or_else(Self::Unreadable, Self::Entry)
    }
}

fn without_front_matter(text: &str) -> EntryContent {
    EntryContent {
        name: None,
        kind: None,
        description: first_line(text),
        body: trimmed(text),
        project: None,
        modified: None,
        generation: Generation::G1,
    }
}

fn with_front_matter(front: &str, body: &str) -> Result<EntryContent, String> {
    let front = FrontMatter::read(front)?;
    let at_top = |key| Ok::<_, String>(front.text(KeyPath::Top(key))?.map(str::to_owned));
    // Both are read before one is taken: a list where a text is wanted is a mistake in either.
    let anywhere = |key| {
        let (top, nested) = (at_top(key)?, front.text(KeyPath::In("metadata", key))?);
        Ok::<_, String>(top.or(nested.map(str::to_owned)))
    };
    let has_metadata = front.is_mapping(KeyPath::Top("metadata"));
    Ok(EntryContent {
        name: at_top("name")?,
        kind: anywhere("type")?,
        description: at_top("description")?,
        body: trimmed(body),
        project: anywhere("project")?,
        modified: anywhere("modified")?,
        generation: if has_metadata { Generation::G3 } else { Generation::G2 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EntryContent {
        match EntryFile::read(text) {
            EntryFile::Entry(content) => content,
            EntryFile::Unreadable(why) => panic!("{text:?}: {why}"),
        }
    }

    fn words(content: &EntryContent) -> [Option<&str>; 5] {
        let EntryContent { name, kind, description, project, modified, .. } = content;
        [name, kind, description, project, modified].map(|word| word.as_deref())
    }

    #[test]
    fn a_file_without_front_matter_is_its_body() {
        let content = read("\u{feff}\r\n# Use tabs\r\n\r\nAlways.\r\n\r\n");
        assert_eq!(words(&content), [None, None, Some("Use tabs"), None, None]);
        assert_eq!(content.body, "# Use tabs\n\nAlways.\n");
        assert_eq!(content.generation, Generation::G1);
        assert_eq!(words(&read("")), [None; 5]);
    }

    #[test]
    fn keys_are_read_at_the_top_level() {
        let content = read(
            "---\nname: a\ndescription: \"b: c\" # d\ntype: note\nproject: p\nmodified: 2026-11-20T10:11:12Z\n---\n\nbody\n",
        );
        let modified = Some("2026-11-20T10:11:12Z");
        assert_eq!(words(&content), [Some("a"), Some("note"), Some("b: c"), Some("p"), modified]);
        assert_eq!(content.body, "body\n");
        assert_eq!(content.generation, Generation::G2);
    }

    #[test]
    fn keys_are_read_in_metadata_where_the_top_level_has_none() {
        let content = read(
            "---\r\nname: a\r\ndescription: >-\r\n  b\r\n  c\r\ntype:\r\nmetadata:\r\n  node_type: memory\r\n  type: user\r\n  project: p\r\n  modified: x\r\n---\r\nbody\r\n",
        );
        assert_eq!(words(&content), [Some("a"), Some("user"), Some("b c"), Some("p"), Some("x")]);
        assert_eq!(content.body, "body\n");
        assert_eq!(content.generation, Generation::G3);
        let both = read("---\ntype: user\nmetadata: {type: note}\n---\n");
        assert_eq!((both.kind.as_deref(), both.generation), (Some("user"), Generation::G3));
        assert_eq!(read("---\nmetadata: text\n---\n").generation, Generation::G2);
    }

    #[test]
    fn a_scalar_of_another_kind_is_its_text() {
        let content = read("---\nname: 007\ndescription: True\ntype: 1.50\nproject: ~\n---\n");
        assert_eq!(words(&content), [Some("007"), Some("1.50"), Some("True"), None, None]);
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        for (text, why) in [
            ("---\nname: a\n", "never ends"),
            ("---\nname: [a]\n---\n", "`name` is a list"),
            ("---\ndescription: {a: b}\n---\n", "`description` is a mapping"),
            ("---\ntype: a\nmetadata:\n  type: [a]\n---\n", "`type` is a list"),
            ("---\nname: \"a\n---\n", "no YAML"),
            ("---\nname: a\nname: b\n---\n", "stands twice"),
            ("---\nname: &a b\ntype: *a\n---\n", "aliases"),
            ("---\n- name\n---\n", "no mapping"),
            ("---\nname\n---\n", "no mapping"),
        ] {
            match EntryFile::read(text) {
                EntryFile::Unreadable(said) => assert!(said.contains(why), "{text:?}: {said}"),
                EntryFile::Entry(content) => panic!("{text:?}: {content:?}"),
            }
        }
    }
}
