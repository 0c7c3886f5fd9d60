//! Tags with levels: `docs:api:v2` and `Docs/API/v2` are one tag, found by `docs` and `docs:api` too.

/// Returns a tag as filters compare it: small letters, its levels joined by `:`; empty where it has none.
pub(crate) fn canonical(tag: &str) -> String {
    levels(tag).join(":")
}

/// Returns all beginnings of some tags, level by level, without repetitions: `docs`, `docs:api`, `docs:api:v2`.
pub(crate) fn prefixes<'t>(tags: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for tag in tags {
        let levels = levels(tag);
        for count in 1..=levels.len() {
            let prefix = levels[..count].join(":");
            if !found.contains(&prefix) {
                found.push(prefix);
            }
        }
    }
    found
}

fn levels(tag: &str) -> Vec<String> {
    let parts = tag.split([':', '/']).map(|part| part.trim().to_lowercase());
    parts.filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_signs_divide_levels_and_letters_are_small() {
        assert_eq!(prefixes(["Docs/API:v2", "docs"]), ["docs", "docs:api", "docs:api:v2"]);
        assert_eq!(canonical(" Docs / API "), "docs:api");
        assert_eq!(canonical("::/"), "");
    }
}
