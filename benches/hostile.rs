//! Measures the worst inputs known at three sizes: `cargo bench --bench hostile [-- --quick]`.
//!
//! What takes twice the time for twice the bytes grows by 2 with each doubling, what is quadratic by 4.
//! Engines are asked in this process; a request, a question and a look at a file are whole processes.
#![allow(clippy::too_many_lines, reason = "a table is made from left to right")]
#![allow(clippy::print_stdout, reason = "a benchmark prints a table")]
#![allow(clippy::disallowed_methods, reason = "a benchmark stands outside of the house")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use agent_memory::markdown::{Outline, rendered};
use agent_memory::project::diff::unified;
use agent_memory::project::edit::changes;
use agent_memory::secrets::Scanner;
use serde_json::json;

/// Bytes of an input; a request may have as many as the largest.
const SIZES: [usize; 3] = [64 << 10, 256 << 10, 1 << 20];

/// How often the size doubles from the first to the last.
const DOUBLINGS: f64 = 4.0;

const ROUNDS: usize = 5;
const QUICK_ROUNDS: usize = 1;

/// Markdown that takes, or once took, more time than its length explains.
const MARKDOWN: [(&str, Shape); 16] = [
    ("one line", |size| "a".repeat(size)),
    ("short lines", |size| "a\n".repeat(size / 2)),
    ("100,000 headings and more", |size| "## a\n\n".repeat(size / 6)),
    ("100,000 subheadings and more", |size| "### a\n".repeat(size / 6)),
    ("headings without words", |size| "#\n".repeat(size / 2)),
    ("headings with ids", |size| numbered(size, |n| format!("## a\n<!-- @id: a-{n} -->\n"))),
    ("headings underlined", |size| "a\n-\n".repeat(size / 4)),
    ("a heading of many lines", |size| "a\n".repeat(size / 2 - 2) + "===\n"),
    ("backticks", |size| "`".repeat(size)),
    ("brackets", |size| "[a](b".repeat(size / 5)),
    ("less-than signs", |size| "x<".repeat(size / 2)),
    ("emphasis never closed", |size| "*a_ ".repeat(size / 4)),
    ("quotes, then lazy lines", |size| ">".repeat(size / 2) + "a\n" + &"a\n".repeat(size / 4)),
    ("lists, then lazy lines", |size| "- ".repeat(size / 4) + "a\n" + &"a\n".repeat(size / 4)),
    ("lists in lists", nested),
    ("names of secrets", |size| "password=secret: ".repeat(size / 17)),
];

type Shape = fn(usize) -> String;

fn main() {
    // Cargo itself adds `--bench`.
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { QUICK_ROUNDS } else { ROUNDS };
    println!(
        "milliseconds, the best of {rounds}; growth is per doubling: 2 is linear, 4 is quadratic\n"
    );
    println!("{:<44} {:>9} {:>9} {:>9} {:>7}", "", "64 KiB", "256 KiB", "1 MiB", "growth");
    let print = |name: &str, work: &dyn Fn(usize) -> Box<dyn Fn()>| {
        let times = SIZES.map(|size| best(rounds, &work(size)));
        let growth = (times[2] / times[0]).powf(1.0 / DOUBLINGS);
        let [small, medium, large] = times;
        println!("{name:<44} {small:>9.2} {medium:>9.2} {large:>9.2} {growth:>7.1}");
    };
    engines(&print);
    let folder = tempfile::Builder::new()
        .prefix("hostile-")
        .tempdir_in(env!("CARGO_TARGET_TMPDIR"))
        .expect("the target folder can be written to");
    processes(folder.path(), &print);
}

type Print<'a> = dyn Fn(&str, &dyn Fn(usize) -> Box<dyn Fn()>) + 'a;

fn engines(print: &Print<'_>) {
    for (name, shape) in MARKDOWN {
        print(&format!("outline: {name}"), &|size| {
            let text = shape(size);
            Box::new(move || drop(Outline::read(&text)))
        });
        print(&format!("rendered: {name}"), &|size| {
            let text = shape(size);
            Box::new(move || drop(rendered(&text)))
        });
    }
    print("changes: every section is another one", &|size| {
        let before = numbered(size, |n| format!("## a{n}\n\nb{n}\n"));
        let after = numbered(size, |n| format!("## c{n}\n<!-- @id: c-{n} -->\n\nd{n}\n"));
        Box::new(move || drop(changes(&Outline::read(&before), &Outline::read(&after))))
    });
    print("diff: every line is another one", &|size| {
        let before = numbered(size, |n| format!("{}\n", n % 7919));
        let after = numbered(size, |n| format!("{}\n", n * 31 % 7907));
        Box::new(move || drop(unified("a.md", Some(&before), &after)))
    });
    print("diff: few different lines", &|size| {
        let before = numbered(size, |n| format!("{}\n", n * n % 13));
        let after = numbered(size, |n| format!("{}\n", n * n % 17));
        Box::new(move || drop(unified("a.md", Some(&before), &after)))
    });
    print("rendered: one paragraph", &|size| {
        let text = "a\n".repeat(size / 2);
        Box::new(move || drop(rendered(&text)))
    });
    for (name, piece) in [
        ("names", "password=secret: "),
        ("secrets in one line", "password=ab1cdefgh "),
        ("beginnings of keys", "-----BEGIN "),
        ("beginnings of tokens", "eyJa.eyJ"),
        ("addresses", "postgres://a:b"),
        ("names glued to names", "secret-token:"),
        ("odd values that code explains", "key:1b2c3d4e5::"),
        ("assignments in one word", "key=k8Jq2mXw7TzP4vRb"),
        ("data of secrets", "kind: Secret\ndata:\n a: b\n"),
    ] {
        print(&format!("scan: {name}"), &|size| {
            let text = piece.repeat(size / piece.len());
            Box::new(move || drop(Scanner::default().scan(&text)))
        });
    }
}

