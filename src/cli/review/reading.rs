//! What a person may read before a decision: the whole text, and the cited lines.

use crate::cli::output::TITLE;
use crate::project::verbs::{FileDiff, Project, ShownProposal, cited_lines};
use crate::secrets::shown_name;
use crate::text::{visible, visible_lines};

pub(super) fn whole_text(shown: &ShownProposal) -> String {
    let file = |file: &FileDiff| {
        let (path, text) = (shown_name(&file.path), visible_lines(&file.after));
        format!("{TITLE}{path}{TITLE:#}\n{text}\n\n")
    };
    shown.diffs.iter().map(file).collect()
}

pub(super) fn evidence(project: &Project, shown: &ShownProposal) -> String {
    let mut text = String::new();
    for source in &shown.sources {
        text += &format!("{TITLE}{}{TITLE:#}\n", shown_name(&crate::cli::show::source(source)));
        let place = source.moved_to.as_ref().unwrap_or(&source.reference);
        let cited = cited_lines(project, place);
        for (number, line) in cited.iter().flatten() {
            text += &format!("{number:>5} {}\n", visible(line));
        }
        if cited.is_none() {
            text += "      nothing that can be opened here\n";
        }
    }
    if text.is_empty() { "it cites nothing\n".to_owned() } else { text }
}
