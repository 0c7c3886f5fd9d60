//! What a change or a process leaves behind is looked at by the next who reads.

use std::fs;
use std::io::{Seek, Write};

use crate::requests::{pitfall_bullet, session};
use crate::support::{Sandbox, files_in};

#[test]
fn an_editor_that_had_a_file_open_before_a_change_loses_nothing() {
    let trap = "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n\n- the first bullet\n";
    let sandbox = Sandbox::given(&[("pitfalls.md", trap)]);
    // As `nano` and VS Code do: empty it, then write it.
    let mut editor = fs::File::create(sandbox.store().join("pitfalls.md")).unwrap();
    sandbox.propose(session("Today", "Done.")).applied();
    editor.write_all(trap.as_bytes()).unwrap();
    let request = pitfall_bullet("trap", "- the second bullet");
    sandbox.propose(request).applied();
    let edited = trap.replace("the first", "by hand, the first");
    editor.rewind().unwrap();
    editor.write_all(edited.as_bytes()).unwrap();
    assert!(sandbox.file("pitfalls.md").contains("the second bullet"));

    let status = sandbox.run(&["status"]).expect_code(0);
    let said = "`pitfalls.md` was saved by a program that had it open since before a change";
    assert!(status.stderr.contains(said), "{}", status.stderr);
    let kept = status.stderr.trim_end().trim_end_matches('`').rsplit('`').next().unwrap();
    assert_eq!(sandbox.file(kept), edited);
    assert_eq!(sandbox.run(&["status"]).expect_code(0).stderr, "");
    sandbox.run(&["doctor"]).expect_code(0);
}

#[test]
fn a_reader_takes_away_what_a_process_that_died_left() {
    let sandbox = Sandbox::new();
    sandbox.propose(session("Today", "Done.")).applied();
    sandbox.write("state/tmp/7.0", "a new text that never came about");
    let lock = sandbox.hold_lock();
    sandbox.run(&["search", "done"]).expect_code(0);
    assert!(sandbox.has("state/tmp/7.0"), "who holds the lock may be about to need it");
    drop(lock);
    sandbox.run(&["search", "done"]).expect_code(0);
    assert!(!sandbox.has("state/tmp/7.0"));
}

#[test]
fn a_secret_in_a_file_that_is_made_anew_is_kept_nowhere() {
    let key = ["AKIA", "3QZ7WLN2VXKD5RTY"].concat();
    for command in [&["reindex"][..], &["doctor", "--fix"]] {
        let sandbox =
            Sandbox::given(&[("pitfalls.md", "# Pitfalls\n\n## Trap\n<!-- @id: trap -->\n")]);
        sandbox.run(&["reindex"]).expect_code(0);
        sandbox.append("index.md", &format!("\nThe key is {key}.\n"));
        sandbox.run(command).expect_code(0);
        for (path, bytes) in files_in(&sandbox.store()) {
            assert!(!String::from_utf8_lossy(&bytes).contains(&key), "{path} after {command:?}");
        }
    }
}
