//! The help of the program, and what it says of commands that other programs have.

use crate::support::Sandbox;

#[test]
fn a_command_of_another_program_leads_to_ours() {
    let sandbox = Sandbox::new();
    for (word, command) in [("approve", "apply"), ("queue", "status"), ("remember", "propose")] {
        let told = sandbox.run(&[word, "x"]).expect_code(2).stderr;
        assert!(told.contains(&format!("use `agent-memory {command}`")), "{told}");
        let error = sandbox.run(&[word, "--json"]).expect_code(2).json()["error"].clone();
        assert_eq!(error["hint"], format!("use `agent-memory {command}`"));
    }
    let told = sandbox.run(&["zebra"]).expect_code(2).stderr;
    assert!(!told.contains("use `agent-memory"), "{told}");
}

#[test]
fn help_and_no_command_list_the_groups() {
    let sandbox = Sandbox::without_store();
    let help = sandbox.run(&["--help"]).expect_code(0).stdout;
    for group in ["Propose and review:", "Read:", "Teams and CI:", "Set up:", "Maintenance:"] {
        assert!(help.contains(group), "{help}");
    }
    assert!(sandbox.run(&[]).expect_code(2).stderr.contains("Propose and review:"));
}

#[test]
fn no_command_in_a_repository_with_a_store_is_its_status() {
    let sandbox = Sandbox::new();
    let bare = sandbox.run(&[]).expect_code(0);
    assert_eq!(bare.stdout, sandbox.run(&["status"]).expect_code(0).stdout);
    assert!(sandbox.run(&["--json"]).expect_code(0).json()["health"].is_object());
    // A group of commands without one of them is no status.
    assert!(sandbox.run(&["secrets"]).expect_code(2).stderr.contains("scan"));
}
