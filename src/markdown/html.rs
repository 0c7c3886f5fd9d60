//! Reads the tags and entities of HTML as a browser does.

use std::borrow::Cow;

use pulldown_cmark::{Event, Parser};

/// A tag with its attributes: what is quoted in them may hold any sign.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HtmlTag<'t> {
    /// In small letters.
    pub name: String,
    pub is_end: bool,
    attributes: Vec<(&'t str, &'t str)>,
}

/// What a style says of an element that a page does not show.
const UNSEEN_STYLES: [&str; 4] = ["display:none", "visibility:hidden", "opacity:0", "font-size:0"];

impl<'t> HtmlTag<'t> {
    /// Reads the tag that begins behind a `<`, and returns also what follows it.
    pub(super) fn read(text: &'t str) -> Option<(Self, &'t str)> {
        let is_end = text.starts_with('/');
        let text = text.strip_prefix('/').unwrap_or(text);
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let length = text.find(|c: char| ends_name(c)).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(length);
        let mut tag = Self { name: name.to_ascii_lowercase(), is_end, attributes: Vec::new() };
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if let Some(behind) = rest.strip_prefix('>') {
                return Some((tag, behind));
            }
            if rest.is_empty() {
                return Some((tag, rest));
            }
            let (attribute, behind) = read_attribute(rest);
            tag.attributes.push(attribute);
            rest = behind;
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'t str> {
        let mut found = self.attributes.iter().filter(|(each, _)| each.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| *value)
    }

    /// Tells whether it asks for not being shown. A reader that takes attributes out shows it all the same.
    pub(super) fn is_unseen(&self) -> bool {
        let style = self.attribute("style").map(|style| decoded(style).to_ascii_lowercase());
        let style: String =
            style.unwrap_or_default().chars().filter(|c| !c.is_whitespace()).collect();
        self.attribute("hidden").is_some() || UNSEEN_STYLES.iter().any(|it| style.contains(it))
    }
}

fn ends_name(character: char) -> bool {
    character.is_ascii_whitespace() || matches!(character, '/' | '>')
}

/// Reads an attribute with its value, which may be empty, and returns also what follows it.
fn read_attribute(text: &str) -> ((&str, &str), &str) {
    // A `=` in front is part of the name.
    let first = text.chars().next().map_or(0, char::len_utf8);
    let length = text[first..].find(|c: char| ends_name(c) || c == '=');
    let (name, behind) = text.split_at(length.map_or(text.len(), |length| first + length));
    let Some(value) = behind.trim_start().strip_prefix('=') else { return ((name, ""), behind) };
    let value = value.trim_start();
    let (value, behind) = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
        _ => value.split_at(
            value.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(value.len()),
        ),
    };
    ((name, value), behind)
}

/// The longest name of an entity, with its `&` and `;`, has fewer bytes than this.
const LONGEST_ENTITY: usize = 40;

/// Resolves the entities of a text.
pub(super) fn decoded(text: &str) -> Cow<'_, str> {
    let Some((before, mut rest)) = text.split_once('&') else { return Cow::Borrowed(text) };
    let mut plain = before.to_owned();
    loop {
        let length = entity(rest, &mut plain);
        if length == 0 {
            plain.push('&');
        }
        rest = &rest[length..];
        let Some((before, behind)) = rest.split_once('&') else { return Cow::Owned(plain + rest) };
        plain.push_str(before);
        rest = behind;
    }
}

/// Writes what the entity behind a `&` means, and returns its length; 0 if it is none.
fn entity(text: &str, plain: &mut String) -> usize {
    if let Some(number) = text.strip_prefix('#') {
        let (digits, radix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16),
            None => (number, 10),
        };
        let length = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
        let Ok(code) = u32::from_str_radix(&digits[..length], radix) else { return 0 };
        plain.push(char::from_u32(code).filter(|c| *c != '\0').unwrap_or('\u{fffd}'));
        let length = text.len() - digits.len() + length;
        return length + usize::from(text[length..].starts_with(';'));
    }
    let end = text.bytes().take(LONGEST_ENTITY).position(|byte| !byte.is_ascii_alphanumeric());
    let Some(end) = end.filter(|end| text.as_bytes()[*end] == b';') else { return 0 };
    match &text[..end] {
        "amp" => plain.push('&'),
        "lt" => plain.push('<'),
        "gt" => plain.push('>'),
        "quot" => plain.push('"'),
        name => {
            let whole = format!("&{name};");
            let mut meant = String::new();
            Parser::new(&whole).for_each(|event| {
                if let Event::Text(text) = event {
                    meant.push_str(&text);
                }
            });
            if meant == whole {
                return 0;
            }
            plain.push_str(&meant);
        }
    }
    end + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_ends_behind_its_attributes() {
        let (tag, behind) = HtmlTag::read("DIV title=\"a > b\" data-href='x' hidden>c").unwrap();
        assert_eq!((tag.name.as_str(), behind), ("div", "c"));
        assert_eq!(tag.attribute("href"), None);
        assert_eq!(tag.attribute("DATA-href"), Some("x"));
        assert!(tag.is_unseen());
        let (tag, behind) = HtmlTag::read("a href=b/c style=\"Display : none\"/>d").unwrap();
        assert_eq!((tag.attribute("href"), behind), (Some("b/c"), "d"));
        assert!(tag.is_unseen());
        for text in ["", " a>", "3>", "//a>", "=>"] {
            assert_eq!(HtmlTag::read(text), None, "{text}");
        }
        for text in ["a", "a href", "a =", "a href=", "a href='x", "/a x"] {
            assert_eq!(HtmlTag::read(text).unwrap().1, "", "{text}");
        }
    }

    #[test]
    fn entities_are_resolved_and_what_is_none_stays() {
        let check = |text: &str, expected: &str| assert_eq!(decoded(text), expected, "{text}");
        check("a &lt; b &amp;&copy;&#97;&#x62;c&#100e", "a < b &\u{a9}abcde");
        check("&& &nothing; &copy &; &#; &#x; &#0;", "&& &nothing; &copy &; &#; &#x; \u{fffd}");
        check("&amp;lt;", "&lt;");
        check("&\u{fc};&#99999999999;", "&\u{fc};&#99999999999;");
    }
}
