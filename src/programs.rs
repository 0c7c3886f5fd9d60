//! Tells a program something on its stdin, and gives it a limited time.

use std::io::{ErrorKind, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Pause between two looks whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a program with a text of some hundred bytes on stdin; says what went wrong, if anything did. What it prints is
/// lost, as stdout may be the wire of a protocol.
pub(crate) fn tell(program: &[String], text: &str, limit: Duration) -> Result<(), String> {
    let [name, arguments @ ..] = program else { return Ok(()) };
    let mut command = Command::new(name);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("it cannot be started: {error}"))?;
    if let Some(mut stdin) = child.stdin.take()
        // The text fits into the pipe, and a program need not read it.
        && let Err(error) = stdin.write_all(text.as_bytes())
        && error.kind() != ErrorKind::BrokenPipe
    {
        end(&mut child);
        return Err(format!("it cannot be written to: {error}"));
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

fn wait(child: &mut Child, until: Instant) -> std::io::Result<Option<ExitStatus>> {
    loop {
        let ended = child.try_wait()?;
        if ended.is_some() || Instant::now() >= until {
            return Ok(ended);
        }
        sleep(PAUSE);
    }
}

fn end(child: &mut Child) {
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
}
