//! What a change or a process leaves behind is looked at by the next who reads.

use crate::requests::session;
use crate::support::Sandbox;

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
