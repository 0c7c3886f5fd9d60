//! Three stores, one of which means no good.

use std::fs;
use std::os::unix::fs::symlink;

use super::stage::{beside, read_beside, record, results, with_handbook, write_beside};
use crate::support::Sandbox;

/// A handbook, and a store with links, a secret, a hidden character and a store that it reads itself.
fn with_a_hostile_one() -> (Sandbox, String) {
    let secret = format!("AKIA{}", "IOSFODNN7EXAMPLQ");
    let sandbox = with_handbook(&[]);
    let key = record("key", &format!("The zebra key is {secret}."));
    let files = [
        ("config.toml", "version = 1\n[[read]]\nname = \"third\"\npath = \"../third\"\n"),
        ("decisions/key.md", key.as_str()),
        ("decisions/hidden.md", "# Hidden\n\nOne zebra \u{202e}word.\n"),
        ("decisions/fine.md", "# Fine\n<!-- @id: fine -->\n\nA zebra is fine.\n"),
        ("local/current.main.md", "# State\n\nA zebra of another person.\n"),
        ("sessions/2026-11-20.md", "# 2026-11-20\n\n## Morning\n\nA zebra in the morning.\n"),
    ];
    write_beside(&sandbox, "hostile", &files);
    write_beside(&sandbox, "third", &[("conventions.md", "# Third\n\nA zebra too many.\n")]);
    fs::write(sandbox.root().join("home/private.md"), "# Private\n\nA private zebra.\n").unwrap();
    let at = |path: &str| beside(&sandbox, "hostile").join(path);
    symlink(sandbox.root().join("home/private.md"), at("decisions/private.md")).unwrap();
    symlink(sandbox.root().join("home"), at("modules")).unwrap();
    read_beside(&sandbox, "hostile");
    (sandbox, secret)
}

#[test]
fn of_a_hostile_store_only_what_is_fit_is_read() {
    let (sandbox, secret) = with_a_hostile_one();
    for words in [&["search", "zebra"][..], &["ls"], &["context"], &["context", "zebra"]] {
        let reply = sandbox.run(words).expect_code(0);
        let said = format!("{}{}", reply.stdout, reply.stderr);
        assert!(reply.stdout.contains("hostile:decisions/fine.md"), "{words:?}: {said}");
        for word in ["rivate zebra", "too many", "another person", "in the morning", &secret] {
            assert!(!said.contains(word), "{words:?}: {said}");
        }
        if words != ["context", "zebra"] {
            let key = "`hostile:decisions/key.md` is";
            assert!(said.contains(key) && said.contains("line 8 looks like a secret"), "{said}");
            assert!(said.contains("holds the hidden character U+202E on line 3"), "{said}");
        }
    }
    let state = fs::read(sandbox.store().join("state/index.sqlite")).unwrap();
    assert!(!String::from_utf8_lossy(&state).contains(&secret));
    let said = sandbox.run(&["show", "hostile:decisions/key.md"]).expect_code(1).stderr;
    assert!(said.contains("line 8 looks like a secret") && !said.contains(&secret), "{said}");
    for path in ["hostile:decisions/private.md", "hostile:../../home/private.md", "third:x.md"] {
        let said = sandbox.run(&["show", path]).expect_code(1).stderr;
        assert!(said.contains("no other store that is read has a file"), "{path}: {said}");
    }
}

#[test]
fn a_store_of_another_format_is_left_out_with_a_line() {
    let sandbox = with_handbook(&[("config.toml", "version = 2\n")]);
    for words in [&["search", "ledger"][..], &["ls"], &["context"]] {
        let reply = sandbox.run(words).expect_code(0);
        assert!(!reply.stdout.contains("handbook"), "{words:?}: {}", reply.stdout);
        let expected = "the store `handbook` is left out: it is not read: made by a newer agent-memory (2); this one knows 1";
        assert_eq!(reply.stderr.matches(expected).count(), 1, "{words:?}: {}", reply.stderr);
    }
}

#[test]
fn no_link_leads_to_another_store() {
    let sandbox = Sandbox::new();
    write_beside(&sandbox, "real", &[("conventions.md", "# Real\n\nA zebra.\n")]);
    symlink("real", sandbox.root().join("handbook")).unwrap();
    read_beside(&sandbox, "handbook");
    fs::create_dir(sandbox.root().join("inner")).unwrap();
    symlink(beside(&sandbox, "real"), beside(&sandbox, "inner")).unwrap();
    read_beside(&sandbox, "inner");
    let reply = sandbox.run(&["search", "zebra"]).expect_code(0);
    assert_eq!(reply.stdout, "");
    for name in ["handbook", "inner"] {
        let expected = format!("the store `{name}` is left out: `../{name}` is not read: it");
        assert!(reply.stderr.contains(&expected), "{}", reply.stderr);
    }
    assert!(reply.stderr.contains("a symbolic link"), "{}", reply.stderr);
}

#[test]
fn a_store_that_is_gone_damaged_or_this_one_keeps_no_command_from_its_work() {
    let sandbox = with_handbook(&[("schemas/decisions.toml", "category = = 1\n")]);
    read_beside(&sandbox, "gone");
    sandbox.append("config.toml", "\n[[read]]\nname = \"self\"\npath = \"../project\"\n");
    sandbox.write("decisions/ours.md", record("ours", "Ours is a ledger."));
    let reply = sandbox.run(&["search", "ledger"]).expect_code(0);
    assert!(reply.stdout.starts_with("decisions/ours.md"), "{}", reply.stdout);
    for expected in [
        "the store `handbook` is left out: not valid TOML",
        "the store `gone` is left out: there is no store in `../gone`",
        "the store `self` is left out: `../project` is this store itself",
    ] {
        assert!(reply.stderr.contains(expected), "{}", reply.stderr);
    }
    assert_eq!(results(&sandbox, &["ledger"]).len(), 1);
}
