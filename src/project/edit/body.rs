//! `replace_section_content` and `append_to_section`: the body up to the next heading.

use std::ops::Range;

use super::compose::{head, refuse_reserved};
use super::containment::{Added, ExpectedChange, closes_itself};
use super::edited::Edited;
use super::file::{EditEffect, FileEdit, TouchedPart};
use super::merged_notes::MergedNotes;
use super::operation_result::OperationResult;
use super::target::locate;
use crate::markdown::{LineEnding, Section, gap, stands_in, without_repeats};
use crate::project::request::{Answer, OperationKind, Reason, Refusal, Target};

impl FileEdit<'_> {
    pub(super) fn replace_content(self, target: &Target, content: &str) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        refuse_reserved(content, &self.content_pointer())?;
        let content = LineEnding::Lf.apply(content);
        let body = content.trim_matches('\n').trim_end();
        let blank = if body.is_empty() { "" } else { "\n" };
        let text = format!("{}{blank}{body}", head(&self.id_of(index), self.edit.notes));
        let text = self.line_ends(text.trim_end_matches('\n'));
        let range = self.own_range(index);
        let effects = self.replaces(index, TouchedPart::Body, &range, &text);
        self.write_own(index, &text, effects)
    }

    pub(super) fn append_to_section(self, target: &Target, content: &str) -> Answer<Edited> {
        let index = locate(&self.outline, target, self.edit)?;
        let section = &self.outline.sections()[index];
        if content.trim().is_empty() {
            return self.append_evidence(index, Vec::new());
        }
        refuse_reserved(content, &self.content_pointer())?;
        let body = LineEnding::Lf.apply(self.outline.body(section));
        if !closes_itself(&body) {
            return Err(self.refuse_open(section));
        }
        let content = LineEnding::Lf.apply(content);
        let (content, skipped) = unless_there(content.trim_matches('\n'), &body);
        if content.trim().is_empty() {
            // The text stands there; what it rests on may be new.
            return self.append_evidence(index, skipped);
        }
        let MergedNotes { notes, told } = self.merged_notes(index);
        let (from, end) = (section.heading_bytes.end, self.own_text_end(index));
        let head = match section.id.is_some() && notes == section.sources && !section.archived {
            true => self.outline.text()[from..section.body_start].to_owned(),
            false => self.line_ends(&head(&self.id_of(index), &notes)),
        };
        // New lines end as the one they follow: what stands behind them is the line end it had.
        let ends = match &self.outline.text()[end..] {
            rest if rest.starts_with("\r\n") => LineEnding::CrLf,
            rest if rest.starts_with('\n') => LineEnding::Lf,
            _ => LineEnding::of(self.outline.text()),
        };
        let gap = ends.apply(gap(&body, &content));
        let old =
            self.outline.text()[section.body_start..].get(..end.saturating_sub(section.body_start));
        let text = match old {
            Some(old) if !body.is_empty() => format!("{head}{old}{gap}"),
            Some(_) | None => head + &self.line_ends("\n"),
        };
        let effects = self.adds(index, content.trim_end());
        let content = ends.apply(content.trim_end());
        let mut edited = self.write_own(index, &(text + &content), effects)?;
        edited.warnings = [skipped, told].concat();
        Ok(edited)
    }

    /// Returns what an addition means: it goes to whatever text the section has, with its own evidence.
    fn adds(&self, index: usize, content: &str) -> EditEffect {
        let id = self.id_of(index);
        let text = match content {
            "" => String::new(),
            content => format!("{}\n{content}", head(&id, self.edit.notes)),
        };
        let result = OperationResult::addition(id.as_str(), &text);
        EditEffect { touched: Some(self.touch(index, TouchedPart::Presence)), result }
    }

    /// Adds the sources of the request to those of a section, and no text; one that is cited again is dated anew.
    fn append_evidence(self, index: usize, skipped: Vec<String>) -> Answer<Edited> {
        let section = &self.outline.sections()[index];
        let MergedNotes { notes, told } = self.merged_notes(index);
        let warnings = [skipped, told].concat();
        if notes == section.sources {
            return Ok(self.leave(index, warnings));
        }
        let end = self.own_text_end(index);
        let body = self.outline.text().get(section.body_start..end).unwrap_or_default();
        let text = self.line_ends(&head(&self.id_of(index), &notes)) + body;
        let id = self.id_of(index);
        let result = OperationResult::addition(id.as_str(), &head(&id, self.edit.notes));
        let effects =
            EditEffect { touched: Some(self.touch(index, TouchedPart::Presence)), result };
        let edited = self.write_own(index, text.trim_end_matches(['\n', '\r']), effects)?;
        Ok(Edited { warnings, ..edited })
    }

    fn refuse_open(&self, section: &Section) -> Box<Refusal> {
        let (title, path) = (section.title(), self.edit.path);
        let message = format!(
            "the section `{title}` of `{path}` leaves a code fence, comment or HTML block open"
        );
        let hint = "what is added would be a part of it; a person has to close it first";
        Refusal::new(Reason::InvalidMarkdown, message, hint).at(self.content_pointer())
    }

    /// Returns the file unchanged, as the section already holds what is to be added.
    fn leave(self, index: usize, warnings: Vec<String>) -> Edited {
        let EditEffect { touched, result } = self.adds(index, "");
        Edited {
            text: self.outline.text().to_owned(),
            touched,
            result,
            sections: self.outline.into_sections(),
            effect: OperationKind::AppendToSection,
            written: Vec::new(),
            archived: None,
            warnings,
        }
    }

    /// Replaces the comment lines and the body of a section.
    fn write_own(self, index: usize, text: &str, effects: EditEffect) -> Answer<Edited> {
        let section = &self.outline.sections()[index];
        let (start, end) = (section.heading_bytes.end, self.own_text_end(index));
        // A heading that ends the file may have no line end yet, and one that stands alone has no
        // line behind it whose end could serve.
        let bare = !self.outline.text()[..start].ends_with('\n');
        let line_end = self.line_ends("\n");
        let text = match (bare, end < start) {
            (true, _) => format!("{line_end}{text}"),
            (false, true) => format!("{text}{line_end}"),
            (false, false) => text.to_owned(),
        };
        let added = Added::One(section.heading.level, Some(self.id_of(index)));
        let change = ExpectedChange { at: index, removed: 1, added };
        self.splice(start..end.max(start), &text, &change, effects)
    }

    /// Returns the bytes of the comment lines and the body of a section.
    fn own_range(&self, index: usize) -> Range<usize> {
        let start = self.outline.sections()[index].heading_bytes.end;
        start..self.own_text_end(index).max(start)
    }

    fn own_text_end(&self, index: usize) -> usize {
        let section = &self.outline.sections()[index];
        self.text_end(section.heading_bytes.start..section.own_end)
    }
}

/// Returns what of a text is not in a body yet, and a warning for each part that is.
fn unless_there(content: &str, body: &str) -> (String, Vec<String>) {
    let (content, skipped) = without_repeats(content, body);
    let warn = |line: &String| format!("skipped a bullet that is there already: `{line}`");
    let mut warnings: Vec<String> = skipped.iter().map(warn).collect();
    if !stands_in(&content, body) {
        return (content, warnings);
    }
    let line = content.trim().lines().next().unwrap_or_default();
    warnings.push(format!("skipped a paragraph that is there already: `{line}`"));
    (String::new(), warnings)
}
