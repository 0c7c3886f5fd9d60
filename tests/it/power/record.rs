//! Reads from `strace` what a command changed in its folder, in order.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::kind::{PROJECT, StoreKind};
use crate::crash::finish;
use crate::support::Reply;

/// The calls that the model of a disk knows, and those that it would have to learn.
const CALLS: &str = "?open,openat,?openat2,close,lseek,write,pwrite64,ftruncate,fsync,fdatasync,\
    ?rename,renameat,renameat2,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,\
    ?creat,writev,pwritev,pwritev2,truncate,fallocate,utimensat,copy_file_range,sendfile,\
    ?link,linkat,?symlink,symlinkat,dup,?dup2,dup3,clone,?clone3";

/// What the system did for a command; paths are relative to its folder.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// Opened a file so that it is there, and perhaps empty.
    Open { path: String, empty: bool },
    /// Wrote bytes.
    Write { path: String, offset: usize, bytes: Vec<u8> },
    /// Cut or stretched a file.
    Cut { path: String, length: usize },
    /// Gave a file the time that it is, to read it there.
    AskTime,
    /// Made a folder.
    MakeFolder { path: String },
    /// Gave a file or folder another name.
    Rename { from: String, to: String },
    /// Let two files change places.
    Exchange { from: String, to: String },
    /// Took a name away.
    Remove { path: String },
    /// Made a file or folder durable.
    Sync { path: String },
    /// Printed a part of the answer.
    Say,
}

/// Runs the program under `strace`; returns what it said and what it did.
pub(super) fn record(
    kind: &StoreKind,
    folder: &Path,
    words: &[&str],
    stdin: &str,
) -> (Reply, Vec<Event>) {
    let trace = folder.with_extension("trace");
    let mut command = Command::new("strace");
    // What git does when it is asked for a name is not followed.
    command.args(["-qq", "-xx", "-s", "16777216", "-e", "signal=none", "-e"]);
    command.arg(format!("trace={CALLS}")).arg("-o").arg(&trace);
    command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(kind.words(words));
    let reply = finish(command, folder, stdin);
    (reply, read(kind, &std::fs::read_to_string(trace).unwrap(), folder))
}

fn read(kind: &StoreKind, trace: &str, root: &Path) -> Vec<Event> {
    let mut reader = Reader { kind, root, open: HashMap::new(), events: Vec::new() };
    for line in trace.lines() {
        assert!(!line.contains("CLONE_THREAD"), "the model does not know threads: {line}");
        let call = Call::read(line);
        if let Some(call) = call.filter(|call| call.result >= 0) {
            reader.take(&call);
        }
    }
    reader.events
}

/// A line of a trace.
struct Call<'t> {
    name: &'t str,
    arguments: Vec<&'t str>,
    result: i64,
}

impl<'t> Call<'t> {
    fn read(line: &'t str) -> Option<Self> {
        let (head, result) = line.rsplit_once(") = ").or_else(|| line.rsplit_once(" = "))?;
        let (name, arguments) = head.split_once('(')?;
        let name = name.rsplit(' ').next()?;
        let result = result.split(' ').next()?.parse().ok()?;
        let arguments = arguments.trim_end().trim_end_matches(')').split(", ").collect();
        Some(Self { name, arguments, result })
    }

    fn number(&self, at: usize) -> i64 {
        self.arguments[at].parse().unwrap_or_else(|_| panic!("{}: {:?}", self.name, self.arguments))
    }

    fn length(&self, at: usize) -> usize {
        usize::try_from(self.number(at)).unwrap()
    }

    fn bytes(&self, at: usize) -> Vec<u8> {
        let quoted = self.arguments[at].trim_matches('"');
        let pairs = quoted.split("\\x").skip(1);
        pairs.map(|pair| u8::from_str_radix(&pair[..2], 16).unwrap()).collect()
    }

    fn text(&self, at: usize) -> String {
        String::from_utf8(self.bytes(at)).unwrap()
    }
}

/// Follows the open files of a process.
struct Reader<'r> {
    kind: &'r StoreKind,
    root: &'r Path,
    /// By descriptor: the path, if it is one of ours, and where the next byte goes.
    open: HashMap<i64, (Option<String>, usize)>,
    events: Vec<Event>,
}

