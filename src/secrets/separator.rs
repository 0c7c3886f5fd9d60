//! Reads what stands between a name and its value: operators, verbs, types, and what the value is for.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Separator {
    /// `=`, `:`, `=>` and their like.
    Equals,
    /// A comma after a quoted name, as in a call.
    Comma,
    /// A dash, a bar, or the word `is`.
    Dash,
    /// Nothing but blanks.
    Blank,
    /// The value comes first.
    Reversed,
    /// A dash without blanks: name and value are one word.
    Glued,
}

/// Returns what separates a name from its value, the opening quote, and where the value begins.
pub(super) fn separator_after(
    bytes: &[u8],
    name_end: usize,
) -> Option<(Separator, Option<u8>, usize)> {
    let mut at = name_end;
    let closing = skip(bytes, &mut at, b"\"'`)]\\*", 4);
    at += declared_size(&bytes[at..]);
    let blanks = skip(bytes, &mut at, b" \t", 40);
    at += number(&bytes[at..]);
    at += wrapped_separator(&bytes[at..]);
    at += purpose(&bytes[at..]);
    at += declared_type(&bytes[at..], blanks > 0);
    let rest = &bytes[at..];
    let apart = rest.iter().take(40).take_while(|byte| b", \t\r\n".contains(byte)).count();
    if let label @ 1.. = value_label(&rest[apart..]) {
        return Some(opened(bytes, Separator::Equals, at + apart + label));
    }
    let operator = rest.iter().take(4).take_while(|byte| b"=:!?.|>~-+".contains(byte)).count();
    let verb = beginning(rest, &VERBS).map_or(0, |verb| verb.len());
    let particle = beginning(rest, &PARTICLES).map_or(0, |particle| particle.len());
    let (separator, length) = match &rest[..operator] {
        b"=" | b":" | b":=" | b"::=" | b":::=" | b"=>" | b"==" | b"===" | b"!=" | b"!=="
        | b"?=" | b".=" | b"||=" | b"||" | b"??" | b"=:" | b">" | b"->" | b"::" | b"+=" | b"~>" => {
            (Separator::Equals, operator)
        }
        b"-" | b"--" | b"---" | b"----" | b"|"
            if blanks > 0 && rest.get(operator) == Some(&b' ') =>
        {
            (Separator::Dash, operator)
        }
        b"" if rest.first() == Some(&b',') && closing > 0 => (Separator::Comma, 1),
        b"" if rest.first() == Some(&b'(') && quote_at(rest, 1).is_some() => (Separator::Equals, 1),
        b"" if opens_a_block(rest) => (Separator::Equals, 1),
        b"" if rest.starts_with("：".as_bytes()) => (Separator::Equals, "：".len()),
        b"" if particle > 0 => (Separator::Dash, particle),
        b"" if verb > 0 => (Separator::Dash, verb),
        b"" if blanks > 0 => (Separator::Blank, 0),
        _ => return None,
    };
    at += length;
    skip(bytes, &mut at, b" \t", 40);
    at += below(bytes, at, separator, &rest[..operator]);
    // XML may name the place of the value once more.
    Some(opened(bytes, separator, at + value_label(&bytes[at..])))
}

/// The length of the line break in front of a value. In prose the line below a colon is another sentence, unless it is
/// quoted, and below `TOKEN=` stands the next setting.
fn below(bytes: &[u8], at: usize, separator: Separator, operator: &[u8]) -> usize {
    let blanks = bytes[at..].iter().take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_code = !operator.is_empty() && operator != b":";
    let is_its_value =
        (is_code && !is_a_setting(&bytes[at + blanks..])) || quote_at(bytes, at + blanks).is_some();
    if separator == Separator::Equals && is_its_value { blanks } else { 0 }
}

/// True for `NAME=value`; base64 has nothing behind its last sign.
fn is_a_setting(rest: &[u8]) -> bool {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = rest.iter().take(40).take_while(is_name).count();
    let behind = rest.get(name + 1).copied().unwrap_or(b' ');
    rest.get(name) == Some(&b'=') && behind.is_ascii_graphic() && behind != b'='
}

/// Goes past the opening quote, if there is one.
fn opened(bytes: &[u8], separator: Separator, mut at: usize) -> (Separator, Option<u8>, usize) {
    let is_prefix = bytes.get(at).is_some_and(|byte| b"@bruLf$".contains(byte));
    let prefix = usize::from(is_prefix && quote_at(bytes, at + 1).is_some());
    let Some((quote, length)) = quote_at(bytes, at + prefix) else {
        return (separator, None, at);
    };
    at += prefix + length;
    skip(bytes, &mut at, b" ", 1);
    (separator, Some(quote), at)
}

/// What stands in a sentence between a name and its value, in a few languages.
const VERBS: [&[u8]; 19] = [
    b"is now ",
    b"is currently ",
    b"is still ",
    b"is set to ",
    b"was changed to ",
    b"is ",
    b"is:",
    b"now ",
    b"lautet ",
    b"ist jetzt ",
    b"ist ",
    b"es ",
    b"est ",
    "é ".as_bytes(),
    "è ".as_bytes(),
    b"jest ",
    b"was ",
    b"to ",
    "是".as_bytes(),
];
/// A particle, behind which the value follows at once.
const PARTICLES: [&[u8]; 3] = ["は".as_bytes(), "는".as_bytes(), "为".as_bytes()];

