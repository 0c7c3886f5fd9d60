//! The paths and anchors in links: decodes, resolves and writes them.
//!
//! A file is known by its path from a folder that all files share.

use crate::text::{composed, is_mark};

/// Decodes the path of a link, in composed Unicode (NFC).
pub(crate) fn decoded(raw: &str) -> String {
    composed(&unescaped(raw)).into_owned()
}

/// Decodes `%20`, the backslash escapes of Markdown and `&amp;`; other entities of HTML stay. What is no UTF-8 then stays
/// as it was.
fn unescaped(raw: &str) -> String {
    let plain = raw.replace("&amp;", "&");
    let mut bytes = Vec::with_capacity(plain.len());
    let mut rest = plain.as_bytes();
    while let [first, behind @ ..] = rest {
        let hex = |at: usize| behind.get(at).and_then(|digit| char::from(*digit).to_digit(16));
        match (first, hex(0), hex(1), behind.first()) {
            (b'%', Some(high), Some(low), _) => {
                bytes.push(u8::try_from(high * 16 + low).expect("two hex digits are a byte"));
                rest = &behind[2..];
            }
            (b'\\', _, _, Some(escaped)) if escaped.is_ascii_punctuation() => {
                bytes.push(*escaped);
                rest = &behind[1..];
            }
            (_, _, _, _) => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or(plain)
}

/// Resolves a path from the folder of a file; `/` begins at the top. None for one that leads out.
pub(crate) fn joined(from: &str, path: &str) -> Option<String> {
    let from = if path.starts_with('/') { "" } else { from };
    let parts = resolved_parts(from, path);
    (parts.first() != Some(&"..")).then(|| parts.join("/"))
}

/// Returns the parts of a path from the folder of a file; those that lead out of the shared folder come first, as `..`.
fn resolved_parts<'p>(file: &'p str, path: &'p str) -> Vec<&'p str> {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => drop(parts.pop()),
            (_, _) => parts.push(part),
        }
    }
    parts
}

/// Returns the name of a file without `.md`, as `[[name]]` has it.
pub(crate) fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Returns the last part of a path.
pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the anchor that GitHub gives to a heading.
pub(crate) fn heading_anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || is_mark(*c) || matches!(c, ' ' | '-' | '_');
    let plain = heading.chars().filter(kept).flat_map(char::to_lowercase);
    plain.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Splits the target of a link before its `?query` or `#fragment`.
pub(crate) fn split_target(target: &str) -> (&str, &str) {
    target.split_at(target.find(['?', '#']).unwrap_or(target.len()))
}

/// Returns the path that a relative link of a file leads to; it begins with `..` where it leads out of the shared folder.
/// None for a URL, an absolute path and a fragment alone.
pub(crate) fn resolved(file: &str, raw: &str) -> Option<String> {
    let is_url = raw.split('/').next().is_some_and(|first| first.contains(':'));
    if raw.is_empty() || raw.starts_with('/') || is_url {
        return None;
    }
    Some(resolved_parts(file, &unescaped(raw)).join("/"))
}

/// Writes a link from one file to another, in the spelling of the link that it replaces: a `/` at its end stays, and so
/// do blanks that are not encoded.
pub(crate) fn link_to(file: &str, target: &str, former: &str) -> String {
    let path = relative(file, target);
    let mut written = String::with_capacity(path.len());
    for c in path.chars() {
        let is_plain = match c {
            ' ' => former.contains(' '),
            '"' | '\'' | '<' | '>' | '\\' | '`' | '%' | '#' | '?' | '&' | ':' => false,
            '(' | ')' | '[' | ']' | '{' | '}' | '|' | '^' => false,
            _ => !c.is_ascii_control(),
        };
        match is_plain {
            true => written.push(c),
            false => written += &format!("%{:02X}", u32::from(c)),
        }
    }
    match written.as_str() {
        "" => "./".to_owned(),
        folder if former.ends_with('/') && !folder.ends_with('/') => written + "/",
        _ => written,
    }
}

/// Writes the way from the folder of one file to another file.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let folders: Vec<&str> = from.split('/').collect();
    let folders = &folders[..folders.len() - 1];
    let parts: Vec<&str> = to.split('/').collect();
    let is_same = |(one, other): &(&&str, &&str)| one == other;
    let common = folders.iter().zip(&parts[..parts.len() - 1]).take_while(is_same).count();
    let up = "../".repeat(folders.len() - common);
    format!("{up}{}", parts[common..].join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_a_browser_reads_it() {
        for (raw, expected) in [
            ("Beta%20Plan.md", "Beta Plan.md"),
            ("%C3%BC.md", "\u{fc}.md"),
            ("u%CC%88.md", "\u{fc}.md"),
            ("a\\_b.md", "a_b.md"),
            ("a&amp;b.md", "a&b.md"),
            ("100%.md", "100%.md"),
            ("%ff.md", "%ff.md"),
            ("%é", "%é"),
        ] {
            assert_eq!(decoded(raw), expected, "{raw}");
        }
    }

    #[test]
    fn a_relative_link_leads_where_it_led() {
        for (raw, expected) in [
            ("../src/a.rs", "../../src/a.rs"),
            ("./img/x.png", "../../notes/img/x.png"),
            ("../src/", "../../src/"),
            ("..", "../../"),
            ("x%20y(1).png", "../../notes/x%20y%281%29.png"),
            ("x y.png", "../../notes/x y.png"),
            ("a\\_b%23.c", "../../notes/a_b%23.c"),
            ("%C3%BC.rs", "../../notes/\u{fc}.rs"),
            ("u\u{308}.rs", "../../notes/u\u{308}.rs"),
            ("../../elsewhere/a", "../../../elsewhere/a"),
        ] {
            let target = resolved("notes/a.md", raw).expect("it is relative");
            let written = link_to(".memory/modules/a.md", &target, raw);
            assert_eq!(written, expected, "{raw}");
            assert_eq!(resolved(".memory/modules/a.md", &written), Some(target), "{raw}");
        }
        for raw in ["", "/a.rs", "//x.org/a", "https://x.org", "mailto:a", "C:\\a", "data:x/y"] {
            assert_eq!(resolved("notes/a.md", raw), None, "{raw}");
        }
        assert_eq!(link_to("a.md", "", "."), "./");
    }

    #[test]
    fn a_path_is_followed_and_written() {
        assert_eq!(joined("a/b.md", "./c.md").as_deref(), Some("a/c.md"));
        assert_eq!(joined("a/b.md", "../c.md").as_deref(), Some("c.md"));
        assert_eq!(joined("a/b.md", "/c.md").as_deref(), Some("c.md"));
        assert_eq!(joined("b.md", "../c.md"), None);
        assert_eq!(relative("modules/a.md", "modules/b.md"), "b.md");
        assert_eq!(relative("modules/a.md", "decisions.md"), "../decisions.md");
        assert_eq!(relative("decisions.md", "modules/b.md"), "modules/b.md");
    }
}
