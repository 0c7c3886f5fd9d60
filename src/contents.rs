//! Writes the table of contents: every tracked file, its sections, their ids and first lines.
//!
//! Each file has a block of its own, so that a change rewrites the blocks of its files and no others. Git merges
//! changes that have an unchanged line between them: so heading, id and first line of a section each have a line, a
//! blank one stands between two sections, and a rule behind the last of a file.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use memchr::memmem;

use crate::contract::MemoryPath;
use crate::markdown::{HeadingStyle, Outline};
use crate::schema::read_fields;
use crate::text::visible;

/// The name of the file, which a merge knows before it knows a store.
pub const CONTENTS: &str = "index.md";

/// Title and first paragraph of the file.
const TOP: &str =
    "# Index\n\nWritten by agent-memory after every change; edits here do not last.\n";

/// Stands between what is said of two sections.
pub const BETWEEN: &str = "\n\n";

/// Stands behind the last section of a file: what is added there, and a file that is added behind, do not touch.
const END: &str = "\n\n---\n";

/// Said of a file without sections: who gives it the first one, and who does so in the file behind, do not touch either.
pub const NOTHING: &str = "No sections yet.";

/// Characters of a first line at most.
const SUMMARY: usize = 100;

/// Takes out of a text what must not be repeated.
pub type Clean<'c> = dyn Fn(&str) -> Cow<'_, str> + 'c;

/// The table of contents: for each file the lines about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks(BTreeMap<String, String>);

impl Blocks {
    /// Reads a table of contents.
    pub fn read(text: &str) -> Self {
        // Below a heading we write a list only, so this takes no Markdown parser.
        let blocks = text.split("\n## ").skip(1).filter_map(|block| {
            let (path, lines) = block.split_once('\n')?;
            let lines = lines.trim_end();
            let lines = lines.strip_suffix("---").unwrap_or(lines);
            Some((
                path.trim_end().to_owned(),
                lines.trim_matches(['\n', '\r']).trim_end().to_owned(),
            ))
        });
        Self(blocks.collect())
    }

    /// Returns the lines about each file.
    pub fn by_path(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// Renews the lines about one file; `clean` takes out what must not be repeated.
    pub fn renew(&mut self, path: &MemoryPath, text: &str, clean: &Clean<'_>) {
        self.put(path.as_str(), lines(path, &Outline::read(text), clean));
    }

    /// Puts lines in the place of those about one file.
    pub fn put(&mut self, path: &str, lines: String) {
        match lines.is_empty() {
            true => self.0.remove(path),
            false => self.0.insert(path.to_owned(), lines),
        };
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(TOP)?;
        self.0.iter().try_for_each(|(path, lines)| write!(out, "\n## {path}\n\n{lines}{END}"))
    }
}

/// What a table of contents says, read once for many files.
#[derive(Debug, Clone)]
pub struct Said<'a> {
    /// All that stands behind the title of each file.
    behind: BTreeMap<&'a str, &'a str>,
}

impl<'a> Said<'a> {
    /// Reads a table of contents.
    pub fn read(contents: &'a str) -> Self {
        let mut behind = BTreeMap::new();
        for at in memmem::find_iter(contents.as_bytes(), "\n## ") {
            if let Some((path, rest)) = contents[at + "\n## ".len()..].split_once('\n')
                && let Some(rest) = rest.strip_prefix('\n')
            {
                behind.entry(path).or_insert(rest);
            }
        }
        Self { behind }
    }

    /// Tells whether this is said about a file, and nothing else.
    pub fn holds(&self, path: &str, lines: &str) -> bool {
        match self.behind.get(path) {
            None => lines.is_empty(),
            Some(rest) => {
                let behind = rest.strip_prefix(lines).filter(|_| !lines.is_empty());
                let behind = behind.and_then(|behind| behind.strip_prefix(END));
                behind.is_some_and(|behind| behind.is_empty() || behind.starts_with("\n## "))
            }
        }
    }
}

/// Returns what a table of contents, which says this now, has to say of some files instead; `clean` takes out
/// what must not be repeated.
pub fn news<'t>(
    now: &str,
    files: impl Iterator<Item = (&'t MemoryPath, Outline<'t>)>,
    clean: &Clean<'_>,
) -> Vec<(String, String)> {
    let said = Said::read(now);
    let is_news = |(path, outline): &(&MemoryPath, Outline<'_>)| {
        !said.holds(path.as_str(), &lines(path, outline, &|text| Cow::Borrowed(text)))
    };
    let news = files.filter(is_news);
    news.map(|(path, outline)| (path.to_string(), lines(path, &outline, clean))).collect()
}

