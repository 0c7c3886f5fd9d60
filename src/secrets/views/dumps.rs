//! Reads the dump of a file: rows of an address, its bytes as hexadecimal digits, and what of them can be read.

use crate::secrets::views::encoded::nibble;
use crate::secrets::views::view::{RuleChoice, TextView};

/// Fewer bytes hold no token.
const SHORTEST: usize = 16;
/// A row of `hexdump -C`, `xxd` or `od -t x1` has no more.
const ROW: usize = 16;

/// The bytes of each dump, as far as they can be read.
pub(super) fn dumped(text: &str) -> TextView {
    let mut view = TextView::new(RuleChoice::All);
    let (mut bytes, mut begin, mut start) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        let row = row_of(line);
        if row.is_empty() {
            add(&mut view, &bytes, begin, start);
            bytes.clear();
        } else if bytes.is_empty() {
            begin = start;
        }
        bytes.extend(row);
        start += line.len();
    }
    add(&mut view, &bytes, begin, start);
    view
}

/// Adds what the bytes say, and what they say if each pair is swapped, as plain `hexdump` prints them.
fn add(view: &mut TextView, bytes: &[u8], begin: usize, end: usize) {
    if bytes.len() < SHORTEST {
        return;
    }
    let read = |byte: u8| if byte.is_ascii_graphic() || byte == b' ' { byte.into() } else { '\n' };
    let swapped = bytes.chunks(2).flat_map(|pair| pair.iter().rev());
    view.write(&bytes.iter().copied().map(read).collect::<String>(), begin..end);
    view.end_line();
    view.write(&swapped.copied().map(read).collect::<String>(), begin..end);
    view.end_line();
}

/// The bytes of a row; none where the line is no row of a dump.
fn row_of(line: &str) -> Vec<u8> {
    let line = line.trim_start_matches([' ', '\t', '>', '|']);
    let digits = line.bytes().take_while(u8::is_ascii_hexdigit).count();
    let mut row = Vec::new();
    if !(4..=16).contains(&digits) {
        return row;
    }
    let mut rest = &line[digits..];
    rest = rest.strip_prefix(':').unwrap_or(rest);
    loop {
        let words = rest.trim_start_matches([' ', '\t']);
        let gap = rest.len() - words.len();
        // The column of letters stands further apart, or begins with a bar.
        if gap == 0 || (gap > 2 && !row.is_empty()) {
            break;
        }
        let (word, behind) = words.split_at(words.find(char::is_whitespace).unwrap_or(words.len()));
        let Some(bytes) = bytes_of(word).filter(|bytes| row.len() + bytes.len() <= ROW) else {
            break;
        };
        row.extend(bytes);
        rest = behind;
    }
    row
}

fn bytes_of(word: &str) -> Option<Vec<u8>> {
    let is_word =
        matches!(word.len(), 2 | 4 | 8 | 16) && word.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pairs = word.as_bytes().chunks(2);
    is_word.then(|| pairs.map(|pair| (nibble(pair[0]) << 4) | nibble(pair[1])).collect())
}

#[cfg(test)]
mod tests {
    use super::dumped;

    fn check(text: &str, expected: &str) {
        assert_eq!(dumped(text).text().lines().next().unwrap_or_default(), expected, "{text}");
    }

    #[test]
    fn a_dump_is_read_in_the_ways_of_the_common_tools() {
        let expected = "hello, wide world";
        check(
            "00000000: 6865 6c6c 6f2c 2077 6964 6520 776f 726c  hello, wide worl\n00000010: 64                                       d\n",
            expected,
        );
        check(
            "00000000  68 65 6c 6c 6f 2c 20 77  69 64 65 20 77 6f 72 6c  |hello, wide worl|\n00000010  64                                                |d|\n00000011\n",
            expected,
        );
        check(
            "> 0000000 68 65 6c 6c 6f 2c 20 77 69 64 65 20 77 6f 72 6c\n> 0000020 64\n",
            expected,
        );
    }

    #[test]
    fn pairs_may_be_swapped() {
        let view =
            dumped("0000000 6568 6c6c 2c6f 7720 6469 2065 6f77 6c72\n0000010 0064\n0000011\n");
        assert_eq!(view.text().lines().nth(2), Some("hello, wide world"));
    }

    #[test]
    fn other_lines_are_no_dump() {
        check("2024 10 words in a line\n", "");
        check("68656c6c6f 20776964 6520776f\n", "");
    }
}