fn processes(folder: &Path, print: &Print<'_>) {
    let store = Store::make(folder);
    let propose = |request: String| -> Box<dyn Fn()> {
        let store = store.clone();
        Box::new(move || store.run(&["propose"], &request))
    };
    let raw: [(&str, Shape); 4] = [
        ("nesting", |size| "[".repeat(size)),
        ("unknown fields", |size| {
            format!("{{{}\"z\":1}}", numbered(size - 9, |n| format!("\"x{n}\":1,")))
        }),
        ("one string", |size| format!("\"{}\"", "a".repeat(size - 2))),
        ("blanks", |size| " ".repeat(size)),
    ];
    for (name, shape) in raw {
        print(&format!("propose: {name}"), &|size| propose(shape(size)));
    }
    for (name, shape) in MARKDOWN {
        print(&format!("propose: {name}"), &|size| {
            // JSON writes a line end in two bytes.
            let mut content = shape(size);
            content.truncate(size - 200 - content[..size.min(content.len())].matches('\n').count());
            propose(request(&[content]))
        });
    }
    print("propose: 64 times bullets in brackets", &|size| {
        propose(request(&vec!["[a](b".repeat(size.min(240 << 10) / 64 / 5 - 40); 64]))
    });
    print("propose: 64 changes of a file of headings", &|size| {
        let store = Store::make(&folder.join(format!("headings {size}")));
        let file = "# Shared\n\n".to_owned() + &"#\n".repeat(size.min(230 << 10) / 2);
        fs::write(store.memory.join("local/shared.md"), file).expect("writable");
        let request = request(&vec!["text".to_owned(); 64]);
        Box::new(move || store.run(&["propose"], &request))
    });
    // Each in a store of its own, as an index that holds a worse file has to forget it first.
    for (name, shape) in MARKDOWN.into_iter().filter(|(name, _)| name.contains("heading")) {
        print(&format!("doctor: {name}"), &|size| {
            let store = Store::make(&folder.join(format!("{name} {size}")));
            fs::write(store.memory.join("local/shared.md"), shape(size)).expect("writable");
            Box::new(move || store.run(&["doctor"], ""))
        });
    }
    print("search: a file of links without end", &|size| {
        let store = Store::make(&folder.join(format!("links {size}")));
        let text = "# A\n\nneedle ".to_owned() + &"[a](b ".repeat(size / 6) + "\n";
        fs::write(store.memory.join("local/shared.md"), text).expect("writable");
        Box::new(move || store.run(&["search", "needle"], ""))
    });
}

/// A request with a section for each content.
fn request(contents: &[String]) -> String {
    let operations: Vec<_> = contents
        .iter()
        .enumerate()
        .map(|(n, content)| {
            json!({ "operation": "append_section", "heading": format!("S{n}"), "content": content })
        })
        .collect();
    json!({ "intent": "update_shared", "dry_run": true, "operations": operations }).to_string()
}

/// Pieces with a number in each, up to a size.
fn numbered(size: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    for number in 0.. {
        let next = piece(number);
        if text.len() + next.len() > size {
            break;
        }
        text.push_str(&next);
    }
    text
}

/// A list in each item of a list; its depth grows with the root of the size, so lazy lines follow.
fn nested(size: usize) -> String {
    let mut text = String::new();
    for depth in 0.. {
        if text.len() > size / 2 {
            break;
        }
        text += &format!("{}- a\n", "  ".repeat(depth));
    }
    let rest = size.saturating_sub(text.len()) / 2;
    text + &"a\n".repeat(rest)
}

/// A store that the program is asked about.
#[derive(Debug, Clone)]
struct Store {
    repository: PathBuf,
    memory: PathBuf,
}

impl Store {
    fn make(folder: &Path) -> Self {
        fs::create_dir_all(folder).expect("a new folder");
        let store = Self { repository: folder.into(), memory: folder.join(".agent-memory") };
        store.run(&["init", "--root", "."], "");
        fs::create_dir_all(store.memory.join("local")).expect("a new folder");
        store
    }

    /// Runs the program; a refusal is as good an answer as any.
    fn run(&self, arguments: &[&str], input: &str) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agent-memory"));
        command.args(arguments).current_dir(&self.repository).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        // Who does not read stdin may be gone already.
        let _ = child.stdin.take().expect("stdin is piped").write_all(input.as_bytes());
        let code = child.wait().expect("the program ends").code();
        assert!(matches!(code, Some(0 | 1)), "{arguments:?} ended with {code:?}");
    }
}

/// Returns the shortest time in milliseconds.
fn best(rounds: usize, work: &dyn Fn()) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed()
    });
    times.min().unwrap_or(Duration::ZERO).as_secs_f64() * 1_000.0
}
