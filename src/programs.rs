//! Programs that have a limited time: one that takes longer is ended, with all that it started.

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

/// Runs a program with a text on stdin; says what went wrong, if anything did. What it prints is
/// lost, as stdout may be the wire of a protocol.
pub(crate) fn tell(program: &[String], text: &str, limit: Duration) -> Result<(), String> {
    let [name, arguments @ ..] = program else { return Ok(()) };
    let mut command = Command::new(name);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    in_a_group_of_its_own(&mut command);
    let mut child = command.spawn().map_err(|error| format!("it cannot be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        let text = text.to_owned();
        // A program need not read it, and a long one may not fit into the pipe. With the program the pipe ends.
        thread::spawn(move || drop(stdin.write_all(text.as_bytes())));
    }
    match wait(&mut child, Instant::now() + limit) {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => Err(format!("it ended with {status}")),
        Ok(None) => {
            end(&mut child);
            Err(format!("it was ended after {} s", limit.as_secs()))
        }
        Err(error) => Err(format!("its end is not known: {error}")),
    }
}

/// Keeps a program and all that it starts together, so that `end` ends all of them.
pub(crate) fn in_a_group_of_its_own(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Waits for the end; `None` on a timeout.
pub(crate) fn wait(child: &mut Child, until: Instant) -> io::Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(50);
    loop {
        let ended = child.try_wait()?;
        if ended.is_some() || Instant::now() >= until {
            return Ok(ended);
        }
        sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends a program that has a group of its own, with all that it started.
pub(crate) fn end(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Result<(), String> {
        let program = ["sh", "-c", script].map(str::to_owned);
        tell(&program, "a text\n", Duration::from_millis(300))
    }

    #[test]
    fn a_program_gets_the_text_and_its_failure_is_told() {
        assert_eq!(shell("read -r text; test \"$text\" = 'a text'"), Ok(()));
        assert_eq!(shell("exit 0"), Ok(()));
        assert!(shell("exit 3").unwrap_err().contains("exit status: 3"));
        assert!(shell("exec sleep 60").unwrap_err().contains("was ended after"));
        let absent = ["/there/is/no/such/program".to_owned()];
        assert!(tell(&absent, "", Duration::ZERO).unwrap_err().contains("cannot be started"));
        assert_eq!(tell(&[], "", Duration::ZERO), Ok(()));
    }

    #[test]
    fn what_it_started_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let child = format!("(sleep 1; touch {}) & sleep 60", mark.display());
        assert!(shell(&child).unwrap_err().contains("was ended after"));
        sleep(Duration::from_millis(1_500));
        assert!(!mark.exists());
    }
}
