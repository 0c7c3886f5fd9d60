//! `agent-memory log`

use serde::Serialize;
use serde_json::{Value, json};

use super::approval::is_person_at_terminal;
use super::call::{Context, Exit};
use super::columns::wrap;
use super::environment;
use super::output::{BAD, CARE, DONE, FAINT, GOOD, NO, Output, TITLE};
use super::render::diff;
use super::values::{at_least_one, since};
use crate::chain::{Break, ChainVerdict};
use crate::project::verbs::{
    LogQuery, PastDiff, Project, log, lost_decisions, past_diffs, seen_by_person, unmatched_in_log,
    unreviewed, verify_log,
};
use crate::secrets::shown_name;
use crate::text::count;

/// Digits of a digest that are shown.
const DIGITS: usize = 12;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print at most this many decisions
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    limit: usize,
    /// Show only decisions about this file
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Show only decisions about the section with this id, or `FILE#ID`
    #[arg(long, value_name = "ID")]
    section: Option<String>,
    /// Show only decisions about proposals of this owner
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Show only decisions since a day, month or time (`2026-11-20`, `2026-11-20T10:00:00Z`), an age ago (`12h`,
    /// `7d`, `2w`), `yesterday`, `3 days ago`, `last week` or `this month`; days are those of your clock (`TZ`)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Show only rejections, also those of other machines, and whether the text is still refused
    #[arg(long)]
    rejected: bool,
    /// Show what was applied without a person's look, since a person last ran this at a terminal; there with its text
    #[arg(long, conflicts_with_all = ["limit", "file", "section", "owner", "since", "rejected"])]
    unreviewed: bool,
    /// Show what each decision changed
    #[arg(short, long)]
    patch: bool,
    /// Check whether a line was cut off, changed or removed; exit with 1 if so
    #[arg(long, conflicts_with_all = ["limit", "file", "section", "owner", "since", "rejected", "patch", "unreviewed"])]
    verify: bool,
}

/// Lines of the log, each with the hashes of its files; `log -p` and `show` add `diffs`.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct LogDocument {
    pub(super) decisions: Vec<Value>,
    /// How many decisions only the copy of the log has.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) lost: usize,
    /// Which filter fits no decision at all, and what was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

pub(super) fn run(args: &Args, context: &Context) -> Exit {
    let project = context.project()?;
    let output = context.output;
    if args.verify {
        return Ok(print_verdict(&verify_log(project)?, output));
    }
    if args.unreviewed {
        return print_unreviewed(args, project, output);
    }
    let (file, section) = place(args, project);
    let query = LogQuery {
        limit: args.limit,
        file: file.as_deref(),
        section,
        owner: args.owner.as_deref(),
        since: args.since.as_deref().map(|text| since(text, &context.session)).transpose()?,
        rejected: args.rejected,
    };
    let mut entries = log(project, &query)?;
    let diffs = if args.patch { past_diffs(project, &entries)? } else { Vec::new() };
    let hint = if entries.is_empty() { unmatched_in_log(project, &query)? } else { None };
    if output.json {
        for (entry, diffs) in entries.iter_mut().zip(diffs) {
            entry["diffs"] = json!(diffs);
        }
        let lost = if entries.is_empty() { lost_decisions(project)? } else { 0 };
        output.document(&LogDocument { decisions: entries, lost, hint });
        return Ok(DONE);
    }
    print_decisions(&entries, &diffs, output);
    if entries.is_empty() {
        output.talk(&why_empty(&query, project));
        if let Some(hint) = hint {
            output.talk(&format!("hint: {}", shown_name(&hint)));
        }
    }
    Ok(DONE)
}

fn print_decisions(entries: &[Value], diffs: &[Vec<PastDiff>], output: Output) {
    let columns = environment::columns();
    if !entries.is_empty() {
        output.data(&format!("{TITLE}{:<20} {:<8} PROPOSAL{TITLE:#}\n", "TIME", "DECISION"));
    }
    for (number, entry) in entries.iter().enumerate() {
        let diffs = diffs.get(number).map(Vec::as_slice).unwrap_or_default();
        output.data(&decision(entry, diffs, columns));
    }
}

/// Prints all of them, as those that a person has seen are not shown again.
fn print_unreviewed(args: &Args, project: &Project, output: Output) -> Exit {
    let mut found = unreviewed(project)?;
    let is_look = is_person_at_terminal() && output.at_terminal() && !output.json;
    // Only what was on the screen was looked at.
    let diffs = match args.patch || is_look {
        true => past_diffs(project, &found.decisions)?,
        false => Vec::new(),
    };
    if output.json {
        for (entry, diffs) in found.decisions.iter_mut().zip(diffs) {
            entry["diffs"] = json!(diffs);
        }
        output.document(&LogDocument { decisions: found.decisions, lost: 0, hint: None });
        return Ok(DONE);
    }
    print_decisions(&found.decisions, &diffs, output);
    if found.decisions.is_empty() {
        let since = found.since.map(|since| format!(" since {since}")).unwrap_or_default();
        output.talk(&format!("nothing was applied without review{since}"));
    }
    if is_look {
        seen_by_person(project, &found);
    }
    Ok(DONE)
}

