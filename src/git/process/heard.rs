//! What a program said, and how much of it is kept.

use std::io;

/// The most that a program may answer.
pub(in crate::git) const ANSWER_MIB: usize = 256;

pub(super) const ANSWER: usize = ANSWER_MIB * 1024 * 1024;

/// Bytes of stderr to keep.
pub(super) const TALK: usize = 64 * 1024;

#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) answer: Vec<u8>,
    pub(super) talk: Vec<u8>,
}

pub(super) fn too_much() -> io::Error {
    io::ErrorKind::FileTooLarge.into()
}
