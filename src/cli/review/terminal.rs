//! The keyboard and the size of the screen.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal;

use crate::cli::columns::{width, wrap};
use crate::error::{Error, ErrorKind, Result};

/// How long to poll for keys that were pressed before; a poll without time finds none.
const AT_ONCE: Duration = Duration::from_millis(1);

/// How often to test whether the terminal is gone.
const NOTICE: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum PressedKey {
    Char(char),
    Enter,
    Erase,
    Escape,
    /// Ctrl-C or Ctrl-D.
    Interrupt,
    Other,
}

/// Raw mode, until it is dropped.
struct Raw;

impl Raw {
    fn enter() -> Result<Self> {
        terminal::enable_raw_mode().map_err(failed)?;
        Ok(Self)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = terminal::disable_raw_mode();
    }
}

/// Returns columns and rows.
pub(in crate::cli) fn size() -> (usize, usize) {
    // A terminal without a known size reports 0.
    let known = terminal::size().ok().filter(|(columns, rows)| *columns > 0 && *rows > 0);
    let (columns, rows) = known.unwrap_or((80, 24));
    (usize::from(columns).clamp(20, 160), usize::from(rows).max(4))
}

/// Reads one key. Keys that were pressed before the question are dropped.
pub(in crate::cli) fn key(question: &str) -> Result<PressedKey> {
    let _raw = Raw::enter()?;
    while event::poll(AT_ONCE).map_err(failed)? {
        event::read().map_err(failed)?;
    }
    ask(question);
    let key = next_key()?;
    match key {
        PressedKey::Char(letter) => show(&format!("{letter}\r\n")),
        _ => show("\r\n"),
    }
    Ok(key)
}

/// Reads a line; nothing if the person cancels.
pub(in crate::cli) fn line(question: &str) -> Result<Option<String>> {
    let _raw = Raw::enter()?;
    let question = ask(question);
    let mut line = String::new();
    loop {
        match next_key()? {
            PressedKey::Char(letter) => {
                line.push(letter);
                show(letter.encode_utf8(&mut [0; 4]));
            }
            PressedKey::Erase => {
                // The whole line is written again, because a letter may take two columns, or none.
                let rows = rows_below(&format!("{question}{line}"));
                let up = if rows > 0 { format!("\x1b[{rows}A") } else { String::new() };
                line.pop();
                show(&format!("{up}\r\x1b[J{question}{line}"));
            }
            PressedKey::Enter => {
                show("\r\n");
                return Ok(Some(line.trim().to_owned()));
            }
            PressedKey::Escape | PressedKey::Interrupt => {
                show("\r\n");
                return Ok(None);
            }
            PressedKey::Other => {}
        }
    }
}

/// Writes a wrapped question and returns its last row.
fn ask(question: &str) -> String {
    let wrapped = wrap(question, size().0) + " ";
    show(&wrapped.replace('\n', "\r\n"));
    wrapped.rsplit('\n').next().unwrap_or_default().to_owned()
}

fn rows_below(line: &str) -> usize {
    let columns: usize = line.chars().map(width).sum();
    columns.saturating_sub(1)
        / terminal::size().map_or(80, |(columns, _)| usize::from(columns.max(1)))
}

fn next_key() -> Result<PressedKey> {
    loop {
        if !event::poll(NOTICE).map_err(failed)? {
            // Under `nohup` no signal tells that the window was closed, and the loop would never end.
            if !io::stdin().is_terminal() {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()));
            }
            continue;
        }
        match event::read().map_err(failed)? {
            Event::Key(key) if key.kind != KeyEventKind::Release => return Ok(meaning(key)),
            // A change of the window size does not move the question.
            _ => {}
        }
    }
}

fn meaning(key: KeyEvent) -> PressedKey {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c' | 'd') if control => PressedKey::Interrupt,
        KeyCode::Char(letter) if !control => PressedKey::Char(letter),
        KeyCode::Enter => PressedKey::Enter,
        KeyCode::Backspace => PressedKey::Erase,
        KeyCode::Esc => PressedKey::Escape,
        _ => PressedKey::Other,
    }
}

fn show(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

fn failed(cause: io::Error) -> Error {
    Error::new(ErrorKind::Io, "the terminal does not answer").because(cause)
}
