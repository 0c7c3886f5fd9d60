//! `agent-memory ls`

use super::call::{Context, Exit};
use super::columns::{cut, padded, text_width};
use super::environment;
use super::output::{CARE, DONE, FAINT, GOOD, TITLE};
use super::search::{SectionState, read_confidence};
use crate::contract::Confidence;
use crate::project::verbs::{ListQuery, ListedSection, StoreListing, ls};
use crate::secrets::shown_name;
use crate::text::one_line;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// List only this file, a folder, or the files that match a pattern such as `modules/*`
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// List only this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// List only what has a date from this day, month, year or time, this age (`7d`, `2w`), `yesterday`, `last week`,
    /// or newer; whole days count, by your clock (`TZ`)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// List only what has a date from this time, to its end, or older
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// List only sections with a source of this confidence
    #[arg(long, value_name = "WORD", value_parser = read_confidence)]
    confidence: Option<Confidence>,
    /// List only sections whose cited files are in this state
    #[arg(long, value_name = "WORD")]
    freshness: Option<SectionState>,
    /// List archived sections, too
    #[arg(long)]
    include_archived: bool,
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let query = ListQuery {
        category: args.category.as_deref(),
        file: args.file.as_deref(),
        since: args.since.as_deref(),
        until: args.until.as_deref(),
        confidence: args.confidence,
        freshness: args.freshness.map(SectionState::freshness),
        include_archived: args.include_archived,
    };
    let listed = ls(context.project()?, &query)?;
    let output = context.output;
    output.answer(&listed, || text(&listed, environment::columns()));
    if !output.json {
        output.warn_each(&listed.warnings);
        if listed.sections.is_empty() {
            output.talk("there is no such section");
        }
        if let Some(hint) = &listed.hint {
            output.talk(&format!("hint: {}", shown_name(hint)));
        }
    }
    Ok(DONE)
}

fn text(listed: &StoreListing, columns: usize) -> String {
    let mut text = String::new();
    for file in listed.sections.chunk_by(|one, other| one.path == other.path) {
        text += &format!("{TITLE}{}{TITLE:#}\n", shown_name(&file[0].path));
        let widest = |cell: fn(&ListedSection) -> String| {
            file.iter().map(|section| text_width(&cell(section))).max().unwrap_or_default()
        };
        let widths = (widest(name), widest(state));
        text.extend(file.iter().map(|section| line(section, widths, columns)));
    }
    text
}

/// Writes id, heading, state and day; where they do not fit beside one another, the heading is cut, as its words are
/// mostly those of the id.
fn line(section: &ListedSection, (ids, states): (usize, usize), columns: usize) -> String {
    let date = one_line(section.date.as_deref().unwrap_or("-"));
    let date = cut(&date, 10).into_owned();
    // Indent, three gaps, and the day.
    let room = columns.saturating_sub(2 + 6 + 10 + ids + states);
    let heading = one_line(&section.heading);
    let heading = shown_name(&heading);
    let heading = if room < 8 { "".into() } else { cut(&heading, room) };
    let style = match section.freshness {
        Some("stale" | "missing") => CARE,
        Some(_) => GOOD,
        None => FAINT,
    };
    let (name, state) = (padded(&name(section), ids), padded(&state(section), states));
    let heading = match heading.is_empty() {
        true => String::new(),
        false => padded(&heading, room) + "  ",
    };
    let line = format!("  {name}  {heading}{style}{state}{style:#}  {FAINT}{date}{FAINT:#}");
    line.trim_end().to_owned() + "\n"
}

/// Returns the id, by which `show` finds the section, else the line of the heading.
fn name(section: &ListedSection) -> String {
    match &section.id {
        Some(id) => format!("#{id}"),
        None => format!(":{}", section.line),
    }
}

fn state(section: &ListedSection) -> String {
    let sure = section.confidence.map(Confidence::name);
    let archived = section.archived.then_some("archived");
    let read_only = section.read_only.then_some("read only");
    let words = [archived, read_only, sure, section.freshness].into_iter().flatten();
    let words = words.collect::<Vec<_>>().join(", ");
    if words.is_empty() { "no source".to_owned() } else { words }
}
