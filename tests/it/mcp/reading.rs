//! Resources: what a client may read by address.

use serde_json::{Value, json};

use super::{Client, Era};
use crate::requests::{convention, with_conventions};
use crate::support::replace_placeholders;

fn read(client: &mut Client, uri: &str) -> Value {
    client.request("resources/read", json!({"uri": uri}))["result"]["contents"][0].clone()
}

#[test]
fn files_the_contents_and_what_waits_can_be_listed_and_read() {
    let sandbox = with_conventions();
    let id = sandbox.propose(convention("Paths", "They are short.")).staged();
    sandbox.run(&["reindex"]).expect_code(0);
    let mut client = Client::start(&sandbox, Era::Stateless);
    let listed = client.request("resources/list", json!({}))["result"]["resources"].clone();
    let listed: Vec<&str> =
        listed.as_array().unwrap().iter().map(|each| each["uri"].as_str().unwrap()).collect();
    let staged = format!("memory://staged/{id}");
    for uri in ["memory://index", "memory://file/conventions.md", &staged] {
        assert!(listed.contains(&uri), "{listed:?}");
        assert_eq!(read(&mut client, uri)["uri"], uri);
    }
    let text = read(&mut client, "memory://file/conventions.md")["text"].clone();
    assert_eq!(text, sandbox.file("conventions.md"));
    assert!(read(&mut client, "memory://index")["text"].as_str().unwrap().contains("`errors`"));
    let shown: Value =
        serde_json::from_str(read(&mut client, &staged)["text"].as_str().unwrap()).unwrap();
    let mut told = sandbox.run(&["show", &id, "--json"]).json();
    told.as_object_mut().unwrap().remove("schema_version");
    assert_eq!(shown, told);
}

#[test]
fn a_secret_in_a_file_is_masked_and_settings_are_no_memory() {
    let sandbox = with_conventions();
    let secret = replace_placeholders("{{AWS_KEY}}");
    sandbox.append("conventions.md", &format!("\n## Keys\n\nUse {secret} for it.\n"));
    let mut client = Client::start(&sandbox, Era::Stateless);
    let text = read(&mut client, "memory://file/conventions.md").to_string();
    assert!(text.contains("Keys") && !text.contains(&secret), "{text}");
    for path in ["config.toml", "state/log.jsonl", "/etc/passwd"] {
        let answer =
            client.request("resources/read", json!({"uri": format!("memory://file/{path}")}));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
