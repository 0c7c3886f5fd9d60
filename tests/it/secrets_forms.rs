//! Secrets in the forms in which people paste them are found, and harmless texts that look alike are not.
//!
//! `fixtures/secrets/` has the texts, with `«…»` where a value is drawn, so that no file holds one. A text is drawn
//! with several seeds.

use agent_memory::secrets::Scanner;

const SEEDS: u64 = 10;
/// A value that is drawn looks like words now and then: as many of the draws of one text may go by.
const UNLUCKY: usize = 3;

#[test]
fn secrets_are_found_in_every_form() {
    let texts = include_str!("../../fixtures/secrets/forms.txt");
    let missed: Vec<String> = texts_of(texts)
        .filter_map(|(group, text)| {
            let draws = (0..SEEDS).map(|seed| drawn(text, seed));
            let missed: Vec<String> = draws.filter(|text| rules_of(text).is_empty()).collect();
            (missed.len() > UNLUCKY).then(|| format!("{group}: {:?}", missed[0]))
        })
        .collect();
    assert!(missed.is_empty(), "{} texts:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn harmless_texts_are_not_refused() {
    let texts = include_str!("../../fixtures/secrets/harmless.txt");
    let refused: Vec<String> = texts_of(texts)
        .flat_map(|(group, text)| (0..SEEDS).map(move |seed| (group, drawn(text, seed))))
        .filter_map(|(group, text)| {
            let rules = rules_of(&text);
            (!rules.is_empty()).then(|| format!("{group}: {text:?} {rules:?}"))
        })
        .collect();
    assert!(refused.is_empty(), "{} texts:\n{}", refused.len(), refused.join("\n"));
}

#[test]
fn what_is_found_in_a_form_is_withheld_where_it_stands() {
    let key = drawn("«github»", 1);
    let forms = [
        ["data: ", &encoded("b64", &key), " end"],
        ["data: ", &encoded("hex", &key), " end"],
        ["é ", &encoded("percent", &key), " é"],
        ["a ", &encoded("entities", &key), "\nb"],
        ["twice: ", &encoded("b64", &encoded("b64", &key)), "."],
    ];
    for [before, form, after] in forms {
        let text = [before, form, after].concat();
        let redacted = Scanner::default().redact(&text).into_owned();
        assert!(redacted.starts_with(before) && redacted.ends_with(after), "{redacted}");
        assert!(!redacted.contains(form.trim_end_matches('=')), "{redacted}");
    }
}

#[test]
fn a_value_below_its_name_is_found_at_its_own_line() {
    let text = drawn("| user | password |\n|---|---|\n| ada | «random 24» |\n", 1);
    let findings = Scanner::default().scan(&text);
    assert_eq!((findings[0].line, findings[0].column), (3, 9));
}

#[test]
fn a_real_key_in_a_fence_beside_examples_is_found() {
    let example = drawn("AKIA«»IOSFODNN7EXAMPLE", 1);
    let text = format!("{example} and a test vector:\n```\n{}\n```\n", drawn("«aws»", 1));
    let findings = Scanner::default().scan(&text);
    assert_eq!(findings.iter().map(|finding| finding.line).collect::<Vec<_>>(), [3]);
}

/// Base64 of base64 and so on, and whatever else makes a view of a view.
#[test]
fn hostile_nesting_takes_no_longer_than_its_length_explains() {
    let mut nested = "ghp_ = ".repeat(200);
    for _ in 0..12 {
        nested = encoded("b64", &nested);
    }
    let texts = [
        nested,
        "%25".repeat(40_000),
        "\"a\" + ".repeat(20_000),
        "67 ".repeat(40_000),
        "<t".repeat(40_000),
        "auth:".repeat(20_000),
        "=3D_pass\n+".repeat(10_000),
        "0000 67 68\n".repeat(10_000),
        "1. witch ".repeat(10_000),
        "\"#\n".repeat(20_000),
    ];
    for text in texts {
        assert!(Scanner::default().scan(&text).is_empty());
    }
}

fn rules_of(text: &str) -> Vec<&'static str> {
    Scanner::default().scan(text).into_iter().map(|finding| finding.rule).collect()
}

/// The texts between `%%`, each with the `== group` it stands in.
pub(crate) fn texts_of(texts: &str) -> impl Iterator<Item = (&str, &str)> {
    texts.split("== ").skip(1).flat_map(|group| {
        let (name, texts) = group.split_once('\n').expect("a group has a name and texts");
        texts.split("%%\n").map(move |text| (name, text.trim_end_matches('\n')))
    })
}

