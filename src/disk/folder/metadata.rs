//! The metadata of a path.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PathMetadata {
    pub(crate) kind: FileKind,
    pub(crate) size: u64,
    /// Nanoseconds since 1970.
    pub(crate) modified: i64,
    /// The last change of content or metadata, which no user can set back; 0 where unknown.
    pub(crate) changed: i64,
    /// Changes when the file is replaced; 0 where unknown.
    pub(crate) inode: i64,
    /// The file system; 0 where unknown.
    pub(crate) device: u64,
    /// Whether it has a second name.
    pub(crate) is_linked: bool,
    /// The permissions as on Unix; all where unknown.
    pub(crate) mode: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileKind {
    File,
    Folder,
    Link,
    Pipe,
    Socket,
    Device,
}

impl FileKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}
