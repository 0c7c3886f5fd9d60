//! Reads files whose size changed, or that return few bytes at a time.

use super::*;

const TEXT: &[u8] = b"12345678";

/// Returns few bytes per read, for a limited number of reads, perhaps after an interruption.
struct Slow {
    rest: &'static [u8],
    most: usize,
    times: usize,
    is_interrupted: bool,
}

impl Read for Slow {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_interrupted) {
            return Err(IoKind::Interrupted.into());
        }
        self.times = self.times.checked_sub(1).expect("it is not asked so often");
        let room = buffer.len().min(self.most);
        self.rest.read(&mut buffer[..room])
    }
}

/// Reads from a file whose metadata says this size.
fn read_said(size: u64, limit: u64, file: Slow) -> Vec<u8> {
    let (kind, device, is_linked) = (FileKind::File, 0, false);
    let metadata =
        PathMetadata { kind, size, modified: 0, changed: 0, inode: 0, device, is_linked, mode: 0 };
    read_open(file, metadata, limit).expect("it is read")
}

#[test]
fn a_file_is_read_to_its_end_where_its_size_was_another() {
    for (size, most) in [0, 4, 7, 8, 9, 4_096].iter().flat_map(|s| [1, 3, 4_096].map(|m| (*s, m))) {
        for is_interrupted in [false, true] {
            let file = || Slow { rest: TEXT, most, times: usize::MAX, is_interrupted };
            assert_eq!(read_said(size, u64::MAX, file()), TEXT, "{size}, {most}");
            assert_eq!(read_said(size, 5, file()), TEXT[..5], "{size}, {most}");
        }
    }
}

#[test]
fn a_read_that_stops_at_the_size_gives_the_file_as_it_was() {
    let file = Slow { rest: TEXT, most: 4, times: 1, is_interrupted: false };
    assert_eq!(read_said(4, u64::MAX, file), TEXT[..4]);
}

#[test]
fn the_end_is_met_with_the_last_bytes() {
    let file = Slow { rest: TEXT, most: usize::MAX, times: 1, is_interrupted: false };
    assert_eq!(read_said(8, u64::MAX, file), TEXT);
}
