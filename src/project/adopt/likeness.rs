//! What a note and the text that an adoption made of it have in common, to know a note again under another name.

use super::file_links::is_file_name;
use super::note_paths::stem_of;
use crate::markdown::{Outline, decoded, file_name, split_target, with_marks, with_new_targets};
use crate::project::rejection::without_fields;
use crate::project::schema::Catalog;

/// Returns a text without what an adoption writes or changes: ids, sources, fields of a schema, underlined headings, and where in
/// the repository links lead. Empty for a text of which nothing is left.
pub(crate) fn likeness(text: &str, catalog: &Catalog) -> String {
    let (marked, _) = with_marks(&Outline::read(text));
    let (text, _) = with_new_targets(&Outline::read(&marked), |_, target| lasting(target));
    let text = without_fields(&text, catalog);
    let lines = text.lines().map(str::trim_end);
    let is_mark = |line: &str| {
        let line = line.trim_start();
        line.starts_with("<!-- @id:") || line.starts_with("<!-- @source:")
    };
    let lines = lines.filter(|line| !line.is_empty() && !is_mark(line));
    lines.map(|line| without_link_words(line) + "\n").collect()
}

/// Returns what an adoption leaves of the target of a link: a URL as a whole, of a file its name, and nothing of a note.
fn lasting(target: &str) -> Option<String> {
    if target.contains(':') {
        return None;
    }
    let path = decoded(split_target(target).0);
    let name = file_name(&path);
    let is_file = is_file_name(name) && stem_of(name).is_none();
    Some(if is_file { name.to_owned() } else { String::new() })
}

/// Removes the words of `[[target|words]]`: an adoption adds them where the target changes.
fn without_link_words(line: &str) -> String {
    let mut parts = line.split("[[|");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let behind = part.find("]]").map_or(part, |end| &part[end..]);
        plain + "[[" + behind
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::project::schema::DEFAULTS;

    #[track_caller]
    fn check(note: &str, stored: &str, is_like: bool) {
        let catalog = Catalog::parse(DEFAULTS.map(|(name, text)| (Path::new(name), text)));
        let catalog = catalog.expect("good schemas");
        let [note, stored] = [note, stored].map(|text| likeness(text, &catalog));
        assert_eq!(note == stored, is_like, "{note}\n{stored}");
    }

    #[test]
    fn a_note_is_like_what_an_adoption_made_of_it() {
        let note = "Title\n=====\n\n## A\nx [[Old Name]] [b](b.md)\n\n## B\n\ny\n";
        let stored = "# Title\n\n## A\n<!-- @id: a -->\n\n- **Date:** 2026-11-20\n\nx [[old-name|Old Name]] [b](modules/b.md)\n\n## B\n<!-- @id: b -->\n\ny\n";
        check(note, stored, true);
        check(note, &stored.replace("y\n", "z\n"), false);
        check("\n\n", "", true);
    }

    #[test]
    fn other_facts_make_another_note() {
        let note = "# M\n\n- **Day:** Monday\n- **Who:** Ada\n";
        check(note, note, true);
        check(note, &note.replace("Monday", "Tuesday"), false);
        check(note, &note.replace("- **Who:** Ada\n", ""), false);
        check("- **Status:** open\n\nx\n", "- **Status:** active\n\nx\n", true);
    }

    #[test]
    fn links_that_lead_elsewhere_make_another_note() {
        check("[x](https://a.example/1)", "[x](https://a.example/2)", false);
        check(
            "![x](../img/a.png) [[p.pdf]]",
            "![x](../../docs/img/a.png) [[../../docs/p.pdf]]",
            true,
        );
        check("![x](../img/a.png)", "![x](../img/b.png)", false);
        check("<img src=a%20b.png>", "<img src=../img/a%20b.png>", true);
    }
}
