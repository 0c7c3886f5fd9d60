//! What a change or a process leaves behind is looked at by the next who reads.

use crate::requests::session;
use crate::support::{Sandbox, files_in};

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
