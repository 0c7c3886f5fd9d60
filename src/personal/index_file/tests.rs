//! What the index says before and after an edit, by example and at random.

use super::*;

fn check_listed(text: &str, expected: &[(&str, &str, &str, usize)]) {
    let found = listed(text);
    let found: Vec<_> = found
        .iter()
        .map(|line| (line.name.as_str(), line.label.as_str(), line.hook.as_str(), line.line))
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

fn check_names(text: &str, expected: &[&str]) {
    let found: Vec<String> = listed(text).into_iter().map(|line| line.name).collect();
    assert_eq!(found, expected, "{text:?}");
}

/// Checks `with_line` for the entry `x` with the description `new`, once and again.
fn check_with(text: &str, expected: &str) {
    let once = with_line(text, "x", "new", false);
    assert_eq!(once, expected, "{text:?}");
    assert_eq!(with_line(&once, "x", "new", false), once, "again: {text:?}");
}

fn check_without(text: &str, expected: &str) {
    assert_eq!(without_line(text, "x"), expected, "{text:?}");
}

#[test]
fn a_line_is_written_as_in_the_seed() {
    let line = line_of("preferred-language", "User prefers Japanese output");
    assert_eq!(
        line,
        "- [preferred-language](preferred-language.md) — User prefers Japanese output"
    );
    assert_eq!(with_line("", "a", "A `b` # [c](d.md)", false), "- [a](a.md) — A `b` # [c](d.md)\n");
}

#[test]
fn an_item_belongs_to_the_file_of_its_first_link() {
    check_listed("- [a](a.md) — text\n", &[("a", "a", "text", 1)]);
    check_listed("# Memory\n\n* [The A](a.md): text", &[("a", "The A", "text", 3)]);
    for target in ["./a.md", "<a.md>", "a.md#part", "a.md \"title\"", " a.md 't' ", "%61.md"] {
        check_listed(&format!("- [A]({target}) - text"), &[("a", "A", "text", 1)]);
    }
    for target in
        ["b/a.md", "../a.md", "/a.md", "https://a/a.md", "a.txt", ".md", "#a.md", "b%2Fa.md"]
    {
        check_listed(&format!("- [A]({target}) [a](a.md)"), &[]);
    }
    check_names("- [a b](<a b.md>)\n- [c](a%20c.md)\n- [d](\\_d.md)\n", &["a b", "a c", "_d"]);
    check_names("- [a](a.md) see [b](b.md)\n- <https://c.d> [c](c.md)\n", &["a"]);
    check_names(
        "- see [a](a.md)\n- **[b](b.md)**\n- [[c] `]`](c.md)\n- \\[d](d.md)\n",
        &["a", "b", "c"],
    );
    check_names("- `[a](a.md)` ![b](b.md) [c](c.md)\n- [![d](d.png)](d.md)\n", &["c", "d"]);
    check_names("- <!-- [a](a.md) --> [b](b.md)\n", &["b"]);
}

#[test]
fn each_marker_of_a_list_makes_an_item() {
    for marker in ["-", "*", "+", "1.", "12)", "- [ ]", "- [x]", "  -", "-\t", "- -", "- #"] {
        check_names(&format!("{marker} [a](a.md)\n"), &["a"]);
    }
    for front in ["", "-", "a - ", "1234567890. ", "> - ", "    - ", "# "] {
        check_names(&format!("{front}[a](a.md)\n"), &[]);
    }
    check_names(
        "- [a](a.md)\n  - [b](b.md)\n    - [c](c.md)\n\n    - [d](d.md)\n",
        &["a", "b", "c", "d"],
    );
    check_names("text:\n2. [b](b.md)\n      - [c](c.md)\n", &["b", "c"]);
    check_names("\u{feff}- [a](a.md)\r\n- [b](b.md)\r\n", &["a", "b"]);
}

#[test]
fn the_text_behind_the_link_is_without_what_separates_it() {
    for text in [" — b", " – b", " - b", ": b", " -- b", " b", " —  b  ", "：b"] {
        check_listed(&format!("- [a](a.md){text}"), &[("a", "a", "b", 1)]);
    }
    check_listed("- **[a](a.md)** — b", &[("a", "a", "b", 1)]);
    check_listed("- [a](a.md) — — b\n- [c](c.md)", &[("a", "a", "— b", 1), ("c", "c", "", 2)]);
}

#[test]
fn what_is_in_code_or_a_comment_is_no_item() {
    check_names("```\n- [a](a.md)\n~~~\n```\n- [b](b.md)\n", &["b"]);
    check_names("<!--\n- [a](a.md)\n\n-->\n- [b](b.md)\n", &["b"]);
    check_names("<!-- - [a](a.md) -->\n- [b](b.md)\n~~~~\n- [c](c.md)\n~~~\n- [d](d.md)", &["b"]);
    check_names("- a\n  ```\n  - [a](a.md)\n- [b](b.md)\n", &["b"]);
    check_names("- ```\n  - [a](a.md)\n  ```\n- [b](b.md)\n", &["b"]);
    check_names("text\n\n    - [a](a.md)\n    - [b](b.md)\n- [c](c.md)\n", &["c"]);
    check_names("text <!-- a\n- [b](b.md)\n", &["b"]);
}

#[test]
fn a_wrapped_item_is_one_item() {
    check_listed("- [a](a.md) — b\n  c\n    d\n\n  e", &[("a", "a", "b c d", 1)]);
    check_listed("-\n  [a](a.md)\n-\n[b](b.md)\n", &[("a", "a", "", 1)]);
    check_listed("- [a\n  b](a.md)", &[("a", "a b", "", 1)]);
    check_listed(
        "1. [a](a.md) — b\n   c\n- - [d](d.md)\n    e\n",
        &[("a", "a", "b c", 1), ("d", "d", "e", 3)],
    );
    for next in
        ["# h", "```\n```", "---", "***", "> q", "</details>", "<!-- c -->", "  # h", "1. a"]
    {
        check_without(&format!("- [x](x.md) — b\n  c\n{next}\n"), &format!("{next}\n"));
    }
    check_without("- [x](x.md) — b\n  <https://c.d>\n  #e\n  --\ntext", "text");
}

#[test]
fn text_that_is_indented_less_than_an_item_is_not_the_items() {
    check_listed("- [a](a.md) — b\nc\n  d\n", &[("a", "a", "b", 1)]);
    check_listed("1. [a](a.md) — b\n  c\n", &[("a", "a", "b", 1)]);
    check_listed("- - [a](a.md) — b\n  c\n    d\n", &[("a", "a", "b", 1)]);
    check_names("- [a](a.md)\ntext\n  - [b](b.md)\n\n    - [c](c.md)\n", &["a", "b", "c"]);
    check_names("- [a\nb](a.md)\n", &[]);
    check_without("- [x](x.md) — b\ntext, of Ada\n- [a](a.md)\n", "text, of Ada\n- [a](a.md)\n");
    check_with("- [x](x.md) — old\n  more\ntext\n  too\n", "- [x](x.md) — new\ntext\n  too\n");
}

#[test]
fn text_below_a_removed_item_does_not_go_on_with_what_is_above() {
    check_without("- [a](a.md)\n- [x](x.md)\ntext\n", "- [a](a.md)\n\ntext\n");
    check_without("- [a](a.md)\r\n  - [x](x.md)\r\n  text\r\n", "- [a](a.md)\r\n\r\n  text\r\n");
    check_without("text\n- [x](x.md)\n* # [x](x.md)\ntext", "text\n\ntext");
    check_without("text\n- [x](x.md)\n---\n", "text\n\n---\n");
    check_without("text\n- # [x](x.md)\n      code\n", "text\n\n      code\n");
    check_without("- [a](a.md)\n- [x](x.md)\n  more\n# h\n", "- [a](a.md)\n# h\n");
    check_without("# h\n\n- [x](x.md)\ntext\n", "# h\n\ntext\n");
    check_without("- [a](a.md)\n- [x](x.md)\n\ntext\n", "- [a](a.md)\n\ntext\n");
    check_with("- [x](x.md) — new\n- [x](x.md)\ntext\n", "- [x](x.md) — new\n\ntext\n");
}

#[test]
fn an_empty_item_stays_where_what_is_below_would_be_read_anew() {
    check_without("- [x](x.md)\n    - [b](b.md)\n", "- <!-- -->\n    - [b](b.md)\n");
    check_without("- [x](x.md)\n  - [b](b.md)\n", "  - [b](b.md)\n");
    check_without(
        "1. [ ] [x](x.md)\r\n   ```\r\n   code\r\n- [b](b.md)\r\n",
        "1. [ ] <!-- -->\r\n   ```\r\n   code\r\n- [b](b.md)\r\n",
    );
}

#[test]
fn a_line_that_stands_is_replaced_in_place() {
    check_with(
        "# M\r\n\r\n- [a](a.md) — a\r\n- [x](x.md) — old\r\n- [c](c.md)\r\n",
        "# M\r\n\r\n- [a](a.md) — a\r\n- [x](x.md) — new\r\n- [c](c.md)\r\n",
    );
    check_with("- [X](./x.md): old\n  more\n  more\n\ntext", "- [x](x.md) — new\n\ntext");
    check_with("  * [ ] [X](x.md)", "  * [ ] [x](x.md) — new");
    check_with("1)\t**[X](x.md)** old\r\n\tmore\n- a\n", "1)\t[x](x.md) — new\n- a\n");
    check_with("-\n  [X](x.md)\n", "- [x](x.md) — new\n");
    check_with("- # [X](x.md)\ntext\n", "- # [x](x.md) — new\ntext\n");
    check_with("- [x](x.md) — old\n  - [b](b.md) — b\n", "- [x](x.md) — new\n  - [b](b.md) — b\n");
}

#[test]
fn a_line_that_says_the_same_keeps_its_bytes() {
    for text in ["- [x](x.md) — new", "* [x](./x.md): new  \r\n", "- see [x](x.md)\n  new\n"] {
        check_with(text, text);
    }
}

#[test]
fn a_label_is_kept_where_it_can_be() {
    let check = |text: &str, description: &str, expected: &str| {
        assert_eq!(with_line(text, "x", description, true), expected, "{text:?}");
    };
    check("- [The `X`](x.md) — old\n", "new", "- [The `X`](x.md) — new\n");
    check("- [The X](x.md) - new\n", "new", "- [The X](x.md) - new\n");
    check("- [The\n  X](x.md)\n", "new", "- [The X](x.md) — new\n");
    check("- [The ` X](x.md)\n", "a ` b", "- [x](x.md) — a ` b\n");
    check("- [](x.md)\n", "new", "- [x](x.md) — new\n");
    check("", "new", "- [x](x.md) — new\n");
}

#[test]
fn of_several_lines_the_first_is_left() {
    check_with("- [x](x.md)\n- [a](a.md)\n* [X](x.md)\n  b\n", "- [x](x.md) — new\n- [a](a.md)\n");
    check_with("- [x](x.md) — new\r\n\n- [x](x.md) — new", "- [x](x.md) — new\r\n\n");
}

#[test]
fn a_new_line_goes_last_with_the_line_end_of_the_file() {
    check_with("# M\r\n\r\ntext\r\n", "# M\r\n\r\ntext\r\n- [x](x.md) — new\r\n");
    check_with("- [a](a.md)", "- [a](a.md)\n- [x](x.md) — new\n");
    check_with("a\r\nb", "a\r\nb\r\n- [x](x.md) — new\r\n");
    check_with("a\n\n", "a\n\n- [x](x.md) — new\n");
    check_with("\u{feff}", "\u{feff}- [x](x.md) — new\n");
    check_with("- [y](b/x.md)\n", "- [y](b/x.md)\n- [x](x.md) — new\n");
}

#[test]
fn a_new_line_goes_before_what_would_hide_it() {
    check_with("a\n```\n- [x](x.md)\n", "a\n- [x](x.md) — new\n```\n- [x](x.md)\n");
    check_with("<!-- a\r\n-- >", "- [x](x.md) — new\r\n<!-- a\r\n-- >");
    check_with("a\n   ~~~\nb\n", "a\n   - [x](x.md) — new\n   ~~~\nb\n");
    check_with("- a\n  ```\n  b\n", "- a\n  ```\n  b\n- [x](x.md) — new\n");
}

#[test]
fn all_lines_of_an_entry_are_removed_and_nothing_else() {
    check_without("- [x](x.md) — old\n", "");
    check_without("- [x](x.md)", "");
    check_without("# M\r\n- [x](x.md)\r\n\r\n- [a](a.md)\n- [x](x.md)", "# M\r\n\r\n- [a](a.md)\n");
    check_without("- [X](X.md)\n- [xy](xy.md)\n", "- [X](X.md)\n- [xy](xy.md)\n");
    check_without(
        "a\n- [x](x.md)\n    ```\n    - [x](x.md)\n",
        "a\n- <!-- -->\n    ```\n    - [x](x.md)\n",
    );
}

#[test]
fn sizes_are_in_lines_and_bytes() {
    assert_eq!([sizes(""), sizes("a"), sizes("ä\r\n\n")], [(0, 0), (1, 1), (2, 5)]);
}

#[test]
fn marks_without_end_are_read_in_time() {
    for part in ["[", "](", "[a](b", "`", "<", "<!--", "- ", "[a](<", "[a](b \"", "\\", "(", "1) "]
    {
        let text = format!("- {}\n", part.repeat(20_000));
        assert_eq!(listed(&text), [], "{part}");
    }
    let runs: String = (1..1_500).map(|length| "`".repeat(length) + " ").collect();
    let pairs = "` ".repeat(20_000);
    for text in [format!("- {runs}"), format!("- {runs}{pairs}"), format!("- {runs}`{pairs}")] {
        assert_eq!(listed(&text), []);
        check_names(&format!("{text}[a](a.md)"), &["a"]);
    }
}

/// Chance that is the same every time (xorshift64*).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33).unwrap() % bound
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn document(&mut self) -> String {
        const INDENTS: [&str; 8] = ["", "", "", "", "  ", "   ", "    ", "\t"];
        const FRONTS: [&str; 12] =
            ["- ", "- ", "* ", "1. ", "2) ", "- [ ] ", "", "", "# ", "> ", "-", "- - "];
        const TEXTS: [&str; 20] = [
            "[x](x.md) — old",
            "[x](x.md) — new",
            "[The X](./x.md): old",
            "**[x](<x.md>)**",
            "[y](y.md) — y",
            "[z](z.md \"z\")",
            "[x](b/x.md)",
            "see [x](x.md#a) and [y](y.md)",
            "`[x](x.md)`",
            "text",
            "text",
            "",
            "",
            "```",
            "~~~ a",
            "<!--",
            "-->",
            "<!-- [x](x.md) -->",
            "---",
            "<b>",
        ];
        let mut text = String::new();
        for _ in 0..self.below(9) {
            text += self.of(&INDENTS);
            text += self.of(&FRONTS);
            text += self.of(&TEXTS);
            text += self.of(&["\n", "\n", "\n", "\r\n"]);
        }
        let cut = [0, 0, 1][self.below(3)].min(text.len());
        text[..text.len() - cut].trim_end_matches('\r').to_owned()
    }
}

