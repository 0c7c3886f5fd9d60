//! Merges of random files, in which each word is counted.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

/// A section with a line that stays its own, whatever is done to it, and one that can be edited.
#[derive(Debug, Clone)]
struct Drawn {
    level: usize,
    heading: String,
    id: Option<String>,
    own: String,
    edited: String,
}

fn written(sections: &[Drawn]) -> String {
    let text = |it: &Drawn| {
        let id = it.id.as_ref().map(|id| format!("<!-- @id: {id} -->\n")).unwrap_or_default();
        let heading = format!("{} {}\n{id}", "#".repeat(it.level), it.heading);
        format!("{heading}\n{}\n\n{}\n\n", it.own, it.edited)
    };
    format!("# T\n\n{}", sections.iter().map(text).collect::<String>())
}

fn drawn(number: usize, (level, heading, has_id): (usize, String, bool), of: &str) -> Drawn {
    let own = format!("own-{of}-{number}");
    let id = has_id.then(|| format!("i-{of}-{number}"));
    Drawn { level, heading, id, own, edited: format!("text-{of}-{number}") }
}

fn section() -> impl Strategy<Value = (usize, String, bool)> {
    (2..4_usize, "[a-d]", proptest::bool::weighted(0.4))
}

fn steps() -> impl Strategy<Value = Vec<(usize, usize, (usize, String, bool))>> {
    proptest::collection::vec((0..8_usize, 0..6_usize, section()), 1..4)
}

/// Does to a file what people do.
fn changed(
    base: &[Drawn],
    steps: &[(usize, usize, (usize, String, bool))],
    of: &str,
) -> Vec<Drawn> {
    let mut now = base.to_vec();
    for (number, (kind, at, new)) in steps.iter().enumerate() {
        let at = at % now.len().max(1);
        let (level, heading, _) = new;
        match (kind, now.get_mut(at)) {
            (0, _) | (_, None) => now.insert(at, drawn(number, new.clone(), of)),
            (1, _) => now.push(drawn(number, new.clone(), of)),
            (2, Some(section)) => section.edited = format!("edit-{of}-{number}"),
            (3, Some(section)) => section.heading.clone_from(heading),
            (4, Some(section)) => section.level = *level + 1,
            (5, _) => drop(now.remove(at)),
            (6, _) => {
                let moved = now.remove(at);
                now.insert(number % (now.len() + 1), moved);
            }
            (_, Some(section)) => {
                section.id.get_or_insert(format!("i-given-{}", &section.own[4..]));
            }
        }
    }
    now
}

fn counts(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    let lines = text
        .lines()
        .filter(|line| ["own-", "text-", "edit-"].iter().any(|start| line.starts_with(start)));
    lines.for_each(|line| *counts.entry(line).or_insert(0) += 1);
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]
    #[test]
    fn no_word_is_lost_or_doubled(
        base in proptest::collection::vec(section(), 0..6),
        ours in steps(),
        theirs in steps(),
    ) {
        let base: Vec<Drawn> =
            base.into_iter().enumerate().map(|(number, it)| drawn(number, it, "base")).collect();
        let (ours, theirs) = (changed(&base, &ours, "ours"), changed(&base, &theirs, "theirs"));
        let [base, ours, theirs] = [base, ours, theirs].map(|it| written(&it));
        let found = merged(&base, &ours, &theirs);
        let is_clean = found.conflicts.is_empty();
        let told = format!("{base}\n=====OURS\n{ours}\n=====THEIRS\n{theirs}\n=====MERGED\n{}", found.text);
        let [b, o, t, m] = [&base, &ours, &theirs, &found.text].map(|text| counts(text));
        for word in o.keys().chain(t.keys()) {
            let is_in = |counts: &BTreeMap<&str, usize>| counts.contains_key(word);
            let is_meant = !is_in(&b) || (is_in(&o) && is_in(&t));
            let count = m.get(word).copied().unwrap_or_default();
            prop_assert!(count >= usize::from(is_meant), "{} is lost in {}", word, told);
            prop_assert!(count < 2 || !is_clean, "{} is doubled in {}", word, told);
        }
        if is_clean {
            let outline = Outline::read(&found.text);
            for part in parts(&outline).iter().filter(|part| part.level > 1) {
                prop_assert_eq!(part.text.matches("own-").count(), 1, "{:?} in {}", &part.key, told);
            }
        }
    }
}
