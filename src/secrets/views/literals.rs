//! Finds where one literal ends and another begins that are put together to one text.

/// Most blanks between two literals.
const APART: usize = 60;
/// Bytes of a comment inside of a word or between two literals, at most.
pub(super) const LONGEST_COMMENT: usize = 200;
/// Most comments between a literal and an operator.
const COMMENTS_APART: usize = 2;

/// The length from the end of one literal to the beginning of the next, where both make one text. Without an
/// operator only tokens may be read: two words side by side can be anything.
pub(super) fn literal_joint(bytes: &[u8], is_loose: bool) -> usize {
    const OPERATORS: [&[u8]; 8] = [b"||", b"..", b"<>", b"++", b"+", b".", b"&", b"~"];
    const LOOSE: [&[u8]; 9] =
        [b").append(", b".append(", b").concat(", b".concat(", b".plus(", b",", b"\\", b"}{", b""];
    let at = 1 + blanks(bytes, 1);
    // Most literals stand alone, and are passed at once.
    let next = bytes.get(at).copied().unwrap_or_default();
    if !(b"|.<+&~\"'`),\\};$/#-".contains(&next) || (is_loose && next.is_ascii_alphabetic())) {
        return 0;
    }
    let at = at + comments(bytes, at);
    // A list of names in code spans is as common in Markdown as a list of literals is in code.
    let is_listed = is_loose && bytes[0] != b'`';
    let operators = OPERATORS
        .iter()
        .chain(LOOSE.iter().filter(|loose| is_listed || (is_loose && loose.is_empty())));
    let joint = operators.filter(|it| bytes[at..].starts_with(it)).find_map(|operator| {
        let next = at + operator.len();
        let next = next + blanks(bytes, next);
        opening(bytes, next + comments(bytes, next)).filter(|_| !operator.is_empty() || is_loose)
    });
    // `"ghp_"'x9Kf'` in a shell.
    let is_glued = is_loose && bytes.get(1).is_some_and(|byte| b"\"'".contains(byte));
    joint.or_else(|| appended(bytes).filter(|_| is_loose)).unwrap_or(if is_glued { 2 } else { 0 })
}

pub(super) fn blanks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take(APART).take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// The length of the comments at a place, with the blanks behind them.
fn comments(bytes: &[u8], start: usize) -> usize {
    const BORDERS: [(&[u8], &[u8]); 4] =
        [(b"/*", b"*/"), (b"//", b"\n"), (b"#", b"\n"), (b"--", b"\n")];
    let mut at = start;
    for _ in 0..COMMENTS_APART {
        let window = &bytes[at..bytes.len().min(at + LONGEST_COMMENT)];
        let closing = BORDERS.iter().find(|(open, _)| window.starts_with(open)).map(|it| it.1);
        let Some(closing) = closing else { break };
        let end = window.windows(closing.len()).position(|part| part == closing);
        let Some(end) = end else { break };
        at += end + closing.len();
        at += blanks(bytes, at);
    }
    at - start
}

/// Where the text of a literal begins that has the same quote as the one before, with a prefix or without.
fn opening(bytes: &[u8], at: usize) -> Option<usize> {
    let prefix = bytes[at..].iter().take(2).take_while(|byte| b"fbruLN@$".contains(byte)).count();
    let starts = [at, at + prefix].into_iter();
    starts.map(|start| start + 1).find(|start| bytes.get(start - 1) == Some(&bytes[0]))
}

/// `"; $key .= "`: the same variable goes on.
fn appended(bytes: &[u8]) -> Option<usize> {
    let mut at = 1 + usize::from(bytes.get(1) == Some(&b';'));
    at += blanks(bytes, at);
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    at += bytes[at..].iter().take(40).take_while(is_name).count();
    at -= usize::from(bytes[at - 1] == b'.');
    at += blanks(bytes, at);
    at += [&b".="[..], b"+="].iter().find(|it| bytes[at..].starts_with(it))?.len();
    opening(bytes, at + blanks(bytes, at))
}