/// Returns the lines about one file, none about an empty one; `clean` takes out what must not be repeated.
pub fn lines(path: &MemoryPath, outline: &Outline<'_>, clean: &Clean<'_>) -> String {
    let listed = outline
        .sections()
        .iter()
        .filter(|section| section.heading.style == HeadingStyle::Atx && section.heading.level > 1);
    let lines: Vec<String> = listed
        .map(|section| {
            let indent = "  ".repeat(usize::from(section.heading.level) - 2);
            let heading = plain(&clean(&section.heading.text));
            let archived = if section.archived { " (archived)" } else { "" };
            let id = section.id.as_ref().map(|id| format!("`{id}`"));
            let below = id.into_iter().chain(summary(&clean(outline.body(section))));
            let below: String = below.map(|line| format!("\n{indent}  {line}")).collect();
            format!("{indent}- [{heading}]({path}){archived}{below}")
        })
        .collect();
    match lines.is_empty() && !outline.text().is_empty() {
        true => NOTHING.to_owned(),
        false => lines.join(BETWEEN),
    }
}

/// Returns the first line of a body that is not a field, cut to a readable length.
fn summary(body: &str) -> Option<String> {
    // `Date: 2026-05-04` says little in a list; `We chose it because: …` says much.
    let is_field = |line| read_fields(line).iter().any(|field| !field.name.contains(' '));
    let line = body.lines().map(str::trim).find(|line| {
        !line.is_empty() && !line.starts_with(['<', '`', '~', '|']) && !is_field(line)
    });
    let line = line?.trim_start_matches(['-', '*', '+', '>', ' ']);
    let text = match line.char_indices().nth(SUMMARY) {
        None => plain(line),
        Some((end, _)) => {
            let cut = &line[..end];
            let words = cut.rsplit_once(' ').map_or(cut, |(words, _)| words);
            format!("{}…", plain(words))
        }
    };
    // At the begin of a line these make a heading or a rule.
    let escape = if text.starts_with(['#', '=', '_']) { "\\" } else { "" };
    (!text.is_empty()).then(|| format!("{escape}{text}"))
}

/// Takes from a text what could open a comment or a link in the table of contents.
fn plain(text: &str) -> String {
    visible(text).replace("<!--", "\\<!--").replace('[', "\\[").replace(']', "\\]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> MemoryPath {
        MemoryPath::parse(text).expect("a good path")
    }

    fn renew(contents: &str, name: &str, text: &str) -> String {
        let mut blocks = Blocks::read(contents);
        blocks.renew(&path(name), text, &|text| Cow::Borrowed(text));
        blocks.to_string()
    }

    #[test]
    fn files_are_listed_in_order_whichever_changed_last() {
        let pitfalls = "# P\n\n## A\n<!-- @id: a -->\n\nWatch out.\n";
        let first = renew("", "pitfalls.md", pitfalls);
        let both = renew(&first, "decisions.md", "## D\n\nDate: 2026-01-01\n\nWe do.\n\n### E\n");
        assert_eq!(
            both,
            format!(
                "{TOP}\n## decisions.md\n\n- [D](decisions.md)\n  We do.\n\n  - [E](decisions.md)\n\n---\n\n\
                 ## pitfalls.md\n\n- [A](pitfalls.md)\n  `a`\n  Watch out.\n\n---\n"
            )
        );
        assert_eq!(renew(&both, "pitfalls.md", pitfalls), both);
    }

    #[test]
    fn it_is_known_whether_a_file_is_listed_as_it_is() {
        let contents = renew(&renew("", "a.md", "## One\n\n## Two\n"), "b.md", "## Three\n");
        let check = |name: &str, text: &str, expected: bool| {
            let lines = lines(&path(name), &Outline::read(text), &|text| Cow::Borrowed(text));
            assert_eq!(Said::read(&contents).holds(name, &lines), expected, "{name} {text:?}");
        };
        check("a.md", "## One\n\n## Two\n", true);
        check("b.md", "## Three\n", true);
        check("a.md", "## One\n", false);
        check("a.md", "", false);
        check("b.md", "## Three\n\n## Four\n", false);
        check("c.md", "", true);
        check("c.md", "## One\n", false);
    }

    #[test]
    fn a_file_without_sections_has_its_place() {
        let listed = format!("{TOP}\n## pitfalls.md\n\nNo sections yet.\n\n---\n");
        assert_eq!(renew("", "pitfalls.md", "# P\n"), listed);
        assert_eq!(renew(&listed, "pitfalls.md", ""), TOP);
    }

    #[test]
    fn a_heading_cannot_open_a_comment() {
        let text = renew("", "pitfalls.md", "## a <!-- b\n\n## c\n");
        assert_eq!(Outline::read(&text).sections().len(), 2);
        assert!(text.contains("- [c](pitfalls.md)"), "{text}");
    }
}