fn why_empty(query: &LogQuery<'_>, project: &Project) -> String {
    let found = if query.wants_all() { "no decision" } else { "no decision matches" };
    match lost_decisions(project) {
        Ok(0) if query.wants_all() => "nothing was decided yet".to_owned(),
        Ok(0) => found.to_owned(),
        Ok(lost) => format!(
            "{found} is in the log, which lacks {} that its copy in git's folder has: `agent-memory doctor --adopt-state` puts them back",
            count(lost, "decision")
        ),
        Err(error) => {
            format!("{found} is in the log; whether it lost decisions is not known: {error}")
        }
    }
}

fn place<'a>(args: &'a Args, project: &Project) -> (Option<String>, Option<&'a str>) {
    let (in_file, section) = match args.section.as_deref().map(|named| named.rsplit_once('#')) {
        Some(Some((file, id))) => (Some(file).filter(|file| !file.is_empty()), Some(id)),
        Some(None) | None => (None, args.section.as_deref()),
    };
    let file = in_file.or(args.file.as_deref());
    (file.map(|file| project.named(file)), section)
}

fn print_verdict(verdict: &ChainVerdict, output: Output) -> u8 {
    let code = if verdict.unbroken { DONE } else { NO };
    if output.json {
        output.document(verdict);
        return code;
    }
    for Break { line, kind, message } in &verdict.findings {
        output.data(&format!("{BAD}line {line} {kind}{BAD:#}: {message}\n"));
    }
    let (style, word) = if verdict.unbroken { (GOOD, "unbroken") } else { (BAD, "broken") };
    let older = match verdict.unchained {
        0 => String::new(),
        unchained => format!("; {unchained} of them older than the chain"),
    };
    let decisions = count(verdict.decisions, "decision");
    output.data(&format!("{decisions}, chain {style}{word}{style:#}{older}\n"));
    code
}

pub(super) fn decision(entry: &Value, diffs: &[PastDiff], columns: usize) -> String {
    line(entry, columns) + &diffs.iter().map(past_diff).collect::<String>()
}

/// Writes time, decision and id in one line, and people, sections and reason below it.
fn line(entry: &Value, columns: usize) -> String {
    let text = |name: &str| {
        shown_name(&entry[name].as_str().unwrap_or_default().replace('\n', " ")).into_owned()
    };
    let (time, decision) = (text("time"), text("decision"));
    let style = match decision.as_str() {
        "applied" => GOOD,
        "rejected" | "refused" => BAD,
        _ => CARE,
    };
    let first = wrap(&format!("{time:<20} {decision:<8} {}", text("id")), columns);
    // A line that needs no break keeps its columns and colours.
    let first = match first.contains('\n') {
        true => first,
        false => format!("{FAINT}{time:<20}{FAINT:#} {style}{decision:<8}{style:#} {}", text("id")),
    };
    let mut lines = vec![first.trim_end().to_owned()];
    let mut add = |style: anstyle::Style, line: &str| {
        let wrapped = wrap(line, columns.saturating_sub(2));
        lines.extend(wrapped.lines().map(|line| format!("  {style}{line}{style:#}")));
    };
    let people = [("by ", "approver"), ("from ", "owner")];
    let people = people.map(|(word, name)| (word, text(name)));
    let people = people.iter().filter(|(_, name)| !name.is_empty());
    let mut about: Vec<String> = people.map(|(word, name)| format!("{word}{name}")).collect();
    about.extend(places(entry));
    add(FAINT, &about.join(", "));
    add(anstyle::Style::new(), &text("reason"));
    let claimed = claimed(entry);
    let marks = [
        (entry["request_changed"] == true, "edited after it was staged"),
        (entry["forced"] == true, "over a section that had changed since"),
        (entry["amended"] == true, "in the words of who approved it"),
        (entry["operations"].is_array() || entry["applied_operations"].is_array(), "in part"),
        (entry["holds"] == false, "no longer refused"),
        (entry["adopted"] == true, "adopted: another machine signed it"),
        (entry["taken_back"] == true, "taken back since"),
        (entry["claimed"] == true, claimed.as_str()),
    ];
    marks.iter().filter(|(holds, _)| *holds).for_each(|(_, mark)| add(CARE, mark));
    lines.join("\n") + "\n"
}

/// Says where a decision of another clone is told: anyone who commits can write that.
fn claimed(entry: &Value) -> String {
    let digest = entry["digest"].as_str().and_then(|digest| digest.get(..DIGITS));
    let digest = digest.map(|digits| format!(", with the digest {digits}")).unwrap_or_default();
    format!("`decided/` says so{digest}; the log of this machine does not know it")
}

/// Returns the sections of a decision, or its files if it names no section.
fn places(entry: &Value) -> Vec<String> {
    let list = |name: &str| entry[name].as_array().into_iter().flatten();
    let word = |value: &Value| shown_name(value.as_str().unwrap_or_default()).into_owned();
    let sections: Vec<String> = list("sections")
        .map(|section| match section["section_id"].as_str() {
            Some(id) => format!("{}#{}", word(&section["file"]), shown_name(id)),
            None => word(&section["file"]),
        })
        .collect();
    match sections.is_empty() {
        true => list("files").map(|file| word(&file["path"])).collect(),
        false => sections,
    }
}

fn past_diff(past: &PastDiff) -> String {
    let note =
        past.note.map(|note| format!("  {CARE}{}: {note}{CARE:#}\n", shown_name(&past.path)));
    let shown = past.diff.as_deref().map(|text| format!("\n{}\n", diff(text)));
    note.unwrap_or_default() + &shown.unwrap_or_default()
}
