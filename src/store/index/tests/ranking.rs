//! What stands before what.

use super::*;

#[test]
fn a_heading_without_text_stands_behind_what_has_some() {
    let filler = "Whoever is on duty looks at the board and at the mail of the night. ".repeat(9);
    let sandbox = Sandbox::new(&[
        ("modules/a.md", "# Deployment\n\n## Steps\n\nRun the script and wait.\n"),
        ("modules/b.md", &format!("# Duty\n\n{filler}A deployment waits for the tests.\n")),
    ]);
    assert_eq!(sandbox.found("deployment").pop().as_deref(), Some("modules/a.md:1"));
    assert_eq!(
        sandbox.found("how does deployment work")[1..],
        ["modules/b.md:1", "modules/a.md:1"]
    );
}
