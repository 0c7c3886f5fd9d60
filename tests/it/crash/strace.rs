//! Runs the program under `strace`, which lists what it changes, and hurts it at one of these calls.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// The system calls that change something, as far as this program, SQLite and the C library make them.
///
/// Those with a question mark are unknown on some machines.
const CALLS: &str = "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,msync,\
    ?rename,renameat,renameat2,?link,linkat,?symlink,symlinkat,?unlink,unlinkat,?rmdir,?mkdir,mkdirat,\
    ?open,openat,?openat2,?creat,truncate,ftruncate,fallocate,copy_file_range,sendfile,\
    ?chmod,fchmod,fchmodat,utimensat,flock";

/// Points of each scene in a plain run.
const SAMPLE: usize = 8;

/// Tells whether there is `strace`; says what is left out without it.
pub(crate) fn has_strace() -> bool {
    let there = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok();
    if !there {
        println!("skipped: there is no `strace` (Debian package `strace`)");
    }
    there
}

/// Prepares a run that writes its trace to a file, perhaps with an injury.
pub(super) fn command(trace: &Path, injury: Option<&str>) -> Command {
    over(Command::new("strace"), trace, injury)
}

/// Does the same for a program with many threads, each of which counts its calls by itself; only of those to a file, if
/// one is given, in a store.
pub(super) fn command_of_threads(trace: &Path, injury: Option<&str>) -> Command {
    let mut command = Command::new("strace");
    command.arg("-f");
    over(command, trace, injury)
}

fn over(mut command: Command, trace: &Path, injury: Option<&str>) -> Command {
    command.args(["-qq", "-s", "0", "-e", "signal=none", "-e"]).arg(format!("trace={CALLS}"));
    command.arg("-o").arg(trace);
    if let Some(injury) = injury {
        command.arg("-e").arg(format!("inject={injury}"));
    }
    command.arg(env!("CARGO_BIN_EXE_agent-memory"));
    command
}

/// Reads from a trace which call is to be hurt at which of its numbers.
pub(super) fn points(trace: &str) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found = Vec::new();
    for line in trace.lines() {
        // Where there are many threads a line begins with the number of its own.
        let (thread, line) =
            line.split_at(line.find(|c: char| c.is_ascii_lowercase()).unwrap_or(0));
        let Some((call, rest)) = line.split_once('(') else { continue };
        let number = counts.entry((thread, call)).and_modify(|count| *count += 1).or_insert(1);
        // Opening a file for reading changes nothing.
        if !call.starts_with("open") || rest.contains("O_CREAT") || rest.contains("O_TRUNC") {
            found.push((call.to_owned(), *number));
        }
    }
    assert!(found.len() > 2, "the trace is too short: {trace}");
    found
}

/// Takes some of the points, evenly spread, or all of them where it is asked for.
pub(super) fn sample(points: Vec<(String, usize)>) -> Vec<(String, usize)> {
    if is_full() {
        return points;
    }
    let step = points.len().div_ceil(SAMPLE).max(1);
    // An odd step does not keep to one of two calls that take turns.
    points.into_iter().step_by(step | 1).collect()
}

/// Tells whether a person asks for all points: `CRASH=full`.
pub(crate) fn is_full() -> bool {
    std::env::var("CRASH").is_ok_and(|value| value == "full")
}

#[test]
fn a_trace_is_read_by_call_and_number() {
    let line = "openat(3, \"\", O_RDONLY) = 3\nopenat(3, \"\", O_WRONLY|O_CREAT) = 4\nwrite(4, \"\"..., 1) = 1\n";
    let text = line.to_owned() + &"fsync(4) = 0\n".repeat(10);
    let expected: [(String, usize); 2] = [("openat".to_owned(), 2), ("write".to_owned(), 1)];
    assert_eq!(points(&text)[..2], expected);
}
