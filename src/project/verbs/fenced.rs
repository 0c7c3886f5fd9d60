//! Writes for an agent what was recalled: each text below the place that it comes from, inside a fence.

use super::search::{Answers, Found};
use super::show::ShownSection;
use crate::project::pack::{fence, section_place};
use crate::secrets::shown_name;
use crate::text::visible_lines;

/// Writes the sections that answer a question.
pub(crate) fn fenced_answers(answers: &Answers) -> String {
    let Answers { found, warnings, suggestion, hint, .. } = answers;
    let suggestion = suggestion.iter().map(|it| format!("did you mean: {}?", shown_name(it)));
    let hint = hint.iter().map(|it| format!("hint: {}", shown_name(it)));
    let told = suggestion.chain(hint);
    below(recalled(found.iter().map(of_found)), "nothing found\n", warnings, told)
}

/// Writes sections as a whole.
pub(crate) fn fenced_sections(sections: &[ShownSection], warnings: &[String]) -> String {
    let texts = sections.iter().map(|section| {
        let ShownSection { path, id, hash, text, .. } = section;
        let place = place(path, id.as_deref());
        format!("[{place} hash={hash}]\n{}\n", visible_lines(text.trim_end()))
    });
    below(recalled(texts), "it has no section\n", warnings, std::iter::empty())
}

/// Writes a file.
pub(crate) fn fenced_file(path: &str, text: &str) -> String {
    fence(&format!("[{}]\n{}\n", shown_name(path), visible_lines(text.trim_end())))
}

fn of_found(found: &Found) -> String {
    let confidence = found.confidence.map(|confidence| confidence.to_string());
    let freshness = found.freshness.map(str::to_owned);
    let archived = found.archived.then(|| "archived".to_owned());
    let marks = [freshness, confidence, found.told_outdated(), found.told_branch(), archived];
    let marks = marks.into_iter().flatten();
    let marks: String = marks.map(|mark| format!(" {mark}")).collect();
    let place = place(&found.path, found.id.as_deref());
    let head = format!("[{place} line={} hash={}{marks}]", found.line, found.hash);
    let heading = found.heading.join(" > ");
    let text = [heading.as_str(), found.snippet.trim_end()].join("\n");
    format!("{head}\n{}\n", visible_lines(text.trim()))
}

fn place(path: &str, id: Option<&str>) -> String {
    shown_name(&section_place(path, id)).into_owned()
}

/// Puts texts into one fence; empty where there is none.
fn recalled(texts: impl Iterator<Item = String>) -> String {
    let body = texts.collect::<Vec<_>>().join("\n");
    if body.is_empty() { body } else { fence(&body) }
}

/// Adds what is told about the answer below the fence.
fn below(
    fenced: String,
    nothing: &str,
    warnings: &[String],
    told: impl Iterator<Item = String>,
) -> String {
    let warnings = warnings.iter().map(|warning| format!("warning: {}", shown_name(warning)));
    let lines = warnings.chain(told).map(|line| line + "\n");
    let text = if fenced.is_empty() { nothing.to_owned() } else { fenced };
    text + &lines.collect::<String>()
}