impl Reader<'_> {
    fn take(&mut self, call: &Call<'_>) {
        match call.name {
            "open" => self.take_open(call, self.plain(call, 0), call.arguments[1]),
            "openat" | "openat2" => self.take_open(call, self.path(call, 0), call.arguments[2]),
            "close" => drop(self.open.remove(&call.number(0))),
            "lseek" => {
                let position = usize::try_from(call.result).unwrap();
                self.open.entry(call.number(0)).and_modify(|open| open.1 = position);
            }
            "write" | "pwrite64" => self.take_write(call),
            "ftruncate" => {
                let length = call.length(1);
                self.push(self.descriptor(call.number(0)), |path| Event::Cut { path, length });
            }
            "utimensat" => {
                assert_eq!(self.descriptor(call.number(0)), Some(self.kind.clock()));
                self.events.push(Event::AskTime);
            }
            "fsync" | "fdatasync" => {
                self.push(self.descriptor(call.number(0)), |path| Event::Sync { path });
            }
            "clone" | "clone3" => {}
            "mkdir" => self.push(self.plain(call, 0), |path| Event::MakeFolder { path }),
            "mkdirat" => self.push(self.path(call, 0), |path| Event::MakeFolder { path }),
            "unlink" | "rmdir" => self.push(self.plain(call, 0), |path| Event::Remove { path }),
            "unlinkat" => self.push(self.path(call, 0), |path| Event::Remove { path }),
            "rename" => self.take_rename(self.plain(call, 0), self.plain(call, 1)),
            "renameat2" if call.arguments[4].contains("RENAME_EXCHANGE") => {
                let (from, to) = (self.path(call, 0), self.path(call, 2));
                let (Some(from), Some(to)) = (from, to) else { return };
                self.events.push(Event::Exchange { from, to });
            }
            "renameat" | "renameat2" => self.take_rename(self.path(call, 0), self.path(call, 2)),
            unknown => {
                let touched = call.arguments[0].parse().ok().and_then(|fd| self.descriptor(fd));
                assert!(touched.is_none(), "the model does not know `{unknown}` of {touched:?}");
            }
        }
    }

    fn take_open(&mut self, call: &Call<'_>, path: Option<String>, flags: &str) {
        self.open.insert(call.result, (path.clone(), 0));
        if flags.contains("O_CREAT") || flags.contains("O_TRUNC") {
            let empty = flags.contains("O_TRUNC");
            self.push(path, |path| Event::Open { path, empty });
        }
    }

    fn take_write(&mut self, call: &Call<'_>) {
        let (descriptor, bytes) = (call.number(0), call.bytes(1));
        if descriptor == 1 {
            return self.events.push(Event::Say);
        }
        let Some((path, position)) = self.open.get_mut(&descriptor) else { return };
        let written = usize::try_from(call.result).unwrap();
        assert_eq!(bytes.len(), written, "a write of {path:?} was cut short");
        let offset = match call.arguments.get(3) {
            Some(_) => call.length(3),
            None => std::mem::replace(position, *position + written),
        };
        let path = path.clone();
        self.push(path, |path| Event::Write { path, offset, bytes });
    }

    fn take_rename(&mut self, from: Option<String>, to: Option<String>) {
        let (Some(from), Some(to)) = (from, to) else { return };
        self.events.push(Event::Rename { from, to });
    }

    fn push(&mut self, path: Option<String>, event: impl FnOnce(String) -> Event) {
        self.events.extend(path.filter(|path| !self.kind.is_rebuilt(path)).map(event));
    }

    fn descriptor(&self, descriptor: i64) -> Option<String> {
        self.open.get(&descriptor).and_then(|(path, _)| path.clone())
    }

    fn plain(&self, call: &Call<'_>, at: usize) -> Option<String> {
        self.relative(&self.root.join(call.text(at)))
    }

    /// Reads a path that stands behind the folder which it is relative to.
    fn path(&self, call: &Call<'_>, at: usize) -> Option<String> {
        let name = PathBuf::from(call.text(at + 1));
        match call.arguments[at] {
            "AT_FDCWD" => self.relative(&self.root.join(name)),
            folder => {
                let folder = self.descriptor(folder.parse().unwrap())?;
                self.relative(&self.root.join(folder).join(name))
            }
        }
    }

    fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.root).ok()?;
        let parts = inside.components().filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        });
        Some(parts.collect::<Vec<_>>().join("/"))
    }
}

#[test]
fn a_trace_becomes_events() {
    let trace = r#"openat(AT_FDCWD, "\x2f\x72\x2f\x61", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3
write(3, "\x68\x69", 2) = 2
write(3, "\x21", 1) = 1
fdatasync(3)                      = 0
close(3) = 0
rename("\x2f\x72\x2f\x61", "\x2f\x72\x2f\x62") = 0
renameat2(AT_FDCWD, "\x2f\x72\x2f\x62", AT_FDCWD, "\x2f\x72\x2f\x63", RENAME_EXCHANGE) = 0
mkdir("\x2f\x72\x2f\x62", 0777) = -1 EEXIST (File exists)
write(1, "\x7b", 1) = 1
+++ exited with 0 +++
"#;
    let (a, b) = ("a".to_owned(), "b".to_owned());
    let expected = [
        Event::Open { path: a.clone(), empty: true },
        Event::Write { path: a.clone(), offset: 0, bytes: b"hi".to_vec() },
        Event::Write { path: a.clone(), offset: 2, bytes: b"!".to_vec() },
        Event::Sync { path: a.clone() },
        Event::Rename { from: a, to: b.clone() },
        Event::Exchange { from: b, to: "c".to_owned() },
        Event::Say,
    ];
    assert_eq!(read(&PROJECT, trace, Path::new("/r")), expected);
}
