//! Recognises values that documentation writes in place of a secret.

/// True when the value stands for a secret instead of being one.
pub(super) fn is_placeholder(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    value.is_empty()
        || STAND_INS.split(' ').any(|word| lower.contains(word))
        || is_reference(value)
        || repeats(&lower)
        || counts_up(&lower)
        || WHOLE_WORDS.split(' ').any(|word| word == bare)
}

/// True when the value names another place: a variable, a template or a command.
fn is_reference(value: &str) -> bool {
    let wrapped = |open, close| value.starts_with(open) && value.ends_with(close);
    holds_template(value)
        || wrapped('<', '>')
        || wrapped('%', '%')
        || wrapped('[', ']')
        || wrapped('{', '}')
        || value.strip_prefix('$').is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
        })
}

/// True for `${NAME}`, `{{ name }}` and their like, anywhere in the value.
fn holds_template(value: &str) -> bool {
    const BORDERS: [(&str, &str); 6] =
        [("${", "}"), ("$(", ")"), ("{{", "}}"), ("<%", "%>"), ("#{", "}"), ("%{", "}")];
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.: '?=/|".contains(c);
    let may_open = value.bytes().any(|byte| b"{(%".contains(&byte));
    may_open
        && BORDERS.iter().any(|(open, close)| {
            let inside = value.split_once(open).map(|(_, rest)| rest);
            inside.is_some_and(|rest| {
                let name = rest.split(close).next().unwrap_or(rest);
                !name.is_empty() && name.chars().all(is_name)
            })
        })
}

/// True for one character over and over, or very few different ones.
fn repeats(value: &str) -> bool {
    let mut longest = 0;
    let mut current = 0;
    let mut previous = None;
    let mut seen = [false; 256];
    for byte in value.bytes() {
        current = if previous == Some(byte) { current + 1 } else { 1 };
        longest = longest.max(current);
        previous = Some(byte);
        seen[usize::from(byte)] = true;
    }
    let different = seen.iter().filter(|seen| **seen).count();
    longest >= 6 || longest * 2 > value.len() || (value.len() >= 12 && different < 5)
}

/// True when most characters follow from the one before, as in `abcdef123456`.
fn counts_up(value: &str) -> bool {
    let steps = value
        .as_bytes()
        .windows(2)
        .filter(|pair| pair[1] == pair[0].wrapping_add(1) || (pair[0] == b'9' && pair[1] == b'0'))
        .count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    // People who type a long key for a test count in rounds.
    let is_long_and_mixed = value.len() >= 20 && letters >= 4 && digits >= 4;
    value.len() >= 8 && !is_long_and_mixed && steps * 10 > value.len() * 7
}

/// Parts of a value that no random secret contains by accident.
const STAND_INS: &str = "example placeholder changeme change-me change_me change-this change_this your- your_ \
    yourkey yourtoken yourpassword yoursecret my-secret my_secret mysecret redacted withheld \
    dummy sample insert replace xxxx **** .... #### … not-a-real notreal deadbeef";

const WHOLE_WORDS: &str = "password passwd pass passw0rd pwd pw secret token key user username admin root test none \
    null nil true false undefined empty string value todo tbd hidden foo bar foobar default \
    required optional";

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    fn check(value: &str, expected: bool) {
        assert_eq!(is_placeholder(value), expected, "{value}");
    }

    #[test]
    fn stand_ins_are_placeholders() {
        check("YOUR_API_KEY", true);
        check("changeme", true);
        check("Password", true);
    }

    #[test]
    fn references_are_placeholders() {
        check("${TOKEN}", true);
        check("<token>", true);
        check("$TOKEN", true);
        check("{{ secret }}", true);
    }

    #[test]
    fn repeated_characters_are_placeholders() {
        check("0000000000000000", true);
        check("abababababababab", true);
    }

    #[test]
    fn counting_is_a_placeholder() {
        check("abcdefghijklmnop", true);
        check("1234567890123456", true);
    }

    #[test]
    fn drawn_characters_are_none() {
        check("q7Xr2ZpLw9Tk4VbN", false);
        check("$tr0ngPa55phrase", false);
    }
}
