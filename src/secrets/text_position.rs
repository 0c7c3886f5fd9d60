//! Counts lines and characters up to a byte.

pub(super) struct TextPosition {
    offset: usize,
    line: usize,
    column: usize,
}

impl Default for TextPosition {
    fn default() -> Self {
        Self { offset: 0, line: 1, column: 1 }
    }
}

impl TextPosition {
    /// Line and column of an offset, both counted from 1. Offsets must not go back.
    pub(super) fn advance(&mut self, text: &str, offset: usize) -> (usize, usize) {
        let between = &text[self.offset..offset];
        let last_line = match between.rfind('\n') {
            Some(newline) => {
                self.line += between.bytes().filter(|byte| *byte == b'\n').count();
                self.column = 1;
                &between[newline + 1..]
            }
            None => between,
        };
        self.column += last_line.chars().count();
        self.offset = offset;
        (self.line, self.column)
    }
}