/// Puts values in place of all `«…»`, from the inside out.
pub(crate) fn drawn(text: &str, seed: u64) -> String {
    let mut text = text.to_owned();
    let mut draw = Draw(seed);
    while let Some(end) = text.find('»') {
        let start = text[..end].rfind('«').expect("what is closed was opened");
        let value = draw.value(&text[start + '«'.len_utf8()..end]);
        text.replace_range(start..end + '»'.len_utf8(), &value);
    }
    text
}

struct Draw(u64);

const DIGITS: &str = "0123456789";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const WORDS: [&str; 12] = [
    "witch", "collapse", "practice", "feed", "shame", "open", "despair", "creek", "road", "again",
    "Sommer", "Regen",
];

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).expect("it is below a usize")
    }

    fn of(&mut self, alphabet: &[&str], length: usize) -> String {
        let alphabet = alphabet.concat().into_bytes();
        (0..length).map(|_| char::from(alphabet[self.below(alphabet.len())])).collect()
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    fn value(&mut self, call: &str) -> String {
        if let Some(rest) = call.strip_prefix("cut") {
            return cut(rest);
        }
        let (name, rest) = call.split_once(' ').unwrap_or((call, ""));
        let length = rest.parse().unwrap_or(0);
        match name {
            "" => String::new(),
            "nul" => "\0".to_owned(),
            "random" => self.of(&[LOWER, UPPER, DIGITS], length),
            "lower" => self.of(&[LOWER, DIGITS], length),
            "upper" => self.of(&[UPPER, DIGITS], length),
            "digits" => self.of(&[DIGITS], length),
            "lowhex" | "hexd" => self.of(&["abcdef", DIGITS], length),
            "HEXD" => self.of(&["ABCDEF", DIGITS], length),
            "base32" => self.of(&[UPPER, "234567"], length),
            "base58" => self
                .of(&[&DIGITS[1..], "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"], length),
            "word" => WORDS[self.below(WORDS.len())].to_owned(),
            "phrase" => (0..length).map(|_| WORDS[self.below(10)]).collect::<Vec<_>>().join(" "),
            "numbered" => {
                let words = (1..=length).map(|n| format!("{n}. {}", WORDS[self.below(10)]));
                words.collect::<Vec<_>>().join("\n")
            }
            "github" => format!("ghp_{}", self.of(&[LOWER, UPPER, DIGITS], 36)),
            "npm" => format!("npm_{}", self.of(&[LOWER, UPPER, DIGITS], 36)),
            "gitlab" => format!("glpat-{}", self.of(&[LOWER, UPPER, DIGITS], 20)),
            "stripe" => format!("sk_live_{}", self.of(&[LOWER, UPPER, DIGITS], 24)),
            "openai" => format!("sk-proj-{}", self.of(&[LOWER, UPPER, DIGITS], 48)),
            "aws" => format!("AKIA{}", self.of(&[UPPER, "234567"], 16)),
            "slack" => {
                let [team, user] = [12, 12].map(|length| self.of(&[&DIGITS[1..]], length));
                format!("xoxb-{team}-{user}-{}", self.of(&[LOWER, UPPER, DIGITS], 24))
            }
            "uuid" => [8, 4, 4, 4, 12].map(|length| self.of(&["abcdef", DIGITS], length)).join("-"),
            "jwt" => {
                let body = format!("{{\"sub\":\"{}\",\"iat\":1731000000}}", self.of(&[LOWER], 9));
                let parts = ["{\"alg\":\"HS256\",\"typ\":\"JWT\"}", &body]
                    .map(|part| base64url(part.as_bytes()));
                format!("{}.{}", parts.join("."), base64url(&self.bytes(32)))
            }
            "pem" => self.pem("\n"),
            "jsonpem" => self.pem("\\n"),
            "bytelist" => {
                let bytes: Vec<String> = self.bytes(length).iter().map(u8::to_string).collect();
                bytes.join(",")
            }
            "hexcolon" => {
                let bytes: Vec<String> =
                    self.bytes(length).iter().map(|b| format!("{b:02x}")).collect();
                bytes.join(":")
            }
            "b64std" => base64(&self.bytes(length)),
            "b64r" => base64url(&self.bytes(length)),
            _ => encoded(name, rest),
        }
    }

    fn pem(&mut self, line_end: &str) -> String {
        let body = base64(&self.bytes(90));
        let [first, second] = [&body[..64], &body[64..]];
        let [begin, end] =
            ["BEGIN", "END"].map(|mark| format!("-----{mark} {} KEY-----", "PRIVATE"));
        [&begin, first, second, &end, ""].join(line_end)
    }
}

