//! Tells versions and addresses, such as `v1.2.3` and `192.168.0.12`: their single figures stand in too many texts.

/// Returns the figures of a version that is written with a `v`, as `1 2 3` of `v1.2.3`; `word` begins it.
pub(super) fn version(word: &str, rest: &str) -> Option<String> {
    let major = word.strip_prefix(['v', 'V']).filter(|figures| is_number(figures))?;
    let others = rest.strip_prefix('.')?.split(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let figures = others.split('.').take_while(|figures| is_number(figures));
    let all: Vec<&str> = [major].into_iter().chain(figures).collect();
    (all.len() > 1).then(|| all.join(" "))
}

/// Tells whether the words of something without blanks are the figures of a version, or of an address.
pub(super) fn is_version(compound: &str, inner: &[&str]) -> bool {
    inner.len() > 2
        && (figures(compound, inner).is_some() || is_number(inner[0]))
        && inner[1..].iter().all(|word| is_number(word))
        && compound.contains(&inner.join("."))
}

/// Returns a version without its `v`.
pub(super) fn figures(compound: &str, inner: &[&str]) -> Option<String> {
    let first = inner.first()?;
    let (_, rest) = compound.split_once(first)?;
    version(first, rest)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
