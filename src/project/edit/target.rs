//! Finds the section that an operation is aimed at, or says which ones it might have meant.

use super::input::Edit;
use crate::contract::SectionId;
use crate::markdown::{HeadingStyle, Outline, Section};
use crate::project::request::{Answer, Reason, Refusal, Selector, Target};
use crate::text::did_you_mean;

/// Returns the number of the one section that fits, if it is still the one that was seen.
pub(super) fn locate(outline: &Outline<'_>, target: &Target, edit: &Edit<'_>) -> Answer<usize> {
    let index = match &target.selector {
        Selector::Id(id) => by_id(outline, id, edit, "section_id")?,
        Selector::Heading { text, level, occurrence } => {
            by_heading(outline, text, *level, *occurrence, edit)?
        }
    };
    let section = &outline.sections()[index];
    let hash = outline.hash(section);
    match &target.if_hash {
        Some(seen)
            if !hash.as_str().starts_with(seen.as_str())
                && !seen.as_str().starts_with(hash.as_str()) =>
        {
            Err(Refusal::new(
                Reason::TargetDrift,
                format!(
                    "the section `{}` of `{}` has the hash {hash}, not {seen}",
                    section.title(),
                    edit.path
                ),
                "read the section again and propose a change of what it says now",
            )
            .at(format!("{}/if_hash", edit.pointer)))
        }
        Some(_) | None => Ok(index),
    }
}

/// Returns where a section of a level goes at the end of a parent: byte position and number.
pub(super) fn find_parent(
    outline: &Outline<'_>,
    id: &SectionId,
    level: u8,
    edit: &Edit<'_>,
) -> Answer<(usize, usize)> {
    let index = by_id(outline, id, edit, "parent_section_id")?;
    let parent = &outline.sections()[index];
    if level <= parent.heading.level {
        return Err(Refusal::new(
            Reason::InvalidOperation,
            format!(
                "a section of level {level} cannot stand in `{id}`, which has level {}",
                parent.heading.level
            ),
            format!("set `heading_level` to {} or deeper", parent.heading.level + 1),
        )
        .at(format!("{}/heading_level", edit.pointer)));
    }
    Ok((parent.end, index + outline.family(index)))
}

fn by_id(outline: &Outline<'_>, id: &SectionId, edit: &Edit<'_>, field: &str) -> Answer<usize> {
    let mut found = positions(outline, |section| section.id.as_ref() == Some(id));
    match (found.next(), found.next()) {
        (Some(index), None) => Ok(index),
        (None, _) => Err(not_found(outline, id.as_str(), edit, field)),
        (Some(first), Some(second)) => {
            let lines = [first, second].map(|index| outline.sections()[index].line);
            Err(Refusal::new(
                Reason::DuplicateSectionId,
                format!("`{}` has the id `{id}` on lines {} and {}", edit.path, lines[0], lines[1]),
                "a person has to give one of them another id first",
            )
            .at(format!("{}/{field}", edit.pointer)))
        }
    }
}

fn by_heading(
    outline: &Outline<'_>,
    text: &str,
    level: Option<u8>,
    occurrence: Option<usize>,
    edit: &Edit<'_>,
) -> Answer<usize> {
    let found: Vec<usize> = with_heading(outline, text, level).collect();
    match (found.as_slice(), occurrence) {
        ([only], None | Some(1)) => Ok(*only),
        ([], _) => Err(match other_level(outline, text, edit) {
            Some(refusal) => refusal,
            None => not_found(outline, text, edit, "heading"),
        }),
        (several, Some(number)) => several
            .get(number - 1)
            .copied()
            .ok_or_else(|| no_such_occurrence(outline, several, number, text, edit)),
        (several, None) => Err(ambiguous(outline, several, text, edit)),
    }
}

/// Returns the section that a selector names, if it exists, even if the name is not unique.
pub(crate) fn find_target(outline: &Outline<'_>, selector: &Selector) -> Option<usize> {
    match selector {
        Selector::Id(id) => outline.find(id),
        Selector::Heading { text, level, occurrence } => {
            with_heading(outline, text, *level).nth(occurrence.unwrap_or(1).saturating_sub(1))
        }
    }
}

fn with_heading(
    outline: &Outline<'_>,
    text: &str,
    level: Option<u8>,
) -> impl Iterator<Item = usize> {
    positions(outline, move |section| {
        section.heading.style == HeadingStyle::Atx
            && section.heading.text == text.trim()
            && level.is_none_or(|level| level == section.heading.level)
    })
}

fn other_level(outline: &Outline<'_>, text: &str, edit: &Edit<'_>) -> Option<Box<Refusal>> {
    let section = &outline.sections()[with_heading(outline, text, None).next()?];
    let Section { heading, line, .. } = section;
    let (text, level) = (&heading.text, heading.level);
    let message =
        format!("`{}` has a section `{text}` of level {level}, on line {line}", edit.path);
    let hint = format!("leave `heading_level` out, or set it to {level}");
    let refusal = Refusal::new(Reason::SectionNotFound, message, hint);
    Some(refusal.at(format!("{}/heading_level", edit.pointer)))
}

fn positions(
    outline: &Outline<'_>,
    fits: impl Fn(&Section) -> bool,
) -> impl Iterator<Item = usize> {
    outline.sections().iter().enumerate().filter(move |(_, s)| fits(s)).map(|(index, _)| index)
}

/// How many sections a hint lists; more would bury the answer.
const LISTED: usize = 12;

/// How many sections are compared with a name that none has; in a huge file a guess is not worth the wait.
const COMPARED: usize = 2_000;

