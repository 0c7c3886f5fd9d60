//! The title of a record without its number, and the day in the name of its file.

use crate::contract::is_date;
use crate::markdown::stem;

/// Returns the title without the number before it, as in `3. Title` or `ADR-0003: Title`; nothing for the placeholder of a
/// template.
pub(in crate::project::adopt) fn plain_title(heading: &str) -> Option<&str> {
    let heading = heading.trim();
    let title = without_number(heading).unwrap_or(heading);
    let is_placeholder = title.starts_with(['{', '<', '[']) && title.ends_with(['}', '>', ']']);
    let is_word = ["TITLE", "NUMBER. TITLE", "Title", "ADR template"].contains(&title);
    (!title.is_empty() && !is_placeholder && !is_word && !title.contains("{short title"))
        .then_some(title)
}

/// Tells whether a record is numbered, by the name of its file or its title.
pub(super) fn has_number(path: &str, heading: &str) -> bool {
    let name = stem(path);
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && name[digits..].starts_with(['-', '_', '.', ' ']))
        || without_number(heading.trim()).is_some()
}

fn without_number(heading: &str) -> Option<&str> {
    let inner = heading.strip_prefix('[').unwrap_or(heading);
    let plain = inner.get(..3).filter(|word| word.eq_ignore_ascii_case("adr"));
    let rest = match plain {
        Some(_) => inner[3..].trim_start_matches(['-', '_', ' ', '#', ':']),
        None => inner,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = &rest[digits..];
    let title = behind.trim_start_matches([']', '.', ':', ')', '-', '–', '—', ' ', '|']);
    let signs = &behind[..behind.len() - title.len()];
    // `3 reasons for X` begins with no number of a record.
    let is_apart = signs.trim() != "" || (plain.is_some() || digits >= 3) && !signs.is_empty();
    (digits > 0 && is_apart && !title.is_empty()).then_some(title)
}

/// Returns the day with which the name of a file begins, as in `20200101-use-x.md`.
pub(super) fn day_of_name(path: &str) -> Option<String> {
    let name = stem(path);
    if let Some(day) = name.get(..10).filter(|day| is_date(day)) {
        return Some(day.to_owned());
    }
    let day = name.get(..8).filter(|day| day.bytes().all(|b| b.is_ascii_digit()))?;
    let day = format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]);
    (name[8..].starts_with(['-', '_']) && is_date(&day)).then_some(day)
}
