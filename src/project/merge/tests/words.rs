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

/// What a section is drawn as, before it has words of its own.
#[derive(Debug, Clone)]
struct SectionShape {
    level: usize,
    heading: String,
    has_id: bool,
}

#[derive(Debug, Clone)]
struct DrawnStep {
    kind: usize,
    at: usize,
    shape: SectionShape,
}

fn drawn(number: usize, shape: SectionShape, of: &str) -> Drawn {
    let SectionShape { level, heading, has_id } = shape;
    let own = format!("own-{of}-{number}");
    let id = has_id.then(|| format!("i-{of}-{number}"));
    Drawn { level, heading, id, own, edited: format!("text-{of}-{number}") }
}

fn shape() -> impl Strategy<Value = SectionShape> {
    (2..4_usize, "[a-d]", proptest::bool::weighted(0.4))
        .prop_map(|(level, heading, has_id)| SectionShape { level, heading, has_id })
}

fn steps() -> impl Strategy<Value = Vec<DrawnStep>> {
    let step = (0..8_usize, 0..6_usize, shape()).prop_map(|(kind, at, shape)| DrawnStep {
        kind,
        at,
        shape,
    });
    proptest::collection::vec(step, 1..4)
}

/// Does to a file what people do.
fn changed(base: &[Drawn], steps: &[DrawnStep], of: &str) -> Vec<Drawn> {
    let mut now = base.to_vec();
    for (number, DrawnStep { kind, at, shape }) in steps.iter().enumerate() {
        let at = at % now.len().max(1);
        match (kind, now.get_mut(at)) {
            (0, _) | (_, None) => now.insert(at, drawn(number, shape.clone(), of)),
            (1, _) => now.push(drawn(number, shape.clone(), of)),
            (2, Some(section)) => section.edited = format!("edit-{of}-{number}"),
            (3, Some(section)) => section.heading.clone_from(&shape.heading),
            (4, Some(section)) => section.level = shape.level + 1,
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
        base in proptest::collection::vec(shape(), 0..6),
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