/// Writes a value in another way.
fn encoded(name: &str, value: &str) -> String {
    let each = |write: &dyn Fn(u8) -> String| value.bytes().map(write).collect::<String>();
    let signs = |write: &dyn Fn(u8) -> String| {
        each(&|b| if b.is_ascii_alphanumeric() { char::from(b).to_string() } else { write(b) })
    };
    let list = |write: &dyn Fn(u8) -> String, between: &str| {
        value.bytes().map(write).collect::<Vec<_>>().join(between)
    };
    match name {
        "b64" => base64(value.as_bytes()),
        "b64url" => base64url(value.as_bytes()),
        "b64wrap" => {
            let whole = base64(value.as_bytes()).into_bytes();
            let lines = whole.chunks(64).map(|line| String::from_utf8_lossy(line).into_owned());
            lines.collect::<Vec<_>>().join("\n")
        }
        "hex" => each(&|b| format!("{b:02x}")),
        "hexspaced" => list(&|b| format!("{b:02x}"), " "),
        "hexlist" => list(&|b| format!("0x{b:02x}"), ", "),
        "xescape" => each(&|b| format!("\\x{b:02x}")),
        "uescape" => each(&|b| format!("\\u{b:04x}")),
        "xxd" => dump(value, ":", &|row| format!("{:<39}  {row}", digits(row, 2))),
        "hexdump" => dump(value, "", &|row| format!(" {:<47}  |{row}|", digits(row, 1))),
        "od" => dump(value, "", &|row| digits(row, 1)),
        "words" => dump(value, "", &|row| {
            let pairs = row.as_bytes().chunks(2).map(|pair| pair.iter().rev());
            let swapped = pairs.map(|pair| pair.map(|b| format!("{b:02x}")).collect::<String>());
            swapped.collect::<Vec<_>>().join(" ")
        }),
        "octal" => each(&|b| format!("\\{b:03o}")),
        "percent" => each(&|b| format!("%{b:02X}")),
        "percentsigns" => signs(&|b| format!("%{b:02X}")),
        "entities" => each(&|b| format!("&#{b};")),
        "xentities" => each(&|b| format!("&#x{b:x};")),
        "entitysigns" => signs(&|b| format!("&#{b};")),
        "md" => signs(&|b| format!("\\{}", char::from(b))),
        other => panic!("`{other}` is no name of a value"),
    }
}

/// Writes rows of 16 bytes, each behind its address.
fn dump(value: &str, behind: &str, row: &dyn Fn(&str) -> String) -> String {
    let rows = value.as_bytes().chunks(16).enumerate();
    let rows = rows.map(|(number, bytes)| {
        format!("{:08x}{behind} {}", number * 16, row(&String::from_utf8_lossy(bytes)))
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn digits(row: &str, together: usize) -> String {
    let groups = row.as_bytes().chunks(together);
    let groups = groups.map(|group| group.iter().map(|b| format!("{b:02x}")).collect::<String>());
    groups.collect::<Vec<_>>().join(" ")
}

/// Writes what stands behind `/between/ ` with `between` in its middle; `cut3` has it twice.
fn cut(call: &str) -> String {
    let pieces = if call.starts_with('3') { 3 } else { 2 };
    let (between, value) = call.rsplit_once("/ ").expect("`cut` names what is between");
    let between =
        between.trim_start_matches('3').strip_prefix('/').expect("it begins with a slash");
    if let Some((first, second)) = value.split_once('|') {
        return [first, between, second].concat();
    }
    let length = value.len() / pieces;
    let last = &value[length * (pieces - 1)..];
    let mut parts: Vec<&str> = (1..pieces).map(|n| &value[length * (n - 1)..length * n]).collect();
    parts.push(last);
    parts.join(between)
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let number = (0..3).fold(0, |n, i| (n << 8) | usize::from(*group.get(i).unwrap_or(&0)));
        for digit in 0..=group.len() {
            text.push(char::from(ALPHABET[number >> (18 - 6 * digit) & 63]));
        }
        text.extend(std::iter::repeat_n('=', 3 - group.len()));
    }
    text
}

fn base64url(bytes: &[u8]) -> String {
    base64(bytes).replace('+', "-").replace('/', "_").replace('=', "")
}
