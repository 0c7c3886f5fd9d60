//! Random edits of cited files: what the program says of the cited lines is what a plain model says.
//!
//! `CRASH=full cargo test --test it moved_lines_random` takes ten times as many; a plain run takes 200.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use crate::support::Sandbox;

/// Numbers that look random and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A line; some of them are blank, and many are alike.
    fn line(&mut self) -> String {
        match self.below(6) {
            0 => ["", " ", "}", "    return;"][self.below(4)].to_owned(),
            1 => format!("    call({});", self.below(3)),
            _ => format!("    let v{} = {};", self.below(400), self.below(400)),
        }
    }

    fn lines(&mut self, most: usize) -> Vec<String> {
        let count = 1 + self.below(most);
        (0..count).map(|_| self.line()).collect()
    }
}

/// A file with the lines of it that a section cites, from 1.
struct CitedFile {
    then: Vec<String>,
    first: usize,
    last: usize,
    /// None for a file that was deleted.
    today: Option<Vec<String>>,
    line_end: &'static str,
}

impl CitedFile {
    fn random(numbers: &mut Numbers) -> Self {
        let then = numbers.lines(40);
        let first = 1 + numbers.below(then.len());
        let last = (first + numbers.below(5)).min(then.len());
        let mut today = Some(then.clone());
        let mut line_end = "\n";
        for _ in 0..=numbers.below(2) {
            match &mut today {
                Some(_) if numbers.below(30) == 0 => today = None,
                Some(lines) => edit(numbers, lines, first..last),
                None => {}
            }
        }
        if numbers.below(5) == 0 {
            line_end = "\r\n";
        }
        Self { then, first, last, today, line_end }
    }

    fn text_today(&self, with_last_end: bool) -> Option<String> {
        let lines = self.today.as_ref()?;
        let mut text = lines.join(self.line_end);
        // A blank line is one only by its end.
        if lines.last().is_some_and(|last| with_last_end || last.is_empty()) {
            text += self.line_end;
        }
        Some(text)
    }

    /// What is expected, with the lines of today where they moved.
    fn expected(&self) -> (&'static str, Option<(usize, usize)>) {
        let Some(today) = &self.today else { return ("missing", None) };
        let wanted = &self.then[self.first - 1..self.last];
        let at = |start: usize| today.get(start - 1..start - 1 + wanted.len()) == Some(wanted);
        if at(self.first) {
            return ("fresh", None);
        }
        if wanted.iter().all(|line| line.trim().is_empty()) {
            return ("stale", None);
        }
        let copies =
            |text: &[String]| text.windows(wanted.len()).filter(|it| *it == wanted).count();
        if copies(today) < copies(&self.then) {
            return ("stale", None);
        }
        for distance in 1..=today.len() + self.first {
            for start in [self.first + distance, self.first.saturating_sub(distance)] {
                if start > 0 && at(start) {
                    return ("moved", Some((start, start + wanted.len() - 1)));
                }
            }
        }
        ("stale", None)
    }
}

/// Does to a file what people do: most edits are not within the cited lines.
fn edit(numbers: &mut Numbers, lines: &mut Vec<String>, cited: std::ops::Range<usize>) {
    let place = match numbers.below(3) {
        0 => numbers.below(cited.start.min(lines.len()) + 1),
        1 => (cited.end + numbers.below(4)).min(lines.len()),
        _ => numbers.below(lines.len() + 1),
    };
    match numbers.below(7) {
        0..3 => {
            lines.splice(place..place, numbers.lines(6));
        }
        3 => {
            let end = (place + 1 + numbers.below(4)).min(lines.len());
            lines.drain(place..end);
        }
        4 if place < lines.len() => lines[place].push_str(" // changed"),
        5 => {
            let copied =
                lines[(cited.start - 1).min(lines.len())..cited.end.min(lines.len())].to_vec();
            lines.splice(place..place, copied);
        }
        _ => {
            let by = numbers.below(lines.len() + 1);
            lines.rotate_left(by);
        }
    }
}

fn path(number: usize) -> String {
    format!("src/f{number}.rs")
}

/// Cites each file in a section of its own, by the blob that git has.
fn cite(sandbox: &Sandbox, files: &[CitedFile]) {
    let listed = sandbox.git(&["ls-tree", "-r", "HEAD", "src"]);
    let blob = |line: &str| {
        let (head, path) = line.split_once('\t').unwrap();
        (path.to_owned(), head.rsplit(' ').next().unwrap()[..12].to_owned())
    };
    let blobs: BTreeMap<String, String> = listed.lines().map(blob).collect();
    let mut text = "# Conventions\n".to_owned();
    for (number, CitedFile { first, last, .. }) in files.iter().enumerate() {
        let (path, blob) = (path(number), &blobs[&path(number)]);
        let source = format!("file {path}:{first}-{last} {blob} confirmed 2026-11-20");
        let anchor = format!("<!-- @id: f{number} -->\n<!-- @source: {source} -->");
        write!(text, "\n## F{number}\n{anchor}\n\nWords.\n").unwrap();
    }
    sandbox.write("conventions.md", text);
}

#[test]
fn the_cited_lines_are_where_a_plain_model_finds_them() {
    let is_full = std::env::var("CRASH").is_ok_and(|it| it == "full");
    let sandbox = Sandbox::new();
    let mut numbers = Numbers(11);
    let count = if is_full { 2_000 } else { 200 };
    let files: Vec<CitedFile> = (0..count).map(|_| CitedFile::random(&mut numbers)).collect();
    for (number, file) in files.iter().enumerate() {
        sandbox.write_project(&path(number), file.then.join("\n") + "\n");
    }
    sandbox.commit("then");
    cite(&sandbox, &files);
    for (number, file) in files.iter().enumerate() {
        match file.text_today(number % 2 == 0) {
            Some(text) => sandbox.write_project(&path(number), text),
            None => fs::remove_file(sandbox.project().join(path(number))).unwrap(),
        }
    }
    let listed = sandbox.run(&["ls", "conventions.md", "--json"]).expect_code(0).json();
    let listed = listed["sections"].as_array().unwrap();
    let checked = |side: &[&str]| {
        let words = [&["check", "--json", "--warn", "provenance-moved"], side].concat();
        sandbox.run(&words).json()["findings"].to_string()
    };
    let now = checked(&[]);
    sandbox.git(&["add", "--all"]);
    let staged = checked(&["--staged"]);
    let mut counts = BTreeMap::<&str, usize>::new();
    for (number, file) in files.iter().enumerate() {
        let (freshness, moved) = file.expected();
        *counts.entry(freshness).or_default() += 1;
        let told =
            || format!("{number} {:?} {:?} {:?}", file.then, file.first..=file.last, file.today);
        assert_eq!(listed[number]["freshness"], freshness, "{}", told());
        let own = format!("`{}:{}-{}` ", path(number), file.first, file.last);
        let Some((first, last)) = moved else {
            assert_eq!(now.contains(&own), freshness != "fresh", "{}", told());
            continue;
        };
        let lines = if first == last { first.to_string() } else { format!("{first}-{last}") };
        let said = format!("{own}moved to `{}:{lines}`", path(number));
        assert!(now.contains(&said) && staged.contains(&said), "{said} {}", told());
    }
    let seldom = ["fresh", "moved", "stale", "missing"].map(|word| counts.get(word) < Some(&5));
    assert_eq!(seldom, [false; 4], "{counts:?}");
}