fn not_found(outline: &Outline<'_>, wanted: &str, edit: &Edit<'_>, field: &str) -> Box<Refusal> {
    let targets = outline.sections().iter().filter(|it| it.heading.style == HeadingStyle::Atx);
    let targets = targets.filter(|it| it.id.is_some() || !it.heading.text.is_empty());
    let mut titles: Vec<(&str, bool)> = targets.map(|it| (it.title(), it.id.is_some())).collect();
    titles.sort_by_key(|(_, is_id)| !is_id);
    // An id that looks like a heading is none; what is meant says `other_way`.
    let fits = |(_, is_id): &&(&str, bool)| *is_id || field == "heading";
    let compared = titles.iter().take(COMPARED).filter(fits).map(|(title, _)| *title);
    let guess = did_you_mean(wanted, compared);
    let listed = titles.iter().take(LISTED).map(|(title, is_id)| match is_id {
        true => format!("`{title}`"),
        false => format!("the heading `{title}`"),
    });
    let listed: Vec<String> = listed.collect();
    if let Some((message, hint)) = other_way(outline, wanted, field) {
        let message = format!("`{}` {message}", edit.path);
        return Refusal::new(Reason::SectionNotFound, message, hint)
            .at(format!("{}/{field}", edit.pointer));
    }
    let hint = match (listed.len(), titles.len()) {
        (0, _) => "the file has no sections yet; use `append_section`".to_owned(),
        (shown, all) if shown < all => {
            format!("the file has {}, and {} more", listed.join(", "), all - shown)
        }
        _ => format!("the file has {}", listed.join(", ")),
    };
    Refusal::new(
        Reason::SectionNotFound,
        format!("`{}` has no section `{wanted}`{guess}", edit.path),
        hint,
    )
    .at(format!("{}/{field}", edit.pointer))
}

/// Says why a name that stands in the file is no target, and what to send instead.
fn other_way(outline: &Outline<'_>, wanted: &str, field: &str) -> Option<(String, String)> {
    let wanted = wanted.trim();
    let is_marks = |marks: &str| !marks.is_empty() && marks.bytes().all(|byte| byte == b'#');
    if let Some((_, bare)) = wanted.split_once(' ').filter(|(marks, _)| is_marks(marks)) {
        let message = format!("has no section `{wanted}`: a heading is named without its `#`");
        return Some((message, format!("give `{}` as `heading`", bare.trim())));
    }
    let is_id = |it: &Section| it.id.as_ref().is_some_and(|id| id.as_str() == wanted);
    let slugs = field != "heading";
    let is_named = |it: &&Section| {
        let text = &it.heading.text;
        let would_be = || SectionId::from_heading(text);
        text == wanted || (slugs && it.id.is_none() && would_be().as_str() == wanted)
    };
    let mut named = outline.sections().iter().take(COMPARED).filter(is_named);
    let underlined = named.clone().find(|it| it.heading.style == HeadingStyle::Setext);
    let named = named.find(|it| it.heading.style == HeadingStyle::Atx).or(underlined);
    if field == "heading" && outline.sections().iter().any(is_id) {
        let message = format!("has no heading `{wanted}`, which is an id");
        return Some((message, format!("give `{wanted}` as `section_id`")));
    }
    let heading = &named?.heading;
    match heading.style {
        HeadingStyle::Setext => {
            let message = format!("has `{wanted}` as an underlined heading, which is no target");
            let marks = "#".repeat(heading.level.into());
            Some((message, format!("a person has to write it as `{marks} {wanted}` first")))
        }
        HeadingStyle::Atx if field == "heading" => None,
        HeadingStyle::Atx => {
            let message =
                format!("has no id `{wanted}`, and a heading `{}` without one", heading.text);
            let hint = match field {
                "section_id" => format!("give `{}` as `heading`", heading.text),
                _ => "`agent-memory fmt-ids` gives it an id, which a person can run".to_owned(),
            };
            Some((message, hint))
        }
    }
}

fn no_such_occurrence(
    outline: &Outline<'_>,
    found: &[usize],
    number: usize,
    text: &str,
    edit: &Edit<'_>,
) -> Box<Refusal> {
    let (count, hint) = match found {
        [only] => {
            let line = outline.sections()[*only].line;
            ("one section".to_owned(), format!("leave `occurrence` out for the one on line {line}"))
        }
        several => {
            let count = several.len();
            (format!("{count} sections"), format!("give an `occurrence` from 1 to {count}"))
        }
    };
    let message =
        format!("`{}` has {count} `{}`, and no occurrence {number}", edit.path, text.trim());
    Refusal::new(Reason::SectionNotFound, message, hint).at(format!("{}/occurrence", edit.pointer))
}

fn ambiguous(
    outline: &Outline<'_>,
    several: &[usize],
    text: &str,
    edit: &Edit<'_>,
) -> Box<Refusal> {
    let candidates: Vec<String> = several
        .iter()
        .take(LISTED)
        .enumerate()
        .map(|(number, index)| {
            let section = &outline.sections()[*index];
            let id = section.id.as_ref().map(|id| format!(", id `{id}`")).unwrap_or_default();
            let Section { line, heading, .. } = section;
            format!("occurrence {} on line {line} (level {}{id})", number + 1, heading.level)
        })
        .collect();
    let more = match several.len() - candidates.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Refusal::new(
        Reason::SectionAmbiguous,
        format!(
            "`{}` has {} sections `{text}`: {}{more}",
            edit.path,
            several.len(),
            candidates.join("; ")
        ),
        "name the section by `section_id`, or add `heading_level` or `occurrence`",
    )
    .at(format!("{}/heading", edit.pointer))
}
