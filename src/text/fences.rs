//! Tells code from text.

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fences {
    open: Option<Fence>,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
}

impl Fences {
    /// Tells whether a text leaves a fence open, so that what is added behind it would be code.
    pub(crate) fn left_open(text: &str) -> bool {
        let mut fences = Self::default();
        for line in text.lines() {
            fences.covers(line);
        }
        fences.open.is_some_and(|open| open.indent < 2)
    }

    /// Takes the next line; true if it is code or a fence.
    pub(crate) fn covers(&mut self, line: &str) -> bool {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        // A fence that stands in a list ends with its item, closed or not.
        self.open =
            self.open.filter(|open| text.is_empty() || open.indent < 2 || indent >= open.indent);
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        match (self.open, mark) {
            // ``` a`b is inline code.
            (None, Some(mark)) if length >= 3 && (mark == '~' || !text[length..].contains('`')) => {
                self.open = Some(Fence { mark, length, indent });
                true
            }
            (Some(open), Some(mark)) if open.mark == mark && length >= open.length => {
                let closes = text[length..].trim().is_empty();
                self.open = self.open.filter(|_| !closes);
                true
            }
            (open, _) => open.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_closed_by_its_own_kind_only() {
        let mut fences = Fences::default();
        let covered: Vec<bool> =
            ["a", "~~~", "```", "b", "~~~~", "c"].iter().map(|line| fences.covers(line)).collect();
        assert_eq!(covered, [false, true, true, true, true, false]);
        let mut fences = Fences::default();
        let covered: Vec<bool> =
            ["- a", "  ~~~", "  b", "- c"].iter().map(|l| fences.covers(l)).collect();
        assert_eq!(covered, [false, true, true, false]);
    }
}