/// Returns the lines of a text that no item of `x` has; the last one gets the line end that it lacks.
fn lines_of_others(text: &str) -> Vec<String> {
    let found = IndexItems::read(text);
    let is_own = |item: &&IndexItem| index_line(item).is_some_and(|line| line.name == "x");
    let owned: Vec<_> = found.items.iter().filter(is_own).map(|item| item.bytes.clone()).collect();
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        if !owned.iter().any(|bytes| bytes.contains(&start)) {
            lines.push(line.trim_end_matches(['\r', '\n']).to_owned() + line_end(line));
        }
        start += line.len();
    }
    lines
}

/// Tells whether an edit leaves all lines that are not of `x`; it may add empty lines and empty items.
fn keeps_other_lines(before: &str, after: &str) -> bool {
    let mut left = lines_of_others(after).into_iter();
    lines_of_others(before).into_iter().all(|line| {
        left.any(|other| {
            other == line
                || line_end(&line).is_empty()
                    && other.strip_suffix(line_end(&other)) == Some(line.as_str())
        })
    })
}

/// Returns what the index says of each entry but `x`.
fn said_of_others(text: &str) -> Vec<(String, String, String)> {
    let of_others = listed(text).into_iter().filter(|line| line.name != "x");
    of_others.map(|line| (line.name, line.label, line.hook)).collect()
}

#[test]
fn an_edit_changes_one_entry_alone_in_any_index() {
    let mut chance = Chance(7);
    for _ in 0..5_000 {
        let text = chance.document();
        let keeps_label = chance.below(2) == 0;
        let description = chance.of(&["new", "— a: `b` [c](x.md)", "``` # -- |", ": - ü"]);
        let with = with_line(&text, "x", description, keeps_label);
        let own: Vec<_> = listed(&with).into_iter().filter(|line| line.name == "x").collect();
        assert_eq!(own.len(), 1, "{text:?} -> {with:?}");
        assert_eq!(own[0].hook, description, "{text:?} -> {with:?}");
        assert_eq!(with_line(&with, "x", description, keeps_label), with, "again: {text:?}");
        let without = without_line(&text, "x");
        assert!(listed(&without).iter().all(|line| line.name != "x"), "{text:?} -> {without:?}");
        assert_eq!(without_line(&without, "x"), without, "again: {text:?}");
        for after in [&with, &without] {
            assert!(keeps_other_lines(&text, after), "{text:?} -> {after:?}");
            assert_eq!(said_of_others(after), said_of_others(&text), "{text:?} -> {after:?}");
        }
    }
}
