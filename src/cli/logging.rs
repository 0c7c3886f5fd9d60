//! Logs what the program does, where `AGENT_MEMORY_LOG` asks for it: one line an event, on stderr or in a file.
//!
//! Other rooms only tell events. Here each field and each whole line is shown as a name is shown, so that no secret and
//! no control character is logged, whatever a caller puts into an event.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};

use tracing::Level;
use tracing::field::{Field, Visit};
use tracing_subscriber::Layer;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{FormatFields, layer};
use tracing_subscriber::layer::SubscriberExt;

use super::environment;
use super::output::Output;
use crate::disk::open_log_file;
use crate::secrets::shown_name;
use crate::text::within_bytes;

/// Bytes of a line at most.
const LINE: usize = 2_000;

/// Begins to log, if that is asked for. A wrong setting is a warning: it must not keep a command from its work.
pub(super) fn start(output: Output) {
    let Some(wanted) = environment::log_level() else { return };
    let Some(level) = level(&wanted) else {
        output.warn(&format!(
            "`AGENT_MEMORY_LOG` is `{wanted}`, and can be `info`, `debug` or `trace`; nothing is logged"
        ));
        return;
    };
    let file = match environment::log_file().map(|path| open_log_file(&path)).transpose() {
        Ok(file) => file,
        Err(error) => {
            output.warn(&format!("{error}; `AGENT_MEMORY_LOG` logs to stderr"));
            None
        }
    };
    // The packages below would tell the contents of messages.
    let ours = Targets::new().with_target(env!("CARGO_CRATE_NAME"), level);
    let lines = layer()
        .with_ansi(false)
        .with_target(false)
        .with_timer(Clock)
        .fmt_fields(ShownFields)
        .with_writer(move || LogLines(file.as_ref().and_then(|file| file.try_clone().ok())));
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(ours));
    // Only this function sets one.
    let _ = tracing::subscriber::set_global_default(subscriber);
}

fn level(wanted: &str) -> Option<Level> {
    match wanted {
        "info" => Some(Level::INFO),
        "debug" => Some(Level::DEBUG),
        "trace" => Some(Level::TRACE),
        _ => None,
    }
}

struct Clock;

impl FormatTime for Clock {
    fn format_time(&self, out: &mut Writer<'_>) -> fmt::Result {
        environment::timestamp().map_or(Ok(()), |now| write!(out, "{now}"))
    }
}

/// Writes the fields of an event, each as a name is shown.
struct ShownFields;

impl<'w> FormatFields<'w> for ShownFields {
    fn format_fields<R: RecordFields>(&self, out: Writer<'w>, fields: R) -> fmt::Result {
        let mut shown = FieldWriter { out, gap: "", done: Ok(()) };
        fields.record(&mut shown);
        shown.done
    }
}

struct FieldWriter<'w> {
    out: Writer<'w>,
    /// What stands before the next field.
    gap: &'static str,
    done: fmt::Result,
}

impl FieldWriter<'_> {
    fn put(&mut self, field: &Field, value: &str) {
        let (gap, value) = (self.gap, shown_name(value));
        let written = match field.name() {
            "message" => write!(self.out, "{gap}{value}"),
            name => write!(self.out, "{gap}{name}={value}"),
        };
        self.gap = " ";
        self.done = self.done.and(written);
    }
}

impl Visit for FieldWriter<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, &format!("{value:?}"));
    }
}

/// Writes whole lines to the file, else to stderr. What cannot be written is lost: no command fails by its log.
struct LogLines(Option<File>);

impl Write for LogLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = shown_line(&String::from_utf8_lossy(bytes));
        // In one write, as several processes may append to one file.
        let _ = match &mut self.0 {
            Some(file) => file.write_all(line.as_bytes()),
            None => io::stderr().lock().write_all(line.as_bytes()),
        };
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Shows a line as a name is shown, up to a bound.
fn shown_line(line: &str) -> String {
    let shown = shown_name(line.trim_end_matches('\n'));
    match shown.len() > LINE {
        true => format!("{}…\n", within_bytes(&shown, LINE)),
        false => format!("{shown}\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_bound_and_hides_nothing() {
        assert_eq!(shown_line("a\nb\u{1b}[2J\n"), "a<U+000A>b<U+001B>[2J\n");
        let long = shown_line(&"ä".repeat(LINE));
        assert!(long.len() < LINE + 10 && long.ends_with("…\n"), "{}", long.len());
    }

    #[test]
    fn three_levels_are_known() {
        assert_eq!(["info", "debug", "trace"].map(|it| level(it).is_some()), [true; 3]);
        assert_eq!(level("error").or(level("TRACE")), None);
    }
}
