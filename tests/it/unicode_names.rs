//! Headings in either Unicode form: an editor on one machine composes `ü`, that on another writes two characters.

use serde_json::json;

use crate::support::Sandbox;

/// The same headings, composed and taken apart.
const SPELLINGS: [(&str, &str); 3] =
    [("Größe", "Gro\u{308}ße"), ("Café", "Cafe\u{301}"), ("ガイド", "カ\u{3099}イト\u{3099}")];

fn store_with(heading: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("local/shared.md", format!("# Shared\n\n## {heading}\n\nlimits\n"));
    sandbox
}

fn replace(heading: &str) -> serde_json::Value {
    json!({
        "intent": "update_shared",
        "operations": [{
            "operation": "replace_section_content", "heading": heading, "content": "other limits",
        }],
    })
}

#[test]
fn a_heading_is_found_in_either_form_and_keeps_its_own() {
    for (composed, apart) in SPELLINGS {
        for (there, named) in [(composed, apart), (apart, composed)] {
            let sandbox = store_with(there);
            sandbox.propose(replace(named)).applied();
            let text = sandbox.file("local/shared.md");
            assert!(text.contains(&format!("## {there}\n")), "{text}");
            assert!(text.contains("other limits"), "{text}");
            let shown = sandbox.run(&["show", &format!("local/shared.md#{named}")]);
            assert!(shown.expect_code(0).stdout.contains("other limits"));
        }
    }
}

#[test]
fn a_heading_is_not_added_in_its_other_form() {
    for (composed, apart) in SPELLINGS {
        for (there, added) in [(composed, apart), (apart, composed)] {
            let sandbox = store_with(there);
            let request = json!({
                "intent": "update_shared",
                "operations": [{ "operation": "append_section", "heading": added, "content": "x" }],
            });
            sandbox.propose(request).rejected("duplicate_section_id");
        }
    }
}

#[test]
fn a_heading_that_is_repeated_in_the_content_may_have_its_other_form() {
    for (composed, apart) in SPELLINGS {
        let sandbox = Sandbox::new();
        let content = format!("## {apart}\n\nx");
        let request = json!({
            "intent": "update_shared",
            "operations": [{ "operation": "append_section", "heading": composed, "content": content }],
        });
        sandbox.propose(request).applied();
        let text = sandbox.file("local/shared.md");
        assert_eq!(text.matches("\n## ").count(), 1, "{text}");
    }
}