fn skip(bytes: &[u8], at: &mut usize, of: &[u8], most: usize) -> usize {
    let count = bytes[*at..].iter().take(most).take_while(|byte| of.contains(byte)).count();
    *at += count;
    count
}

/// The first of some words that a text begins with. Hardly ever does one get past its first letter.
pub(super) fn beginning<'w>(rest: &[u8], words: &[&'w [u8]]) -> Option<&'w [u8]> {
    let first = rest.first();
    words.iter().find(|word| word.first() == first && rest.starts_with(word)).copied()
}

/// The length of `[25]` or `[]`.
fn declared_size(rest: &[u8]) -> usize {
    let digits = rest.iter().skip(1).take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let sized = rest.first() == Some(&b'[') && rest.get(digits + 1) == Some(&b']');
    if sized { digits + 2 } else { 0 }
}

/// True for the brace of `key{"…"}`, with a line break or not.
fn opens_a_block(rest: &[u8]) -> bool {
    let blanks = rest.iter().skip(1).take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    rest.first() == Some(&b'{') && quote_at(rest, blanks + 1).is_some()
}

/// The length of `2` in "key 2: …".
fn number(rest: &[u8]) -> usize {
    let digits = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && rest.get(digits) == Some(&b':') { digits } else { 0 }
}

/// The length of "for the old box" in "the token for the old box: …" and in "the token for the old box is …".
fn purpose(rest: &[u8]) -> usize {
    if beginning(rest, &PREPOSITIONS).is_none() {
        return 0;
    }
    let belongs =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b" _-'>".contains(byte) || !byte.is_ascii();
    let words = rest.iter().take(60).take_while(belongs).count();
    let signs = (0..words).find_map(|at| beginning(&rest[at..], &ENDS).map(|end| at + end.len()));
    if signs.is_none() && rest.get(words) == Some(&b':') {
        return words;
    }
    let last_word =
        |end: usize| rest[..end - 1].iter().rposition(|byte| *byte == b' ').map_or(0, |at| at + 1);
    signs.map_or(0, last_word)
}

/// What leads from a name to what it is for, in a few languages.
const PREPOSITIONS: [&[u8]; 24] = [
    b"for ",
    b"of ",
    b"on ",
    b"in ",
    b"at ",
    b"to ",
    b"was ",
    "für ".as_bytes(),
    b"fuer ",
    b"von ",
    b"der ",
    b"des ",
    b"de ",
    b"del ",
    b"da ",
    b"do ",
    b"du ",
    b"pour ",
    b"para ",
    b"per ",
    b"di ",
    b"voor ",
    "от ".as_bytes(),
    "для ".as_bytes(),
];

/// What leads from there to the value.
const ENDS: [&[u8]; 19] = [
    b" is now ",
    b" is ",
    b" was changed to ",
    b" was set to ",
    b" is set to ",
    b" changed to ",
    b" set to ",
    b" to be ",
    b" was ",
    b" ist ",
    b" lautet ",
    b" es ",
    b" est ",
    " é ".as_bytes(),
    " è ".as_bytes(),
    b" to ",
    b" -> ",
    b" => ",
    b" - ",
];

/// The length of a line break with its blanks, where the next line begins with `=`.
fn wrapped_separator(rest: &[u8]) -> usize {
    let blanks = rest.iter().take(40).take_while(|byte| byte.is_ascii_whitespace()).count();
    if rest.get(blanks) == Some(&b'=') { blanks } else { 0 }
}

/// The length of `: &str`, `string` and their like, in front of a separator.
fn declared_type(rest: &[u8], apart: bool) -> usize {
    const TYPES: [&[u8]; 6] = [b"&'static str", b"&str", b"String", b"string", b"str", b"text"];
    let colon = rest.iter().take(3).take_while(|byte| b": ".contains(byte)).count();
    if colon == 0 && !apart {
        return 0;
    }
    let after = &rest[colon..];
    let Some(kind) = beginning(after, &TYPES) else { return 0 };
    let behind = &after[kind.len()..];
    let blanks = behind.iter().take(4).take_while(|byte| b" \t".contains(byte)).count();
    if behind.get(blanks) == Some(&b'=') { colon + kind.len() + blanks } else { 0 }
}

/// The length of `value=`, `"value": ` and `<string>`.
fn value_label(rest: &[u8]) -> usize {
    const LABELS: [&[u8]; 9] = [
        b"value=",
        b"value =",
        b"\"value\":",
        b"'value':",
        b"Value=",
        b"\"Value\":",
        b"value:",
        b"<string>",
        b"<value>",
    ];
    let Some(label) = beginning(rest, &LABELS) else { return 0 };
    let blanks =
        rest[label.len()..].iter().take(8).take_while(|byte| b" \t".contains(byte)).count();
    label.len() + blanks
}

/// A quote, and how many bytes it has with the backslashes before it.
pub(super) fn quote_at(bytes: &[u8], at: usize) -> Option<(u8, usize)> {
    let slashes = bytes.get(at..)?.iter().take(3).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(at + slashes)?;
    b"\"'`".contains(&quote).then_some((quote, slashes + 1))
}
