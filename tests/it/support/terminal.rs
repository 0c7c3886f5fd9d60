//! A person at a terminal: presses keys, reads what stands there.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::Sandbox;

/// How long a question may take to appear.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program at a terminal that `script` makes.
pub(crate) struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: Arc<Mutex<Vec<u8>>>,
    seen: usize,
}

impl Terminal {
    /// Runs a command of the program in a window of some columns.
    pub(crate) fn run(
        sandbox: &Sandbox,
        arguments: &str,
        columns: u16,
        variables: &[(&str, &str)],
    ) -> Self {
        Self::start(sandbox, arguments, columns, &[variables, &[("NO_COLOR", "1")]].concat())
    }

    /// Runs a command of the program as `nohup` would; its exit code is written to a file, too.
    pub(crate) fn deaf_to_its_end(sandbox: &Sandbox, arguments: &str) -> (Self, PathBuf) {
        let code = sandbox.root().join("code");
        let arguments = format!("{arguments}; echo $? > {}", code.display());
        (Self::start(sandbox, &arguments, 80, &[("BEFORE", "trap '' HUP")]), code)
    }

    /// Runs a command of the program in a window of 80 columns, in colour.
    pub(crate) fn in_colour(sandbox: &Sandbox, arguments: &str) -> Self {
        Self::start(sandbox, arguments, 80, &[])
    }

    fn start(sandbox: &Sandbox, arguments: &str, columns: u16, variables: &[(&str, &str)]) -> Self {
        let program = env!("CARGO_BIN_EXE_agent-memory");
        let line = format!(
            "eval \"$BEFORE\"; tty > {tty}; stty rows 50 cols {columns}; {program} {arguments}; echo code=$?",
            tty = sandbox.root().join("tty").display()
        );
        let mut command = Command::new("script");
        command.args(["--quiet", "--flush", "--command", &line, "/dev/null"]);
        command.current_dir(sandbox.project()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs([("TERM", "xterm"), ("SHELL", "/bin/sh")]);
        command.env("HOME", sandbox.root().join("home"));
        command.env("AGENT_MEMORY_NOW", "2026-11-20T10:00:00Z").env("AGENT_MEMORY_PAGER", "cat");
        command.envs(variables.iter().copied());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("`script` comes with util-linux");
        let screen = Arc::new(Mutex::new(Vec::new()));
        let (mut output, written) = (child.stdout.take().unwrap(), Arc::clone(&screen));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                written.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        let keys = child.stdin.take().unwrap();
        Self { child, keys, screen, seen: 0 }
    }

    /// Waits until a text appears below what was seen last, and returns all up to it.
    pub(crate) fn wait_for(&mut self, text: &str) -> String {
        self.wait_for_any(&[text])
    }

    fn wait_for_any(&mut self, texts: &[&str]) -> String {
        let start = Instant::now();
        loop {
            let screen = self.screen();
            let new = &screen[self.seen..];
            let ends = texts.iter().filter_map(|text| Some(new.find(text)? + text.len()));
            if let Some(end) = ends.min() {
                let shown = new[..end].to_owned();
                self.seen += end;
                return shown;
            }
            assert!(start.elapsed() < PATIENCE, "no {texts:?} in {new}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the question, and answers it.
    pub(crate) fn answer(&mut self, question: &str, keys: &str) -> String {
        let shown = self.wait_for(question);
        self.press(keys);
        shown
    }

    /// Waits for the end, with Enter where a review asks behind its last proposal; returns the exit code.
    pub(crate) fn end(mut self) -> (String, i32) {
        let mut shown = self.wait_for_any(&["[u,q] ", "code="]);
        if !shown.ends_with("code=") {
            self.press("\r");
            shown += &self.wait_for("code=");
        }
        self.wait_for("\n");
        let screen = self.screen();
        let code = screen.rsplit_once("code=").unwrap().1.trim().parse().unwrap();
        let _ = self.child.wait();
        (shown, code)
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().unwrap()).replace('\r', "")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
