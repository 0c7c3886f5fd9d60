//! Decodes base64 of either alphabet, padded or not.

/// Decodes as far as whole bytes go. `None` when a character belongs to neither alphabet.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let mut bits = 0_u32;
    let mut held = 0;
    for digit in text.trim_end_matches('=').bytes() {
        bits = (bits << 6) | u32::from(value(digit)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).expect("masked to eight bits"));
        }
    }
    Some(bytes)
}

fn value(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn check(text: &str, expected: Option<&[u8]>) {
        assert_eq!(decode(text).as_deref(), expected);
    }

    #[test]
    fn padding_is_optional() {
        check("aGk=", Some(b"hi"));
        check("aGk", Some(b"hi"));
    }

    #[test]
    fn both_alphabets_are_read() {
        check("-_-_", Some(&[0xfb, 0xff, 0xbf]));
        check("+/+/", Some(&[0xfb, 0xff, 0xbf]));
    }

    #[test]
    fn other_characters_are_refused() {
        check("a b", None);
    }
}
