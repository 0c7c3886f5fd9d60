//! Finds addresses and commands that would carry data out.

use std::sync::LazyLock;

use regex::Regex;

use super::pattern::pattern;
use super::sign::{Injection, InjectionKind};
use crate::markdown::{LinkAddress, Readable};
use crate::text::PatternSet;

/// What is worth stealing.
const DATA: &str = r"(?:conversation|chat|history|transcript|secrets?|tokens?|passwords?|credentials?|api[_ -]?keys?|env(?:ironment)?|\.env|prompts?|context|memory|memories|messages?|data|summary|answers?|session|cookies?|system|user[_ -]?(?:data|input|name|query|message|info)|private[_ -]?keys?|ssh[_ -]?keys?|contents?|files?|last[_ -]?\w+|base64|your\b|output|response|code|repo\w*|emails?)";

/// An address with a place to fill in.
static FILLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i)https?://[^\s<>)]*[?&/=#](?:[^\s<>)]*[=/])?(?:\{{\{{?|\$\{{|\$\(|\[|<|%7b|%5b|\$|__)[^\s<>()]{{0,12}}?{DATA}"
    ))
});

/// An image whose address has a place to fill in, whatever is filled in there.
static FILLED_IMAGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[?&=/](?:[^\s]*[=])?(?:\{\{?|\$\{|\$\(|\[|<|%7b|%5b|__|(?-i:=[A-Z][A-Z_]{3,}(?:$|&)))",
    )
});

/// A field of an address that is named for what it takes out.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)[?&](?:exfil\w*|leak|steal|stolen|secrets?|conversation|chat_?history|chat_?log|transcript|history|system_?prompt|env|credentials?|passwords?|api_?keys?|private_?keys?|memory|context|payload|dump|loot|cookies?)=",
    )
});

/// An address in a text, also as code, that takes a conversation.
static TALK: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)https?://\S*[?&/=#](?:\{\{?|\$\{|\$\(|\[|<)[^>\]}\n]*\b(?:chat|conversation|transcript|last message|user(?:'s)? (?:message|input|typed|said|wrote)|all notes|memory)\b",
    )
});

/// An address in HTML.
static ATTRIBUTE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)<(?P<tag>\w+)\b[^>]*\s(?:src|href|action|background)\s*=\s*["']?(?P<url>[^"'>]+)"#,
    )
});

/// What a text has that sends anything, so that the patterns are compiled for few.
static MAY_SEND: LazyLock<PatternSet> = LazyLock::new(|| {
    PatternSet::of([
        "://",
        "curl",
        "wget",
        "nc ",
        "ncat",
        "webrequest",
        "iwr",
        "http",
        "/dev/tcp",
        "nslookup",
        "dig ",
        "ping ",
        "host ",
        "urlopen",
        "requests.",
        "$(",
    ])
});

/// A command that sends files or the environment.
static SENT: LazyLock<Regex> = LazyLock::new(|| {
    let files = r"(?:~/\.|/etc/passwd|/etc/shadow|\.env\b|\.ssh|id_rsa|id_ed25519|\.aws|\.netrc|\.npmrc|\.git-credentials|credentials\b|\.kube|\.agent-memory|secrets?\.)";
    pattern(&format!(
        r"(?i)\b(?:curl|wget|nc|ncat|invoke-webrequest|iwr|httpie?)\b[^\n]*(?:@\S*{files}|\$\((?:env|printenv|cat|base64|whoami|git config|history|tar|find|ls)\b|`(?:env|printenv|cat|base64)\b|@<\()|\b(?:env|printenv|(?:cat|base64|tar|grep)\s[^\n|]*{files})[^\n]*\|[^\n]*\b(?:curl|wget|nc|ncat)\b|\bbash -i\b[^\n]*/dev/tcp|/dev/tcp/\d|\$\((?:cat|env|printenv|base64|whoami)\b[^)\n]*\)\.[\w-]+\.|\b(?:urlopen|requests\.(?:get|post))\([^\n]*environ|\b(?:nslookup|dig|ping|host)\s[^\n]*\$[({{]?\w+[)}}]?\.[\w-]+\."
    ))
});

pub(super) fn find(readable: &Readable<'_>) -> Vec<Injection> {
    let told = |line, text: &str| Injection::new(line, InjectionKind::DataOut, text);
    let mut found = Vec::new();
    if !MAY_SEND.is_in(&readable.text.to_lowercase()) {
        return found;
    }
    for (line, number) in readable.without_code.lines().zip(1..) {
        found.extend(FILLED.find(line).map(|it| told(number, it.as_str())));
    }
    let tags = readable.html.iter().flat_map(|block| {
        ATTRIBUTE.captures_iter(&block.text).map(|found| LinkAddress {
            line: block.line,
            url: found["url"].to_owned(),
            is_image: found["tag"].eq_ignore_ascii_case("img"),
        })
    });
    let tags: Vec<LinkAddress> = tags.collect();
    for address in readable.addresses.iter().chain(&tags).filter(|it| it.url.contains("//")) {
        let is_filled = FILLED.is_match(&address.url)
            || (address.is_image && FILLED_IMAGE.is_match(&address.url))
            || NAMED.is_match(&address.url);
        found.extend(is_filled.then(|| told(address.line, &address.url)));
    }
    for (line, number) in readable.text.lines().zip(1..) {
        found.extend(TALK.find(line).map(|it| told(number, it.as_str())));
        found.extend(SENT.find(line).map(|it| told(number, it.as_str())));
    }
    found
}
