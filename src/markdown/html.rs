//! Reads the tags and entities of HTML as a browser does.

use std::borrow::Cow;

use pulldown_cmark::{Event, Parser};

/// A tag with its attributes: what is quoted in them may hold any sign.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HtmlTag<'t> {
    /// In small letters.
    pub name: String,
    pub is_end: bool,
    /// Whether its `>` was found: one that does not end is read to the end of the text.
    pub is_whole: bool,
    attributes: Vec<(&'t str, &'t str)>,
}

/// Elements of which a page does not show the text in them.
const UNSEEN_ELEMENTS: [&str; 7] =
    ["audio", "canvas", "datalist", "meter", "progress", "rp", "video"];

/// What a style says of an element that a page does not show; `0` is any zero.
const UNSEEN_STYLES: [(&str, &str); 4] =
    [("display", "none"), ("visibility", "hidden"), ("opacity", "0"), ("font-size", "0")];

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
        let name = name.to_ascii_lowercase();
        let mut tag = Self { name, is_end, is_whole: false, attributes: Vec::new() };
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if let Some(behind) = rest.strip_prefix('>') {
                tag.is_whole = true;
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

    /// Tells whether a page does not show its inside. A reader that takes tags out shows it all the same.
    pub(super) fn is_unseen(&self) -> bool {
        let style = unescaped(self.attribute("style").unwrap_or_default()).to_ascii_lowercase();
        UNSEEN_ELEMENTS.contains(&self.name.as_str())
            || (self.name == "dialog" && self.attribute("open").is_none())
            || self.attribute("hidden").is_some()
            || style.split(';').any(is_unseen_style)
    }
}

fn is_unseen_style(declaration: &str) -> bool {
    let Some((name, value)) = declaration.split_once(':') else { return false };
    let value = value.trim().trim_end_matches("!important").trim_end();
    let is_zero = value.starts_with(['0', '.'])
        && !value.trim_start_matches(['0', '.']).starts_with(|c: char| c.is_ascii_digit());
    UNSEEN_STYLES.contains(&(name.trim(), if is_zero { "0" } else { value }))
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
pub(super) fn unescaped(text: &str) -> Cow<'_, str> {
    unescaped_by(text, entity)
}

/// Resolves the entities of a text as a page does, which knows the oldest ones without their `;` too.
pub(super) fn unescaped_in_page(text: &str) -> Cow<'_, str> {
    unescaped_by(text, |text, plain| match entity(text, plain) {
        0 => old_entity(text, plain),
        length => length,
    })
}

/// Resolves entities; `entity` writes what the one behind a `&` means, and returns its length, 0 if it is none.
fn unescaped_by(text: &str, entity: impl Fn(&str, &mut String) -> usize) -> Cow<'_, str> {
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
    let Some(meant) = meaning(&text[..end]) else { return 0 };
    plain.push_str(&meant);
    end + 1
}

/// Reads an entity of HTML 2 or of Latin-1, which may stand without its `;`. None has more than six letters.
fn old_entity(text: &str, plain: &mut String) -> usize {
    let length = text.bytes().take(6).take_while(u8::is_ascii_alphanumeric).count();
    let is_old = |meant: &String| {
        let mut characters = meant.chars();
        let first = characters
            .next()
            .is_some_and(|c| matches!(c, '&' | '<' | '>' | '"' | '\u{a0}'..='\u{ff}'));
        first && characters.next().is_none()
    };
    for length in (2..=length).rev() {
        if let Some(meant) = meaning(&text[..length]).filter(is_old) {
            plain.push_str(&meant);
            return length;
        }
    }
    0
}

/// Returns what the entity of a name means.
fn meaning(name: &str) -> Option<String> {
    let whole = format!("&{name};");
    let mut meant = String::new();
    Parser::new(&whole).for_each(|event| {
        if let Event::Text(text) = event {
            meant.push_str(&text);
        }
    });
    (meant != whole).then_some(meant)
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
        for (style, is_unseen) in [
            ("opacity:0.9", false),
            ("opacity:.0", true),
            ("font-size:0.9em", false),
            ("color:red;font-size: 0px", true),
            ("visibility:hidden!important", true),
            ("stroke-opacity:0", false),
        ] {
            let tag = format!("b style='{style}'>");
            assert_eq!(HtmlTag::read(&tag).unwrap().0.is_unseen(), is_unseen, "{style}");
        }
        for text in ["", " a>", "3>", "//a>", "=>"] {
            assert_eq!(HtmlTag::read(text), None, "{text}");
        }
        for text in ["a", "a href", "a =", "a href=", "a href='x", "/a x"] {
            assert_eq!(HtmlTag::read(text).unwrap().1, "", "{text}");
        }
    }

    #[test]
    fn entities_are_resolved_and_what_is_none_stays() {
        let check = |text: &str, expected: &str| assert_eq!(unescaped(text), expected, "{text}");
        check("a &lt; b &amp;&copy;&#97;&#x62;c&#100e", "a < b &\u{a9}abcde");
        check("&& &nothing; &copy &; &#; &#x; &#0;", "&& &nothing; &copy &; &#; &#x; \u{fffd}");
        check("&amp;lt;", "&lt;");
        check("&\u{fc};&#99999999999;", "&\u{fc};&#99999999999;");
        let check =
            |text: &str, expected: &str| assert_eq!(unescaped_in_page(text), expected, "{text}");
        check(
            "a&shyb&nbspc&eacuted &ampe &notin; &notx &copy",
            "a\u{ad}b\u{a0}c\u{e9}d &e \u{2209} \u{ac}x \u{a9}",
        );
        check("&hearts &alphab &x &", "&hearts &alphab &x &");
    }
}
