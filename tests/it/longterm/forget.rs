//! What is forgotten for good.

use serde_json::json;

use super::world::{World, context, context_beside, of, status};

#[test]
fn what_is_forgotten_stands_in_no_file() {
    let world = World::new();
    let texts = ["wombat in the attic", "quokka under the stairs", "numbat on the roof"];
    for text in &texts[..2] {
        let arguments =
            json!({"memory_content": text, "memory_scope": "target_user", "target_user": "Ada"});
        assert_eq!(world.create(&context(), arguments).code, 0);
    }
    assert_eq!(world.update(&context(), of(10, texts[2], "Ada")).code, 0);
    assert_eq!(world.update(&context(), of(11, "", "Ada")).code, 0);
    world.know(json!({"users": {"u1": {"names": ["Countess of Lovelace"]}}}));
    assert!(world.has_bytes(texts[2].as_bytes()) && world.has_bytes(b"Countess of Lovelace"));
    let generation = world.generations()["user:u1"];
    world.run(&["forget", "--person", "u1"]).expect_code(2);
    let forgotten = world.run(&["forget", "--person", "u1", "--yes", "--json"]).expect_code(0);
    assert_eq!(forgotten.json()["forgotten"], 5);
    for text in texts.iter().chain(&["Countess of Lovelace", "likes tea", "true for every"]) {
        assert!(!world.has_bytes(text.as_bytes()), "{text}");
    }
    assert!(world.has_bytes(b"Meetings are on Fridays") && world.has_bytes(b"of Bob"));
    assert_eq!(world.generations()["user:u1"], generation + 1);
    let create =
        json!({"memory_content": "x", "memory_scope": "target_user", "target_user": "Ada"});
    assert_eq!(status(&world.create(&context(), create)), "privacy_restricted");
    assert_eq!(world.context(&context_beside("u1", "Ada"))["people"], json!([]));
    world.run(&["log", "--verify"]).expect_code(0);
    // The numbers are used up.
    let next = json!({"memory_content": "next", "memory_scope": "server_wide"});
    assert_eq!(world.create(&context(), next).value["data"]["memory_id"], 12);
}

#[test]
fn a_forgotten_server_leaves_those_of_people() {
    let world = World::new();
    world.run(&["forget", "--server", "s1", "--yes"]).expect_code(0);
    let numbers: Vec<u64> = world.rows().into_keys().collect();
    assert_eq!(numbers, [2, 3, 5, 6, 7, 8, 9]);
    assert!(!world.has_bytes(b"Meetings are on Fridays"));
    assert!(!world.has_bytes(b"of another character"));
}

/// Enough memories that rows move between pages, and their old places must be empty too.
#[test]
fn what_is_forgotten_among_many_stands_in_no_file() {
    let world = World::empty();
    let line = |id: u64| {
        let owner = format!("u{}", id % 3);
        let content =
            format!("owned by {owner}: {}", "text ".repeat(usize::try_from(id % 90).unwrap()));
        let line = json!({"id": id, "scope": "target_user", "owner": owner, "lineage": 1 + id / 200, "content": content});
        format!("{line}\n")
    };
    let lines: String = (1..=600).map(line).collect();
    world.prepare(&["import", "-"]).stdin(lines).run().expect_code(0);
    world.run(&["forget", "--person", "u1", "--yes"]).expect_code(0);
    assert!(!world.has_bytes(b"owned by u1"));
    assert!(world.has_bytes(b"owned by u2"));
    assert_eq!(world.rows().len(), 400);
}

#[test]
fn who_was_forgotten_stays_so_whatever_a_host_says_later() {
    let world = World::new();
    world.run(&["forget", "--person", "u1", "--yes"]).expect_code(0);
    for patch in [json!({"privacy": "minimal"}), json!(null), json!({"forgotten": null})] {
        world.know(json!({"users": {"u1": patch}}));
    }
    let wish = json!({"memory_content": "x", "memory_scope": "target_user", "target_user": "Ada"});
    assert_eq!(status(&world.create(&context(), wish.clone())), "privacy_restricted");
    let line =
        json!({"id": 50, "scope": "target_user", "owner": "u1", "lineage": 1, "content": "x"});
    let reply = world.prepare(&["import", "-"]).stdin(format!("{line}\n")).run().expect_code(1);
    assert!(reply.stdout.contains("the person was forgotten"), "{reply:?}");
    world.run(&["directory", "remove", "u1"]).expect_code(0);
    assert_eq!(world.create(&context(), wish).code, 0);
    let again = world.run(&["directory", "remove", "u1"]).expect_code(1);
    assert!(again.stderr.contains("no entry of the user `u1`"), "{again:?}");
}

#[test]
fn forgetting_says_what_it_could_not_mean() {
    let world = World::new();
    let unknown =
        world.run(&["forget", "--person", "Ada", "--yes", "--json"]).expect_code(0).json();
    assert!(unknown["warnings"][0].as_str().unwrap().contains("not a name"), "{unknown}");
    let bridge = ["forget", "--person", "@eve:example.org", "--yes", "--json"];
    let bridge = world.run(&bridge).expect_code(0).json();
    assert!(bridge["warnings"][0].as_str().unwrap().contains("is shared, and stays"), "{bridge}");
}
