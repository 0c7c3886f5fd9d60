//! The program dies, or the disk fills up, at each system call that changes something.
//!
//! `CRASH=full cargo test --test it crash` goes through all of them; a plain run takes a sample.

#![allow(clippy::print_stdout, reason = "a person who asks for all points wants to see the count")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::requests::{convention, session, shared, two_files};
use crate::support::{Reply, Sandbox};

/// The system calls that change something, as far as this program and SQLite make them.
const CALLS: &str = "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,openat,ftruncate,fallocate";

/// Points of each scene in a plain run.
const SAMPLE: usize = 12;

#[test]
fn apply_survives_a_kill() {
    Scene::apply().survives("signal=KILL:when=N");
}

#[test]
fn a_proposal_that_lands_survives_a_kill() {
    Scene::land().survives("signal=KILL:when=N");
}

#[test]
fn a_proposal_that_waits_survives_a_kill() {
    Scene::stage().survives("signal=KILL:when=N");
}

#[test]
fn reject_survives_a_kill() {
    Scene::reject().survives("signal=KILL:when=N");
}

#[test]
fn apply_survives_a_full_disk() {
    Scene::apply().survives("error=ENOSPC:when=N");
}

#[test]
fn a_proposal_that_lands_survives_a_full_disk() {
    Scene::land().survives("error=ENOSPC:when=N");
}

#[test]
fn a_proposal_that_waits_survives_a_full_disk() {
    Scene::stage().survives("error=ENOSPC:when=N");
}

#[test]
fn reject_survives_a_full_disk() {
    Scene::reject().survives("error=ENOSPC:when=N");
}

#[test]
fn apply_survives_a_disk_that_stays_full() {
    Scene::apply().survives("error=ENOSPC:when=N+");
}

#[test]
fn a_proposal_that_lands_survives_a_disk_that_stays_full() {
    Scene::land().survives("error=ENOSPC:when=N+");
}

#[test]
fn a_recovery_survives_a_kill() {
    Scene::recovery().survives("signal=KILL:when=N");
}

#[test]
fn a_recovery_survives_a_full_disk() {
    Scene::recovery().survives("error=ENOSPC:when=N");
}

#[test]
fn apply_survives_a_failing_disk() {
    Scene::apply().survives("error=EIO:when=N");
}

/// A store at the moment before a command, and that command.
struct Scene {
    sandbox: Sandbox,
    arguments: Vec<String>,
    stdin: String,
    /// Whether the change is decided already, and the command only finishes it.
    decided: bool,
}

/// What a store holds: its files without `state/` and the marker, and its log.
#[derive(PartialEq)]
struct View {
    files: BTreeMap<String, Vec<u8>>,
    log: String,
}

impl Scene {
    fn apply() -> Self {
        let sandbox = Self::store();
        let id = sandbox.propose(two_files()).staged();
        Self::new(sandbox, &["apply", &id, "--approver", "Ada", "--json"], "")
    }

    fn reject() -> Self {
        let sandbox = Self::store();
        let id = sandbox.propose(two_files()).staged();
        Self::new(sandbox, &["reject", &id, "--reason", "not like this", "--json"], "")
    }

    fn land() -> Self {
        let request = shared("Beta", "The second text of all.").to_string();
        Self::new(Self::store(), &["propose"], &request)
    }

    fn stage() -> Self {
        let request = convention("Errors", "Name the path.").to_string();
        Self::new(Self::store(), &["propose"], &request)
    }

    /// A store in which `apply` died between its first and its second file.
    fn recovery() -> Self {
        let scene = Self::apply();
        if has_strace() {
            let reply = scene.run(&scene.sandbox.project(), Some("rename:signal=KILL:when=2"));
            assert_eq!(reply.code, -1, "{}", reply.stderr);
            assert!(scene.sandbox.has("modules/auth.md") && !scene.sandbox.has("modules/net.md"));
        }
        Self { decided: true, ..Self::new(scene.sandbox, &["status", "--json"], "") }
    }

    /// A store that has been in use; without git, which would only be asked for its name.
    fn store() -> Sandbox {
        let sandbox = Sandbox::without_git();
        sandbox.run(&["init"]).expect_code(0);
        sandbox.propose(shared("Alpha", "The first text of all.")).applied();
        sandbox
    }

