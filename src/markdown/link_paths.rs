//! The paths in links: decodes, resolves and writes them.

use crate::text::composed;

/// Decodes `%20`, the backslash escapes of Markdown and `&amp;`; other entities of HTML stay. What is no UTF-8 then stays
/// as it was.
pub(crate) fn decoded(raw: &str) -> String {
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
    String::from_utf8(bytes).map_or(plain, |text| composed(&text).into_owned())
}

/// Resolves a path from the folder of a file; `/` begins at the top. None for one that leads out.
pub(crate) fn joined(from: &str, path: &str) -> Option<String> {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
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
