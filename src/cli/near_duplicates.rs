//! Writes what says almost the same as a proposal, below its difference.

use super::columns::wrap;
use super::output::{FAINT, TITLE};
use crate::project::verbs::{NearDuplicate, NearKind};
use crate::text::visible_lines;

/// Writes the place of each, and its first lines.
pub(super) fn near_text(all: &[NearDuplicate], columns: usize) -> String {
    let mut text = String::new();
    for near in all {
        let kind = match near.kind {
            NearKind::Section => "",
            NearKind::Pending => "pending ",
            NearKind::Rejected => "rejected ",
        };
        let title = visible_lines(&format!("almost the same: {kind}{}", near.place));
        text += &format!("\n{TITLE}{}{TITLE:#}\n", wrap(&title, columns));
        let shown = visible_lines(&near.text);
        for line in shown.lines().flat_map(|line| {
            wrap(line, columns.saturating_sub(2)).lines().map(str::to_owned).collect::<Vec<_>>()
        }) {
            text += &format!("{FAINT}| {line}{FAINT:#}\n");
        }
    }
    text
}