    fn new(sandbox: Sandbox, arguments: &[&str], stdin: &str) -> Self {
        let arguments = arguments.iter().map(|each| (*each).to_owned()).collect();
        Self { sandbox, arguments, stdin: stdin.to_owned(), decided: false }
    }

    fn survives(&self, injury: &str) {
        if !has_strace() {
            println!("skipped: there is no `strace` (Debian package `strace`)");
            return;
        }
        let old = View::of(&self.sandbox.project());
        let whole = self.copy("whole");
        let trace = self.run(&whole, None);
        assert_eq!(trace.code, 0, "{}{}", trace.stdout, trace.stderr);
        let new = View::of(&whole);
        assert!(old.files != new.files && old.log != new.log, "the command changes something");
        let mut problems = Vec::new();
        let points = sample(points(&self.trace()));
        for (call, number) in &points {
            let point = format!("{call} number {number} with {injury}");
            let folder = self.copy("case");
            let injury = injury.replace("=N", &format!("={number}"));
            let reply = self.run(&folder, Some(&format!("{call}:{injury}")));
            assert!(reply.code == -1 || self.trace().contains("INJECTED"), "{point}: no injury");
            if let Err(problem) = self.check(&folder, &reply, (&old, &new)) {
                problems.push(format!("{point}: {problem}"));
            }
        }
        let (bad, all) = (problems.len(), points.len());
        assert!(problems.is_empty(), "{bad} of {all} points:\n{}", problems.join("\n"));
        println!("{} survived {all} points with {injury}", self.arguments[0]);
    }

    /// Looks at what a run left behind, and goes on working with it.
    fn check(
        &self,
        folder: &Path,
        reply: &Reply,
        (old, new): (&View, &View),
    ) -> Result<(), String> {
        let ensure = |good: bool, what: String| if good { Ok(()) } else { Err(what) };
        let said = format!("exit {}, {}{}", reply.code, reply.stdout, reply.stderr);
        ensure(!said.contains("a bug in agent-memory"), format!("panic: {said}"))?;
        ensure([-1, 0, 2].contains(&reply.code), format!("a strange answer: {said}"))?;
        let promised = !reply.stdout.is_empty() && reply.json().get("error").is_none();

        let status = self.call(folder, &["status", "--json"], "");
        ensure(status.code == 0, format!("the next command: {}{}", status.stdout, status.stderr))?;
        let marker = session("Marker", "After the accident.").to_string();
        let next = self.call(folder, &["propose"], &marker);
        ensure(next.code == 0, format!("the next write: {}{}", next.stdout, next.stderr))?;

        let mut view = View::of(folder);
        let lines: Vec<&str> = view.log.lines().collect();
        view.log = lines[..lines.len() - 1].iter().map(|line| format!("{line}\n")).collect();
        let (is_old, is_new) = (view == *old, view == *new);
        ensure(
            is_old || is_new,
            format!("neither old nor new ({said}): {}", view.compare(old, new)),
        )?;
        let promised = promised && !self.decided;
        ensure(is_new || !promised, format!("promised and not kept: {said}"))?;
        ensure(is_new || reply.code != 0, format!("exit 0 and nothing done: {said}"))?;
        let left = fs::read_dir(folder.join(".agent-memory/state/tmp")).map_or(0, Iterator::count);
        ensure(left == 0, format!("{left} temporary files are left"))?;

        if is_old {
            let again: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
            let again = self.call(folder, &again, &self.stdin);
            let said = format!("{}{}", again.stdout, again.stderr);
            ensure(again.code == 0, format!("the second attempt: {said}"))?;
            let memory = |view: &View| -> BTreeMap<String, Vec<u8>> {
                let files = view.files.clone().into_iter();
                files
                    .filter(|(path, _)| path.ends_with(".md") && !path.starts_with("staging/"))
                    .collect()
            };
            let same = memory(&View::of(folder)) == memory(new);
            ensure(same, "the second attempt does something else".to_owned())?;
        }
        let verdict = self.call(folder, &["log", "--verify"], "");
        ensure(verdict.code == 0, format!("the log: {}{}", verdict.stdout, verdict.stderr))?;
        let doctor = self.call(folder, &["doctor"], "");
        ensure(doctor.code == 0, format!("doctor: {}", doctor.stdout))
    }

