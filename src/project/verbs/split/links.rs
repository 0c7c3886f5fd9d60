//! Makes links lead to the files into which entries moved.

use std::collections::BTreeMap;

use crate::markdown::{
    LinkTarget, Outline, decoded, heading_anchor, link_to, resolved, split_target, stem,
    with_new_targets,
};

/// Where the sections of a file are now: by id and by the anchor of the heading, the new file and the id.
#[derive(Debug, Default)]
pub(super) struct Moves {
    pub(super) from: String,
    by_anchor: BTreeMap<String, (String, String)>,
}

impl Moves {
    pub(super) fn of(from: &str) -> Self {
        Self { from: from.to_owned(), by_anchor: BTreeMap::new() }
    }

    /// Adds the sections of a new file; the first section with an anchor counts.
    pub(super) fn add(&mut self, to: &str, outline: &Outline<'_>) {
        for section in outline.sections() {
            let Some(id) = &section.id else { continue };
            for anchor in [id.to_string(), heading_anchor(&section.heading.text)] {
                self.by_anchor.entry(anchor).or_insert((to.to_owned(), id.to_string()));
            }
        }
    }

    /// Returns a text that was in one file and is in another, or stayed, with links that lead where they led.
    pub(super) fn apply(&self, text: &str, was: &str, is: &str) -> String {
        let new = |target: &LinkTarget, former: &str| match target.is_wiki {
            true => self.wiki(former, was),
            false => self.link(former, was, is),
        };
        with_new_targets(&Outline::read(text), new).0
    }

    fn wiki(&self, former: &str, was: &str) -> Option<String> {
        let (name, anchor) = former.split_once('#')?;
        let is_own = name.is_empty() && was == self.from;
        if !is_own && stem(name) != stem(&self.from) {
            return None;
        }
        let (to, id) = self.find(anchor)?;
        Some(match stem(to) == id {
            true => id.clone(),
            false => format!("{}#{id}", stem(to)),
        })
    }

    fn link(&self, former: &str, was: &str, is: &str) -> Option<String> {
        let (raw, rest) = split_target(former);
        let before = if raw.is_empty() { was.to_owned() } else { resolved(was, raw)? };
        let moved = rest.strip_prefix('#').filter(|_| before == self.from);
        if let Some((to, id)) = moved.and_then(|anchor| self.find(anchor)) {
            let file = if to == is { String::new() } else { link_to(is, to, raw) };
            return Some(format!("{file}#{id}")).filter(|new| new != former);
        }
        let now = if raw.is_empty() { is.to_owned() } else { resolved(is, raw)? };
        let leads_on = now == before || (raw.is_empty() && rest.len() < 2);
        (!leads_on).then(|| link_to(is, &before, raw) + rest)
    }

    fn find(&self, anchor: &str) -> Option<&(String, String)> {
        let anchor = decoded(anchor);
        self.by_anchor.get(&anchor).or_else(|| self.by_anchor.get(&heading_anchor(&anchor)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(was: &str, is: &str, link: &str, expected: &str) {
        let mut moves = Moves::of("decisions.md");
        let text = "# Old way\n<!-- @id: old -->\n\n## Why\n<!-- @id: why -->\n";
        moves.add("decisions/old.md", &Outline::read(text));
        assert_eq!(moves.apply(&format!("{link}\n"), was, is), format!("{expected}\n"));
    }

    #[test]
    fn a_link_to_a_moved_entry_leads_to_its_file() {
        let [auth, new] = ["modules/auth.md", "decisions/new.md"];
        check(auth, auth, "[a](../decisions.md#old)", "[a](../decisions/old.md#old)");
        check(auth, auth, "[a](../decisions.md#old-way)", "[a](../decisions/old.md#old)");
        check(auth, auth, "[[decisions#old]] [[decisions#why]]", "[[old]] [[old#why]]");
        check(
            auth,
            auth,
            "[a](../decisions.md) [[old]] [x](#y)",
            "[a](../decisions.md) [[old]] [x](#y)",
        );
        check("decisions.md", new, "[a](#old) [[#old]]", "[a](old.md#old) [[old]]");
        check("decisions.md", new, "[a](modules/auth.md#x)", "[a](../modules/auth.md#x)");
        check("decisions.md", "decisions/old.md", "[a](#why) [b](#)", "[a](#why) [b](#)");
        check(
            "decisions.md",
            "decisions.md",
            "[a](#old) [b](#rest)",
            "[a](decisions/old.md#old) [b](#rest)",
        );
    }
}
