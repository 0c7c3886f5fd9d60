//! `create_file`: a whole file, or its text at the end of one that is there.

use super::{Edit, Edited, File, Scope, Touched, ids};
use crate::contract::{
    Answer, ContentHash, IfFileExists, MemoryPath, OperationKind, Reason, Refusal,
};
use crate::markdown::compose::{Dress, LineEnding, Previous, dress, new_file};
use crate::markdown::containment::{Added, Checked, check_new};
use crate::markdown::names::Names;
use crate::markdown::outline::Outline;

/// Does a `create_file`; `existing` is the file as it is, if it is.
pub fn create(
    existing: Option<Outline<'_>>,
    content: &str,
    if_exists: IfFileExists,
    edit: &Edit<'_>,
) -> Answer<Edited> {
    let pointer = format!("{}/content", edit.pointer);
    let content = LineEnding::Lf.apply(content).trim_matches('\n').to_owned() + "\n";
    let dress_with = |names, previous| {
        dress(&content, &Dress { notes: edit.notes, names, root: None, previous }, &pointer)
    };
    match (existing, if_exists) {
        (None, IfFileExists::Reject | IfFileExists::Append | IfFileExists::Replace) => {
            let text = dress_with(Names::default(), Previous::default())?;
            let Checked { written, sections } = check_new(&text, &pointer)?;
            Ok(Edited { text, sections, touched: Vec::new(), effect: OperationKind::CreateFile, written, archived: None, warnings: Vec::new() })
        }
        (Some(_), IfFileExists::Reject) => Err(Refusal::new(
            Reason::FileExists,
            format!("`{}` exists", edit.path),
            "use `append_section` or `replace_section`, or set `if_exists` to `append` or `replace`",
        )
        .at(format!("{}/path", edit.pointer))),
        (Some(old), IfFileExists::Append) => {
            let at = old.sections().len();
            let dressed = dress_with(ids(&old, at..at), Previous::default())?;
            let end = old.text().len();
            File { outline: old, edit }.insert(end, &dressed, at, Added::Any)
        }
        (Some(old), IfFileExists::Replace) => {
            let before = old.text();
            let text = dress_with(Names::default(), Previous::of(&old, old.sections().iter()))?;
            let text = LineEnding::of(before).apply(&text);
            let Checked { written, sections } = check_new(&text, &pointer)?;
            let touched = vec![Touched {
                section: String::new(),
                scope: Scope::Whole,
                hash: ContentHash::of_section(before),
                above: None,
                level: 0,
            }];
            Ok(Edited { text, sections, touched, effect: OperationKind::CreateFile, written, archived: None, warnings: Vec::new() })
        }
    }
}

/// Returns the text of a file that an `append_section` makes, titled from its name.
pub fn titled(path: &MemoryPath) -> String {
    let words = path.stem().replace(['_', '.'], " ");
    let shown = if words.starts_with(|c: char| c.is_ascii_digit()) {
        words
    } else {
        words.replace('-', " ")
    };
    let mut letters = shown.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    new_file(&(first + letters.as_str()))
}