    /// Copies the store to a new folder.
    fn copy(&self, name: &str) -> PathBuf {
        let folder = self.sandbox.root().join(name);
        let _ = fs::remove_dir_all(&folder);
        copy_folder(&self.sandbox.project(), &folder);
        folder
    }

    /// Runs the command under `strace`, perhaps with an injury.
    fn run(&self, folder: &Path, inject: Option<&str>) -> Reply {
        let mut command = Command::new("strace");
        command.args(["-qq", "-s", "0", "-e", "signal=none", "-e"]).arg(format!("trace={CALLS}"));
        command.arg("-o").arg(self.sandbox.root().join("trace"));
        if let Some(inject) = inject {
            command.arg("-e").arg(format!("inject={inject}"));
        }
        command.arg(env!("CARGO_BIN_EXE_agent-memory")).args(&self.arguments);
        finish(command, folder, &self.stdin)
    }

    fn call(&self, folder: &Path, arguments: &[&str], stdin: &str) -> Reply {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments);
        finish(command, folder, stdin)
    }

    fn trace(&self) -> String {
        fs::read_to_string(self.sandbox.root().join("trace")).unwrap()
    }
}

impl View {
    fn of(folder: &Path) -> Self {
        let store = folder.join(".agent-memory");
        let mut files = BTreeMap::new();
        collect(&store, "", &mut files);
        let log = files.remove("state/log.jsonl").unwrap_or_default();
        files.retain(|path, _| !path.starts_with("state/") && !path.starts_with("sessions/"));
        Self { files, log: String::from_utf8(log).unwrap() }
    }

    /// Says in which files a view is another.
    fn compare(&self, old: &Self, new: &Self) -> String {
        let apart = |other: &Self| -> Vec<String> {
            let all = self.files.keys().chain(other.files.keys());
            let mut paths: Vec<String> = all
                .filter(|path| self.files.get(*path) != other.files.get(*path))
                .cloned()
                .collect();
            paths.dedup();
            paths.extend((self.log != other.log).then(|| format!("log {}", self.log)));
            paths
        };
        json!({ "not as old": apart(old), "not as new": apart(new) }).to_string()
    }
}

fn has_strace() -> bool {
    Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok()
}

/// Reads from a trace which call is to be hurt at which of its numbers.
fn points(trace: &str) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for line in trace.lines() {
        let Some((call, rest)) = line.split_once('(') else { continue };
        let number = counts.entry(call).and_modify(|count| *count += 1).or_insert(1);
        // Opening a file for reading changes nothing.
        if call != "openat" || rest.contains("O_CREAT") || rest.contains("O_TRUNC") {
            found.push((call.to_owned(), *number));
        }
    }
    assert!(found.len() > 10, "the trace is too short: {trace}");
    found
}

/// Takes some of the points, evenly spread, or all of them where it is asked for.
fn sample(points: Vec<(String, usize)>) -> Vec<(String, usize)> {
    if std::env::var("CRASH").is_ok_and(|value| value == "full") {
        return points;
    }
    let step = points.len().div_ceil(SAMPLE).max(1);
    // An odd step does not keep to one of two calls that take turns.
    points.into_iter().step_by(step | 1).collect()
}

fn finish(mut command: Command, folder: &Path, stdin: &str) -> Reply {
    let input = folder.with_extension("stdin");
    fs::write(&input, stdin).unwrap();
    command.current_dir(folder).env_clear().env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z");
    command.env("HOME", folder).stdin(fs::File::open(&input).unwrap());
    Reply::of(command.output().unwrap())
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy_folder(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type().unwrap().is_dir() {
            true => collect(&entry.path(), &format!("{path}/"), files),
            false => drop(files.insert(path, fs::read(entry.path()).unwrap())),
        }
    }
}

#[test]
fn a_trace_is_read_by_call_and_number() {
    let line = "openat(3, \"\", O_RDONLY) = 3\nopenat(3, \"\", O_WRONLY|O_CREAT) = 4\nwrite(4, \"\"..., 1) = 1\n";
    let text = line.to_owned() + &"fsync(4) = 0\n".repeat(10);
    let expected: [(String, usize); 2] = [("openat".to_owned(), 2), ("write".to_owned(), 1)];
    assert_eq!(points(&text)[..2], expected);
}
