//! Whether a command line starts this program: however a person spells it, or as `install` spells it.

/// The program, and the packages that have it.
const NAMES: [&str; 4] =
    ["agent-memory", "agent-memory-cli", "agent-memory-in-git", "git-agent-memory"];

/// Tells whether a command line starts this program with some words: by its name or a path, through what runs packages
/// (`uvx`, `npx`, `cargo run`), or in a shell's line.
pub(super) fn starts(line: &[&str], words: &[&str]) -> bool {
    let is_quote = |c: char| ['"', '\''].contains(&c);
    let line: Vec<&str> = words_of(line).map(|word| word.trim_matches(is_quote)).collect();
    let begin = line.iter().position(|word| is_program(word));
    begin.is_some_and(|at| line[at + 1..].windows(words.len()).any(|window| window == words))
}

/// Tells whether a command line begins as `install` writes it. Only that is taken out: another spelling is a person's own,
/// and may start other programs as well.
pub(super) fn is_as_installed(line: &[&str], words: &[&str]) -> bool {
    let mut line = words_of(line);
    line.next() == Some("agent-memory") && words.iter().all(|word| line.next() == Some(word))
}

fn words_of<'a>(line: &[&'a str]) -> impl Iterator<Item = &'a str> {
    line.iter().flat_map(|part| part.split_whitespace())
}

/// Tells whether a word is this program: by name, at a path, in a version (`agent-memory@1.0`), or where `cargo` builds it.
fn is_program(word: &str) -> bool {
    let word =
        word.strip_suffix("Cargo.toml").map_or(word, |folder| folder.trim_end_matches(['/', '\\']));
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let name = name.split_once('@').map_or(name, |(name, _version)| name);
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::{is_as_installed, starts};

    #[test]
    fn a_command_line_is_ours_by_what_it_starts() {
        for line in [
            "agent-memory mcp",
            "/home/me/.cargo/bin/agent-memory mcp --root .",
            "C:\\Tools\\agent-memory.exe mcp",
            "/Users/me/My Tools/agent-memory mcp",
            "agent-memory --root /work mcp",
            "npx -y agent-memory-cli@1.2 mcp",
            "npx -y @tools/agent-memory mcp",
            "npx -y agent-memory-in-git@0.1.0 mcp",
            "pnpm dlx agent-memory-in-git mcp",
            "uvx --from agent-memory-cli agent-memory mcp",
            "cargo run -q -p agent-memory-cli -- mcp",
            "cargo run --manifest-path /src/agent-memory/Cargo.toml -- mcp",
            "sh -c \"exec 'agent-memory' mcp\"",
            "env RUST_LOG=info agent-memory mcp",
            "cmd /c agent-memory mcp",
        ] {
            assert!(starts(&[line], &["mcp"]), "{line}");
        }
        assert!(starts(
            &["/bin/agent-memory", "hook", "cursor", "stop"],
            &["hook", "cursor", "stop"]
        ));
    }

    #[test]
    fn what_starts_something_else_is_not_ours() {
        for line in [
            "other mcp",
            "agent-memory",
            "agent-memory serve",
            "my-agent-memory mcp",
            "agent-memory-server mcp",
            "other --name agent-memory-like mcp",
            "mcp agent-memory",
            "",
        ] {
            assert!(!starts(&[line], &["mcp"]), "{line}");
        }
    }

    #[test]
    fn only_the_spelling_of_install_is_taken_out() {
        for line in ["agent-memory hook claude stop", "agent-memory  hook claude stop --root ."] {
            assert!(is_as_installed(&[line], &["hook", "claude", "stop"]), "{line}");
        }
        assert!(is_as_installed(&["agent-memory", "mcp"], &["mcp"]));
        for line in [
            "lint && agent-memory hook claude stop",
            "/usr/bin/agent-memory hook claude stop",
            "sh -c 'agent-memory hook claude stop'",
            "agent-memory --root . hook claude stop",
            "agent-memory hook claude",
        ] {
            assert!(!is_as_installed(&[line], &["hook", "claude", "stop"]), "{line}");
        }
    }
}
