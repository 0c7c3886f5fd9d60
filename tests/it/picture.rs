//! The picture of a review in README, drawn from a real one: `BLESS=1 cargo test --test it picture` renews it.

use std::path::Path;

use serde_json::json;

use crate::requests::new_body;
use crate::support::{Sandbox, Terminal, blessing};

const NOTES: &str = "# Conventions\n\n## Errors\n<!-- @id: errors -->\n\n- Wrap every error with the operation that failed.\n- Never log an error and return it as well.\n- Panics are bugs.\n";

#[test]
fn the_picture_of_the_review_is_what_a_person_sees() {
    let sandbox = Sandbox::given(&[("conventions.md", NOTES)]);
    sandbox.git(&["config", "user.name", "Ada"]);
    let body =
        "- Wrap every error with the operation that failed and its input.\n- Panics are bugs.";
    let mut request = new_body("errors", body);
    request["owner"] = json!("refactor-agent");
    request["rationale"] = json!("The new helper adds the input");
    request["confidence"] = json!("confirmed");
    request["sources"] = json!([{ "type": "file", "ref": "src/auth/refresh.rs:1-4" }]);
    sandbox.propose(request.clone()).staged();
    request["operations"] = json!([{
        "operation": "append_section", "heading": "Retries",
        "content": "- Three tries with growing pauses, then give up.",
    }]);
    request["rationale"] = json!("Found in all four clients");
    sandbox.propose(request).staged();
    let mut terminal = Terminal::in_colour(&sandbox, "review");
    let mut seen = String::from("$ agent-memory review\n");
    seen += &terminal.answer("?] ", "r");
    seen += &terminal.answer("Why? ", "the second bullet still holds\r");
    seen += &terminal.answer("?] ", "a");
    seen += terminal.end().0.trim_end_matches("code=");
    let picture = anstyle_svg::Term::new().render_svg(&seen);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/review.svg");
    if blessing() {
        std::fs::write(&path, &picture).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == picture,
        "BLESS=1 renews {}",
        path.display()
    );
}
