//! Carries text that may be a secret and never shows it.

use std::fmt;

/// A borrowed text that no formatting prints. Only the scanner looks into it.
#[derive(Clone, Copy)]
pub struct Redacted<'a>(&'a str);

impl<'a> Redacted<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self(text)
    }

    pub(super) fn expose(self) -> &'a str {
        self.0
    }
}

impl fmt::Debug for Redacted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("[withheld]")
    }
}

#[cfg(test)]
mod tests {
    use super::Redacted;

    #[test]
    fn no_formatting_shows_it() {
        let text = Redacted::new("hunter22");
        let shown = [format!("{text:?}"), format!("{text:>40?}"), format!("{:#?}", [text])];
        assert!(shown.iter().all(|shown| !shown.contains("hunter")), "{shown:?}");
    }
}
